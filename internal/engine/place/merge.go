package place

// merge adds a child in front of those merged before: for every set of pods that they can take together, the cheapest
// split between them. left is what the domain has left over if it holds the whole gang, counted where the gang is
// complete from two parts.
//
//nolint:gocyclo // the innermost loop of the search: a call in it would cost more than it tells
func (f *Finder) merge(level int, child table, p part, left int64) {
	b := &f.benches[level]
	f.pick(b, level, child, p)
	f.steps += len(b.picks.keys) * len(b.have.keys)
	if f.steps > f.limit {
		f.over = true
		return
	}
	have, picks, out, slots, words := &b.have, &b.picks, &b.next, f.slots, f.lay.words
	out.reset()
	limit, guards := f.full|f.guards, f.guards
	for i, first := range have.keys {
		base, from := have.words[i*words:(i+1)*words], have.index[i]
		for j, second := range picks.keys {
			key := first + second
			if (limit-key)&guards != guards || int64(key) < p.least {
				continue
			}
			at := from + picks.index[j]
			add := picks.words[j*words : (j+1)*words]
			pos := int(slots[at])
			if pos > 0 && base[0]+add[0] > out.words[(pos-1)*words] {
				continue
			}
			extra := int64(0)
			if key == f.full && first != 0 && second != 0 {
				extra = left
			}
			if pos == 0 {
				out.keys, out.takes, out.index = append(out.keys, key), append(out.takes, second), append(out.index, at)
				pos = len(out.keys)
				slots[at] = int32(pos)
				out.words = append(out.words, base...)
			} else if !improves(base, add, out.words[(pos-1)*words:pos*words], extra, f.lay.left[level].word, second > out.takes[pos-1]) {
				continue
			} else {
				out.takes[pos-1] = second
				copy(out.words[(pos-1)*words:], base)
			}
			to := out.words[(pos-1)*words : pos*words]
			for w, v := range add {
				to[w] += v
			}
			if extra != 0 {
				to[f.lay.left[level].word] += extra
			}
		}
	}
	for _, at := range out.index {
		slots[at] = 0
	}
	b.have, b.next = b.next, b.have
	f.cut(&b.have, level)
}

// pick gathers the entries of a child that may take part.
func (f *Finder) pick(b *bench, level int, child table, p part) {
	single, words := len(f.roles) == 1, f.lay.words
	b.picks.reset()
	for e := int(child.from); e < int(child.to); e++ {
		key, cost := f.keys[e], f.words[e*words:(e+1)*words]
		if k := int32(key); single && (k == 0 && p.must || k != 0 && (k < p.lo || k > p.hi)) {
			continue
		}
		if f.hopeless(level, key, cost) {
			continue
		}
		b.picks.keys, b.picks.index = append(b.picks.keys, key), append(b.picks.index, f.ids[e])
		b.picks.words = append(b.picks.words, cost...)
	}
}

// improves tells whether base+add (and extra in one word) is below old, or equal to it with tie set.
func improves(base, add, old []int64, extra int64, extraWord int, tie bool) bool {
	for w, o := range old {
		v := base[w] + add[w]
		if extra != 0 && w == extraWord {
			v += extra
		}
		if v != o {
			return v < o
		}
	}
	return tie
}
