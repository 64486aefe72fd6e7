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
	"sync"
	"testing"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestArchitectureNamesWhatExists: everything that the page on the architecture quotes is a
// folder, a file, a declared name, a command or the name of an input or output. A reader finds each name: many are
// declared in several places, and one that is not where the text says may be elsewhere.
func TestArchitectureNamesWhatExists(t *testing.T) {
	code, all := declared(t), spansOf(t, "architecture.md")
	others := slices.Concat(otherNames, named(vocab.Opened))
	for _, s := range all {
		if slices.Contains(others, s.text) {
			continue
		}
		if !code.has(s.text) {
			t.Errorf("architecture.md:%d: %q is not a folder, a file or a name in the code: name what exists",
				s.line, s.text)
			continue
		}
		beside := slices.DeleteFunc(slices.Clone(all), func(other span) bool { return other.part != s.part })
		if !code.isPlace(s.text) && !code.found(s.text, beside) {
			t.Errorf("architecture.md:%d: where is %s? Name its file or its folder in the same paragraph or row, or "+
				"put its type before it, if there is one such type alone; there is %s",
				s.line, s.text, code.files(s.text))
		}
	}
}

// located is a name of which the text says where it is.
var located = regexp.MustCompile("`([^`]+)`,?\\s+(?:in|of)\\s+`([^`]+)`")

// TestArchitectureSaysWhere: what is said to be in a file, or in a folder, is declared there.
func TestArchitectureSaysWhere(t *testing.T) {
	code, page := declared(t), readPage(t, "architecture.md")
	all := located.FindAllStringSubmatchIndex(page, -1)
	for _, at := range all {
		name, place := page[at[2]:at[3]], page[at[4]:at[5]]
		is := code.declared[name]
		there := slices.ContainsFunc(is, func(d declaration) bool { return d.in(place) })
		if len(is) > 0 && code.isPlace(place) && !there {
			line := 1 + strings.Count(page[:at[0]], "\n")
			t.Errorf("architecture.md:%d: %s is not in %s; there is %s", line, name, place, code.files(name))
		}
	}
	if len(all) < 20 {
		t.Errorf("the page says of %d names where they are: the pattern finds no more how it does", len(all))
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
	declared map[string][]declaration
	literals map[string]bool
	others   map[string]bool // packages of Go and of libraries
}

// declaration is where a name is declared, from the module's root. whole says that the name has its package before it.
type declaration struct {
	file  string
	whole bool
}

// in says whether it is in a file, or in a folder itself, by the end of its path.
func (d declaration) in(place string) bool {
	return ends(d.file, place) || ends(path.Dir(d.file), place)
}

// otherNames are quoted, and are not names in the code, nor those of outputs.
var otherNames = []string{
	"int64",                             // Go's own
	"go build",                          // a command of Go's
	"journal.people", "journal.screens", // files beside a journal
	string(topic.KindState),
}

func (n names) has(text string) bool {
	name, _, _ := strings.Cut(text, "(")
	if len(n.declared[name]) > 0 || n.literals[name] {
		return true
	}
	if _, err := os.Stat(filepath.Join("..", name)); err == nil {
		return true
	}
	if command, ok := strings.CutPrefix(text, "sabot "); ok {
		return n.literals[`"`+command+`"`]
	}
	return n.isPlace(name)
}

// isPlace says whether a text is the end of a file's path, or of a folder's.
func (n names) isPlace(text string) bool {
	for place := range n.places {
		if ends(place, text) {
			return true
		}
	}
	return false
}

func ends(place, text string) bool { return strings.HasSuffix("/"+place, "/"+text) }

// found says whether a reader finds the declaration of a name: it has its package before it, its file or its folder is
// quoted beside it, or it has its type before it, of which there is one.
func (n names) found(name string, beside []span) bool {
	name, _, _ = strings.Cut(name, "(")
	folders := map[string]bool{}
	for _, d := range n.declared[name] {
		folder := path.Dir(d.file)
		if folders[folder] = true; d.whole {
			return true
		}
		if slices.ContainsFunc(beside, func(s span) bool { return d.in(s.text) }) {
			return true
		}
	}
	return len(folders) == 0 || strings.Contains(name, ".") && len(folders) == 1
}

// files are those in which a name is declared, the first of many.
func (n names) files(name string) string {
	const most = 4
	var all []string
	for _, d := range n.declared[name] {
		if len(all) == most {
			return strings.Join(all, ", ") + " …"
		}
		all = append(all, d.file)
	}
	return strings.Join(all, ", ")
}

// declared is what the module's Go files declare.
func declared(t *testing.T) names {
	t.Helper()
	all, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// parsed parses every Go file, once, except tests, of which it knows the places.
var parsed = sync.OnceValues(func() (names, error) {
	all := names{
		places: map[string]bool{}, declared: map[string][]declaration{}, literals: map[string]bool{},
		others: map[string]bool{},
	}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == ".git"):
			return filepath.SkipDir
		case filepath.Ext(path) != ".go":
			return nil
		}
		from, err := filepath.Rel("..", path)
		for place := from; err == nil && place != "."; place = filepath.Dir(place) {
			all.places[filepath.ToSlash(place)] = true
		}
		if err != nil || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		all.add(filepath.ToSlash(from), file)
		return nil
	})
	return all, err
})

func (n names) add(from string, file *ast.File) {
	declare := func(parts ...string) {
		for i := range parts {
			name := strings.Join(parts[i:], ".")
			n.declared[name] = append(n.declared[name], declaration{from, i == 0})
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
			n.literals[d.Value] = true
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
