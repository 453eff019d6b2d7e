package trace

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/internal/simulate"
)

// The cluster that stands where none is given: nodes of eight GPUs, eight nodes a rack, four racks a spine, four teams that
// share the guarantee of all of it evenly.
const (
	gpusPerNode = 8
	teams       = 4
)

// Cluster returns a cluster of so many nodes.
func Cluster(nodes int) (*simulate.Input, error) {
	var b strings.Builder
	b.WriteString(`apiVersion: berth.dev/v1alpha1
kind: TopologyDomain
metadata: {name: pool}
spec:
  nodeSelector: {matchLabels: {pool: pool}}
  levels: [{name: spine, nodeLabel: spine}, {name: rack, nodeLabel: rack}]
`)
	for i := range teams {
		fmt.Fprintf(&b, `---
apiVersion: berth.dev/v1alpha1
kind: Team
metadata: {name: team-%[1]d}
spec: {namespaces: [team-%[1]d]}
---
apiVersion: berth.dev/v1alpha1
kind: Quota
metadata: {name: team-%[1]d}
spec: {team: team-%[1]d, resources: [{pool: pool, resource: nvidia.com/gpu, guaranteed: "%[2]d"}]}
`, i, nodes*gpusPerNode/teams)
	}
	fmt.Fprintf(&b, `---
apiVersion: sim.berth.dev/v1alpha1
kind: Scenario
metadata: {name: cluster}
spec:
  nodes:
  - {count: %d, name: "node-{i}", labels: {pool: pool, spine: "s{i/32}", rack: "r{i/8}"}, capacity: {nvidia.com/gpu: "%d", cpu: "192", memory: 2Ti}}
`, nodes, gpusPerNode)
	in, _, mistakes := simulate.ReadCluster([]byte(b.String()))
	if len(mistakes) > 0 {
		return nil, fmt.Errorf("making a cluster of %d nodes: %w", nodes, mistakes)
	}
	return in, nil
}
