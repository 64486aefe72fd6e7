package vocab_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// names are those of the vocabulary: what the lines are called, and what their values are.
func names() map[string]bool {
	all := map[string]bool{}
	namesIn(all, vocab.Inputs[:])
	namesIn(all, vocab.Outputs[:])
	for c := range irregularity.EveryCode {
		all[c.String()] = true
	}
	delete(all, "")
	return all
}

func namesIn[L any](all map[string]bool, lines []vocab.Line[L]) {
	for _, line := range lines {
		all[line.Name] = true
		for _, f := range line.Fields {
			for _, name := range f.Names {
				all[name] = true
			}
		}
	}
}

// decides gives the literals by which a node of the source decides: those that it
// compares, switches on, or looks up.
func decides(n ast.Node) (list []ast.Expr) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			list = append(list, n.X, n.Y)
		}
	case *ast.CaseClause:
		list = n.List
	case *ast.IndexExpr:
		list = append(list, n.Index)
	case *ast.CompositeLit:
		if _, isMap := n.Type.(*ast.MapType); isMap {
			for _, e := range n.Elts {
				if pair, ok := e.(*ast.KeyValueExpr); ok {
					list = append(list, pair.Key)
				}
			}
		}
	}
	return list
}

// homonyms are where a literal that is written as a name decides something, and why it may.
// A folder stands for all that is in it.
var homonyms = map[string]string{
	"internal/ops/config/check.go":       "keys of a configuration",
	"internal/host/access.go":            "what the log says of a screen",
	"internal/ops/settings/page":         "keys of a configuration, and the page's own routes",
	"display/rulebook":                   "keys of a house's sheet",
	"display/web/signs.go":               "keys of the screen, of which some are calls",
	"internal/testkit/proof/packages.go": "the package of a program, as Go calls it",
	"internal/testkit/pittest":           "names of floors that are shown as samples",
	"internal/testkit/pages/server":      "what a test in a browser tells the sample",
	"pit/dashboard/rounds.go":            "fields of an address",
	"pit/broker/waiting.go":              "what the broker's library calls its store",
	"pit/people/login/deeds.go":          "what the pit's own log says of commands",
	"pit/topic/line.go": "the envelope repeats two fields of whatever the journal has, also " +
		"of other versions",
	"sim-hardware/bench":             "the page's own contacts and commands",
	"sim-hardware/scenario/keys.go":  "what a finger does to a key",
	"sim-hardware/scenario/verbs.go": "verbs of scenarios",
	"sim-hardware/mishap/hand.go":    "verbs of scenarios",
	"sim-hardware/nights/felt.go":    "verbs of scenarios",
	"table/audit/words.go":           "fields of a checkpoint",
	"table/journal/state.go": "the journal knows no table: it asks whether a record is a set-up, " +
		"and nothing else",
	"table/notation": "parts of a position",
	"internal/testkit/tabletest/notation_read.go": "parts of a position",
	"table/profile/whatif.go":                     "keys of a profile",
	"display/words/topics.go":                     "names of files",
	"shoe/sabot/stats.go":                         "figures of a driver",
	"table/sidebet/language.go":                   "words of the language of paytables",
	"table/secondbook/paytable.go":                "words of the language of paytables",
	"internal/testkit/tabletest/tabletest.go":     "arguments of test cases",
	"internal/testkit/tabletest/published.go":     "lines of paytables as they are published",
}

// TestLiterals: no name of the vocabulary is written out where something is decided by it.
// Who compares with a name that is misspelt decides wrongly, and no compiler says so.
func TestLiterals(t *testing.T) {
	known, used := names(), map[string]bool{}
	for path, file := range sources(t) {
		ast.Inspect(file.node, func(n ast.Node) bool {
			for _, e := range decides(n) {
				lit, ok := e.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					continue
				}
				name, _ := strconv.Unquote(lit.Value) // parsed just now
				if where := homonym(path); known[name] && where != "" {
					used[where] = true
				} else if known[name] {
					t.Errorf("%s:%d decides by the literal %s, a name of the vocabulary: take it from there", path,
						file.set.Position(lit.Pos()).Line, lit.Value)
				}
			}
			return true
		})
	}
	for where := range homonyms {
		if !used[where] {
			t.Errorf("%s has no homonym any more: take it off the list", where)
		}
	}
}

// homonym is what the list says of a file, "" for nothing.
func homonym(path string) string {
	for where := range homonyms {
		if path == where || strings.HasPrefix(path, where+"/") {
			return where
		}
	}
	return ""
}

type source struct {
	node *ast.File
	set  *token.FileSet
}

// sources are the files of the module that are no tests, by their paths.
func sources(t *testing.T) map[string]source {
	t.Helper()
	const root = "../.."
	all := map[string]source{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" ||
			d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		from, err := filepath.Rel(root, path)
		all[filepath.ToSlash(from)] = source{file, set}
		return err
	})
	if err != nil || len(all) < 100 {
		t.Fatalf("%d files: %v", len(all), err)
	}
	return all
}

// TestLiteralsAreFound: the test above bites.
func TestLiteralsAreFound(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "", `package p
		var m = map[string]int{"bank": 1}
		func f(s string) bool {
			switch s { case "settled": return m["void-round"] > 0 }
			return s == "stand-off" || s != "call"
		}`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	known, found := names(), 0
	ast.Inspect(file, func(n ast.Node) bool {
		for _, e := range decides(n) {
			if lit, ok := e.(*ast.BasicLit); ok && known[strings.Trim(lit.Value, "\"")] {
				found++
			}
		}
		return true
	})
	if found != 5 {
		t.Errorf("%d of 5 literals were found", found)
	}
}
