package processes

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Files reads the files whose names begin with a path, and those in such folders, by
// their names.
func Files(t testing.TB, begins string) map[string]string {
	t.Helper()
	roots, err := filepath.Glob(begins + "*")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			found[path] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}
