package table_test

import (
	"go/parser"
	"go/token"
	"io/fs"
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
	// of is a folder, with everything in it; a folder alone where it ends in ".".
	of    string
	may   []string // folders it may import; nothing else of ours
	never []string // where may is nil: folders it may not import
	why   string
}

// directions are the arrows of the architecture. Where several rules speak of a
// package, each holds.
var directions = []direction{
	{of: "device/.", may: []string{}, why: "ports and pins know nothing about cards"},
	{of: "device", may: []string{"device"}, why: "ports and pins know nothing about cards"},
	{of: "device/keys", may: []string{}, why: "presses are made of edges and times alone, whatever pins they come from"},
	{of: "firmware-protocol/wire/.", may: []string{}, why: "the protocol stands on its own, other firmware is written against it"},
	{of: "firmware-protocol/vectors", may: []string{}, why: "the vectors stand on their own, other programs import them"},
	{of: "firmware-protocol", may: []string{"firmware-protocol"}, why: "the protocol stands on its own, other firmware is written against it"},
	{of: "shoe/card", may: []string{}, why: "cards are a leaf"},
	{of: "shoe", may: []string{"shoe", "device", "firmware-protocol"}, why: "a shoe gives card events, and knows no round"},
	{of: "table/hand", may: []string{"shoe/card", "table/money"}, why: "a leaf of the engine imports leaves"},
	{of: "table/irregularity", may: []string{"table/enum", "table/plain"}, why: "a leaf of the engine imports leaves"},
	{of: "table/money", may: []string{"table/enum", "table/plain"}, why: "a leaf of the engine imports leaves"},
	{of: "table/enum", may: []string{}, why: "a leaf of the engine imports leaves"},
	{of: "table/plain", may: []string{}, why: "a leaf of the engine imports leaves"},
	{of: "table/profile", may: []string{"table/rules", "internal/strictyaml"}, why: "a profile is read into rules, and knows no round"},
	{of: "table/rules", may: []string{"shoe/card", "table/hand", "table/irregularity", "table/money", "table/sidebet", "internal/strictyaml", "table/enum", "table/plain"}, why: "a leaf of the engine imports leaves"},
	{of: "table/sidebet", may: []string{"shoe/card", "table/hand", "table/money", "table/enum"}, why: "a leaf of the engine imports leaves"},
	{of: "table/vocab", may: []string{"shoe/card", "table/vocab", "table/enum", "table/irregularity", "table/money", "table/plain", "table/rules", "table/sidebet"}, why: "the vocabulary says what there is to be said, and decides nothing"},
	{of: "table/authority", may: []string{"internal/alike", "table/enum", "table/plain", "table/vocab"}, why: "who stands at the table knows roles, and neither rounds nor records"},
	{of: "table/past", may: []string{"table/irregularity", "table/transcript", "table/vocab"}, why: "a past round is what was recorded: it reads that, and computes nothing"},
	{of: "table/recall", may: []string{"table/.", "table/notation", "table/rules", "table/vocab", "table/past", "table/journal", "table/transcript", "table/rules", "table/profile"}, why: "a recall reads the journal, never the running table"},
	{of: "table/book", may: []string{"shoe/card", "table/vocab", "table/irregularity", "table/money", "table/rules", "table/sidebet"}, why: "the book works out everything anew: it takes data from the leaves, and no sums"},
	{of: "table/audit/witness", may: []string{}, why: "what the pit heard is data for an auditor: it knows no record and no database"},
	{of: "table/odds/.", may: []string{"shoe/card", "table/hand", "table/money", "table/rules", "table/sidebet", "table/vocab"}, why: "odds are worked out from cards and rules: neither the engine nor the second book has a say in them"},
	{of: "table/odds/dealt", may: []string{"shoe/card", "table/.", "table/hand", "table/irregularity", "table/money", "table/odds", "table/rules", "table/sidebet", "table/vocab"}, why: "the engine deals what odds has worked out: no record and no second book is looked at"},
	{of: "table/notation", may: []string{"shoe/card", "table/.", "table/vocab", "table/irregularity", "table/money", "table/profile", "table/rules", "table/sidebet"}, why: "a croupier's notation is inputs and positions, and nothing else"},
	{of: "table/transcript", may: []string{"shoe/card", "table/.", "table/vocab", "table/irregularity", "table/hand", "table/money", "table/rules", "table/sidebet", "table/profile"}, why: "lines are the engine's inputs and outputs, and nothing else"},
	{of: "table", never: []string{"display", "pit", "device", "firmware-protocol", "sim-hardware"}, why: "views and ports are around the table, not under it"},
	{of: "display", never: []string{"pit", "device", "firmware-protocol", "shoe/.", "table/journal", "table/recall", "table/runner"}, why: "what the dealer sees is made of the table alone"},
	{of: "display/.", never: []string{"table/profile"}, why: "what the dealer sees is made of the table alone"},
	{of: "pit/topic", may: []string{"shoe/card", "table/.", "table/vocab", "table/hand", "table/money", "table/rules", "table/sidebet", "table/transcript", "display/."}, why: "topics are a pure function of outputs and views"},
	{of: "pit/luck", may: []string{"shoe/card", "table/.", "table/hand", "table/odds", "table/odds/dealt", "table/rules", "table/sidebet", "table/vocab"}, why: "luck is made of rules, cards and rounds that it deals itself, and of no record"},
	{of: "pit/worth", may: []string{"table/odds/.", "table/odds/dealt", "table/odds/known", "table/rules"}, why: "what rules are worth is made of rules: it knows no table, no record and no page"},
	{of: "pit/floor", may: []string{"pit/topic", "display/.", "table/enum", "table/irregularity", "table/vocab"}, why: "the model of a floor is a pure function of messages and times"},
	{of: "pit/push", may: []string{"internal/outward", "internal/keyfile", "pit/floor", "pit/people/.", "pit/topic"}, why: "calling browsers knows alerts, and neither pages nor a database"},
	{of: "pit/transport", may: []string{"internal/wary"}, why: "a connection to a broker knows nothing of what is sent"},
	{of: "pit/command", may: []string{"internal/alike", "internal/keyfile", "pit/topic", "table/enum", "table/irregularity", "table/money", "table/plain"}, why: "a command is bytes and a verdict: what it does is the table's"},
	{of: "pit/tally/.", may: []string{"shoe/card", "table/vocab", "table/irregularity"}, why: "a tally is a pure fold over inputs and outputs"},
	{of: "pit/store/.", may: []string{"shoe/card", "pit/floor", "pit/people/.", "pit/push", "pit/tally", "pit/topic", "table/audit/witness", "table/journal", "table/transcript", "table/vocab", "table/irregularity", "table/rules", "table/profile", "internal/modes", "internal/tablefiles"}, why: "the store keeps journals and what they come to, and shows nothing"},
	{of: "pit", never: []string{"table/runner", "device", "firmware-protocol", "shoe/."}, why: "the pit reads the journal, never the running table"},
	{of: "pit/fleet", may: []string{"pit/topic", "table/enum"}, why: "what is to be seen to is a pure function of what tables told"},
	{of: "pit/people/.", may: []string{"internal/alike", "table/authority", "table/enum"}, why: "who may enter the pit knows no table"},
	{of: "pit/people/door", may: []string{"internal/bounds", "internal/routes", "internal/site", "pit/people", "display/.", "display/web"}, why: "who may enter the pit knows no table"},
	{of: "pit/people/sso", may: []string{"internal/outward", "pit/people", "pit/people/sso"}, why: "a provider of identities vouches for people, and knows no page"},
	{of: "display/words", may: []string{"internal/faults"}, why: "the form of a language file knows nothing of what it says"},
	{of: "internal/strictyaml", may: []string{"internal/faults", "table/plain"}, why: "reading YAML knows nothing of tables"},
	{of: "internal/keptfor", may: []string{"internal/modes", "internal/strictyaml"}, why: "whom a secret is for does not depend on who tells it"},
	{of: "internal/certificate", may: []string{"internal/modes"}, why: "a certificate knows no page"},
	{of: "pit/outbox", may: []string{"pit/topic", "table/journal"}, why: "what a table sends is what its journal has"},
	{of: "internal/configfile", may: []string{"internal/faults", "internal/modes", "internal/strictyaml"}, why: "what configurations have in common knows neither tables nor pits"},
	{of: "internal/tablefiles", may: []string{}, why: "files of tables know nothing of what is in them"},
	{of: "internal/bounds/.", may: []string{}, why: "what keeps the network from using a server up knows nothing of what is served"},
	{of: "internal/routes", may: []string{"internal/bounds"}, why: "the table of what is answered knows no page"},
	{of: "internal/site", may: []string{"display/."}, why: "what every page begins with knows none of them"},
	{of: "internal/outward", may: []string{}, why: "what asks other programs knows nothing of what is asked"},
	{of: "internal/wary", may: []string{}, why: "a reader of MQTT knows nothing of what is sent"},
	{of: "internal/filelock", may: []string{}, why: "who has a file does not depend on what is in it"},
	{of: "internal/faults", may: []string{}, why: "faults of files know nothing of tables"},
	{of: "internal/modes", may: []string{}, why: "who may read a file does not depend on what is in it"},
	{of: ".", never: []string{"sim-hardware", "internal/testkit"}, why: "production code does not know that it is tested"},
}

// maySimulate says who may use what: simulators are for commands, but not for the daemon that stands at real
// tables; the kit of the tests is for tests alone. Either may use itself, and the kit the simulators.
func maySimulate(by, what string) bool {
	switch {
	case within(by, "internal/testkit") || within(by, "internal/proof") || strings.Contains(by, "/e2e/"):
		return true
	case within(what, "sim-hardware"):
		return within(by, "sim-hardware") ||
			within(by, "cmd") && !within(by, "cmd/internal/daemon") && !within(by, "cmd/internal/desk")
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
		{by: "table/past", what: "table"},
		{by: "table/odds", what: "table"},
		{by: "table/odds", what: "table/book"},
		{by: "table/odds", what: "table/odds/dealt"},
		{by: "table/odds/dealt", what: "table/book"},
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
		{by: "pit/worth", what: "pit/store"},
		{by: "pit/floor", what: "pit/hear"},
		{by: "pit/tally", what: "table/journal"},
		{by: "pit/store", what: "display"},
		{by: "table/runner", what: "sim-hardware/shoesim"},
		{by: "display/web", what: "sim-hardware/keysim"},
		{by: "cmd/internal/daemon", what: "sim-hardware/bench"},
		{by: "cmd/internal/desk", what: "sim-hardware/keysim"},
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
	if !matches(i.by, d.of) || maySimulate(i.by, i.what) {
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
		"cmd", "device", "shoe", "table", "display", "pit", "firmware-protocol", "sim-hardware", "internal",
	}, first)
}

// moduleImports reads the imports of every file of the module that is not a test.
// Only the imports must be in order: a package that does not compile yet counts too.
func moduleImports(t *testing.T) []imported {
	t.Helper()
	const root = ".."
	var all []imported
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
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			all = append(all, fileImports(t, root, path)...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func fileImports(t *testing.T, root, path string) []imported {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := filepath.Rel(root, path)
	if err != nil {
		t.Fatal(err)
	}
	folder = filepath.ToSlash(folder)
	var all []imported
	for _, spec := range file.Imports {
		what, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		by := "."
		if at := strings.LastIndexByte(folder, '/'); at >= 0 {
			by = folder[:at]
		}
		all = append(all, imported{by: by, what: strings.TrimPrefix(what, module), where: folder})
	}
	return all
}
