package gangjob

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/api/v1alpha1"
)

func TestAGangIsToldAGracePeriodBeforeItsTimeIsOver(t *testing.T) {
	start := time.Unix(1_000_000, 0)
	for name, test := range map[string]struct {
		used, most, grace time.Duration
		notice, end       time.Duration
		never             bool
	}{
		"in its first attempt":                {0, 24 * time.Hour, time.Minute, 24*time.Hour - time.Minute, 24 * time.Hour, false},
		"after earlier attempts":              {20 * time.Hour, 24 * time.Hour, time.Minute, 4*time.Hour - time.Minute, 4 * time.Hour, false},
		"with nothing left":                   {25 * time.Hour, 24 * time.Hour, time.Minute, -time.Minute, 0, false},
		"without a bound":                     {0, 0, time.Minute, 0, 0, true},
		"where the grace is most of its time": {0, time.Minute, time.Minute, 0, 0, true},
		"where the grace is half of its time": {0, 2 * time.Minute, time.Minute, time.Minute, 2 * time.Minute, false},
	} {
		h := &v1alpha1.GangHistory{StartTime: &metav1.Time{Time: start}, UsedRuntime: metav1.Duration{Duration: test.used}}
		notice, end, ok := lastCall(h, test.most, test.grace)
		if ok == test.never || ok && (notice.Sub(start) != test.notice || end.Sub(start) != test.end) {
			t.Errorf("%s: told after %s, over after %s (%t); want %s and %s", name, notice.Sub(start), end.Sub(start), ok, test.notice, test.end)
		}
	}
}
