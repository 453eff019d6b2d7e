package place

import "math/bits"

// The words of a slot, in the order in which they are compared, smaller first. For the policy Locality:
//
//	touched    how many domains of each level hold pods, outermost level first: the least list has the lowest common
//	           level, and then the fewest domains at each level below
//	left       how much capacity the touched domains have left, for the common level and then each level below
//	broken     how many wholly free domains, nodes included, are no longer so
//	stranded   by how much the idle accelerators on nodes that are not wholly free rise
//
// For Pack these come first:
//
//	squares    how much Σ free² falls, over nodes, then over the domains of each level outwards
//
// Each is a sum over nodes and domains, with one exception: a domain above the common one has no say in what is left.
// That of a domain that holds the whole gang is counted when two of its children come together to hold it.
//
// Slots equal in all words are told apart by name: the one that has more pods in the domain that comes first, level by
// level from the outermost, first role first.
//
// Words are small, so several are packed into one integer: digits of a number whose bases are chosen so that no digit
// overflows. Sums and comparisons of the packed words are those of the lists.

// field is the place of one word in the packed ones.
type field struct {
	word int
	unit int64
}

// layout is where the words are. A field without a place has unit 0.
type layout struct {
	words            int
	squares          []field
	touched, left    []field
	broken, stranded field
	pending          []*field
	widths           []int
}

// reset prepares an empty layout for a tree of so many levels.
func (y *layout) reset(levels int) {
	y.words = 0
	y.squares, y.touched, y.left = blank(y.squares, levels), blank(y.touched, levels), blank(y.left, levels)
	y.broken, y.stranded = field{}, field{}
	y.pending, y.widths = y.pending[:0], y.widths[:0]
}

func blank(s []field, n int) []field {
	s = resize(s, n)
	clear(s)
	return s
}

// add appends a field whose values, and sums of them, stay below most in magnitude.
func (y *layout) add(to *field, most int64) {
	y.pending = append(y.pending, to)
	y.widths = append(y.widths, bits.Len64(uint64(most))+1)
}

// pack gives every field its place.
func (y *layout) pack() {
	for i := 0; i < len(y.pending); {
		end, sum := i, 0
		for end < len(y.pending) && (end == i || sum+y.widths[end] <= 62) {
			sum += y.widths[end]
			end++
		}
		shift := 0
		for k := end - 1; k >= i; k-- {
			*y.pending[k] = field{word: y.words, unit: 1 << min(shift, 62)}
			shift += y.widths[k]
		}
		y.words++
		i = end
	}
}

// layOut chooses the layout for slots inside single domains of level, of which the largest has so much idle capacity.
func (f *Finder) layOut(level int, idle int64) {
	y := &f.lay
	levels := f.leaf + 1
	y.reset(levels)
	if f.req.Pack {
		for l := f.leaf; l >= level; l-- {
			y.add(&y.squares[l], idle*idle)
		}
		for l := level - 1; l > 0; l-- {
			y.add(&y.squares[l], 2*f.idle(0, 0)*max(f.total, 1))
		}
	}
	for l := level + 1; l < levels; l++ {
		y.add(&y.touched[l], f.pods)
	}
	for l := level; l < levels; l++ {
		y.add(&y.left[l], idle)
	}
	y.add(&y.broken, f.pods*int64(levels))
	y.add(&y.stranded, 2*idle)
	y.pack()
}

// put adds v to a field of words.
func put(words []int64, at field, v int64) { words[at.word] += v * at.unit }

// less compares packed words.
func less(a, b []int64) int {
	for i, v := range a {
		if v != b[i] {
			if v < b[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}

// nodeWords adds to words what it costs that node takes pods with so much capacity.
func (f *Finder) nodeWords(words []int64, node int32, take int64) {
	y, idle := &f.lay, f.idle(f.leaf, node)
	after := max(idle-take, 0)
	put(words, y.squares[f.leaf], idle*idle-after*after)
	put(words, y.touched[f.leaf], 1)
	put(words, y.left[f.leaf], after)
	if take > 0 && f.whole(f.leaf, node) {
		put(words, y.broken, 1)
	}
	put(words, y.stranded, f.strands(node, take))
}

// domainWords adds to words what it costs that a domain above the nodes takes pods with so much capacity; all tells that
// they are the whole gang.
func (f *Finder) domainWords(words []int64, level int, domain int32, take int64, all bool) {
	y, idle := &f.lay, f.idle(level, domain)
	after := max(idle-take, 0)
	put(words, y.squares[level], idle*idle-after*after)
	put(words, y.touched[level], 1)
	if !all {
		put(words, y.left[level], after)
	}
	if take > 0 && f.whole(level, domain) {
		put(words, y.broken, 1)
	}
}

// outerWords adds to words what it costs the ancestors of a domain that it holds the whole gang.
func (f *Finder) outerWords(words []int64, level int, domain int32) {
	for l := level; l > 0; {
		domain = f.tree.Levels[l][domain].Parent
		l--
		idle := f.idle(l, domain)
		after := max(idle-f.total, 0)
		put(words, f.lay.squares[l], idle*idle-after*after)
		if f.total > 0 && f.whole(l, domain) {
			put(words, f.lay.broken, 1)
		}
	}
}
