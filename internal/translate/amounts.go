package translate

import (
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-dev/berth/internal/engine"
)

// Amounts converts a resource list: CPU to thousandths of a core, everything else to its own unit. A part of a unit
// counts as a whole one.
func Amounts(list corev1.ResourceList) engine.Amounts {
	amounts := make(engine.Amounts, len(list))
	for name, quantity := range list {
		amounts[string(name)] = amount(string(name), quantity)
	}
	return amounts
}

func amount(name string, quantity resource.Quantity) int64 {
	if name == string(corev1.ResourceCPU) {
		return Milli(quantity)
	}
	return quantity.Value()
}

// Milli returns a quantity in thousandths, rounded up, at most what an int64 holds.
func Milli(quantity resource.Quantity) int64 {
	if quantity.Value() > math.MaxInt64/1000 {
		return math.MaxInt64
	}
	return quantity.MilliValue()
}

// FromMilli is the quantity of so many thousandths.
func FromMilli(milli int64) resource.Quantity {
	return *resource.NewMilliQuantity(milli, resource.DecimalSI)
}
