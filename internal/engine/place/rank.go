package place

// Ranks returns the node of every rank of every role of a slot. Ranks follow the tree in depth-first order: a ring over
// them enters and leaves every domain once, and every group, being whole, is a run of ranks.
func Ranks(r *Request, s Slot) [][]int32 {
	out := make([][]int32, len(s.Roles))
	for i, nodes := range s.Roles {
		out[i] = make([]int32, 0, max(r.Roles[i].Count, 0))
		for _, n := range nodes {
			for range n.Count {
				out[i] = append(out[i], n.Node)
			}
		}
	}
	return out
}
