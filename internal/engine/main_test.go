package engine_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets the properties be checked more often than the library does by default; -rapid.checks says otherwise.
func TestMain(m *testing.M) {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	if f := flag.Lookup("rapid.checks"); f != nil && !asked && !testing.Short() {
		if err := f.Value.Set("200"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
