package engine

// entitle computes what t and all teams below it are guaranteed, limited to and may lend, by pair.
func (s *State) entitle(t *team) {
	n := len(s.pairs.list)
	t.guarantee, t.limit, t.lendable = make([]int64, n), make([]int64, n), make([]int64, n)
	t.claims = make([]int64, n)
	t.entry, t.accelerators = make([]bool, n), s.accelerators
	t.used, t.held = make([]int64, n), make([]int64, n)
	for i := range n {
		t.limit[i], t.lendable[i] = Unlimited, Unlimited
	}
	for _, e := range t.quota.Entries {
		i := s.pairs.of(e.Pool, e.Resource)
		t.guarantee[i], t.limit[i], t.lendable[i], t.entry[i] = e.Guaranteed, e.Limit, e.Lendable, true
		t.claims[i] = e.Guaranteed
	}
	for _, c := range t.children {
		s.entitle(c)
	}
	for i := range n {
		if t == s.root {
			t.guarantee[i] = s.capacityOf(i)
		} else if !t.entry[i] {
			t.guarantee[i] = childGuarantees(t, i)
		}
	}
	if t == s.root {
		s.scale(t)
	}
}

// childGuarantees sums what t's children are guaranteed of pair i.
func childGuarantees(t *team, i int) int64 {
	var sum int64
	for _, c := range t.children {
		sum = addSat(sum, c.guarantee[i])
	}
	return sum
}

// scale reduces children that are guaranteed more than their parent to it, in proportion: at the root to what the
// registered nodes hold. A child that is reduced reduces its own.
func (s *State) scale(t *team) {
	for i := range t.guarantee {
		sum := childGuarantees(t, i)
		if sum <= t.guarantee[i] {
			continue
		}
		for _, c := range t.children {
			c.guarantee[i] = mulDiv(c.guarantee[i], t.guarantee[i], sum)
		}
	}
	for _, c := range t.children {
		s.scale(c)
	}
}

// overLimit returns the first team from t up whose limit on a pair would be passed with ask more, and the pair. What
// is held counts where held is true, also by gangs that were told to leave; otherwise what will be once they have left.
func (t *team) overLimit(ask []int64, held bool) (*team, int) {
	for up := t; up != nil; up = up.parent {
		for i, q := range ask {
			if q == 0 || up.limit[i] == Unlimited {
				continue
			}
			if up.used[i]+q > up.limit[i] || held && up.held[i]+q > up.limit[i] {
				return up, i
			}
		}
	}
	return nil, 0
}

// aboveLimit returns the first team from t up whose limit is below ask by itself, and the pair.
func (t *team) aboveLimit(ask []int64) (*team, int) {
	for up := t; up != nil; up = up.parent {
		for i, q := range ask {
			if q > 0 && up.limit[i] != Unlimited && q > up.limit[i] {
				return up, i
			}
		}
	}
	return nil, 0
}

// notLent returns the pair of which too little would be left for teams that do not lend all of their idle guarantee, if
// t used ask more; -1 if there is none.
func (s *State) notLent(t *team, ask []int64) int {
	for i, q := range ask {
		if q == 0 {
			continue
		}
		kept := int64(0)
		for up := t; up.parent != nil; up = up.parent {
			for _, c := range up.parent.children {
				if c != up {
					kept = addSat(kept, c.keeps(i))
				}
			}
		}
		if kept > 0 && s.root.used[i]+q+kept > s.capacityOf(i) {
			return i
		}
	}
	return -1
}

// keeps returns how much of pair i the team's side of the tree holds idle and does not lend.
func (t *team) keeps(i int) int64 {
	var below int64
	for _, c := range t.children {
		below += c.keeps(i)
	}
	if t.lendable[i] == Unlimited {
		return below
	}
	return max(below, t.guarantee[i]-t.lendable[i]-t.used[i], 0)
}
