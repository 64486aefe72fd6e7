package main

import (
	"slices"
	"strings"
	"testing"
)

// TestReached: what a change reaches, through code and through tests.
func TestReached(t *testing.T) {
	all := map[string]pkg{
		"shoe/card":     {Imports: []string{"strings"}},
		"table":         {Imports: []string{module + "shoe/card"}, XTestImports: []string{module + "tabletest"}},
		"tabletest":     {Imports: []string{module + "table"}},
		"display":       {Imports: []string{module + "table"}},
		"device":        {Imports: []string{"time"}, TestImports: []string{module + "device/mock"}},
		"device/mock":   {},
		"display/touch": {Imports: []string{module + "display"}},
	}
	for changed, want := range map[string]string{
		"shoe/card":     "./display ./display/touch ./shoe/card ./table ./tabletest",
		"display/touch": "./display/touch",
		"tabletest":     "./table ./tabletest",
		"device/mock":   "./device ./device/mock",
	} {
		if got := strings.Join(reached(all, map[string]bool{changed: true}), " "); got != want {
			t.Errorf("a change of %s reaches %s, not %s", changed, got, want)
		}
	}
}

// TestSplit: what starts built programs is left to make test, unless it is what has changed.
func TestSplit(t *testing.T) {
	tested, later := split([]string{"./cmd/sabot", "./cmd/sabotd", "./internal/host", "./docs", "./table"},
		map[string]bool{"cmd/sabot": true})
	if got := strings.Join(tested, " ") + "; " +
		strings.Join(later, " "); got != "./cmd/sabot ./internal/host ./table; ./cmd/sabotd ./docs" {
		t.Errorf("it is split into %s", got)
	}
}

// TestPackageOf: testdata and pages belong to the package around them, and what is in the root to none.
func TestPackageOf(t *testing.T) {
	all := map[string]pkg{"display/web": {}, "table": {}}
	for file, want := range map[string]string{
		"table/due.go": "table", "table/testdata/rounds/insurance.txt": "table",
		"display/web/assets/page.css": "display/web",
		"README.md":                   "", "go.mod": "",
	} {
		if got := packageOf(all, file); got != want {
			t.Errorf("%s belongs to %q, not %q", file, got, want)
		}
	}
}

// TestRacePackages: the publisher and the daemon start goroutines, and the engine does not.
func TestRacePackages(t *testing.T) {
	got, err := racePackages("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"./pit/publish": true, "./internal/host": true, "./shoe/sabot": true, "./table/runner": true,
		"./internal/testkit/simtest": true, "./internal/testkit/disktest": false, "./internal/ops/settings/page": true,
		"./table": false, "./table/rules": false, "./cmd/sabotd": false,
	} {
		if slices.Contains(got, name) != want {
			t.Errorf("that %s is tested with the race detector is %v", name, !want)
		}
	}
}

// TestMeasured: figures of what is tested with the race detector are compared without it, also the publisher's.
func TestMeasured(t *testing.T) {
	race, err := racePackages("../../..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := measured("../../..", race)
	if err != nil || !slices.Contains(got, "./pit/publish") || slices.Contains(got, "./internal/host") {
		t.Errorf("%s are compared: %v", got, err)
	}
}
