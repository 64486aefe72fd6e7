package site_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// served are the names of net/http with which something is served past the table.
var served = map[string]bool{
	"Server": true, "NewServeMux": true, "ServeMux": true, "ListenAndServe": true, "ListenAndServeTLS": true,
	"Serve": true, "ServeTLS": true,
	"Handle": true, "HandleFunc": true, "DefaultServeMux": true,
}

// TestNobodyElseServes: no program opens a page but by the table of this package.
func TestNobodyElseServes(t *testing.T) {
	root, looked := filepath.Join("..", ".."), 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "e2e" || d.Name() == "node_modules" || d.Name() == ".git" ||
			name == "internal/testkit" || name == "internal/site"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		looked++
		ast.Inspect(file, func(n ast.Node) bool {
			if used, is := n.(*ast.SelectorExpr); is && served[used.Sel.Name] {
				if of, is := used.X.(*ast.Ident); is && of.Name == "http" {
					t.Errorf("%s uses http.%s: what is served has a row in a table of internal/site", name,
						used.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || looked < 500 {
		t.Fatalf("%d files were looked at, %v", looked, err)
	}
}
