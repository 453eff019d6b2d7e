package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/config"
	"github.com/berth-dev/berth/internal/devcluster"
	"github.com/berth-dev/berth/internal/devmanager"
)

// Options says how the demo is shown.
type Options struct {
	// Out is where everything is written.
	Out io.Writer
	// Terminal redraws the table in place; without it changes are written as lines.
	Terminal bool
	// Colour tells gangs apart by colour too.
	Colour bool
	// Width is the terminal's, in characters; 0: no bound.
	Width int
	// Pace is how long each scene stays to be looked at.
	Pace time.Duration
	// Keep leaves the cluster and the manager running.
	Keep bool
	// Root is the folder of the repository.
	Root string
	// Manager is the manager's program.
	Manager string
}

// teams are those of config/samples/teams.yaml, each with a namespace of its name.
var teams = []string{"pretraining", "finetuning", "research"}

// Run plays the demo. When the context ends, or something goes wrong, no process is left.
func Run(ctx context.Context, opts Options) (err error) {
	screen := newScreen(opts.Out, opts.Terminal, opts.Colour, opts.Width)
	screen.say("Starting a control plane and %d nodes of %d H100 ...", 64, gpusPerNode)
	cluster, err := devcluster.Start(ctx, cluster(opts.Keep))
	if err != nil {
		return err
	}
	kept := false
	defer func() {
		if !kept {
			err = errors.Join(err, cluster.Stop())
		}
	}()
	screen.say("Kubernetes %s is up. Starting Berth's manager, with the rights of its ServiceAccount ...", cluster.Version())
	manager, err := devmanager.Start(ctx, cluster, devmanager.Options{Root: opts.Root, Binary: opts.Manager, Config: swift()})
	if err != nil {
		return err
	}
	s, err := prepare(ctx, opts, cluster, screen)
	if err != nil {
		return explained(ctx, err, manager)
	}
	for _, sc := range story() {
		if err := s.play(ctx, sc); err != nil {
			return explained(ctx, err, manager)
		}
	}
	if err := s.sum(ctx); err != nil {
		return err
	}
	if opts.Keep {
		kept = true
		tellHowToReach(opts.Out, cluster)
		return nil
	}
	fmt.Fprintf(opts.Out, "The cluster ends now, and with it its kubeconfig, %s. To keep both: make demo KEEP=1\n", cluster.Kubeconfig())
	return nil
}

// swift is the manager's configuration with summaries written more often, since a minute is all that people watch.
func swift() *config.Manager {
	cfg := &config.Manager{}
	cfg.Default()
	cfg.Status.SummaryInterval.Duration = time.Second
	cfg.Status.WaitingInterval.Duration = 5 * time.Second
	return cfg
}

// prepare makes the pool, the teams and their namespaces.
func prepare(ctx context.Context, opts Options, c *devcluster.Cluster, screen *screen) (*stage, error) {
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), v1alpha1.AddToScheme(scheme)); err != nil {
		return nil, err
	}
	api, err := client.New(c.Config(), client.Options{Scheme: scheme})
	if err != nil {
		return nil, err
	}
	observer, err := newObserver(ctx, api)
	if err != nil {
		return nil, err
	}
	s := &stage{root: opts.Root, pace: opts.Pace, client: api, observer: observer, screen: screen, alive: c.Err}
	if err := s.namespaces(ctx, teams...); err != nil {
		return nil, err
	}
	for _, file := range []string{"pool-h100.yaml", "teams.yaml"} {
		if err := c.ApplyPath(ctx, sample(opts.Root, file)); err != nil {
			return nil, err
		}
	}
	screen.say("Teams %s share pool %s: 2 spines, 8 racks, 64 nodes, 512 GPUs.", strings.Join(teams, ", "), pool)
	return s, nil
}

// explained adds where to look, unless the user wanted it to end.
func explained(ctx context.Context, err error, manager *devmanager.Manager) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("%w\n%s", err, manager.Tail())
}

func tellHowToReach(out io.Writer, c *devcluster.Cluster) {
	fmt.Fprintf(out, `
The cluster goes on. To reach it:
  export KUBECONFIG=%s
  %s get gangjobs,teams,quotas,topologydomains -A
Logs are in %s. To end it:
  bin/berth-demo --stop %s
`, c.Kubeconfig(), c.Binary("kubectl"), filepath.Join(c.Dir(), "logs"), c.Dir())
}
