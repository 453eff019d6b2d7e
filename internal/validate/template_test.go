package validate_test

import (
	"strings"
	"testing"

	"github.com/berth-dev/berth/internal/validate"
)

// pod is a spec whose role worker has a pod that holds what is given, beside a Slot role in case the worker is Free.
func pod(fields, placement string) string {
	return `roles: [{name: other, template: {spec: {containers: [{name: main}]}}},
		{name: worker, placement: ` + placement + `, template: {spec: {` + containers(fields) + fields + `}}}]`
}

func TestAPodIsRefused(t *testing.T) {
	const at = "spec.roles[1].template.spec."
	tests := map[string]struct {
		fields, at, message string
	}{
		"that restarts by itself":        {"restartPolicy: OnFailure", "restartPolicy", "use Never or leave it out"},
		"that sees the node's processes": {"hostPID: true", "hostPID", "remove it"},
		"that names its priority":        {"priorityClassName: high", "priorityClassName", "set spec.tier"},
		"that names its node":            {"nodeName: n1", "nodeName", "would bypass placement"},
		"that names its PodGroup":        {"schedulingGroup: {podGroupName: g}", "schedulingGroup", "is set by Berth"},
		"with pod affinity": {
			"affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: rack}]}}", "affinity.podAffinity", "say with spec.topology",
		},
		"with pod anti-affinity": {
			"affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: []}}", "affinity.podAntiAffinity", "say with spec.topology",
		},
		"with a spread to wait for": {
			"topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, whenUnsatisfiable: DoNotSchedule}]",
			"topologySpreadConstraints[0].whenUnsatisfiable", `"DoNotSchedule": a spread that pods wait for`,
		},
		"with a claim of a counted driver": {
			"resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}]", "resourceClaims[0].name", "except for the drivers compute-domain.nvidia.com (the claim's: gpu.nvidia.com)",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			wantRefused(t, validate.GangJob(gang(t, pod(test.fields, "Slot")), world()), at+test.at, test.message)
		})
	}
}

func TestAPodIsAccepted(t *testing.T) {
	tests := map[string]struct{ fields, placement string }{
		"with a spread that does not wait": {
			"topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, whenUnsatisfiable: ScheduleAnyway}]", "Slot",
		},
		"with a claim of an uncounted driver": {"resourceClaims: [{name: channel, resourceClaimTemplateName: channel}]", "Slot"},
		"with affinity to nodes": {
			"affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}}", "Slot",
		},
		"off the pool, with pod affinity": {
			"affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: rack}]}}", "Free",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			wantAccepted(t, validate.GangJob(gang(t, pod(test.fields, test.placement)), world()))
		})
	}
}

func TestNoClaimIsAcceptedWhoseDriverCannotBeTold(t *testing.T) {
	w := world()
	w.ClaimDrivers = nil
	g := gang(t, pod("resourceClaims: [{name: channel, resourceClaimTemplateName: channel}]", "Slot"))
	wantRefused(t, validate.GangJob(g, w), "spec.roles[1].template.spec.resourceClaims[0].name", "the claim's: none")
}

func TestBerthsOwnKeysAreRefusedOnPods(t *testing.T) {
	g := gang(t, "")
	g.Spec.Roles[0].Template.Labels = map[string]string{"app": "llama", "berth.dev/gang": "other"}
	wantRefused(t, validate.GangJob(g, world()), "spec.roles[0].template.metadata.labels[berth.dev/gang]", "are set by Berth")
}

func TestWhatAContainerAsksFor(t *testing.T) {
	const limits, requests = "spec.roles[1].template.spec.containers[0].resources.limits", "spec.roles[1].template.spec.containers[0].resources.requests"
	tests := map[string]struct {
		resources, placement, at, message string
	}{
		"a limit alone is accepted":              {`limits: {nvidia.com/gpu: "8"}`, "Slot", "", ""},
		"an equal request is accepted":           {`limits: {nvidia.com/gpu: "8"}, requests: {nvidia.com/gpu: "8"}`, "Slot", "", ""},
		"cpu may differ":                         {`limits: {cpu: "8"}, requests: {cpu: "4"}`, "Slot", "", ""},
		"another request is refused":             {`limits: {nvidia.com/gpu: "8"}, requests: {nvidia.com/gpu: "4"}`, "Slot", requests + "[nvidia.com/gpu]", "must equal the limit, which is 8"},
		"a request alone is refused":             {`requests: {nvidia.com/gpu: "4"}`, "Slot", requests + "[nvidia.com/gpu]", "set limits[nvidia.com/gpu] to 4"},
		"half a device is refused":               {`limits: {nvidia.com/gpu: 500m}`, "Slot", limits + "[nvidia.com/gpu]", "a whole number"},
		"an accelerator off the pool is refused": {`limits: {nvidia.com/gpu: "1"}`, "Free", limits + "[nvidia.com/gpu]", "set placement to Slot"},
		"a network card off the pool is fine":    {`limits: {rdma/hca: "1"}`, "Free", "", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			spec := pod("containers: [{name: main, resources: {"+test.resources+"}}]", test.placement)
			errs := validate.GangJob(gang(t, spec), world())
			if test.at == "" {
				wantAccepted(t, errs)
				return
			}
			wantRefused(t, errs, test.at, test.message)
		})
	}
}

// containers is a container, for pods that name none themselves.
func containers(fields string) string {
	if strings.HasPrefix(fields, "containers:") {
		return ""
	}
	return "containers: [{name: main}], "
}
