package e2e

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/devcluster"
)

// row returns a row of a table that kubectl prints: cells by the names of their columns.
func (w *world) row(args ...string) map[string]string {
	w.t.Helper()
	out, err := w.kubectl(append([]string{"get"}, args...)...)
	w.must(err, "kubectl get %s: %s", strings.Join(args, " "), out)
	lines := strings.Split(strings.TrimRight(out, "\n"), "\n")
	if len(lines) != 2 {
		w.t.Fatalf("kubectl get %s printed %d lines, want 2:\n%s", strings.Join(args, " "), len(lines), out)
	}
	cells := map[string]string{}
	header := lines[0]
	starts := columnStarts(header)
	for i, at := range starts {
		end, rowEnd := len(header), len(lines[1])
		if i+1 < len(starts) {
			end, rowEnd = starts[i+1], min(starts[i+1], len(lines[1]))
		}
		cells[strings.TrimSpace(header[at:end])] = strings.TrimSpace(lines[1][min(at, rowEnd):rowEnd])
	}
	return cells
}

// columnStarts returns where the columns of a header begin: after three blanks.
func columnStarts(header string) []int {
	starts := []int{0}
	for i := 3; i < len(header); i++ {
		if header[i] != ' ' && header[i-3:i] == "   " {
			starts = append(starts, i)
		}
	}
	return starts
}

// cells waits until the cells of a row are as they should be. Ages and ETAs differ from run to run and are left out.
func (w *world) cells(want map[string]string, args ...string) {
	w.t.Helper()
	var got map[string]string
	w.wait("kubectl get "+strings.Join(args, " ")+" shows what it should", func(context.Context) bool {
		got = w.row(args...)
		delete(got, "AGE")
		return cmp.Equal(want, got)
	}, func() string { return "cells (-want +got):\n" + cmp.Diff(want, got) })
}

func TestKubectlShowsAGangInEveryPhase(t *testing.T) {
	w := newWorld(t, "columns", 2, 2)
	ns := w.team("a", 32, 0)
	gang := func(name, phase, reason, pods, domain, tier string) map[string]string {
		return map[string]string{
			"NAME": name, "TEAM": ns, "TIER": tier, "PHASE": phase, "REASON": reason, "PODS": pods, "GPUS": "16", "DOMAIN": domain, "ETA": "",
		}
	}
	held := w.submit(w.gang(ns, "g", 2, 8, tier(v1alpha1.TierInteractive), requireRack, inRack("r0"), func(g *v1alpha1.GangJob) {
		g.Spec.Suspend = true
		g.Spec.Restart.MaxRestarts = ptr.To[int32](0)
	}, behave(devcluster.AnnotationStopAfter, "6s"), behave(devcluster.AnnotationStartAfter, "5s")))
	w.cells(gang("g", "Pending", "Held", "0/2", "", "Interactive"), "gj", "-n", ns, "g")
	w.suspend(held, false)
	w.cells(gang("g", "Admitted", "Admitted", "0/2", "r0", "Interactive"), "gj", "-n", ns, "g")
	w.cells(gang("g", "Running", "Running", "2/2", "r0", "Interactive"), "gj", "-n", ns, "g")
	w.submit(w.gang(ns, "high", 2, 8, tier(v1alpha1.TierProduction), requireRack, inRack("r0"), runFor("4s")))
	w.cells(gang("g", "Preempting", "Evicted", "2/2", "r0", "Interactive"), "gj", "-n", ns, "g")
	w.cells(gang("g", "Pending", "NoCoherentSlot", "0/2", "", "Interactive"), "gj", "-n", ns, "g")
	w.cells(gang("high", "Succeeded", "Succeeded", "2/2", "r0", "Production"), "gj", "-n", ns, "high")
	w.cells(gang("g", "Running", "Running", "2/2", "r0", "Interactive"), "gj", "-n", ns, "g")
	w.failRank(held, 0)
	w.cells(gang("g", "Failed", "RoleFailed", "0/2", "r0", "Interactive"), "gj", "-n", ns, "g")
}

func TestKubectlShowsTeamsQuotasAndTheMap(t *testing.T) {
	w := newWorld(t, "columns-map", 2, 2)
	ns := w.team("a", 8, 24)
	w.phase(w.submit(w.gang(ns, "g", 2, 8, inRack("r0"))), v1alpha1.PhaseRunning)
	w.phase(w.submit(w.gang(ns, "small", 1, 2, inRack("r1"))), v1alpha1.PhaseRunning)
	w.pending(w.submit(w.gang(ns, "waiting", 1, 8)), v1alpha1.ReasonQuotaExceeded)
	w.cells(map[string]string{
		"NAME": ns, "PARENT": "", "WEIGHT": "1", "PENDING": "1", "ADMITTED": "2", "PREEMPTING": "0", "USED": "18", "GUARANTEED": "8",
		"BORROWED": "10", "LENT": "0", "SHARE": "0.312",
	}, "team", ns)
	w.cells(map[string]string{
		"NAME": ns, "GUARANTEED": "8", "USED": "18", "BORROWED": "10", "LENT": "0", "ACTIVE": "True", "OVERCOMMITTED": "False",
	}, "quota", ns)
	w.cells(map[string]string{
		"NAME": w.name, "POOL": w.name, "LEVEL": "pool", "NODES": "4", "TOTAL": "32", "FREE": "14", "LARGEST SLOT": "8",
		"FRAG": "0.428", "HEALTH": "Healthy",
	}, "td", w.name)
	w.cells(map[string]string{
		"NAME": w.name + ".r0", "POOL": w.name, "LEVEL": "rack", "NODES": "2", "TOTAL": "16", "FREE": "0", "LARGEST SLOT": "0",
		"FRAG": "0.000", "HEALTH": "Healthy",
	}, "td", w.name+".r0")
	w.cells(map[string]string{
		"NAME": w.name + ".r1", "POOL": w.name, "LEVEL": "rack", "NODES": "2", "TOTAL": "16", "FREE": "14", "LARGEST SLOT": "8",
		"FRAG": "0.428", "HEALTH": "Healthy",
	}, "td", w.name+".r1")
	w.guarantee(ns, 64)
	w.cells(map[string]string{
		"NAME": ns, "GUARANTEED": "32", "USED": "26", "BORROWED": "0", "LENT": "0", "ACTIVE": "True", "OVERCOMMITTED": "True",
	}, "quota", ns)
}

func TestAQuotaOfWhatDoesNotExistCountsAsNothing(t *testing.T) {
	w := newWorld(t, "inactive", 1, 1)
	w.create(&v1alpha1.Quota{
		ObjectMeta: metav1.ObjectMeta{Name: "inactive-q"},
		Spec:       v1alpha1.QuotaSpec{Team: "inactive-q", Resources: []v1alpha1.ResourceQuota{w.entitlement(8, 0)}},
	})
	w.cells(map[string]string{
		"NAME": "inactive-q", "GUARANTEED": "0", "USED": "0", "BORROWED": "0", "LENT": "0", "ACTIVE": "False", "OVERCOMMITTED": "False",
	}, "quota", "inactive-q")
	w.create(&v1alpha1.Team{ObjectMeta: metav1.ObjectMeta{Name: "inactive-q"}})
	w.cells(map[string]string{
		"NAME": "inactive-q", "GUARANTEED": "8", "USED": "0", "BORROWED": "0", "LENT": "0", "ACTIVE": "True", "OVERCOMMITTED": "False",
	}, "quota", "inactive-q")
}
