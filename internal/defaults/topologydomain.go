package defaults

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// TopologyDomain fills a pool. Domains of a pool are Berth's own and complete.
func TopologyDomain(d *v1alpha1.TopologyDomain) {
	if !d.IsPool() {
		return
	}
	if len(d.Spec.Accelerators) == 0 {
		d.Spec.Accelerators = []v1alpha1.Accelerator{{Resource: v1alpha1.DefaultAccelerator}}
	}
	for i := range d.Spec.Accelerators {
		if weight := &d.Spec.Accelerators[i].Weight; *weight == (resource.Quantity{}) {
			*weight = resource.MustParse("1")
		}
	}
}
