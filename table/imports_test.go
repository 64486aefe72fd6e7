package table_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	slashed "path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/sabot-table/sabot/"

// imported is one import of one package of the module: folders of the module are
// written from its root, such as shoe/card.
type imported struct{ by, what, where string }

// direction is one rule about who may import what of the module, beside itself.
type direction struct {
	// of are folders, each with everything in it; a folder alone where it ends in ".".
	of    []string
	may   []string // folders it may import; nothing else of ours
	never []string // where may is nil: folders it may not import
	why   string
}

// directions are the arrows of the architecture. Where several rules speak of a
// package, each holds.
var directions = []direction{
	{
		of: []string{
			"device/keys", "firmware-protocol/wire/.", "firmware-protocol/vectors", "shoe/card",
			"table/plaintext", "table/audit/witness", "pit/transport", "internal/diag", "internal/securefile",
		},
		may: []string{}, why: "it stands on its own, and knows nothing of what it is used for",
	},
	{
		of: []string{"table/hand", "table/irregularity", "table/money", "table/rules", "table/sidebet", "table/vocab"},
		may: []string{
			"shoe/card", "table/plaintext", "table/hand", "table/irregularity", "table/money",
			"table/rules", "table/sidebet", "table/vocab", "internal/strictyaml",
		},
		why: "a leaf of the engine imports leaves",
	},
	{of: []string{"device"}, may: []string{"device"}, why: "ports and pins know nothing about cards"},
	{
		of: []string{"firmware-protocol"}, may: []string{"firmware-protocol"},
		why: "the protocol stands on its own, other firmware is written against it",
	},
	{
		of: []string{"shoe"}, may: []string{"shoe", "device", "firmware-protocol"},
		why: "a shoe gives card events, and knows no round",
	},
	{
		of:    []string{"table"},
		never: []string{"display", "pit", "device", "firmware-protocol", "sim-hardware"},
		why:   "views and ports are around the table, not under it",
	},
	{
		of: []string{"table/secondbook"},
		may: []string{
			"shoe/card", "table/vocab", "table/irregularity", "table/money", "table/rules", "table/sidebet",
		},
		why: "the second book works out everything anew: it takes data from the leaves, and no sums",
	},
	{
		of: []string{"table/odds"},
		never: []string{
			"table/secondbook", "table/journal", "table/transcript", "table/history", "table/recall",
			"table/audit", "table/runner", "internal",
		},
		why: "odds are worked out from cards and rules: no record and no second book has a say in them",
	},
	{
		of: []string{"table/odds/."}, never: []string{"table/.", "table/odds/dealt"},
		why: "the engine deals what odds has worked out, apart",
	},
	{
		of:    []string{"table/profile", "table/notation", "table/transcript", "table/history", "table/authority"},
		never: []string{"table/journal", "table/audit", "table/recall", "table/runner", "table/secondbook"},
		why:   "what can be said, and by whom, knows nothing of where it is kept",
	},
	{
		of: []string{"table/profile", "table/authority", "table/history"}, never: []string{"table/."},
		why: "a house, who stands at the table and a past round are data: the engine has no say in them",
	},
	{
		of: []string{"table/recall"}, never: []string{"table/runner"},
		why: "a recall reads the journal, never the running table",
	},
	{
		of: []string{"display"},
		never: []string{
			"pit", "device", "firmware-protocol", "shoe/.", "table/journal", "table/recall", "table/runner",
		},
		why: "what the dealer sees is made of the table alone",
	},
	{
		of: []string{"display/."}, never: []string{"table/profile"},
		why: "what the dealer sees is made of the table alone",
	},
	{
		of: []string{"display/words"}, may: []string{"internal/diag"},
		why: "a language file's form knows nothing of what it says",
	},
	{
		of:    []string{"pit"},
		never: []string{"table/runner", "device", "firmware-protocol", "shoe/."},
		why:   "the pit reads the journal, never the running table",
	},
	{
		of: []string{
			"pit/topic", "pit/floor", "pit/tally/.", "pit/tray", "pit/luck", "pit/command",
		},
		never: []string{
			"table/journal", "table/recall", "table/runner", "pit/store", "pit/replica", "pit/publish", "pit/people",
			"pit/notify", "pit/dashboard", "pit/figures",
		},
		why: "it is a pure function of messages, rules and times: no record, database, person or page has a say in it",
	},
	{
		of:    []string{"pit/store/.", "pit/notify", "pit/people/.", "pit/transport"},
		never: []string{"display", "pit/dashboard", "pit/figures", "pit/people/login"},
		why:   "what keeps, calls and connects shows nothing",
	},
	{
		of: []string{"internal/strictyaml"}, never: []string{"display", "pit"},
		why: "it knows no page",
	},
	{
		of:  []string{"internal/site"},
		may: []string{"internal/site", "internal/securefile", "display/.", "table/plaintext"},
		why: "what every page begins with knows none of them",
	},
	{
		of: []string{"sim-hardware"}, never: []string{"pit"},
		why: "who deals at a simulated table knows nothing of who watches it",
	},
	{
		of: []string{"."}, never: []string{"sim-hardware", "internal/testkit"},
		why: "production code does not know that it is tested",
	},
}

// maySimulate says who may use what: simulators are for commands, but not for the daemon that stands at real
// tables; the kit of the tests is for tests alone. Either may use itself, and the kit the simulators.
func maySimulate(by, what string) bool {
	switch {
	case within(by, "internal/testkit"):
		return true
	case within(what, "sim-hardware"):
		return within(by, "sim-hardware") || within(by, "cmd")
	}
	return false
}

// TestDirectionOfImports holds the module to the architecture's arrows.
func TestDirectionOfImports(t *testing.T) {
	for _, i := range moduleImports(t) {
		if !ours(i.what) {
			continue
		}
		if within(i.what, "cmd") && !within(i.by, "cmd") {
			t.Errorf("%s: %s imports %s: nobody imports a command but a command", i.where, i.by, i.what)
		}
		for _, d := range directions {
			if d.forbids(i) {
				t.Errorf("%s: %s imports %s: %s", i.where, i.by, i.what, d.why)
			}
		}
	}
}

// TestDirectionsForbid: the rules bite.
func TestDirectionsForbid(t *testing.T) {
	for _, i := range []imported{
		{by: "device", what: "internal/testkit/devicetest"},
		{by: "device/keys", what: "device/gpio"},
		{by: "display/panel", what: "device/keys"},
		{by: "firmware-protocol/wire", what: "shoe/card"},
		{by: "shoe/card", what: "shoe"},
		{by: "shoe/sabot", what: "table"},
		{by: "table/rules", what: "table"},
		{by: "table/rules", what: "table/profile"},
		{by: "table/profile", what: "table"},
		{by: "display", what: "table/profile"},
		{by: "table/transcript", what: "table/journal"},
		{by: "table/journal", what: "pit/topic"},
		{by: "table/authority", what: "table/journal"},
		{by: "table/history", what: "table"},
		{by: "table/odds", what: "table"},
		{by: "table/odds", what: "table/secondbook"},
		{by: "table/odds", what: "table/odds/dealt"},
		{by: "table/odds/dealt", what: "table/secondbook"},
		{by: "table/odds/dealt", what: "table/journal"},
		{by: "table/recall", what: "table/runner"},
		{by: "display/web", what: "table/recall"},
		{by: "table", what: "display"},
		{by: "display/web", what: "pit/topic"},
		{by: "display/words", what: "display"},
		{by: "display", what: "shoe"},
		{by: "pit/publish", what: "table/runner"},
		{by: "pit/topic", what: "table/journal"},
		{by: "pit/luck", what: "table/journal"},
		{by: "pit/luck", what: "pit/store"},
		{by: "pit/floor", what: "pit/replica"},
		{by: "pit/tally", what: "table/journal"},
		{by: "pit/store", what: "display"},
		{by: "table/runner", what: "sim-hardware/shoesim"},
		{by: "display/web", what: "sim-hardware/keysim"},
		{by: "sim-hardware/croupier", what: "pit/luck"},
		{by: "internal/host", what: "sim-hardware/bench"},
		{by: "internal/host/paneldriver", what: "sim-hardware/keysim"},
	} {
		if !slices.ContainsFunc(directions, func(d direction) bool { return d.forbids(i) }) {
			t.Errorf("no rule forbids that %s imports %s", i.by, i.what)
		}
	}
	for _, i := range []imported{
		{by: "internal/testkit/devicetest", what: "device"},
		{by: "device/gpio", what: "device/keys"},
		{by: "display/web", what: "display"},
		{by: "display", what: "shoe/card"},
		{by: "pit/publish", what: "table/journal"},
		{by: "cmd/sabot", what: "sim-hardware/shoesim"},
		{by: "table/runner", what: "shoe"},
	} {
		for _, d := range directions {
			if d.forbids(i) {
				t.Errorf("%s may import %s, but: %s", i.by, i.what, d.why)
			}
		}
	}
}

func (d direction) forbids(i imported) bool {
	if !slices.ContainsFunc(d.of, func(folder string) bool { return matches(i.by, folder) }) ||
		maySimulate(i.by, i.what) {
		return false
	}
	among := func(list []string) bool {
		return slices.ContainsFunc(list, func(folder string) bool { return matches(i.what, folder) })
	}
	if d.may != nil {
		return !among(d.may)
	}
	return among(d.never)
}

// matches says whether a package is in a folder, or is the folder of a pattern
// that ends in "/."; "." is every package.
func matches(pkg, pattern string) bool {
	if alone, ok := strings.CutSuffix(pattern, "/."); ok {
		return pkg == alone
	}
	return pattern == "." || within(pkg, pattern)
}

func within(pkg, folder string) bool {
	return pkg == folder || strings.HasPrefix(pkg, folder+"/")
}

// ours says whether an import is a folder of this module: standard packages with
// such a name there are none.
func ours(what string) bool {
	first, _, _ := strings.Cut(what, "/")
	return slices.Contains([]string{
		"cmd", "deploy", "device", "shoe", "table", "display", "pit", "firmware-protocol", "sim-hardware", "internal",
	}, first)
}

// moduleImports reads the imports of every file of the module that is not a test.
// Only the imports must be in order: a package that does not compile yet counts too.
func moduleImports(t *testing.T) []imported {
	t.Helper()
	var all []imported
	for _, path := range moduleFiles(t) {
		if !strings.HasSuffix(path, "_test.go") {
			all = append(all, fileImports(t, path)...)
		}
	}
	return all
}

// root is the module's folder, seen from this one.
const root = ".."

// moduleFiles are all Go files of the module, tests too.
func moduleFiles(t *testing.T) (all []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(name, ".go") {
			all = append(all, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func fileImports(t *testing.T, path string) []imported {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	where := fromRoot(t, path)
	var all []imported
	for _, spec := range file.Imports {
		what, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, imported{by: slashed.Dir(where), what: strings.TrimPrefix(what, module), where: where})
	}
	return all
}

// fromRoot is a file's path from the module's root, with slashes.
func fromRoot(t *testing.T, path string) string {
	t.Helper()
	where, err := filepath.Rel(root, path)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(where)
}
