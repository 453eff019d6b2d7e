package engine

import (
	"cmp"
	"math/bits"
)

// ratio is a share as an exact fraction: num over den times weight. A den of zero with a num above zero is infinite.
type ratio struct{ num, den, weight int64 }

// cmpRatio compares a and b exactly: products of three 64-bit factors are kept in 192 bits.
func cmpRatio(a, b ratio) int {
	// a.num / (a.den*a.weight) ? b.num / (b.den*b.weight)
	aInf, bInf := a.num > 0 && a.den == 0, b.num > 0 && b.den == 0
	switch {
	case aInf || bInf:
		return cmp.Compare(boolInt(aInf), boolInt(bInf))
	case a.num == 0 || b.num == 0:
		return cmp.Compare(a.num, b.num)
	}
	return cmp192(mul3(a.num, b.den, b.weight), mul3(b.num, a.den, a.weight))
}

// milli returns the ratio in thousandths, rounded down, at most MaxInt64.
func (r ratio) milli() int64 {
	if r.num == 0 {
		return 0
	}
	if r.den == 0 || r.weight == 0 {
		return 1<<63 - 1
	}
	return mulDiv(r.num, 1000, r.den*r.weight)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// mul3 multiplies three non-negative factors into 192 bits, highest word first.
func mul3(a, b, c int64) [3]uint64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	h1, l1 := bits.Mul64(lo, uint64(c))
	h2, l2 := bits.Mul64(hi, uint64(c))
	mid, carry := bits.Add64(h1, l2, 0)
	return [3]uint64{h2 + carry, mid, l1}
}

func cmp192(a, b [3]uint64) int {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
}

// mulDiv returns a*b/c for non-negative factors, rounded down, MaxInt64 where that does not fit.
func mulDiv(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if c <= 0 || hi >= uint64(c) {
		return 1<<63 - 1
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(min(q, 1<<63-1))
}

// mulDivUp is mulDiv rounded up.
func mulDivUp(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if c <= 0 || hi >= uint64(c) {
		return 1<<63 - 1
	}
	q, r := bits.Div64(hi, lo, uint64(c))
	if r > 0 {
		q++
	}
	return int64(min(q, 1<<63-1))
}
