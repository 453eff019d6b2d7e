package demo

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

const repository = "../.."

// output collects what the demo writes, and tells when a text is in it.
type output struct {
	mu      sync.Mutex
	text    bytes.Buffer
	awaited string
	seen    func()
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(p)
	if o.awaited != "" && strings.Contains(o.text.String(), o.awaited) {
		o.awaited = ""
		o.seen()
	}
	return len(p), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// options runs the demo of this checkout in a temporary folder, as fast as it goes.
func options(t *testing.T, out *output) Options {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	root, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	manager := filepath.Join(t.TempDir(), "berth")
	if built, err := exec.CommandContext(t.Context(), "go", "build", "-o", manager, root).CombinedOutput(); err != nil {
		t.Fatalf("building the manager: %v\n%s", err, built)
	}
	return Options{Out: out, Root: root, Manager: manager}
}

// leftovers are the clusters' folders and processes that are still there.
func leftovers(t *testing.T) string {
	t.Helper()
	var left []string
	folders, err := filepath.Glob(filepath.Join(os.TempDir(), "berth-devcluster-*"))
	if err != nil {
		t.Fatal(err)
	}
	left = append(left, folders...)
	processes, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, process := range processes {
		// One that has ended meanwhile has no command line.
		if line, err := os.ReadFile(process); err == nil && bytes.Contains(line, []byte(os.TempDir())) {
			left = append(left, process+" "+string(line))
		}
	}
	return strings.Join(left, "\n")
}

func TestDemoTellsItsStoryAndLeavesNothing(t *testing.T) {
	out := &output{}
	if err := Run(t.Context(), options(t, out)); err != nil {
		t.Fatalf("%v\nso far it wrote:\n%s", err, out)
	}
	rest := out.String()
	for _, beat := range []string{
		`llama-70b +Running +2/2 ready, s\d/r\d, rank 0 on (r\d)-n0, rank 1 on r\d-n1`,
		`ablation +Running +4/4 ready`,
		`ft-7 has 0 pods: .*64 GPUs.*4 of 8`,
		`ft-1 has ended and ft-7 started, 8/8 pods at once`,
		`ablation +Preempting`,
		`eval +Running +6/6 ready`,
		`refused: .*spec\.topology\.required.*"rak".*spine, rack`,
		`ablation is back in s\d/r\d, all 4/4 pods, attempt 2`,
		`11 gangs for 592 GPUs in all\. 11 succeeded, 1 of them after they had made way \(1 preemption\)`,
		`At most 4\d\d of 512 GPUs were in use at once; gangs that waited for their start held 0\.`,
	} {
		at := regexp.MustCompile(beat).FindStringIndex(rest)
		if at == nil {
			t.Fatalf("the story lacks, at its place, %q:\n%s", beat, out)
		}
		rest = rest[at[1]:]
	}
	if left := leftovers(t); left != "" {
		t.Errorf("left behind:\n%s", left)
	}
}

func TestInterruptedDemoLeavesNothing(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	out := &output{awaited: "ft-7 has 0 pods", seen: cancel}
	err := Run(ctx, options(t, out))
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("want the demo to end because it was interrupted, got %v\n%s", err, out)
	}
	if left := leftovers(t); left != "" {
		t.Errorf("left behind:\n%s", left)
	}
}
