package engine

import "slices"

// outlook is what will be when a promise falls due, as things stand.
type outlook struct {
	// change is the state's count of changes that it was made at.
	change int
	// uses is what those count as, by team, that will have ended.
	uses []teamUse
	// residue is, per node of the promised slot, what must stay free now: the slot less what will have been given back.
	residue []taking
	// giving are those who will have given back some of it.
	giving []*gang
}

type teamUse struct {
	leaf *team
	uses []int64
}

// charge charges those who will have ended out of (sign -1) or back into what teams have used.
func (l *outlook) charge(sign int64) {
	for _, u := range l.uses {
		u.leaf.charge(u.uses, sign, true, false)
	}
}

// outlookOf returns the outlook for o's promise in p.
func (s *State) outlookOf(p *pool, o *gang) *outlook {
	if o.outlook != nil && o.outlook.change == s.changes {
		return o.outlook
	}
	l := &outlook{change: s.changes}
	o.outlook = l
	released := map[*gang]bool{}
	byLeaf := map[*team]int{}
	gone := s.goneBy(p, o.Berth.NotBefore)
	for _, v := range gone {
		released[v] = true
		uses := v.charged
		if !v.usesUsed {
			if uses = v.kept; uses == nil {
				continue
			}
		}
		at, ok := byLeaf[v.leaf]
		if !ok {
			at = len(l.uses)
			byLeaf[v.leaf] = at
			l.uses = append(l.uses, teamUse{v.leaf, make([]int64, len(uses))})
		}
		for i, q := range uses {
			l.uses[at].uses[i] += q
		}
	}
	if r := s.requestIn(o, p); r != nil {
		l.charge(-1)
		gone = append(gone, s.takenBackAt(o, r, o.Berth.NotBefore, released)...)
		l.charge(1)
	}
	for _, v := range gone {
		if s.standsOn(v, o.Berth.Slot) {
			l.giving = append(l.giving, v)
		}
	}
	l.residue = s.residue(o, l.giving)
	return l
}

// keptFree returns what of o's promised slot must stay free in the room as it is. Who is away for a trial has given back
// already, and gives nothing any more.
func (s *State) keptFree(p *pool, o *gang) []taking {
	l := s.outlookOf(p, o)
	away := func(v *gang) bool { return v.out }
	if !slices.ContainsFunc(l.giving, away) {
		return l.residue
	}
	return s.residue(o, slices.DeleteFunc(slices.Clone(l.giving), away))
}

// goneBy returns the gangs in p that are known to end by an instant.
func (s *State) goneBy(p *pool, at Time) []*gang {
	var out []*gang
	for _, v := range p.gangs {
		if v.leaf != nil && v.charged != nil && s.endOf(v) <= at {
			out = append(out, v)
		}
	}
	return out
}

// residue returns what of o's promised slot must stay free now, if gone give back what they hold.
func (s *State) residue(o *gang, gone []*gang) []taking {
	out := s.takings(o, o.Berth.Slot)
	at := map[*node]taking{}
	for _, t := range out {
		at[t.node] = t
	}
	for _, v := range gone {
		for _, back := range v.taken {
			t, ok := at[back.node]
			for k := range t.amount {
				if ok && k < len(back.amount) {
					t.amount[k] = max(0, t.amount[k]-back.amount[k])
				}
			}
		}
	}
	return out
}
