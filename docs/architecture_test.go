package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestArchitectureNamesWhatExists: everything that the page on the architecture quotes is a
// folder, a file, a declared name, a command or the name of an input or output.
func TestArchitectureNamesWhatExists(t *testing.T) {
	code := declared(t)
	for _, s := range spansOf(t, "architecture.md") {
		if !code.has(s.text) {
			t.Errorf("architecture.md:%d: %q is not a folder, a file or a name in the code: name what exists",
				s.line, s.text)
		}
	}
}

// inCode matches a quoted name that can only be one of the code: a test, a file of Go, a folder of ours, a name of a
// package.
var inCode = regexp.MustCompile(`^((Test|Fuzz|Benchmark)[A-Z]\w*|[\w/-]+\.go|[a-z]+\.[A-Z]\w*(\.\w+)?|` +
	`(\./)?(cmd|device|display|docs|firmware-protocol|internal|pit|shoe|sim-hardware|table)/[\w./-]+)(\(|$)`)

// TestPagesNameWhatExists: what a page quotes as a test, a file, a folder or a name in the code is there. So a page
// that a move has left behind is found.
func TestPagesNameWhatExists(t *testing.T) {
	code, tests := declared(t), testsBelow(t, "..")
	for _, page := range everyPage(t) {
		for _, s := range spansOf(t, page) {
			name := strings.TrimPrefix(inCode.FindString(s.text), "./")
			name = strings.TrimRight(strings.TrimSuffix(name, "("), "/.")
			of, _, _ := strings.Cut(name, ".")
			if name != "" && !tests[name] && !code.others[of] && !code.has(name) {
				t.Errorf("%s:%d: %q is not in the code: name what exists", page, s.line, s.text)
			}
		}
	}
}

// names are what the module's Go files declare, and where they are.
type names struct {
	places map[string]bool // folders and Go files, from the module's root
	// declared has each name alone and with its package before it; fields and methods
	// also with their type.
	declared map[string]bool
	others   map[string]bool // packages of Go and of libraries
}

// otherNames are quoted, and are not names in the code.
var otherNames = []string{
	"int64",                             // Go's own
	"go build",                          // a command of Go's
	"journal.people", "journal.screens", // files beside a journal
}

func (n names) has(text string) bool {
	name, _, _ := strings.Cut(text, "(")
	if slices.Contains(otherNames, text) || n.declared[name] {
		return true
	}
	if _, err := os.Stat(filepath.Join("..", name)); err == nil {
		return true
	}
	if command, ok := strings.CutPrefix(text, "sabot "); ok {
		return n.declared[`"`+command+`"`]
	}
	if text == "state" || text == "due" { // names in the pit's topics and in transcripts
		return n.declared[`"`+text+`"`]
	}
	for dir := range n.places {
		if strings.HasSuffix("/"+dir, "/"+name) {
			return true
		}
	}
	return false
}

// declared parses every Go file except tests, of which it knows the places.
func declared(t *testing.T) names {
	t.Helper()
	all := names{places: map[string]bool{}, declared: map[string]bool{}, others: map[string]bool{}}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == ".git"):
			return filepath.SkipDir
		case filepath.Ext(path) != ".go":
			return nil
		}
		place, err := filepath.Rel("..", path)
		for ; err == nil && place != "."; place = filepath.Dir(place) {
			all.places[filepath.ToSlash(place)] = true
		}
		if err != nil || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		all.add(file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func (n names) add(file *ast.File) {
	declare := func(parts ...string) {
		for i := range parts {
			n.declared[strings.Join(parts[i:], ".")] = true
		}
	}
	pkg := file.Name.Name
	for _, i := range file.Imports {
		if of := strings.Trim(i.Path.Value, `"`); !strings.HasPrefix(of, "github.com/sabot-table/") {
			n.others[path.Base(of)] = true
		}
	}
	for _, d := range file.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range group.Specs {
			if values, ok := spec.(*ast.ValueSpec); ok {
				for _, name := range values.Names {
					declare(pkg, name.Name)
				}
			}
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch d := node.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				declare(pkg, d.Name.Name)
				return true
			}
			declare(pkg, receiver(d.Recv.List[0].Type), d.Name.Name)
		case *ast.TypeSpec:
			declare(pkg, d.Name.Name)
			declareFields(d, func(field string) { declare(pkg, d.Name.Name, field) })
		case *ast.BasicLit:
			n.declared[d.Value] = true
		}
		return true
	})
}

// declareFields declares the fields of a struct and the methods of an interface.
func declareFields(d *ast.TypeSpec, declare func(string)) {
	var list *ast.FieldList
	switch shape := d.Type.(type) {
	case *ast.StructType:
		list = shape.Fields
	case *ast.InterfaceType:
		list = shape.Methods
	default:
		return
	}
	for _, field := range list.List {
		for _, name := range field.Names {
			declare(name.Name)
		}
	}
}

func receiver(e ast.Expr) string {
	switch r := e.(type) {
	case *ast.StarExpr:
		return receiver(r.X)
	case *ast.IndexExpr:
		return receiver(r.X)
	case *ast.Ident:
		return r.Name
	}
	return ""
}
