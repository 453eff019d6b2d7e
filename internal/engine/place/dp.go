package place

import "github.com/berth-dev/berth/internal/engine/topo"

// maxSteps bounds the combinations of table entries that one search looks at, whatever its budget.
const maxSteps = 1 << 27

// table has the best way to place each possible set of pods in one domain: entries [from, to) of the arena. For domains
// above the nodes, moves[first+i] tells how the i-th child takes part.
type table struct {
	from, to int32
	first    int32
}

// move records, for every set of pods that the children from one on can take together, what that child itself takes.
type move struct {
	from, to int32
	// child is the child's table, or -1 if it takes nothing.
	child int32
}

// arena holds all tables of one domain under evaluation.
type arena struct {
	tables []table
	// keys, ids and words have the entries: which pods, by role, the dense number of that, and what they cost.
	keys  []uint64
	ids   []int32
	words []int64
	moves []move
	// sets and takes have the records of moves.
	sets, takes []uint64
}

func (a *arena) reset() {
	a.tables, a.keys, a.ids, a.words = a.tables[:0], a.keys[:0], a.ids[:0], a.words[:0]
	a.moves, a.sets, a.takes = a.moves[:0], a.sets[:0], a.takes[:0]
}

// row is a table under construction: what the children from the present one on can take together.
type row struct {
	keys, takes []uint64
	index       []int32
	words       []int64
}

func (r *row) reset() {
	r.keys, r.takes, r.index, r.words = r.keys[:0], r.takes[:0], r.index[:0], r.words[:0]
}

// bench has the rows of one level, kept while its children are built.
type bench struct {
	// have is what is merged so far, next what it becomes, picks the child's entries that may take part.
	have, next, picks row
	sorted            []int32
	// aside tells which nodes stand aside because others before them are alike and enough; kinds has one node of each
	// kind, and how many of it there are.
	aside []bool
	kinds []kind
}

// build makes the table of a domain and returns its number. For gangs of one role only the counts from lo to hi are
// made, and zero. The result is void once f.over is set.
func (f *Finder) build(level int, domain int32, lo, hi int32) int32 {
	if level == f.leaf {
		return f.buildNode(domain, hi)
	}
	dom := f.tree.Levels[level][domain]
	b := &f.benches[level]
	w := f.window(level, dom, lo, hi)
	first := int32(len(f.moves))
	for range dom.End - dom.First {
		f.moves = append(f.moves, move{child: -1})
	}
	b.have.reset()
	b.have.keys, b.have.index = append(b.have.keys, 0), append(b.have.index, 0)
	for range f.lay.words {
		b.have.words = append(b.have.words, 0)
	}
	left := max(f.idle(level, domain)-f.total, 0) * f.lay.left[level].unit
	last, lastChild := int32(-1), int32(-1)
	f.standAside(b, level, dom, w.few)
	for c := dom.End - 1; c >= dom.First && !f.over; c-- {
		p := w.part(f, level+1, c)
		if !p.in || len(b.aside) > 0 && b.aside[c-dom.First] {
			continue
		}
		id := last
		if last < 0 || f.thorough || !f.twins(level+1, lastChild, c) {
			id = f.build(level+1, c, p.lo, p.hi)
		}
		last, lastChild = id, c
		f.merge(level, f.tables[id], p, left)
		from := int32(len(f.sets))
		f.sets, f.takes = append(f.sets, b.have.keys...), append(f.takes, b.have.takes...)
		f.moves[first+c-dom.First] = move{from: from, to: int32(len(f.sets)), child: id}
	}
	return f.closeTable(level, domain, first, lo)
}

// closeTable turns the row of a level into the table of a domain: sets that break a group are dropped, and the words of
// the domain itself are added.
func (f *Finder) closeTable(level int, domain int32, first, lo int32) int32 {
	b, words := &f.benches[level], f.lay.words
	t := table{from: int32(len(f.keys)), first: first}
	f.appendZero()
	for i, key := range b.have.keys {
		if key == 0 || len(f.roles) == 1 && int32(key) < lo || !f.keepsGroups(level, key) {
			continue
		}
		f.keys, f.ids = append(f.keys, key), append(f.ids, b.have.index[i])
		at := len(f.words)
		f.words = append(f.words, b.have.words[i*words:(i+1)*words]...)
		f.domainWords(f.words[at:], level, domain, f.take(key), key == f.full)
	}
	t.to = int32(len(f.keys))
	f.tables = append(f.tables, t)
	return int32(len(f.tables) - 1)
}

func (f *Finder) appendZero() {
	f.keys, f.ids = append(f.keys, 0), append(f.ids, 0)
	for range f.lay.words {
		f.words = append(f.words, 0)
	}
}

// keepsGroups tells whether the counts in key are multiples of what groups at level ask for.
func (f *Finder) keepsGroups(level int, key uint64) bool {
	for i := range f.roles {
		if r := &f.roles[i]; r.step[level] > 1 && r.count(key)%r.step[level] != 0 {
			return false
		}
	}
	return true
}

// buildNode makes the table of a node: every set of pods that it has room for, at most hi of them if there is one role.
func (f *Finder) buildNode(node int32, hi int32) int32 {
	t := table{from: int32(len(f.keys)), first: -1}
	f.appendZero()
	if len(f.roles) == 1 {
		for n := int32(1); n <= min(hi, f.roles[0].cap[f.leaf][node]); n++ {
			f.appendNode(node, uint64(n))
		}
	} else {
		f.rest = append(f.rest[:0], f.room.Free(node)...)
		f.enumerate(node, 0, 0)
	}
	t.to = int32(len(f.keys))
	f.tables = append(f.tables, t)
	return int32(len(f.tables) - 1)
}

// enumerate appends every set of pods of the roles from i on that fits beside those in key.
func (f *Finder) enumerate(node int32, i int, key uint64) {
	if i == len(f.roles) {
		if key != 0 {
			f.appendNode(node, key)
		}
		return
	}
	r := &f.roles[i]
	n := int32(0)
	for {
		f.enumerate(node, i+1, key+uint64(n)<<r.shift)
		if n == min(r.need, r.cap[f.leaf][node]) || topo.Count(f.rest, r.request) == 0 {
			break
		}
		n++
		for k, q := range r.request {
			if q != 0 {
				f.rest[k] -= q
			}
		}
	}
	for k, q := range r.request {
		if q != 0 && n > 0 {
			f.rest[k] += q * int64(n)
		}
	}
}

func (f *Finder) appendNode(node int32, key uint64) {
	f.keys, f.ids = append(f.keys, key), append(f.ids, int32(f.index(key)))
	at := len(f.words)
	for range f.lay.words {
		f.words = append(f.words, 0)
	}
	f.nodeWords(f.words[at:], node, f.take(key))
}

// unfold appends to f.got what each node takes when the domain of table id takes the pods in key.
func (f *Finder) unfold(id int32, level int, domain int32, key uint64) {
	if key == 0 {
		return
	}
	if level == f.leaf {
		f.got = append(f.got, got{domain, key})
		return
	}
	t, dom := f.tables[id], f.tree.Levels[level][domain]
	for c := dom.First; c < dom.End && key != 0; c++ {
		m := f.moves[t.first+c-dom.First]
		for i := m.from; i < m.to; i++ {
			if f.sets[i] == key {
				f.unfold(m.child, level+1, c, f.takes[i])
				key -= f.takes[i]
				break
			}
		}
	}
}
