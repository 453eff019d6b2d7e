package topo

// Room is the capacity of a pool's nodes: what each has free, and whether new pods may go there.
type Room struct {
	Tree  *Tree
	width int
	// free has width quantities a node.
	free   []int64
	usable []bool
	// weights has the weight of each accelerator resource, 0 for all others.
	weights []int64
	// total and idle are each node's accelerators and the idle ones, weighted; the sums over domains follow per level.
	total, idle []int64
	totalSum    [][]int64
	idleSum     [][]int64
	// log lists the nodes changed in this generation; shapes read on from where they stopped, and count anew when a
	// generation has passed them.
	log        []int32
	generation int
}

// NewRoom returns the room of tree's nodes: capacity and usability of the i-th node by the functions, over width
// resources, of which weights are accelerators (others 0).
func NewRoom(tree *Tree, width int, weights []int64, capacity func(node int32) Vec, usable func(node int32) bool) *Room {
	n := len(tree.Levels[tree.NodeLevel()])
	r := &Room{
		Tree: tree, width: width, weights: weights,
		free: make([]int64, n*width), usable: make([]bool, n), total: make([]int64, n), idle: make([]int64, n),
	}
	for i := range int32(n) {
		v := capacity(i)
		for k := range width {
			r.free[int(i)*width+k] = v.At(k)
			r.total[i] += r.weight(k) * v.At(k)
		}
		r.idle[i] = r.total[i]
		r.usable[i] = usable(i)
	}
	r.sum()
	return r
}

func (r *Room) weight(k int) int64 {
	if k < len(r.weights) {
		return r.weights[k]
	}
	return 0
}

// sum computes the domain sums from the nodes'. Idle counts usable nodes only.
func (r *Room) sum() {
	levels := len(r.Tree.Levels)
	r.totalSum, r.idleSum = make([][]int64, levels), make([][]int64, levels)
	for l := range levels {
		r.totalSum[l] = make([]int64, len(r.Tree.Levels[l]))
		r.idleSum[l] = make([]int64, len(r.Tree.Levels[l]))
	}
	for i := range r.total {
		for l, at := levels-1, int32(i); l >= 0; l-- {
			r.totalSum[l][at] += r.total[i]
			if r.usable[i] {
				r.idleSum[l][at] += r.idle[i]
			}
			at = r.Tree.Levels[l][at].Parent
		}
	}
}

// Width returns how many quantities a node's vector has.
func (r *Room) Width() int { return r.width }

// Weigh returns the accelerators in amount, weighted.
func (r *Room) Weigh(amount Vec) int64 {
	var sum int64
	for k, q := range amount {
		sum += r.weight(k) * q
	}
	return sum
}

// Kinds returns how many of the resources are accelerators.
func (r *Room) Kinds() int {
	n := 0
	for _, w := range r.weights {
		if w != 0 {
			n++
		}
	}
	return n
}

// Free returns what node has free. The slice must not be kept or changed.
func (r *Room) Free(node int32) []int64 { return r.free[int(node)*r.width : (int(node)+1)*r.width] }

// Usable tells whether new pods may go to node.
func (r *Room) Usable(node int32) bool { return r.usable[node] }

// NodeTotal returns node's accelerators, weighted, and NodeIdle the idle ones.
func (r *Room) NodeTotal(node int32) int64 { return r.total[node] }

// NodeIdle returns node's idle accelerators, weighted.
func (r *Room) NodeIdle(node int32) int64 { return r.idle[node] }

// Total returns the accelerators of a domain, weighted.
func (r *Room) Total(level int, domain int32) int64 { return r.totalSum[level][domain] }

// Idle returns the idle accelerators on usable nodes of a domain, weighted.
func (r *Room) Idle(level int, domain int32) int64 { return r.idleSum[level][domain] }

// Whole tells whether every accelerator of the domain is idle and usable; never for a domain without accelerators.
func (r *Room) Whole(level int, domain int32) bool {
	return r.totalSum[level][domain] > 0 && r.idleSum[level][domain] == r.totalSum[level][domain]
}

// Take takes amount from node; Give gives it back.
func (r *Room) Take(node int32, amount Vec) { r.apply(node, -1, amount) }

// Give gives amount back to node.
func (r *Room) Give(node int32, amount Vec) { r.apply(node, 1, amount) }

// note writes a changed node into the log, which is kept in proportion to the nodes.
func (r *Room) note(node int32) {
	if len(r.log) >= 8*len(r.usable)+1024 {
		r.log = r.log[:0]
		r.generation++
	}
	r.log = append(r.log, node)
}

func (r *Room) apply(node int32, sign int64, amount Vec) {
	free := r.Free(node)
	var delta int64
	for k, q := range amount {
		if q == 0 {
			continue
		}
		free[k] += sign * q
		delta += sign * q * r.weight(k)
	}
	r.note(node)
	if delta == 0 {
		return
	}
	before := max(r.idle[node], 0)
	r.idle[node] += delta
	if r.usable[node] {
		r.addIdle(node, max(r.idle[node], 0)-before)
	}
}

func (r *Room) addIdle(node int32, delta int64) {
	for l, at := r.Tree.NodeLevel(), node; l >= 0; l-- {
		r.idleSum[l][at] += delta
		at = r.Tree.Levels[l][at].Parent
	}
}

// SetUsable says whether new pods may go to node.
func (r *Room) SetUsable(node int32, usable bool) {
	if r.usable[node] == usable {
		return
	}
	r.usable[node] = usable
	r.note(node)
	if delta := max(r.idle[node], 0); usable {
		r.addIdle(node, delta)
	} else {
		r.addIdle(node, -delta)
	}
}
