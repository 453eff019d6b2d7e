package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
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
	alive    func() error // says what has died of the cluster or the manager
	peak     int          // most GPUs in use at once
}

// play plays one scene and shows the world meanwhile.
func (s *stage) play(ctx context.Context, sc scene) error {
	s.screen.say("» %s", sc.say)
	if sc.do != nil {
		if err := sc.do(ctx, s); err != nil {
			return err
		}
	}
	if sc.until == nil {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("not within %v", patience))
	defer cancel()
	tick := time.NewTicker(glance)
	defer tick.Stop()
	for {
		w, err := s.look(ctx)
		if err != nil {
			return errors.Join(err, context.Cause(ctx))
		}
		if sc.until(w) {
			if sc.then != nil {
				s.screen.say("  %s", sc.then(w))
			}
			s.screen.show(w)
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting until %s: %w", sc.what, context.Cause(ctx))
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
	used := 0
	for _, r := range w.racks {
		used += (len(r.nodes) - r.free()) * gpusPerNode
	}
	s.peak = max(s.peak, used)
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

// submitSample creates the gang of a file of config/samples, whose programs run for a while.
func (s *stage) submitSample(ctx context.Context, name string, runs time.Duration) error {
	raw, err := os.ReadFile(sample(s.root, name))
	if err != nil {
		return err
	}
	job := &v1alpha1.GangJob{}
	if err := yaml.UnmarshalStrict(raw, job); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for i := range job.Spec.Roles {
		template := &job.Spec.Roles[i].Template
		metav1.SetMetaDataAnnotation(&template.ObjectMeta, devcluster.AnnotationRunFor, runs.String())
	}
	if err := s.client.Create(ctx, job); err != nil {
		return fmt.Errorf("submitting %s: %w", name, err)
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
