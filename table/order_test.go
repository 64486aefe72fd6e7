package table_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNoRuleDependsOnAnOrder: the members of an enumeration are listed as people read
// them best. What a rule takes together it names, in a set or a switch: a comparison such
// as in.Kind < vocab.InNote would change with the list.
func TestNoRuleDependsOnAnOrder(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are %d files of the engine: %v", len(files), err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if at := orderOf(n); at != nil {
				t.Errorf("%s compares by the order of an enumeration: name the members that are meant",
					fset.Position(at.Pos()))
			}
			return true
		})
	}
}

// TestOrderIsFound: the test above bites.
func TestOrderIsFound(t *testing.T) {
	for text, want := range map[string]bool{
		"in.Kind < vocab.InNote":                        true,
		"vocab.InNote <= in.Kind":                       true,
		"a && code > irregularity.LostCards":            true,
		"in.Kind == vocab.InNote":                       false,
		"in.Irregularity >= irregularity.Count":         false,
		"n > rules.MaxBoxes":                            false,
		"hand.Best < total":                             false,
		"in.Kind+1 == vocab.InNote":                     false,
		"func() bool { return b > rules.SeatedOnly }()": true,
	} {
		parsed, err := parser.ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		ast.Inspect(parsed, func(n ast.Node) bool {
			found = found || orderOf(n) != nil
			return true
		})
		if found != want {
			t.Errorf("%s: an order is found: %t", text, found)
		}
	}
}

// orderOf returns a comparison by size with a member of an enumeration, nil for any other
// node. The bounds of rules, and how many members there are, are numbers.
func orderOf(n ast.Node) *ast.BinaryExpr {
	compares, ok := n.(*ast.BinaryExpr)
	if !ok || !slices.Contains([]token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ}, compares.Op) {
		return nil
	}
	for _, side := range []ast.Expr{compares.X, compares.Y} {
		of, ok := side.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		name, from := of.Sel.Name, ""
		if pkg, ok := of.X.(*ast.Ident); ok {
			from = pkg.Name
		}
		number := strings.HasSuffix(name, "Count") || strings.HasPrefix(name, "Max")
		if !number && slices.Contains([]string{"vocab", "irregularity", "sidebet", "rules"}, from) {
			return compares
		}
	}
	return nil
}
