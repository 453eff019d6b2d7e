package engine

import "slices"

// repeats tells whether at an instant g would have v leave by fairness once more, in whole or in part, though nothing has
// changed from outside since it last did: what is borrowed would go round. With guarantees and tiers nothing does: who takes
// a guarantee back leaves others theirs, and who displaces a lower tier is of the same team. An instant to come is another
// matter: somebody will have ended by then.
func (s *State) repeats(g, v *gang, at Time) bool {
	return at <= s.now && g.evenedSince == s.outside && g.evened[v.ID] && !g.waitsFor(v)
}

// waitsFor tells whether g holds a planned berth that v leaves for.
func (g *gang) waitsFor(v *gang) bool {
	return g.Berth != nil && slices.ContainsFunc(g.Berth.Victims, func(w Victim) bool { return w.Gang == v.ID })
}

// noteEvened remembers that v leaves for g, if that is to even shares out.
func (s *State) noteEvened(g, v *gang, rule Rule) {
	if rule != ByFairness {
		return
	}
	if g.evened == nil || g.evenedSince != s.outside {
		g.evened, g.evenedSince = map[string]bool{}, s.outside
	}
	g.evened[v.ID] = true
}

// fromOutside notes that something has changed that was not decided here: a gang came, ended or asks for something else;
// or nodes, pools, teams or quotas are others.
func (s *State) fromOutside() { s.outside++ }
