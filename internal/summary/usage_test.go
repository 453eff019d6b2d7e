package summary_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/engine"
	"github.com/berth-dev/berth/internal/state"
	"github.com/berth-dev/berth/internal/summary"
)

func TestUsageIsWrittenInUnitsOfTheResource(t *testing.T) {
	limit := resource.MustParse("64")
	got := summary.Usage([]state.Entitled{
		{Pool: "h100", Resource: "cpu", Usage: engine.Usage{Used: 1500, Limit: engine.Unlimited}},
		{
			Pool: "h100", Resource: "nvidia.com/gpu",
			Usage: engine.Usage{Used: 16000, Guaranteed: 8000, Limit: 64000, Borrowed: 8000, Lent: 0},
		},
	})
	want := []v1alpha1.ResourceUsage{
		{Pool: "h100", Resource: "cpu", Used: resource.MustParse("1500m")},
		{
			Pool: "h100", Resource: "nvidia.com/gpu", Guaranteed: resource.MustParse("8"), Limit: &limit, Used: resource.MustParse("16"),
			Borrowed: resource.MustParse("8"),
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
}

func TestUsageHoldsNoMoreThanTheAPITakes(t *testing.T) {
	var list []state.Entitled
	for i := range 70 {
		list = append(list, state.Entitled{Pool: fmt.Sprintf("pool-%02d", i), Resource: "nvidia.com/gpu"})
	}
	got := summary.Usage(list)
	if len(got) != 64 || got[63].Pool != "pool-63" {
		t.Errorf("%d of 70 are reported, want the first 64", len(got))
	}
}

func TestAcceleratorsAreSummedByTheWeightsOfTheirPool(t *testing.T) {
	weights := map[string]map[string]int64{
		"mig":  {"nvidia.com/gpu": 1000, "nvidia.com/mig-1g.10gb": 143},
		"h100": {"nvidia.com/gpu": 1000},
	}
	got := summary.Accelerators([]state.Entitled{
		{Pool: "h100", Resource: "nvidia.com/gpu", Usage: engine.Usage{Used: 8000, Guaranteed: 16000, Lent: 4000}},
		{Pool: "h100", Resource: "cpu", Usage: engine.Usage{Used: 96000, Guaranteed: 96000}}, // no accelerator
		{Pool: "mig", Resource: "nvidia.com/mig-1g.10gb", Usage: engine.Usage{Used: 14000, Borrowed: 7000}},
	}, func(pool string) map[string]int64 { return weights[pool] })
	want := v1alpha1.AcceleratorUsage{
		Used: resource.MustParse("10002m"), Guaranteed: resource.MustParse("16"), Borrowed: resource.MustParse("1001m"),
		Lent: resource.MustParse("4"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("accelerators (-want +got):\n%s", diff)
	}
}
