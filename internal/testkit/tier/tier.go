// Package tier says how much a test has to do. There are three: make check, while one works; make test, what a landing
// needs; make soak, all that is long or random. CONTRIBUTING.md has the table of what runs where.
//
// A package whose tests draw at random imports it, by an empty name if need be: it sets the seed of rapid's properties,
// so that make test draws the same each time, and make soak what the day's seed says.
package tier

import (
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"strconv"
	"testing"

	_ "pgregory.net/rapid" // has the flags that are set below
)

// The environment variables that internal/testkit/proof sets. The cache of go test has them in its key.
const (
	// Variable names the tier: check, test or soak. Without it a test does what make test asks.
	Variable = "SABOT_TIER"
	// SeedVariable is the seed of all that is drawn, a whole number.
	SeedVariable = "SABOT_SEED"
	// ProgramsVariable names a folder with the programs of the project, built for all packages at once. The folder's
	// name is made of what is in it, so that a cached result of go test holds for these very programs.
	ProgramsVariable = "SABOT_PROGRAMS"
)

// usualSeed is the seed of make check and make test.
const usualSeed = 20261128

// soakChecks is how often make soak tries each property; rapid tries it 100 times unless it is told otherwise.
const soakChecks = 2000

// ElsewherePrefix begins the reason for which a test of another tier is passed over. internal/testkit/proof calls a
// test that is passed over for any other reason a failure.
const ElsewherePrefix = "not in this tier: "

// init sets the flags before the command line is read, which may set them otherwise.
func init() {
	set := func(name, value string) {
		if err := flag.Set(name, value); err != nil {
			panic(fmt.Sprintf("tier: rapid has no flag %s any more: %v", name, err))
		}
	}
	set("rapid.seed", strconv.FormatUint(Seed(), 10))
	set("rapid.nofailfile", "true")
	if InSoak() {
		set("rapid.checks", strconv.Itoa(soakChecks))
	}
}

// InSoak says whether this is a run of make soak.
func InSoak() bool { return os.Getenv(Variable) == "soak" }

// Elsewhere passes over a test that is no part of any tier unless something starts it, which why says.
func Elsewhere(t testing.TB, why string) {
	t.Helper()
	t.Skip(ElsewherePrefix + why)
}

// Soak passes over a test that only make soak runs. why says in a few words what the test needs that make test has not:
// time, a real kernel, a killed process.
func Soak(t testing.TB, why string) {
	t.Helper()
	if !InSoak() {
		Elsewhere(t, "make soak runs it: "+why)
	}
}

// Landing passes over a test that make check does not run.
func Landing(t testing.TB, why string) {
	t.Helper()
	if os.Getenv(Variable) == "check" {
		Elsewhere(t, "make test runs it: "+why)
	}
}

// Times is how often something is tried: usually, and in make soak.
func Times[N int | uint64](usually, soak N) N {
	if InSoak() {
		return soak
	}
	return usually
}

// Seed is the seed of this run: always the same in make test, the day's in make soak.
func Seed() uint64 {
	text, set := os.LookupEnv(SeedVariable)
	if !set {
		return usualSeed
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		panic(fmt.Sprintf("%s=%q is not a whole number", SeedVariable, text))
	}
	return seed
}

// SeedOf is a seed of a test's own, which follows from that of the run. It is logged, and shown if the test fails.
func SeedOf(t testing.TB) uint64 {
	t.Helper()
	name := fnv.New64a()
	fmt.Fprintf(name, "%d %s", Seed(), t.Name())
	seed := name.Sum64() >> 1
	t.Logf("seed %d (%s=%d)", seed, SeedVariable, Seed())
	return seed
}
