package simulate

// deleted is the phase of a gang that is no longer there; nothing expects it.
const deleted Phase = "Deleted"

// phaseCounts counts gangs by phase and namespace; the namespace "" counts all.
type phaseCounts map[phaseKey]int64

type phaseKey struct {
	phase     Phase
	namespace string
}

func (c phaseCounts) of(phase Phase, namespace string) int64 { return c[phaseKey{phase, namespace}] }

func (c phaseCounts) enter(g *gang) { c.add(g, g.phase, 1) }
func (c phaseCounts) leave(g *gang) { c.add(g, g.phase, -1) }

func (c phaseCounts) move(g *gang, to Phase) {
	c.add(g, g.phase, -1)
	c.add(g, to, 1)
}

func (c phaseCounts) add(g *gang, phase Phase, n int64) {
	c[phaseKey{phase, g.namespace}] += n
	c[phaseKey{phase, ""}] += n
}
