package displaytest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/words"
)

var (
	keyShape = regexp.MustCompile(`^([a-z]+)\.[a-z0-9-]+$`)
	inMarkup = regexp.MustCompile(`{{(?:- )?text "([^"]*)"`)
	inScript = regexp.MustCompile("[\"'`]([a-z]+\\.[a-z0-9-]+)[\"'`]")
	action   = regexp.MustCompile(`(?s){{.*?}}`)
	element  = regexp.MustCompile(`(?s)<[^>]*>`)
	spoken   = regexp.MustCompile(`\b(?:aria-label|aria-description|title|placeholder|alt)="([^"]*)"`)
	letters  = regexp.MustCompile(`\pL{2,}`)
)

// Said checks the texts of the package in the working directory, whose files are *.go, templates/*.html and
// assets/*.js: each key that is written in them has a text; each text of the package's own, as mine says, is said; and
// no template, and no answer by http.Error, has words of its own, which no language could translate. made are the keys
// that the code puts together from names. Package display checks that every language has the texts of the English one.
func Said(t *testing.T, mine func(key string) bool, made ...string) {
	t.Helper()
	said := map[string]bool{}
	for _, key := range made {
		said[key] = true
	}
	kinds := map[string]bool{}
	english := words.BuiltIn(words.English).Entries
	for _, e := range english {
		kind, _, _ := strings.Cut(e.Key, ".")
		kinds[kind] = true
	}
	add := func(text string) {
		if m := keyShape.FindStringSubmatch(text); m != nil && kinds[m[1]] && !isFile(text) {
			said[text] = true
		}
	}
	for pattern, read := range map[string]func(t *testing.T, text string, add func(string)){
		"*.go": readCode, "templates/*.html": readMarkup, "assets/*.js": readScript,
	} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(name, "_test.go") {
				read(t, string(text), add)
			}
		}
	}
	own := 0
	for key := range said {
		if mine(key) {
			own++
		}
		if !hasText(english, key) {
			t.Errorf("the pages say %q, which has no text: add it to words/en.properties and to the other languages",
				key)
		}
	}
	if own < 10 {
		t.Errorf("only %d texts are found", own)
	}
	for _, e := range english {
		if mine(e.Key) && !said[e.Key] {
			t.Errorf("nothing says %s, %q: remove it from all languages", e.Key, e.Text)
		}
	}
}

// hasText says whether a key has a text. One that ends with a hyphen is the beginning of keys that are put together.
func hasText(english []words.Entry, key string) bool {
	if _, ok := display.English.Lookup(key); ok {
		return true
	}
	for _, e := range english {
		if strings.HasSuffix(key, "-") && strings.HasPrefix(e.Key, key) {
			return true
		}
	}
	return false
}

// isFile says whether a text that looks like a key is the name of a template or an asset.
func isFile(text string) bool {
	switch filepath.Ext(text) {
	case ".html", ".css", ".js", ".svg":
		return true
	}
	return false
}

func readCode(t *testing.T, text string, add func(string)) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil {
				add(text)
			}
		case *ast.CallExpr:
			if called, ok := n.Fun.(*ast.SelectorExpr); ok && called.Sel.Name == "Error" && len(n.Args) == 3 &&
				hasWords(n.Args[1]) {
				t.Errorf("line %d answers with words of its own: make them a text", files.Position(n.Pos()).Line)
			}
		}
		return true
	})
}

// hasWords says whether an expression is, or begins with, a sentence that is written in the code.
func hasWords(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return hasWords(e.X)
	case *ast.BasicLit:
		return strings.Contains(e.Value, " ")
	}
	return false
}

func readMarkup(t *testing.T, text string, add func(string)) {
	t.Helper()
	for _, m := range inMarkup.FindAllStringSubmatch(text, -1) {
		add(m[1])
	}
	bare := action.ReplaceAllString(text, "")
	for _, m := range spoken.FindAllStringSubmatch(bare, -1) {
		if word := letters.FindString(m[1]); word != "" {
			t.Errorf("a template has the word %q in %s: make it a text", word, m[0])
		}
	}
	for _, word := range letters.FindAllString(element.ReplaceAllString(bare, " "), -1) {
		if word != "Sabot" {
			t.Errorf("a template has the word %q: make it a text", word)
		}
	}
}

func readScript(_ *testing.T, text string, add func(string)) {
	for _, m := range inScript.FindAllStringSubmatch(text, -1) {
		add(m[1])
	}
}
