package docs

import (
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/internal/config"
)

var configurationRow = regexp.MustCompile("(?m)^\\| `([a-zA-Z.]+)` \\| (`[^`]*`|none|required) \\|")

func TestConfigurationPageTellsEveryFieldAndDefault(t *testing.T) {
	told := map[string]string{}
	for _, row := range configurationRow.FindAllStringSubmatch(read(t, filepath.Join(top, "docs", "configuration.md")), -1) {
		told[row[1]] = strings.Trim(row[2], "`")
	}
	var defaults config.Manager
	defaults.Default()
	want := map[string]string{"apiVersion": "required", "kind": "required"}
	collect(reflect.ValueOf(defaults), "", want)
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("docs/configuration.md does not tell the fields and defaults of internal/config (-code +page):\n%s", diff)
	}
}

// collect writes down the default of each field by its path.
func collect(value reflect.Value, prefix string, out map[string]string) {
	for i := range value.NumField() {
		field := value.Type().Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		v := reflect.Indirect(value.Field(i))
		switch {
		case name == "":
			collect(v, prefix, out)
			continue
		case out[prefix+name] != "":
			continue
		}
		switch d := v.Interface().(type) {
		case metav1.Duration:
			out[prefix+name] = shortDuration(d.Duration)
		default:
			if v.Kind() == reflect.Struct {
				collect(v, prefix+name+".", out)
			} else if v.IsZero() {
				out[prefix+name] = "none"
			} else {
				out[prefix+name] = fmt.Sprint(v.Interface())
			}
		}
	}
}

// shortDuration leaves out the zero units at the end: 5m, not 5m0s.
func shortDuration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
