package engine

import (
	"cmp"
	"slices"
)

// earliest returns the slot that comes free first for g within quota, when, and who frees it last. Gangs end by their
// maxRuntime, without one when their assumed runtime is over; those that g may evict by then count as released, their
// minRuntime over; foreign pods never end.
func (s *State) earliest(g *gang, r *request) (slot Slot, at Time, basis string, ok bool) {
	for _, o := range r.pool.promised {
		s.takePromise(o, 1)
		defer s.takePromise(o, -1)
	}
	ends := s.endings(g, r.pool)
	times := s.turns(ends)
	// The more has ended the more is free, so the first instant is found by halving.
	first, _ := slices.BinarySearchFunc(times, true, func(t Time, _ bool) int {
		if _, ok := s.slotAt(g, r, ends, t); ok {
			return 0
		}
		return -1
	})
	if first == len(times) {
		return Slot{}, 0, "", false
	}
	at = times[first]
	slot, ok = s.slotAt(g, r, ends, at)
	return slot, at, s.basis(ends, at, slot), ok
}

// ending is a gang that holds room and when it is known to end.
type ending struct {
	*gang
	at Time
}

// endings returns the gangs that hold room in p, by when they are known to end.
func (s *State) endings(g *gang, p *pool) []ending {
	var out []ending
	for _, v := range p.gangs {
		if v == g || v.leaf == nil || v.charged == nil {
			continue
		}
		out = append(out, ending{v, max(s.endOf(v), s.now)})
	}
	slices.SortFunc(out, func(a, b ending) int { return cmp.Or(cmp.Compare(a.at, b.at), byID(a.gang, b.gang)) })
	return out
}

// turns returns the instants at which more may be free than before: ends, and ends of minRuntimes.
func (s *State) turns(ends []ending) []Time {
	times := []Time{s.now}
	for _, e := range ends {
		times = append(times, e.at)
		if least := e.leaf.quota.MinRuntime; least > 0 && e.Berth.State == Occupied {
			times = append(times, max(s.now, e.Berth.Started+least))
		}
	}
	slices.Sort(times)
	return slices.Compact(times)
}

// slotAt returns the best slot for g when all that is known to end by an instant has ended, and what g may evict by then
// has left.
func (s *State) slotAt(g *gang, r *request, ends []ending, at Time) (slot Slot, ok bool) {
	var gone []*gang
	released := map[*gang]bool{}
	for _, e := range ends {
		if e.at <= at {
			gone, released[e.gang] = append(gone, e.gang), true
			s.release(e.gang)
		}
	}
	for _, v := range s.takenBackAt(g, r, at, released) {
		gone = append(gone, v)
		s.release(v)
	}
	if s.allows(g, r.asks, true) {
		slot, ok = s.findIn(g, r, &r.place)
	}
	for _, v := range gone {
		s.restore(v)
	}
	return slot, ok
}

// basis names who the instant rests on: a gang on the slot whose end is only assumed, else the last to end by then.
func (s *State) basis(ends []ending, at Time, slot Slot) string {
	last := ""
	for _, e := range ends {
		if e.at > at {
			break
		}
		if e.assumed() && s.standsOn(e.gang, slot) {
			return e.ID
		}
		last = e.ID
	}
	return last
}

// assumed tells whether nothing but an assumption says when the gang ends.
func (g *gang) assumed() bool {
	return g.MaxRuntime == 0 && g.Berth != nil && g.Berth.State >= Reserved && g.Berth.Leaving == nil
}

// endOf returns when v is known to give its room back.
func (s *State) endOf(v *gang) Time {
	switch {
	case v.Berth.Leaving != nil && v.Berth.Leaving.Keep == nil && v.Next == nil:
		return v.Berth.Leaving.Deadline
	case v.Berth.State == Occupied:
		return v.ends(s.cfg.AssumedRuntime)
	case v.MaxRuntime > 0:
		return s.now + max(v.MaxRuntime-v.Ran, 0)
	default:
		return s.now + s.cfg.AssumedRuntime
	}
}

// takenBackAt returns the gangs that g could evict at an instant, as usage will be then, one after the other.
func (s *State) takenBackAt(g *gang, r *request, at Time, released map[*gang]bool) []*gang {
	var out []*gang
	for _, v := range r.pool.gangs {
		starting := v.Berth.State == Reserved && v.Berth.Attempt == assumedAttempt // evictable by then
		if released[v] || v == g || !s.evictable(v) && !starting {
			continue
		}
		rule, straddles := s.mayEvict(g, r.asks, v, at)
		if rule == NoRule && (!backfills(v, g) || regains(v, g)) || straddles {
			continue
		}
		s.count(v, -1)
		out = append(out, v)
	}
	for _, v := range out {
		s.count(v, 1)
	}
	return out
}
