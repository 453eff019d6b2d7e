package state

// TeamView is what the cache knows of a team.
type TeamView struct {
	// Namespaces are those it has, Conflicts those that it names and another team has, by that team's name.
	Namespaces []string
	Conflicts  map[string]string
	// ParentKnown tells whether there is a team of the parent's name; true without one.
	ParentKnown bool
	// Cycle tells that the parents lead back to the team.
	Cycle bool
	// Pending, Admitted and Preempting count its own gangs.
	Pending, Admitted, Preempting int32
	Usage                         []Entitled
	// Share is the dominant share in thousandths, Pool and Resource what it is of.
	Share          int64
	Pool, Resource string
}

// Team returns what is known of a team.
func (c *Cache) Team(name string) TeamView {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settleTeams()
	var v TeamView
	v.Namespaces, v.Conflicts = c.teams.held(name)
	v.ParentKnown, v.Cycle = c.teams.ancestry(name)
	n := c.counts[name]
	v.Pending, v.Admitted, v.Preempting = n.pending, n.admitted, n.preempting
	v.Usage = c.usage(name)
	v.Share, v.Pool, v.Resource = c.engine.Share(name)
	return v
}

// ancestry tells whether a team's parent exists, and whether its parents lead in a circle.
func (t *teams) ancestry(name string) (parentKnown, cycle bool) {
	team := t.specs[name]
	if team == nil || team.Spec.Parent == "" {
		return true, false
	}
	parentKnown = t.specs[team.Spec.Parent] != nil
	seen := map[string]bool{name: true}
	for up := t.specs[team.Spec.Parent]; up != nil; up = t.specs[up.Spec.Parent] {
		if seen[up.Name] {
			return parentKnown, true
		}
		seen[up.Name] = true
	}
	return parentKnown, false
}
