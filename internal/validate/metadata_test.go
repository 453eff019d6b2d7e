package validate_test

import (
	"strings"
	"testing"

	"github.com/berth-dev/berth/internal/validate"
)

func TestAGangsNameLeavesRoomForItsPods(t *testing.T) {
	// A pod's host name is <gang>-<role>-<attempt>-<index>: beside the gang's name, role worker of 8 takes 14 characters
	// and a dash.
	tests := map[string]struct {
		name     string
		replicas int32
		message  string
	}{
		"with just enough room":       {strings.Repeat("a", 49), 8, ""},
		"with one character too many": {strings.Repeat("a", 50), 8, "1 characters too long"},
		"with one digit too many":     {strings.Repeat("a", 49), 11, "1 characters too long"},
		"that begins with a digit":    {"7b", 8, "the gang's Service is called so"},
		"with a dot":                  {"llama.70b", 8, "the gang's Service is called so"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			g := gang(t, "")
			g.Name, g.Spec.Roles[0].Replicas = test.name, test.replicas
			errs := validate.GangJob(g, world())
			if test.message == "" {
				wantAccepted(t, errs)
				return
			}
			wantRefused(t, errs, "metadata.name", test.message)
		})
	}
}

func TestAGeneratedNameLeavesRoomForItsPods(t *testing.T) {
	g := gang(t, "")
	g.Name, g.GenerateName = "", strings.Repeat("a", 44)
	wantAccepted(t, validate.GangJob(g, world()))
	g.GenerateName += "-"
	wantRefused(t, validate.GangJob(g, world()), "metadata.generateName", "1 characters too long")
}

func TestNobodyElseMayHoldAGang(t *testing.T) {
	g := gang(t, "")
	g.Labels = map[string]string{"kueue.x-k8s.io/queue-name": "main"}
	wantRefused(t, validate.GangJob(g, world()), "metadata.labels[kueue.x-k8s.io/queue-name]", "remove the label")
}
