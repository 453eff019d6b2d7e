package webhooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// PodPlacer puts each rank of a gang on its node while its pod is created: kube-scheduler then has one node to look at,
// and no pod needs a write of its own.
type PodPlacer struct {
	Assignments Assignments
}

// gangPod is what is read of a pod; the rest is passed by.
type gangPod struct {
	Metadata struct {
		Labels      map[string]string `json:"labels"`
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec struct {
		Affinity    *corev1.Affinity    `json:"affinity"`
		Tolerations []corev1.Toleration `json:"tolerations"`
	} `json:"spec"`
}

// rank says which pod of which gang a pod is.
type rank struct {
	gang    types.NamespacedName
	uid     types.UID
	role    string
	attempt int32
	index   int
}

// errStale refuses a pod whose attempt is not, or no longer, the gang's. The Job controller tries again.
var errStale = errors.New("the gang has no berth for this attempt")

// Handle answers the creation of a gang's pod.
func (p *PodPlacer) Handle(ctx context.Context, req admission.Request) admission.Response {
	var pod gangPod
	if err := json.Unmarshal(req.Object.Raw, &pod); err != nil {
		return admission.Errored(http.StatusBadRequest, fmt.Errorf("decoding the pod: %w", err))
	}
	who, err := rankOf(&pod, req.Namespace)
	if err != nil {
		return admission.Errored(http.StatusUnprocessableEntity, err)
	}
	berth, err := p.berth(ctx, who)
	switch {
	case errors.Is(err, errStale):
		return admission.Errored(http.StatusConflict, err)
	case err != nil:
		return admission.Errored(http.StatusInternalServerError, err)
	case berth.Free[who.role]:
		return admission.Allowed("kube-scheduler places pods of this role")
	}
	ranks := berth.Roles[who.role]
	if who.index >= len(ranks.Nodes) {
		return admission.Errored(http.StatusConflict, fmt.Errorf("%w: role %s has %d ranks in the slot, this is rank %d",
			errStale, who.role, len(ranks.Nodes), who.index))
	}
	return admission.Patched("", patches(&pod, berth, ranks.Nodes[who.index], ranks.First+who.index)...)
}

// berth is the berth that a rank belongs to: from memory, or read live where the memory is older than the pod.
func (p *PodPlacer) berth(ctx context.Context, who rank) (*Berth, error) {
	berth, known := p.Assignments.Known(who.uid)
	if !known || berth.Attempt < who.attempt {
		var err error
		if berth, err = p.Assignments.Live(ctx, who.gang, who.uid); err != nil {
			return nil, err
		}
	}
	switch {
	case berth == nil:
		return nil, fmt.Errorf("%w: gang %s, attempt %d; it has no reserved slot", errStale, who.gang, who.attempt)
	case berth.Attempt != who.attempt:
		return nil, fmt.Errorf("%w: gang %s, attempt %d; its current attempt is %d", errStale, who.gang, who.attempt, berth.Attempt)
	}
	return berth, nil
}

// rankOf reads from a pod's labels and annotations, set by Berth and the Job controller, which rank it is.
func rankOf(pod *gangPod, namespace string) (rank, error) {
	labels, annotations := pod.Metadata.Labels, pod.Metadata.Annotations
	who := rank{
		gang: types.NamespacedName{Namespace: namespace, Name: labels[v1alpha1.LabelGang]},
		uid:  types.UID(labels[v1alpha1.LabelGangUID]),
		role: labels[v1alpha1.LabelRole],
	}
	if who.gang.Name == "" || who.uid == "" || who.role == "" {
		return who, fmt.Errorf("metadata.labels: a gang's pod carries %s, %s and %s; pods are made by the gang's own Jobs alone",
			v1alpha1.LabelGang, v1alpha1.LabelGangUID, v1alpha1.LabelRole)
	}
	attempt, err := number(annotations, v1alpha1.AnnotationAttempt)
	if err != nil {
		return who, err
	}
	who.attempt = int32(attempt)
	who.index, err = number(annotations, batchv1.JobCompletionIndexAnnotation)
	return who, err
}

func number(annotations map[string]string, key string) (int, error) {
	n, err := strconv.ParseInt(annotations[key], 10, 32)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("metadata.annotations[%s]: %q: must be a number from 0, as the gang's own Jobs set it", key, annotations[key])
	}
	return int(n), nil
}
