package engine

import (
	"cmp"
	"slices"

	"github.com/berth-dev/berth/internal/engine/topo"
)

// byNode empties the nodes that are cheapest to empty for each pod gained, one by one, until the gang fits, then puts
// back who is not needed. Where many small gangs share a node, this sees what byCost does not: a node is only worth what
// all of them cost together.
func (q *search) byNode(from []candidate) {
	for _, n := range q.nodeOffers(from) {
		if q.fits() {
			break
		}
		q.empty(n)
	}
	q.settle()
}

// empty releases the victims of an offer, or none if one of them may not be.
func (q *search) empty(n nodeOffer) {
	before := len(q.chosen)
	for _, v := range n.victims {
		if slices.Contains(q.chosen, v) {
			continue
		}
		if !q.may(v, true) {
			for len(q.chosen) > before {
				q.drop(len(q.chosen) - 1)
			}
			return
		}
		q.add(v)
	}
}

// nodeOffer is what emptying a node costs and gains.
type nodeOffer struct {
	pos     int32
	victims []*gang
	cost    cost
	gain    int32
}

// nodeOffers returns the nodes on which candidates stand, cheapest for each pod of the gang's largest role first.
func (q *search) nodeOffers(from []candidate) []nodeOffer {
	dom := q.r.pool.tree.Levels[q.level][q.domain]
	offers := map[int32]*nodeOffer{}
	room := map[int32]topo.Vec{}
	for _, v := range from {
		for _, t := range v.taken {
			pos := t.node.pos
			if t.node.pool != q.r.pool || pos < dom.FirstNode || pos >= dom.EndNode {
				continue
			}
			o, ok := offers[pos]
			if !ok {
				o = &nodeOffer{pos: pos}
				offers[pos], room[pos] = o, slices.Clone(q.asked.Room.Free(pos))
			}
			if !slices.Contains(o.victims, v.gang) {
				o.victims = append(o.victims, v.gang)
				o.cost = o.cost.plus(v.cost)
			}
			for k, amount := range t.amount {
				room[pos][k] += amount
			}
		}
	}
	request := q.asked.Roles[q.largestRole()].Shape.Request
	out := make([]nodeOffer, 0, len(offers))
	for pos, o := range offers {
		o.gain = topo.Count(room[pos], request) - topo.Count(q.asked.Room.Free(pos), request)
		if o.gain > 0 && q.asked.Roles[q.largestRole()].Shape.Matches(pos) && q.asked.Room.Usable(pos) {
			out = append(out, *o)
		}
	}
	slices.SortFunc(out, func(a, b nodeOffer) int { return cmp.Or(perPod(a, b), cmp.Compare(a.pos, b.pos)) })
	return out
}

// perPod compares what two offers cost for each pod gained.
func perPod(a, b nodeOffer) int {
	for i := range a.cost.work {
		if c := a.cost.work[i].by(int64(b.gain)).compare(b.cost.work[i].by(int64(a.gain))); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.cost.freed*int64(b.gain), b.cost.freed*int64(a.gain))
}

// largestRole returns the role of which the fewest pods fit on the bare pool.
func (q *search) largestRole() int {
	least := 0
	for i, sh := range q.r.shapes {
		if sh.bare.Fit(0, 0) < q.r.shapes[least].bare.Fit(0, 0) {
			least = i
		}
	}
	return least
}
