package validate_test

import (
	"testing"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/defaults"
	"github.com/berth-dev/berth/internal/validate"
)

func TestATeam(t *testing.T) {
	tests := map[string]struct {
		manifest, at, message string
	}{
		"is accepted with little":           {"{metadata: {name: a}}", "", ""},
		"may name a parent not yet there":   {"{metadata: {name: a}, spec: {parent: later}}", "", ""},
		"may stand below another":           {"{metadata: {name: a}, spec: {parent: c}}", "", ""},
		"is not its own parent":             {"{metadata: {name: a}, spec: {parent: a}}", "spec.parent", "a -> a"},
		"is not below itself":               {"{metadata: {name: top}, spec: {parent: c}}", "spec.parent", "top -> c -> b -> top"},
		"may stand below others' circle":    {"{metadata: {name: a}, spec: {parent: x}}", "", ""},
		"has a weight up to 1000":           {"{metadata: {name: a}, spec: {weight: 1001}}", "spec.weight", "must be 1 to 1000"},
		"has no negative weight":            {"{metadata: {name: a}, spec: {weight: -1}}", "spec.weight", "must be 1 to 1000"},
		"has a tier as its default":         {"{metadata: {name: a}, spec: {tiers: [Batch], defaultTier: Production}}", "spec.defaultTier", "one of the team's tiers: Batch"},
		"has tiers that there are":          {"{metadata: {name: a}, spec: {tiers: [Urgent]}}", "spec.tiers[0]", "supported values"},
		"has each tier once":                {"{metadata: {name: a}, spec: {tiers: [Batch, Batch]}}", "spec.tiers[1]", "Duplicate"},
		"has a stop policy that there is":   {"{metadata: {name: a}, spec: {stopPolicy: Stop}}", "spec.stopPolicy", "supported values"},
		"has namespaces that can be":        {"{metadata: {name: a}, spec: {namespaces: [A_b]}}", "spec.namespaces[0]", "namespace's name"},
		"has each namespace once":           {"{metadata: {name: a}, spec: {namespaces: [n, n]}}", "spec.namespaces[1]", "Duplicate"},
		"has a selector that can be":        {"{metadata: {name: a}, spec: {namespaceSelector: {matchExpressions: [{key: k, operator: In}]}}}", "spec.namespaceSelector.matchExpressions[0].values", "must be specified"},
		"has a name that a label can carry": {"{metadata: {name: a.b}}", "metadata.name", "team's name is the value of labels"},
	}
	w := world()
	for name, parent := range map[string]string{"top": "", "b": "top", "c": "b", "x": "y", "y": "x"} {
		team := v1alpha1.Team{Spec: v1alpha1.TeamSpec{Parent: parent}}
		team.Name = name
		w.Teams = append(w.Teams, team)
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			team := read[v1alpha1.Team](t, test.manifest)
			defaults.Team(team)
			errs := validate.Team(team, w)
			if test.at == "" {
				wantAccepted(t, errs)
				return
			}
			wantRefused(t, errs, test.at, test.message)
		})
	}
}

func TestAQuota(t *testing.T) {
	const entry = "{metadata: {name: a}, spec: {team: a, resources: [{pool: h100, resource: nvidia.com/gpu, "
	tests := map[string]struct {
		manifest, at, message string
	}{
		"is accepted with guarantee, limit and loan":   {entry + "guaranteed: 8, limit: 16, lendable: 4}]}}", "", ""},
		"may name a pool not yet there":                {"{metadata: {name: a}, spec: {team: a, resources: [{pool: later, resource: cpu, guaranteed: 8}]}}", "", ""},
		"is named like its team":                       {"{metadata: {name: b}, spec: {team: a}}", "metadata.name", `must equal spec.team, which is "a"`},
		"lends no more than it guarantees":             {entry + "guaranteed: 8, lendable: 9}]}}", "spec.resources[0].lendable", "must be at most guaranteed, which is 8"},
		"guarantees nothing negative":                  {entry + "guaranteed: -8}]}}", "spec.resources[0].guaranteed", "must not be negative"},
		"has no limits per tier yet":                   {entry + "tiers: [{tier: Batch, limit: 1}]}]}}", "spec.resources[0].tiers", "not yet supported"},
		"has one entry for a resource of a pool":       {"{metadata: {name: a}, spec: {team: a, resources: [{pool: p, resource: r}, {pool: p, resource: r}]}}", "spec.resources[1]", "Duplicate"},
		"names resources as nodes do":                  {"{metadata: {name: a}, spec: {team: a, resources: [{pool: p, resource: a/b/c}]}}", "spec.resources[0].resource", "such as nvidia.com/gpu"},
		"protects as long as the manager allows":       {"{metadata: {name: a}, spec: {team: a, minRuntime: 4h}}", "", ""},
		"protects no longer than the manager allows":   {"{metadata: {name: a}, spec: {team: a, minRuntime: 4h1s}}", "spec.minRuntime", "must be at most 4h, which the manager's configuration sets (maxMinRuntime)"},
		"does not protect for less than no time":       {"{metadata: {name: a}, spec: {team: a, minRuntime: -1s}}", "spec.minRuntime", "must not be negative"},
		"does not bound a gang's running time to none": {"{metadata: {name: a}, spec: {team: a, maxRuntime: 0s}}", "spec.maxRuntime", "must be longer than 0s"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			errs := validate.Quota(read[v1alpha1.Quota](t, test.manifest), world())
			if test.at == "" {
				wantAccepted(t, errs)
				return
			}
			wantRefused(t, errs, test.at, test.message)
		})
	}
}

func TestATopologyDomain(t *testing.T) {
	const base = "{metadata: {name: h100}, spec: {nodeSelector: {matchLabels: {gpu: h100}}, "
	tests := map[string]struct {
		manifest, at, message string
	}{
		"is accepted as a flat pool":           {base + "}}", "", ""},
		"is accepted with levels and links":    {base + "levels: [{name: spine, nodeLabel: s}, {name: rack, nodeLabel: r, link: {bandwidth: 50G, latency: 2us}}], nodeLink: {bandwidth: 450G}}}", "", ""},
		"is accepted with a preset":            {base + "preset: gke}}", "", ""},
		"is accepted with slices":              {base + "accelerators: [{resource: nvidia.com/mig-1g.10gb, weight: 143m}]}}", "", ""},
		"is accepted as a domain":              {"{metadata: {name: h100-r1}, spec: {pool: h100, level: rack, path: [r1], cordoned: true}}", "", ""},
		"selects nodes if it is a pool":        {"{metadata: {name: h100}}", "spec.nodeSelector", "such as {matchLabels"},
		"selects no nodes if it is a domain":   {"{metadata: {name: d}, spec: {pool: h100, level: rack, path: [r1], nodeSelector: {}}}", "spec.pool", "edit those on the pool h100"},
		"has a path if it is a domain":         {"{metadata: {name: d}, spec: {pool: h100, level: rack}}", "spec.path", "set together"},
		"has no path if it is a pool":          {base + "path: [r1]}}", "spec.level", "written by Berth"},
		"has no level called node":             {base + "levels: [{name: node, nodeLabel: x}]}}", "spec.levels[0].name", "reserved"},
		"has no level called numa":             {base + "levels: [{name: numa, nodeLabel: x}]}}", "spec.levels[0].name", "reserved"},
		"has levels in small letters":          {base + "levels: [{name: Rack, nodeLabel: x}]}}", "spec.levels[0].name", "small letters"},
		"has each level once":                  {base + "levels: [{name: rack, nodeLabel: x}, {name: rack, nodeLabel: y}]}}", "spec.levels[1].name", "Duplicate"},
		"has each label once":                  {base + "levels: [{name: spine, nodeLabel: x}, {name: rack, nodeLabel: x}]}}", "spec.levels[1].nodeLabel", "tells level spine already"},
		"has labels that nodes can carry":      {base + "levels: [{name: rack, nodeLabel: a b}]}}", "spec.levels[0].nodeLabel", "such as example.com/rack"},
		"has no level of host names":           {base + "levels: [{name: host, nodeLabel: kubernetes.io/hostname}]}}", "spec.levels[0].nodeLabel", "innermost level anyway"},
		"does not branch yet":                  {base + "levels: [{name: rack, nodeLabel: x, parent: spine}]}}", "spec.levels[0].parent", "not yet supported"},
		"has levels or a preset":               {base + "preset: gke, levels: [{name: rack, nodeLabel: x}]}}", "spec.preset", "not both"},
		"has a preset that there is":           {base + "preset: azure}}", "spec.preset", "supported values"},
		"is not autoscaled yet":                {base + "maxNodes: 8}}", "spec.maxNodes", "not yet supported"},
		"has no maintenance yet":               {base + `maintenance: [{start: "2026-01-01T00:00:00Z", end: "2026-01-02T00:00:00Z"}]}}`, "spec.maintenance", "not yet supported"},
		"has links of some bandwidth":          {base + "levels: [{name: rack, nodeLabel: x, link: {latency: 1us}}]}}", "spec.levels[0].link.bandwidth", "must be positive"},
		"has links of no negative latency":     {base + "nodeLink: {bandwidth: 1G, latency: -1us}}}", "spec.nodeLink.latency", "must not be negative"},
		"counts devices":                       {base + "accelerators: [{resource: cpu}]}}", "spec.accelerators[0].resource", "extended resource"},
		"counts devices for something":         {base + "accelerators: [{resource: a.b/c, weight: -1}]}}", "spec.accelerators[0].weight", "must be positive"},
		"counts each device once":              {base + "accelerators: [{resource: a.b/c}, {resource: a.b/c}]}}", "spec.accelerators[1].resource", "Duplicate"},
		"has a name that a label can carry":    {"{metadata: {name: a.b}, spec: {nodeSelector: {}}}", "metadata.name", "pool's name is the value of labels"},
		"selects nodes by a selector that can": {"{metadata: {name: a}, spec: {nodeSelector: {matchExpressions: [{key: k, operator: Near}]}}}", "spec.nodeSelector.matchExpressions[0].operator", "not a valid selector operator"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d := read[v1alpha1.TopologyDomain](t, test.manifest)
			defaults.TopologyDomain(d)
			errs := validate.TopologyDomain(d)
			if test.at == "" {
				wantAccepted(t, errs)
				return
			}
			wantRefused(t, errs, test.at, test.message)
		})
	}
}
