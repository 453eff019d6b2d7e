package engine_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets the properties be checked more often than the library does by default, and on the same worlds each time,
// so that a change is judged by what it changes; -rapid.checks and -rapid.seed (0: by chance) say otherwise. What fails is
// told by its seed and not written into the tree, where it would be tried again by runs that have nothing to do with it.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		panic(err)
	}
	byDefault("rapid.seed", "1")
	if !testing.Short() {
		byDefault("rapid.checks", "200")
	}
	os.Exit(m.Run())
}

// byDefault sets a flag that the command line does not.
func byDefault(name, value string) {
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == name })
	if !asked {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
}
