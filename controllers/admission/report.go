package admission

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/go-logr/logr"
	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/ledger"
	"github.com/berth-dev/berth/internal/patch"
	"github.com/berth-dev/berth/internal/state"
	"github.com/berth-dev/berth/internal/translate"
)

// Reporter writes down why gangs wait: at once when the reason changes, else now and then.
type Reporter struct {
	Client client.Client
	State  *state.Cache
	Clock  clock.Clock
	// Interval is how often the message of a gang whose reason stays is refreshed.
	Interval time.Duration
	// Limit bounds the refreshes of all gangs.
	Limit *rate.Limiter

	due     chan struct{}
	written map[types.UID]time.Time
}

// NewReporter returns a reporter that refreshes each gang once an interval, perSecond of them at most.
func NewReporter(c client.Client, s *state.Cache, clk clock.Clock, interval time.Duration, perSecond int) *Reporter {
	return &Reporter{
		Client: c, State: s, Clock: clk, Interval: interval, Limit: rate.NewLimiter(rate.Limit(perSecond), perSecond),
		due: make(chan struct{}, 1), written: map[types.UID]time.Time{},
	}
}

// NeedLeaderElection keeps the reporter to the leader.
func (r *Reporter) NeedLeaderElection() bool { return true }

// Decided makes the reporter look at all that wait.
func (r *Reporter) Decided() {
	select {
	case r.due <- struct{}{}:
	default: // it will look anyway
	}
}

const (
	// calm is how long decisions may gather before they are reported.
	calm = 50 * time.Millisecond
	// refresh is how often messages that could not be written for the limits' sake are tried again.
	refresh = time.Second
)

// Start reports until the context ends.
func (r *Reporter) Start(ctx context.Context) error {
	for {
		timer := r.Clock.NewTimer(refresh)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case <-r.due:
			timer.Stop()
			timer = r.Clock.NewTimer(calm)
			select {
			case <-ctx.Done():
				timer.Stop()
				return nil
			case <-timer.C():
			}
		case <-timer.C():
		}
		timer.Stop()
		r.pass(ctx)
	}
}

// pass writes what is due: changed reasons first, then messages, those that waited longest first.
func (r *Reporter) pass(ctx context.Context) {
	log := logr.FromContextOrDiscard(ctx)
	waiting := r.State.Pending()
	slices.SortFunc(waiting, func(a, b state.Waiting) int {
		return cmp.Or(r.written[a.Job.UID].Compare(r.written[b.Job.UID]), cmp.Compare(a.Key.String(), b.Key.String()))
	})
	now := r.Clock.Now()
	seen := map[types.UID]time.Time{}
	var later []state.Waiting
	for _, w := range waiting {
		seen[w.Job.UID] = r.written[w.Job.UID]
		if w.Job.Status.Reason == string(w.Why.Reason) {
			later = append(later, w)
			continue
		}
		r.write(ctx, log, w, now, seen)
	}
	for _, w := range later {
		if now.Sub(seen[w.Job.UID]) >= r.Interval && r.outdated(w) && r.Limit.AllowN(now, 1) {
			r.write(ctx, log, w, now, seen)
		}
	}
	r.written = seen
}

// outdated tells whether what a gang's status says of its wait is no longer true.
func (r *Reporter) outdated(w state.Waiting) bool { return r.tell(w, w.Job.DeepCopy()) }

// tell writes down why a gang waits, and reports whether that changed anything.
func (r *Reporter) tell(w state.Waiting, g *v1alpha1.GangJob) bool {
	reader := translate.Reader{Namespace: g.Namespace, Team: w.Team}
	return ledger.Wait(g, w.Team, string(w.Why.Reason), translate.Message(w.Why, reader), translate.Time(w.Why.ETA))
}

func (r *Reporter) write(ctx context.Context, log logr.Logger, w state.Waiting, now time.Time, seen map[types.UID]time.Time) {
	seen[w.Job.UID] = now
	_, err := patch.Status(ctx, r.Client, r.State, w.Job, func(g *v1alpha1.GangJob) { r.tell(w, g) })
	if err != nil && !patch.Outdated(err) && ctx.Err() == nil {
		log.Error(err, "Writing why a gang waits", "gang", w.Key.String())
	}
}
