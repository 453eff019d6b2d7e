package demo

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
)

// glance is how often the world is looked at.
const glance = 250 * time.Millisecond

// stage is where the story is played.
type stage struct {
	root     string // of the repository
	client   client.Client
	observer *observer
	screen   *screen
	alive    func() error  // says what has died of the cluster or the manager
	pace     time.Duration // how long each scene stays to be looked at
	seen     tally
}

// play plays one scene and shows the world meanwhile.
func (s *stage) play(ctx context.Context, sc scene) error {
	s.screen.say("» %s", sc.say)
	if sc.do != nil {
		if err := sc.do(ctx, s); err != nil {
			return err
		}
	}
	if sc.until != nil {
		w, err := s.watch(ctx, patience, sc.until)
		if err != nil {
			return fmt.Errorf("waiting until %s: %w", sc.what, err)
		}
		if sc.then != nil {
			s.screen.say("  %s", sc.then(w))
			s.screen.show(w)
		}
		if sc.picture {
			s.screen.picture(w)
		}
	}
	_, err := s.watch(ctx, s.pace, nil)
	return err
}

// watch shows the world until something holds in it, which must be within the time given; until the time is over where
// nothing is waited for.
func (s *stage) watch(ctx context.Context, d time.Duration, until func(world) bool) (world, error) {
	over := time.NewTimer(d)
	defer over.Stop()
	tick := time.NewTicker(glance)
	defer tick.Stop()
	for {
		w, err := s.look(ctx)
		if err != nil || until != nil && until(w) {
			return w, err
		}
		select {
		case <-ctx.Done():
			return w, context.Cause(ctx)
		case <-over.C:
			if until != nil {
				return w, fmt.Errorf("not within %v", d)
			}
			return w, nil
		case <-tick.C:
		}
	}
}

// look shows the world, and fails when part of it has died.
func (s *stage) look(ctx context.Context) (world, error) {
	if err := s.alive(); err != nil {
		return world{}, err
	}
	w, err := s.observer.look(ctx)
	if err != nil {
		return world{}, err
	}
	s.seen.add(w)
	s.screen.show(w)
	return w, nil
}

// submit creates gangs.
func (s *stage) submit(ctx context.Context, orders ...order) error {
	for _, o := range orders {
		if err := s.client.Create(ctx, o.gangJob()); err != nil {
			return fmt.Errorf("submitting %s/%s: %w", o.namespace, o.name, err)
		}
	}
	return nil
}

// submitSample creates the gang of a file of config/samples.
func (s *stage) submitSample(ctx context.Context, name string) error {
	raw, err := os.ReadFile(sample(s.root, name))
	if err != nil {
		return err
	}
	job := &v1alpha1.GangJob{}
	if err := yaml.UnmarshalStrict(raw, job); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := s.client.Create(ctx, job); err != nil {
		return fmt.Errorf("submitting %s: %w", name, err)
	}
	return nil
}

// finish has the programs of the named gangs, or of all, exit with 0.
func (s *stage) finish(ctx context.Context, gangs ...string) error {
	var pods corev1.PodList
	if err := s.client.List(ctx, &pods, client.HasLabels{v1alpha1.LabelGang}); err != nil {
		return fmt.Errorf("listing pods: %w", err)
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		if len(gangs) > 0 && !slices.Contains(gangs, pod.Labels[v1alpha1.LabelGang]) {
			continue
		}
		before := client.MergeFrom(pod.DeepCopy())
		metav1.SetMetaDataAnnotation(&pod.ObjectMeta, devcluster.AnnotationRunFor, "1s")
		if err := s.client.Patch(ctx, pod, before); client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("ending pod %s/%s: %w", pod.Namespace, pod.Name, err)
		}
	}
	return nil
}

// namespaces creates the teams' namespaces.
func (s *stage) namespaces(ctx context.Context, names ...string) error {
	for _, name := range names {
		if err := s.client.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}); err != nil {
			return fmt.Errorf("creating namespace %s: %w", name, err)
		}
	}
	return nil
}
