package docs

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// loaded is what a page asks for that it cannot be without.
var loaded = regexp.MustCompile(`(?m)^(?:\{\{.*\}\})?<(?:link rel="stylesheet"|script)[^>]*>`)

// TestPagesAreWhole holds every page to load whole.js first, which loads a page again of which a part has not arrived.
func TestPagesAreWhole(t *testing.T) {
	pages := 0
	err := fs.WalkDir(os.DirFS(".."), ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == ".git"):
			return fs.SkipDir
		case path.Ext(file) != ".html":
			return nil
		}
		text, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			return err
		}
		parts := loaded.FindAllString(string(text), -1)
		if !strings.Contains(string(text), "<title>") || len(parts) == 0 {
			return nil
		}
		pages++
		if first := parts[0]; !strings.Contains(first, "/whole.js?") || strings.Contains(first, " defer") {
			t.Errorf("%s loads %s before whole.js: it watches only what is loaded after it", file, first)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages < 10 {
		t.Errorf("%d pages were found: the pattern finds no more what they load", pages)
	}
}
