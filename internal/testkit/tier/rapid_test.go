package tier

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryPropertyHasTheSeed: each package that draws with rapid imports this one, without which its seed is the
// clock's.
func TestEveryPropertyHasTheSeed(t *testing.T) {
	draws, seeded := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir("../../..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", "dist", "node_modules"}, entry.Name()):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		folder := filepath.Dir(path)
		draws[folder] = draws[folder] || strings.Contains(string(text), "\"pgregory.net/rapid\"\n")
		seeded[folder] = seeded[folder] || strings.Contains(string(text), "internal/testkit/tier\"")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for folder := range draws {
		if draws[folder] && !seeded[folder] && !strings.HasSuffix(folder, "testkit/tier") {
			t.Errorf("%s draws with rapid and does not import internal/testkit/tier", folder)
		}
	}
}
