package table_test

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	slashed "path"
	"slices"
	"strings"
	"testing"
)

// closet is how many lines a package has at least that needs no reason of its own; its tests do not count.
const closet = 350

// kit is the folder of what supports tests.
const kit = "internal/testkit"

// Those that any test may import, whatever it tests.
const forAnyTest = "it imports nothing of ours, so that the tests of any package can import it"

// apart are the packages that at most one other imports, and those that are closets, each with the reason for which it
// is a package all the same. A program needs none.
var apart = map[string]string{
	"deploy": "go:embed takes only what lies beside it, and the example of a configuration lies with what it is for",

	"display/term":  "a command only wires: what it shows is tested without it",
	"display/touch": "what each key puts in is tested without a page, which only draws the keys",

	"firmware-protocol/vectors": "other firmware, and what speaks to it, is tested by them",

	"internal/alike":             "guests, dealers, supervisors and people of the pit are told apart by it",
	"internal/diag":              "faults of a language file and of YAML are told alike, and a display reads no YAML",
	"internal/ops/backup":        "a command only wires",
	"internal/ops/settings/page": "the tool asks the same questions, and serves nothing",
	"internal/release/image":     "a program cannot be imported, and an emulated board starts from the same card",
	"internal/systemd":           "both daemons speak to the service manager, and the tool links nothing for it",
	"internal/terminal":          "every program prints by it, and needs no configuration to do so",

	"pit/figures": "the pages of what is over have their odds from afar: those of the floor wait for none",
	"pit/luck":    "what luck does is computed and proved without a page, by nights that tests deal",

	"shoe/angeleye": "a make is a folder of its own, and shoe/makes lists all",
	"shoe/beetek":   "a make is a folder of its own, and shoe/makes lists all",
	"shoe/card":     "the engine imports it, and must not reach a port",
	"shoe/makes":    "every make imports shoe, which therefore cannot list them",
	"shoe/sabot":    "a make is a folder of its own, and shoe/makes lists all",

	"sim-hardware/bench":  "a command only wires",
	"sim-hardware/broker": "it alone brings the library of a whole broker, and tests of the pit connect to it",
	"sim-hardware/nights": "tests of the pit deal the same past",

	"table/audit/witness": "the pit writes it and the auditor reads it: neither links the other",
	"table/hand":          "a side bet counts a hand, and rules, which have the side bets, do so too",
	"table/irregularity":  "inputs, rules, records and the pit name what goes wrong, none of them below the others",
	"table/journal/disk":  "what stands in for it in tests of the journal cannot import the journal",
	"table/money":         "an amount has no rules: the pit and a configuration write it without a house",
	"table/plaintext":     "the engine imports no package strings, which could reach the machine",

	kit + "/attack":   forAnyTest,
	kit + "/board":    "sabotd alone is tested on whole computers, and they have tests of their own that need none",
	kit + "/bubble":   forAnyTest,
	kit + "/datatest": forAnyTest,
	kit + "/system":   forAnyTest,
	kit + "/tier":     forAnyTest,
}

// room is a package: its lines and who imports it, tests and what supports them apart.
type room struct {
	program bool
	lines   int
	by      []string // what is no test and does not support tests
	tested  []string // the others
}

// few says whether at most one other package has a use for it: of the kit of tests, those that test count.
func (r *room) few(name string) bool {
	if within(name, kit) {
		return len(r.by)+len(r.tested) <= 1
	}
	return len(r.by) <= 1
}

// roomsOf are the module's packages that have more than tests.
func roomsOf(t *testing.T) map[string]*room {
	t.Helper()
	rooms := map[string]*room{}
	for _, path := range moduleFiles(t) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		name := slashed.Dir(fromRoot(t, path))
		if rooms[name] == nil {
			rooms[name] = &room{program: file.Name.Name == "main"}
		}
		rooms[name].lines += bytes.Count(text, []byte("\n"))
	}
	for _, path := range moduleFiles(t) {
		for _, i := range fileImports(t, path) {
			r := rooms[i.what]
			if r == nil || i.by == i.what {
				continue
			}
			list := &r.by
			if strings.HasSuffix(path, "_test.go") || within(i.by, kit) {
				list = &r.tested
			}
			if !slices.Contains(*list, i.by) {
				*list = append(*list, i.by)
			}
		}
	}
	return rooms
}

// TestRoomsAreShared: what has one importer belongs to it, and what has few lines to what uses them, unless there is a
// reason.
func TestRoomsAreShared(t *testing.T) {
	rooms := roomsOf(t)
	for name, r := range rooms {
		switch why := apart[name]; {
		case r.program && why != "":
			t.Errorf("%s is a program: remove it from apart", name)
		case r.program:
		case why == "" && r.few(name):
			t.Errorf("%s has no importer but %v: make it a part of that package, or give its reason in apart",
				name, slices.Concat(r.by, r.tested))
		case why == "" && r.lines < closet:
			t.Errorf("%s has %d lines: make them a part of a package that uses them, or give the reason in apart",
				name, r.lines)
		case why != "" && !r.few(name) && r.lines >= closet+closet/4: // a little larger may be smaller tomorrow
			t.Errorf("%s has several importers, and many lines: remove it from apart", name)
		}
	}
	for name := range apart {
		if rooms[name] == nil {
			t.Errorf("%s is in apart, and is no package", name)
		}
	}
}

// The most packages that the house has. A room more is one more name to learn.
const mostRooms, mostOfTheKit = 98, 21

// TestRoomsAreFew: whoever adds a package takes another away, or says here why there is one more.
func TestRoomsAreFew(t *testing.T) {
	rooms, tests := 0, 0
	for name := range roomsOf(t) {
		if within(name, kit) {
			tests++
		} else {
			rooms++
		}
	}
	if rooms > mostRooms || tests > mostOfTheKit {
		t.Errorf("%d packages and %d that support tests, more than %d and %d: make the new one a part of another, or "+
			"give the number that it is worth", rooms, tests, mostRooms, mostOfTheKit)
	}
}
