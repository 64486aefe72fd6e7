package main

import (
	"context"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// withoutRace are packages that start goroutines and are not tested with the race detector in make test, with the
// reason. make soak tests all packages with it.
var withoutRace = map[string]string{
	"pit":           "SQLite, in Go, takes minutes to compile with the race detector",
	"pit/dashboard": "the same: it asks the store",
	"pit/replica":   "the same",
	"pit/store":     "the same",
	"table/journal": "its tests play thousands of disks; the goroutine that looks at old parts runs in " +
		"internal/host, too",
	"pit/figures":      "it works out odds, which takes ten times as long with the race detector",
	"table/odds/dealt": "the same",
}

// withRace are packages that start no goroutine themselves and are tested with several, with the reason.
var withRace = map[string]string{
	"table/runner":             "shoe, keys and pages put their inputs into it at once",
	"internal/testkit/simtest": "a whole table plays there, with all that it starts",
}

// racePackages are the packages of the module, as arguments for go test, whose code starts goroutines. Commands are
// left out: their tests look at the built programs.
func racePackages(root string) ([]string, error) {
	found := map[string]bool{}
	for folder := range withRace {
		found["./"+folder] = true
	}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == "node_modules" || name == "testdata" || name == "dist" || name == ".git" ||
			name == "testkit"):
			return fs.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		folder = filepath.ToSlash(folder)
		if file.Name.Name != "main" && withoutRace[folder] == "" && starts(file) {
			found["./"+folder] = true
		}
		return err
	})
	return sorted(found), err
}

// plainPackages are all but those: what is tested with the race detector is not tested without it, too.
func plainPackages(all map[string]pkg, race []string) []string {
	plain := map[string]bool{}
	for folder := range all {
		if !slices.Contains(race, "./"+folder) {
			plain["./"+folder] = true
		}
	}
	return sorted(plain)
}

// measured are those of them with figures, which the race detector would change: they are compared without it.
func measured(root string, race []string) (some []string, err error) {
	for _, one := range race {
		tests, err := filepath.Glob(filepath.Join(root, one, "*_test.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range tests {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			if strings.Contains(string(text), "\nfunc "+figuresTest+"(") {
				some = append(some, one)
			}
		}
	}
	return some, nil
}

// figuresTest is the test of a package that compares its figures.
const figuresTest = "TestFigures"

// starts says whether a file starts goroutines: with a statement, with the Go of a group, or with a function that comes
// after something.
func starts(file *ast.File) (does bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			does = true
		case *ast.CallExpr:
			called, is := n.Fun.(*ast.SelectorExpr)
			does = does || is && (called.Sel.Name == "Go" || called.Sel.Name == "AfterFunc")
		}
		return !does
	})
	return does
}

// pkg is what go list says of a package of the module.
type pkg struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
	TestGoFiles, XTestGoFiles          []string
}

// listed are all packages of the module by their folders.
func listed(ctx context.Context) (map[string]pkg, error) {
	const fields = "-json=ImportPath,Imports,TestImports,XTestImports,TestGoFiles,XTestGoFiles"
	text, err := command{name: "go", args: []string{"list", fields, "./..."}, env: landingEnv}.output(ctx)
	if err != nil {
		return nil, err
	}
	all := map[string]pkg{}
	for from := json.NewDecoder(strings.NewReader(text)); ; {
		var p pkg
		switch err := from.Decode(&p); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		all[short(p.ImportPath)] = p
	}
}

// reached are the packages whose code or tests are built from one of those changed, and these.
func reached(all map[string]pkg, changed map[string]bool) []string {
	code := map[string]bool{} // whether a package is built from a changed one, as far as that is known
	var built func(folder string) bool
	built = func(folder string) bool {
		is, known := code[folder]
		if known {
			return is
		}
		code[folder] = changed[folder]
		is = changed[folder] || slices.ContainsFunc(all[folder].Imports, func(path string) bool {
			return ours(path) && built(short(path))
		})
		code[folder] = is
		return is
	}
	found := map[string]bool{}
	for folder, p := range all {
		tests := slices.Concat(p.TestImports, p.XTestImports)
		if built(folder) || slices.ContainsFunc(tests, func(path string) bool {
			return ours(path) && built(short(path))
		}) {
			found["./"+folder] = true
		}
	}
	return sorted(found)
}

func ours(path string) bool { return strings.HasPrefix(path, module) }

func sorted(set map[string]bool) []string {
	list := make([]string, 0, len(set))
	for one := range set {
		list = append(list, one)
	}
	slices.Sort(list)
	return list
}
