package place
import ("testing";"math/rand/v2";"time")
func TestDbg(t *testing.T){
	used := building(12500, 8, 96)
	rnd := rand.New(rand.NewPCG(5, 6))
	for i := range used {
		if rnd.IntN(10) > 0 {
			used[i].usedGPU = rnd.Int64N(8) + 1
		}
	}
	p := newPool([]string{"spine", "rack"}, used)
	var f Finder
	r:=p.request(p.role(4096, 1, 4, ""))
	t0:=time.Now()
	_,ok,_:=f.Find(r)
	t.Log(time.Since(t0),ok,f.steps,f.ceil.set,f.ceil.most,f.best.words,f.lay.touched, len(f.tables), len(f.sets))
	f.best.ok=false
	f.placeGreedily(0,0)
	w:=append([]int64{},f.price(0,0)...)
	g:=f.lay.touched
	t.Log(w, w[0]/g[1].unit, w[0]%g[1].unit/g[2].unit, w[0]%g[2].unit/g[3].unit)
	w=f.best.words
	t.Log(w, w[0]/g[1].unit, w[0]%g[1].unit/g[2].unit, w[0]%g[2].unit/g[3].unit)
	for l:=1;l<4;l++ { t.Log(l, f.ceil.least[0][l][4096]) }
	mm:=map[int]int{}
	dbgHook=func(level,a,b int){ mm[level]+=a*b }
	f.Find(r)
	t.Log(mm)
}
