package docs

import (
	"os"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/config"
	"github.com/berth-dev/berth/internal/defaults"
	"github.com/berth-dev/berth/internal/manifest"
	"github.com/berth-dev/berth/internal/validate"
)

// The samples together are a cluster that somebody could apply: every rule of the webhooks holds, each of them seeing the
// others.
func TestSamplesKeepEveryRule(t *testing.T) {
	all := loadSamples(t)
	world := &validate.World{Teams: all.teams, Pools: all.pools, TeamOf: all.teamOf}
	world.Limits.Default()
	for i := range all.pools {
		report(t, all.pools[i].Name, validate.TopologyDomain(&all.pools[i]))
	}
	for i := range all.teams {
		report(t, all.teams[i].Name, validate.Team(&all.teams[i], world))
	}
	for i := range all.quotas {
		report(t, all.quotas[i].Name, validate.Quota(&all.quotas[i], world))
		if !slices.ContainsFunc(all.teams, func(team v1alpha1.Team) bool { return team.Name == all.quotas[i].Spec.Team }) {
			t.Errorf("Quota %s is of a team that config/samples does not have", all.quotas[i].Name)
		}
	}
	for i := range all.gangs {
		gang := &all.gangs[i]
		team := all.teamOf(gang.Namespace)
		if team == nil {
			t.Errorf("GangJob %s is in namespace %s, which no team of config/samples has", gang.Name, gang.Namespace)
		}
		defaults.GangJob(gang, team, all.pools)
		report(t, gang.Name, validate.GangJob(gang, world))
	}
}

// The configuration that is installed spells out defaults: what it says is what holds without it.
func TestInstalledConfigurationIsTheDefault(t *testing.T) {
	raw, err := os.ReadFile(top + "/config/manager/berth.yaml")
	if err != nil {
		t.Fatal(err)
	}
	installed, err := config.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	standard, err := config.Load("")
	if err != nil {
		t.Fatal(err)
	}
	got, err := yaml.Marshal(installed)
	if err != nil {
		t.Fatal(err)
	}
	want, err := yaml.Marshal(standard)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("config/manager/berth.yaml means\n%s\nwithout it holds\n%s", got, want)
	}
}

type sampled struct {
	pools  []v1alpha1.TopologyDomain
	teams  []v1alpha1.Team
	quotas []v1alpha1.Quota
	gangs  []v1alpha1.GangJob
}

// loadSamples reads config/samples, with the defaults of pools and teams.
func loadSamples(t *testing.T) *sampled {
	t.Helper()
	all := &sampled{}
	for _, file := range samples(t) {
		documents, mistakes := manifest.Split([]byte(read(t, file)))
		for _, document := range documents {
			switch document.Kind {
			case "TopologyDomain":
				mistakes = append(mistakes, decodeInto(document, &all.pools)...)
			case "Team":
				mistakes = append(mistakes, decodeInto(document, &all.teams)...)
			case "Quota":
				mistakes = append(mistakes, decodeInto(document, &all.quotas)...)
			case "GangJob":
				mistakes = append(mistakes, decodeInto(document, &all.gangs)...)
			}
		}
		for _, mistake := range mistakes {
			t.Fatalf("%s: %s", file, mistake)
		}
	}
	for i := range all.pools {
		defaults.TopologyDomain(&all.pools[i])
	}
	for i := range all.teams {
		defaults.Team(&all.teams[i])
	}
	return all
}

func decodeInto[T any](document manifest.Document, list *[]T) manifest.Mistakes {
	var object T
	mistakes := document.Decode(&object)
	*list = append(*list, object)
	return mistakes
}

func (s *sampled) teamOf(namespace string) *v1alpha1.Team {
	i := slices.IndexFunc(s.teams, func(team v1alpha1.Team) bool { return slices.Contains(team.Spec.Namespaces, namespace) })
	if i < 0 {
		return nil
	}
	return &s.teams[i]
}

func report(t *testing.T, name string, errs field.ErrorList) {
	t.Helper()
	for _, err := range errs {
		t.Errorf("%s: %v", name, err)
	}
}
