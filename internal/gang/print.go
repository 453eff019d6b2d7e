package gang

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// Annotations of child Jobs that tell what they were made from.
const (
	// AnnotationAsk is a print of what the gang asked for when the Job was made: what its place in the order rests on.
	AnnotationAsk = v1alpha1.KeyPrefix + "ask"
	// AnnotationMade is a print of everything that the Job was made from.
	AnnotationMade = v1alpha1.KeyPrefix + "made-from"
)

// Ask is a print of a gang's roles, pool, topology and tier. When it changes the gang queues anew.
func Ask(g *v1alpha1.GangJob) string {
	return printOf(g.Spec.Roles, g.Spec.Pool, g.Spec.Topology, g.Spec.Tier)
}

// Made is a print of everything that goes into a gang's Jobs. When it changes, Jobs that wait are made anew.
func Made(g *v1alpha1.GangJob, opts Options) string {
	return printOf(Ask(g), g.Spec.Runtime, g.Spec.Checkpoint, opts)
}

func printOf(parts ...any) string {
	raw, err := json.Marshal(parts)
	if err != nil { // API types always can be
		panic(err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}
