package display_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/words"
)

// source is the Go code of the displays that speak display's languages. The character
// display has texts of its own.
func source(t *testing.T) (files []*ast.File) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "lcd" || entry.Name() == "displaytest"):
			return fs.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		files = append(files, file)
		return err
	})
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

// kindsOf reads the constants that name kinds, such as LabelWord.
func kindsOf(files []*ast.File) map[string]string {
	kinds := map[string]string{}
	each(files, func(n ast.Node) {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || !strings.HasPrefix(spec.Names[0].Name, "Label") {
			return
		}
		kinds[spec.Names[0].Name] = literal(spec.Values[0])
	})
	return kinds
}

func each(files []*ast.File, see func(ast.Node)) {
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			see(n)
			return true
		})
	}
}

// literal is a string that stands in the code, "" for anything else.
func literal(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return text
}

// called is the name of a function or a constant, without its package or receiver.
func called(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// keysOf are the texts that a call says by keys which stand in the code.
func keysOf(call *ast.CallExpr, kinds map[string]string) []string {
	var said []string
	name := called(call.Fun)
	for i, arg := range call.Args {
		switch text := literal(arg); {
		case text == "":
		case name == "word" && i == 0:
			said = append(said, "word."+text)
		case name == "Count" && i == 0:
			said = append(said, "count."+text, "count."+text+"-one")
		case slices.Contains([]string{"say", "fill", "about", "text", "atHand"}, name) && strings.Contains(text, "."):
			said = append(said, text)
		case i > 0 && kinds[called(call.Args[i-1])] != "":
			said = append(said, kinds[called(call.Args[i-1])]+"."+text)
		}
	}
	return said
}

// inTemplates are the keys of the texts that the page's templates say.
func inTemplates(t *testing.T) (keys []string) {
	files, err := filepath.Glob("web/templates/*.html")
	for _, name := range files {
		file, unread := os.ReadFile(name)
		err = errors.Join(err, unread)
		for _, m := range regexp.MustCompile(`{{(?:- )?text "([^"]*)"`).FindAllSubmatch(file, -1) {
			keys = append(keys, string(m[1]))
		}
	}
	if err != nil || len(keys) < 50 {
		t.Fatalf("%d texts in the templates, %v", len(keys), err)
	}
	return keys
}

// TestEveryKeyThatIsSaidHasAText goes through the code: a key without a text is read
// by the dealer as it stands.
func TestEveryKeyThatIsSaidHasAText(t *testing.T) {
	files := source(t)
	kinds := kindsOf(files)
	said := map[string]bool{}
	each(files, func(n ast.Node) {
		if call, ok := n.(*ast.CallExpr); ok {
			for _, key := range keysOf(call, kinds) {
				said[key] = true
			}
		}
	})
	for _, key := range inTemplates(t) {
		said[key] = true
	}
	for key := range said {
		if _, ok := display.English.Lookup(key); !ok && !strings.HasSuffix(key, ".") {
			t.Errorf("the code says %q, which has no text: add it to the file of its kind in words/topics, or to "+
				"words/en.properties and the other languages", key)
		}
	}
	if len(kinds) < 15 || len(said) < 100 || !said["prompt.idle"] || !said["word.bank"] || !said["past.list"] ||
		!said["count.left-one"] {
		t.Errorf("only %d keys of %d kinds are found in the code", len(said), len(kinds))
	}
}

// TestEveryWordIsSaid: a word that nobody says is no work for translators.
func TestEveryWordIsSaid(t *testing.T) {
	written := map[string]bool{}
	each(source(t), func(n ast.Node) {
		if lit, ok := n.(*ast.BasicLit); ok {
			written[literal(lit)] = true
		}
	})
	for _, key := range inTemplates(t) {
		written[strings.TrimPrefix(key, "word.")] = true
	}
	for _, e := range words.BuiltIn("en").Entries {
		kind, name, _ := strings.Cut(e.Key, ".")
		if kind == "word" && !written[name] {
			t.Errorf("no code says the word %q: %q", name, e.Text)
		}
	}
}
