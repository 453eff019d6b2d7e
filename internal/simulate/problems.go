package simulate

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/internal/manifest"
)

// problems tells what the API server would refuse about an object.
func problems(typed metav1.Object) manifest.Mistakes {
	return nil
}
