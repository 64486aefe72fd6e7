package table_test

import (
	"maps"
	"slices"
	"testing"
)

// roomsOf are the folders whose packages must have several importers, or be in apart.
var roomsOf = []string{"device", "display", "firmware-protocol", "shoe", "sim-hardware", "table"}

// apart are the packages that at most one package imports, beside tests and their kit, each with the reason for which
// it is one all the same.
var apart = map[string]string{
	"display/term":              "a command only wires: what it shows is tested without it",
	"display/touch":             "what each key puts in is tested without a page, which only draws the keys",
	"firmware-protocol/vectors": "other firmware, and what speaks to it, is tested by them",
	"shoe/angeleye":             "a make is a folder of its own, and shoe/makes lists all",
	"shoe/beetek":               "a make is a folder of its own, and shoe/makes lists all",
	"shoe/sabot":                "a make is a folder of its own, and shoe/makes lists all",
	"sim-hardware/bench":        "a command only wires",
	"sim-hardware/broker":       "it alone brings the library of a whole broker, and tests of the pit connect to it",
	"sim-hardware/nights":       "tests of the pit deal the same past",
}

// TestRoomsAreShared: what has one importer belongs to it, unless there is a reason.
func TestRoomsAreShared(t *testing.T) {
	importers := map[string]map[string]bool{}
	for _, i := range moduleImports(t) {
		if importers[i.by] == nil {
			importers[i.by] = map[string]bool{}
		}
		if !ours(i.what) || within(i.by, "internal/testkit") {
			continue
		}
		if importers[i.what] == nil {
			importers[i.what] = map[string]bool{}
		}
		importers[i.what][i.by] = true
	}
	for pkg, by := range importers {
		mine := slices.ContainsFunc(roomsOf, func(folder string) bool { return within(pkg, folder) })
		if few := len(by) <= 1; few && mine && apart[pkg] == "" {
			t.Errorf("%s has no importer but %v: make it a part of that package, or give its reason in apart",
				pkg, slices.Collect(maps.Keys(by)))
		} else if !few && apart[pkg] != "" {
			t.Errorf("%s has several importers: remove it from apart", pkg)
		}
	}
	for pkg := range apart {
		if importers[pkg] == nil {
			t.Errorf("%s is in apart, and is no package", pkg)
		}
	}
}
