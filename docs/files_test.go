package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// eachFile gives the files of the module whose names end so, by their paths from its root.
func eachFile(t *testing.T, end string, take func(file, text string)) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(".."), ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == ".git"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, end):
			return nil
		}
		text, err := os.ReadFile(filepath.Join("..", file))
		if err == nil {
			take(file, string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
