package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestMessages looks in the source for each message that the technician's page explains.
func TestMessages(t *testing.T) {
	source := sourceOf(t, "..")
	rows := sectionOf(t, "operations.md", "What the log says")
	told := 0
	for row := range strings.Lines(rows) {
		cells := strings.Split(row, "|")
		if len(cells) < 3 {
			continue
		}
		for _, found := range quoted.FindAllStringSubmatch(cells[1], -1) {
			told++
			// The driver puts its name before its remarks.
			for part := range strings.SplitSeq(strings.TrimPrefix(found[1], "shoe: "), "…") {
				if !strings.Contains(source, strings.TrimSpace(part)) {
					t.Errorf("operations.md explains %q, which nothing says", found[1])
				}
			}
		}
	}
	if told == 0 {
		t.Error("operations.md explains no message")
	}
}

// TestTheLogSpeaks: each line of a program's log that warns of something is a sentence that says what happened, and in
// its second half what follows from it or what to do. What it names besides has a name in words, and the error comes
// last of all.
func TestTheLogSpeaks(t *testing.T) {
	lines := 0
	for path, file := range programFiles(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			message, keys := logged(n)
			if message == "" {
				return true
			}
			lines++
			_, said, prefixed := strings.Cut(message, ": ")
			if first, _, _ := strings.Cut(message, ":"); !prefixed || !roomOfProgram.MatchString(first) {
				said = message
			}
			if !secondHalf.MatchString(said) {
				t.Errorf("%s: %q does not say what follows, or what to do", path, message)
			}
			if found := ofCode.FindString(said); found != "" {
				t.Errorf("%s: %q has %q, which is of the program's code", path, message, found)
			}
			for _, key := range keys {
				if !attribute.MatchString(key) {
					t.Errorf("%s: %q names %q, which is no word", path, message, key)
				}
			}
			return true
		})
	}
	if lines < 120 {
		t.Errorf("%d lines are looked at", lines)
	}
}

var (
	roomOfProgram = regexp.MustCompile(`^[a-z]+$`)
	secondHalf    = regexp.MustCompile(`[:;,?] `)
	ofCode        = regexp.MustCompile(`%[a-z+#]|\bnil\b|\berr\b|\bEOF\b|[a-z][A-Z]|\(\)|goroutine|json`)
	attribute     = regexp.MustCompile(`^[a-z][a-z]*([_-][a-z]+)*$`)
)

// programFiles are the source files of what runs in a house: no tests, no simulations, and nothing for those who
// develop.
func programFiles(t *testing.T) map[string]*ast.File {
	t.Helper()
	files, set := map[string]*ast.File{}, token.NewFileSet()
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && (name == "testkit" || name == "sim-hardware" || name == "e2e" || name == "node_modules"):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files[path], err = parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// logged is the message of a call that warns in the log, with the names of what it tells besides; "" for another call.
func logged(n ast.Node) (message string, keys []string) {
	call, is := n.(*ast.CallExpr)
	if !is {
		return "", nil
	}
	method, is := call.Fun.(*ast.SelectorExpr)
	if !is || method.Sel.Name != "Warn" && method.Sel.Name != "Error" || len(call.Args) == 0 {
		return "", nil
	}
	switch on := method.X.(type) {
	case *ast.Ident:
		is = on.Name == "log" || on.Name == "slog" || on.Name == "logger"
	case *ast.SelectorExpr:
		is = strings.EqualFold(on.Sel.Name, "log") || strings.EqualFold(on.Sel.Name, "logger")
	default:
		is = false
	}
	if !is {
		return "", nil
	}
	for i, arg := range call.Args {
		text, is := literal(arg)
		switch {
		case !is:
		case i == 0:
			message = text
		case i%2 == 1: // between them are values
			keys = append(keys, text)
		}
	}
	return message, keys
}

// literal is a text that stands in the source, of several pieces where it is split over lines.
func literal(e ast.Expr) (text string, is bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, is := literal(e.X)
		right, too := literal(e.Y)
		return left + right, is && too && e.Op == token.ADD
	}
	return "", false
}

var joint = regexp.MustCompile(`" ?\+\s*"`)

// sourceOf returns all Go source below a folder except tests, with texts that are split
// over lines joined.
func sourceOf(t *testing.T, root string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return joint.ReplaceAllString(all.String(), "")
}
