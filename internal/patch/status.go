package patch

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// Ledger is told of what was written.
type Ledger interface {
	Wrote(*v1alpha1.GangJob)
}

// Status writes what change does to the status of a GangJob, known as before, which is left as it is. Nothing is written
// if it does nothing. It returns the version that there is then.
func Status(ctx context.Context, c client.Client, ledger Ledger, before *v1alpha1.GangJob,
	change func(*v1alpha1.GangJob),
) (*v1alpha1.GangJob, error) {
	after := before.DeepCopy()
	change(after)
	if equality.Semantic.DeepEqual(before.Status, after.Status) {
		return before, nil
	}
	base := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	if err := c.Status().Patch(ctx, after, base); err != nil {
		return nil, fmt.Errorf("writing the status of GangJob %s/%s: %w", before.Namespace, before.Name, err)
	}
	ledger.Wrote(after)
	return after, nil
}

// Outdated tells whether a write was refused because the object has changed or is gone. The watch will tell.
func Outdated(err error) bool { return apierrors.IsConflict(err) || apierrors.IsNotFound(err) }
