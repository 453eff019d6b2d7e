package engine_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets the properties be checked more often than the library does by default; -rapid.checks says otherwise. What
// fails is told by its seed and not written into the tree, where it would be tried again by runs that have nothing to do
// with it.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		panic(err)
	}
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	if f := flag.Lookup("rapid.checks"); f != nil && !asked && !testing.Short() {
		if err := f.Value.Set("200"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
