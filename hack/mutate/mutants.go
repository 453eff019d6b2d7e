package main

// mutants are the lines that matter most, turned. A change of policy brings its own.
var mutants = []mutant{
	// P1: order.
	{
		"who fits a guarantee comes last", "order.go",
		"return inA\n", "return inB\n",
	},
	{
		"the fullest guarantee comes first", "order.go",
		"cmpRatio(a.filled(askA), b.filled(askB))", "cmpRatio(b.filled(askB), a.filled(askA))",
	},
	{
		"the largest share comes first", "order.go",
		"cmpRatio(s.share(a, askA, nil), s.share(b, askB, nil))", "cmpRatio(s.share(b, askB, nil), s.share(a, askA, nil))",
	},
	{
		"names alone break ties between teams", "order.go",
		"cmp.Compare(ga.Queued, gb.Queued), cmp.Compare(ga.ID, gb.ID)", "cmp.Compare(ga.ID, gb.ID)",
	},
	{
		"a guarantee covers all but its last piece", "order.go",
		"if t.used[i]+q > t.guarantee[i] {", "if t.used[i]+q >= t.guarantee[i] {",
	},
	{
		"who could evict the gang at once is not tried before it", "pass.go",
		"range s.rivals(g, r, slot) {", "range s.rivals(g, r, slot)[:0] {",
	},

	// Quotas.
	{
		"guarantees above the parent's are not scaled", "entitle.go",
		"if sum <= t.guarantee[i] {", "if sum >= 0 {",
	},
	{
		"who was told to leave counts in no limit", "entitle.go",
		" || held && up.held[i]+q > up.limit[i]", "",
	},
	{
		"what is not lendable is lent", "entitle.go",
		"s.root.used[i]+q+kept > s.capacityOf(i)", "s.root.used[i]+q > s.capacityOf(i)",
	},

	// P2: rights.
	{
		"an equal tier of the team may be evicted", "rights.go",
		"if v.Tier < g.Tier {", "if v.Tier <= g.Tier {",
	},
	{
		"minRuntime protects nobody", "rights.go",
		"at < v.Berth.Started+minRuntime", "at < v.Berth.Started",
	},
	{
		"a parent's guarantee reclaims nothing", "rights.go",
		"if coveredUpTo(g.leaf, a, asks) {", "if g.leaf.covers(asks) {",
	},
	{
		"a team that uses just its guarantee may lose a gang", "rights.go",
		"over = over || q > 0 && v.charged[i] > 0 && t.used[i] > t.guarantee[i]",
		"over = over || q > 0 && v.charged[i] > 0 && t.used[i] >= t.guarantee[i]",
	},
	{
		"who leaves the guarantee whole straddles it", "rights.go",
		"t.used[i]-v.charged[i] < t.guarantee[i]", "t.used[i]-v.charged[i] <= t.guarantee[i]",
	},
	{
		"half of the fairness clause suffices", "rights.go",
		"< 0 && cmpRatio(with,", "< 0 || cmpRatio(with,",
	},
	{
		"fairness takes from the smallest share below", "rights.go",
		"if cmpRatio(s.share(sibling, asks, nil), mine) > 0 {", "if cmpRatio(s.share(sibling, asks, nil), mine) < 0 {",
	},
	{
		"straddling victims are taken as readily as others", "rightful.go",
		"straddles && !straddlers {", "straddles && !straddlers && i < 0 {",
	},
	{
		"a preemption may be undone by its victim", "rightful.go",
		"undone = undone || rule != NoRule\n", "undone = undone || rule != NoRule && false\n",
	},

	// P3: plans.
	{
		"straddling victims cost nothing more", "plan.go",
		"cmp.Compare(c.straddling, d.straddling), c.work[0]", "c.work[0]",
	},
	{
		"work of Batch weighs more than of Production", "plan.go",
		"c.work[0].compare(d.work[0]), c.work[1].compare(d.work[1]),", "c.work[1].compare(d.work[1]), c.work[0].compare(d.work[0]),",
	},
	{
		"the preferred level is worth victims of a higher tier", "plan.go",
		"in.highest() <= out.highest()", "in.highest() <= out.highest()+9",
	},
	{
		"work at stake is not capped", "stake.go",
		"t := min(s.uncapped(v), s.cfg.LostWorkCap)", "t := s.uncapped(v)",
	},
	{
		"silence pays", "stake.go",
		"if !v.Published {", "if v.Published {",
	},
	{
		"freed beyond need costs nothing", "plan.go",
		"cmp.Compare(c.freed, d.freed), ", "",
	},

	// P4: berths are kept.
	{
		"victims already signalled are spared", "keep.go",
		" && !l.Signaled", "",
	},

	// P5: promises.
	{
		"time at the head does not add up", "promise.go",
		"g.Heading+s.now-g.HeadSince < s.cfg.ReserveAfter", "s.now-g.HeadSince < s.cfg.ReserveAfter",
	},
	{
		"a pool makes one promise too many", "promise.go",
		"len(p.promised) >= s.cfg.MaxReservations", "len(p.promised) > s.cfg.MaxReservations",
	},
	{
		"a team may have several promises in a pool", "promise.go",
		"slices.ContainsFunc(p.promised, func(o *gang) bool { return o.leaf == g.leaf }) || ", "",
	},

	// P8: placement.
	{
		"nodes touched do not count", "place/words.go",
		"put(words, y.touched[f.leaf], 1)", "put(words, y.touched[f.leaf], 0)",
	},
	{
		"stranded accelerators do not count", "place/words.go",
		"put(words, y.stranded, f.strands(node, take))", "put(words, y.stranded, 0*f.strands(node, take))",
	},

	// P12: manners.
	{
		"back-off does not double", "manners.go",
		"int64(min(1<<n, 32))*s.cfg.EvictionBackOff", "2*s.cfg.EvictionBackOff",
	},
	{
		"back-off holds gangs within their guarantee", "manners.go",
		" && !s.withinGuarantee(g)", "",
	},
}
