package topo

// Resources interns resource names: each gets a small index, in the order of first use.
type Resources struct {
	index map[string]int
	names []string
}

// NewResources returns an empty set.
func NewResources() *Resources { return &Resources{index: map[string]int{}} }

// Intern returns the index of name, giving it the next one if it has none.
func (r *Resources) Intern(name string) int {
	if i, ok := r.index[name]; ok {
		return i
	}
	i := len(r.names)
	r.index[name] = i
	r.names = append(r.names, name)
	return i
}

// Lookup returns the index of name, and whether it has one.
func (r *Resources) Lookup(name string) (int, bool) {
	i, ok := r.index[name]
	return i, ok
}

// Name returns the name at index i.
func (r *Resources) Name(i int) string { return r.names[i] }

// Len returns how many names there are.
func (r *Resources) Len() int { return len(r.names) }

// Vec is a vector of quantities by resource index. A missing tail is zero.
type Vec []int64

// At returns the quantity at index i.
func (v Vec) At(i int) int64 {
	if i < len(v) {
		return v[i]
	}
	return 0
}

// Vec returns amounts as a vector, interning their names.
func (r *Resources) Vec(amounts map[string]int64) Vec {
	for name := range amounts {
		if _, ok := r.index[name]; !ok {
			return r.vecOfNew(amounts)
		}
	}
	return r.fill(amounts)
}

// vecOfNew interns new names in sorted order, so that indices do not depend on the order of a map.
func (r *Resources) vecOfNew(amounts map[string]int64) Vec {
	for _, name := range sortedKeys(amounts) {
		r.Intern(name)
	}
	return r.fill(amounts)
}

func (r *Resources) fill(amounts map[string]int64) Vec {
	v := make(Vec, len(r.names))
	for name, q := range amounts {
		v[r.index[name]] = q
	}
	return v
}
