package place

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawBuilding draws a pool too large for the oracle.
func drawBuilding(t *rapid.T) *pool {
	levels := [][]string{{}, {"rack"}, {"spine", "rack"}}[rapid.IntRange(0, 2).Draw(t, "depth")]
	racks, size := rapid.IntRange(1, 8).Draw(t, "racks"), rapid.IntRange(1, 6).Draw(t, "size")
	uniform := rapid.Bool().Draw(t, "uniform")
	var machines []machine
	for i := range racks * size {
		m := machine{name: fmt.Sprintf("n%02d", i), gpus: 8, cpus: 64, kind: "a"}
		m.path = []string{fmt.Sprintf("s%d", i/size/3), fmt.Sprintf("r%d", i/size)}[2-len(levels):]
		if !uniform {
			m.usedGPU = rapid.SampledFrom([]int64{0, 0, 1, 3, 4, 6, 7, 8}).Draw(t, "used")
			m.usedCPU = rapid.SampledFrom([]int64{0, 0, 0, 56}).Draw(t, "usedCPU")
			m.unusable = rapid.IntRange(0, 15).Draw(t, "unusable") == 0
		}
		machines = append(machines, m)
	}
	return newPool(levels, machines)
}

// drawGang draws a gang of up to three roles, the first of which may be large.
func drawGang(t *rapid.T, p *pool) *Request {
	leaf := p.tree.NodeLevel()
	r := &Request{Tree: p.tree, Room: p.room}
	for i := range rapid.SampledFrom([]int{1, 1, 1, 2, 2, 3}).Draw(t, "roles") {
		unit := rapid.SampledFrom([]int{1, 1, 1, 2, 4}).Draw(t, "group")
		count := rapid.IntRange(0, 4).Draw(t, "count") * unit
		if i == 0 {
			count = rapid.IntRange(4, 60).Draw(t, "large count") / unit * unit
		}
		role := p.role(count, rapid.SampledFrom([]int64{0, 1, 1, 2, 4, 8}).Draw(t, "gpu"), rapid.Int64Range(0, 8).Draw(t, "cpu"), "")
		if unit > 1 {
			role.Groups = []Group{{Size: unit, Level: rapid.IntRange(0, leaf).Draw(t, "group level")}}
		}
		r.Roles = append(r.Roles, role)
	}
	r.Required = rapid.IntRange(0, leaf).Draw(t, "required")
	r.Preferred = rapid.IntRange(0, leaf).Draw(t, "preferred")
	r.Pack = rapid.IntRange(0, 2).Draw(t, "pack") == 0
	return r
}

// check fails unless the slot is feasible.
func check(t *rapid.T, p *pool, r *Request, s Slot) {
	o := &oracle{p: p, r: r, counts: countsOf(p, s)}
	switch {
	case !o.complete():
		t.Fatal("the slot does not have all pods")
	case !o.whole():
		t.Fatal("the slot breaks a group")
	case !o.inside(max(r.Required, s.Level)):
		t.Fatal("the slot leaves its domain")
	case s.Level < p.tree.NodeLevel() && o.touched(s.Level+1) < 2:
		t.Fatal("the slot names a domain that is not the lowest")
	}
	for n := range p.machines {
		if !o.fits(n) {
			t.Fatalf("node %d has no room for what is put there", n)
		}
	}
}

func TestNoShortcutChangesTheSlot(t *testing.T) {
	fast, slow := Finder{}, Finder{thorough: true}
	rapid.Check(t, func(t *rapid.T) {
		p := drawBuilding(t)
		r := drawGang(t, p)
		got, ok, bounded := fast.Find(r)
		want, exists, _ := slow.Find(r)
		if slow.over {
			t.Skip("too large to be done without shortcuts")
		}
		if bounded || ok != exists {
			t.Fatalf("found: %v, bounded: %v; without shortcuts: %v", ok, bounded, exists)
		}
		if fits, _ := fast.Fits(r); fits != ok {
			t.Fatalf("Fits says %v, Find %v", fits, ok)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("another slot than without shortcuts (-want +got):\n%s", diff)
		}
		if ok {
			check(t, p, r, got)
		}
		var fresh Finder
		if again, _, _ := fresh.Find(r); !cmp.Equal(got, again) {
			t.Fatal("a fresh finder gives another slot")
		}
	})
}

func TestABoundedSearchSaysSoAndIsNeverWrong(t *testing.T) {
	var f, exact Finder
	rapid.Check(t, func(t *rapid.T) {
		p := drawBuilding(t)
		r := drawGang(t, p)
		_, exists, _ := exact.Find(r)
		r.Budget = rapid.IntRange(1, 8).Draw(t, "budget")
		s, ok, bounded := f.Find(r)
		switch {
		case ok && !exists:
			t.Fatal("found a slot where there is none")
		case !ok && exists && !bounded:
			t.Fatal("missed a slot and did not say that the search was bounded")
		case !ok && exists && len(r.Roles) == 1:
			t.Fatal("missed a slot for a gang of one role")
		case ok:
			check(t, p, r, s)
		}
		fits, bounded := f.Fits(r)
		if fits && !exists || !fits && exists && !bounded {
			t.Fatalf("Fits says %v, bounded: %v; a slot exists: %v", fits, bounded, exists)
		}
	})
}

func TestASearchWithinADomainStaysThere(t *testing.T) {
	var f Finder
	rapid.Check(t, func(t *rapid.T) {
		p := drawBuilding(t)
		r := drawGang(t, p)
		level := rapid.IntRange(0, p.tree.NodeLevel()).Draw(t, "level")
		some := false
		for d := range int32(len(p.tree.Levels[level])) {
			fits, _ := f.FitsIn(r, level, d)
			inside := *r
			inside.Within = &Domain{Level: level, Index: d}
			s, ok, _ := f.Find(&inside)
			if ok != fits {
				t.Fatalf("FitsIn says %v, Find %v", fits, ok)
			}
			some = some || ok
			if !ok {
				continue
			}
			check(t, p, r, s)
			for _, role := range s.Roles {
				for _, n := range role {
					if p.tree.Ancestor(n.Node, level) != d {
						t.Fatalf("node %d is outside domain %d of level %d", n.Node, d, level)
					}
				}
			}
		}
		if ok, _ := f.Fits(r); some && !ok || ok && !some && level <= r.Required {
			t.Fatalf("Fits says %v; some domain of level %d fits: %v", ok, level, some)
		}
	})
}

func TestAPoolWithoutNodesHoldsNothing(t *testing.T) {
	var f Finder
	p := newPool([]string{"rack"}, nil)
	for _, pack := range []bool{false, true} {
		r := p.request(p.role(1, 1, 0, ""))
		r.Pack = pack
		if _, ok, bounded := f.Find(r); ok || bounded {
			t.Errorf("found a slot (%v) or a bound (%v)", ok, bounded)
		}
	}
	if _, ok, _ := f.Find(p.request()); !ok {
		t.Error("a gang without pods needs no node")
	}
}
