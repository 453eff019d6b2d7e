package presets_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/api/v1alpha1"
	"github.com/berth-dev/berth/internal/presets"
)

func TestAPresetStandsForLevelsThatAPoolCouldName(t *testing.T) {
	name := regexp.MustCompile(`^[a-z][a-z0-9-]{0,30}$`)
	for _, preset := range presets.All() {
		t.Run(string(preset), func(t *testing.T) {
			levels := presets.Levels(&v1alpha1.TopologyDomain{Spec: v1alpha1.TopologyDomainSpec{Preset: preset}})
			if len(levels) == 0 || len(levels) > 8 {
				t.Fatalf("%d levels, want 1 to 8", len(levels))
			}
			seen := map[string]bool{v1alpha1.LevelNode: true, v1alpha1.LevelNUMA: true, v1alpha1.LevelPool: true}
			for _, level := range levels {
				if !name.MatchString(level.Name) || seen[level.Name] || seen[level.NodeLabel] {
					t.Errorf("level %+v is badly named, reserved or there twice", level)
				}
				if problems := validation.IsQualifiedName(level.NodeLabel); len(problems) > 0 {
					t.Errorf("node label %q: %v", level.NodeLabel, problems)
				}
				seen[level.Name], seen[level.NodeLabel] = true, true
			}
		})
	}
}

func TestAPoolThatNamesLevelsHasThose(t *testing.T) {
	levels := []v1alpha1.TopologyLevel{{Name: "rack", NodeLabel: "example.com/rack"}}
	got := presets.Levels(&v1alpha1.TopologyDomain{Spec: v1alpha1.TopologyDomainSpec{Levels: levels}})
	if diff := cmp.Diff(levels, got); diff != "" {
		t.Errorf("levels (-want +got):\n%s", diff)
	}
}

func TestTheSchemaKnowsExactlyThePresets(t *testing.T) {
	raw, err := os.ReadFile("../../config/crd/bases/berth.dev_topologydomains.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var crd struct {
		Spec struct {
			Versions []struct {
				Schema struct {
					OpenAPIV3Schema struct {
						Properties struct {
							Spec struct {
								Properties struct {
									Preset struct{ Enum []v1alpha1.Preset }
								}
							}
						}
					}
				}
			}
		}
	}
	if err := yaml.Unmarshal(raw, &crd); err != nil {
		t.Fatal(err)
	}
	enum := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties.Spec.Properties.Preset.Enum
	known := map[v1alpha1.Preset]bool{}
	for _, preset := range enum {
		known[preset] = true
		if !presets.Known(preset) {
			t.Errorf("the schema lets %q pass, which stands for nothing", preset)
		}
	}
	for _, preset := range presets.All() {
		if !known[preset] {
			t.Errorf("the schema refuses %q", preset)
		}
	}
}
