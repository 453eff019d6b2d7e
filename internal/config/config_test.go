package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-dev/berth/internal/engine"
)

const head = "apiVersion: " + APIVersion + "\nkind: " + Kind + "\n"

func TestDefaultsAreThoseOfTheEngine(t *testing.T) {
	m, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(engine.DefaultConfig(), m.Engine()); diff != "" {
		t.Errorf("defaults differ from the engine's (-engine +file):\n%s", diff)
	}
}

func TestSettingsReachTheEngine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "berth.yaml")
	text := head + "reserveAfter: 1m\nmaxReservations: 0\nmaxReservationIdle: 12.5%\nmovesPerHour: 0\nlostWorkCap: 2h\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	want := engine.DefaultConfig()
	want.ReserveAfter, want.LostWorkCap = time.Minute.Nanoseconds(), (2 * time.Hour).Nanoseconds()
	want.MaxReservations, want.MovesPerHour, want.MaxReservationIdle = 0, 0, 1250
	if diff := cmp.Diff(want, m.Engine()); diff != "" {
		t.Errorf("engine settings (-want +got):\n%s", diff)
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"an unknown field":            {head + "reserveAftr: 5m\n", "reserveAftr"},
		"a repeated field":            {head + "movesPerHour: 1\nmovesPerHour: 2\n", "movesPerHour"},
		"another kind":                {"apiVersion: " + APIVersion + "\nkind: Other\n", `kind: Unsupported value: "Other"`},
		"no version":                  {"kind: " + Kind + "\n", "apiVersion: Unsupported value"},
		"a negative duration":         {head + "reserveAfter: -5m\n", `reserveAfter: Invalid value: "-5m0s"`},
		"a negative count":            {head + "maxReservations: -1\n", "maxReservations: Invalid value: -1: must be 0 or more"},
		"a share without percent":     {head + "maxReservationIdle: \"5\"\n", `maxReservationIdle: Invalid value: "5"`},
		"a share above the whole":     {head + "maxReservationIdle: 101%\n", "from 0% to 100%"},
		"an unknown certificate mode": {head + "webhook: {certificates: None}\n", `webhook.certificates: Unsupported value: "None"`},
		"a port out of range":         {head + "webhook: {port: 70000}\n", "webhook.port: Invalid value: 70000"},
		"a negative rate":             {head + "status: {waitingPerSecond: -2}\n", "status.waitingPerSecond"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(test.text))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}
