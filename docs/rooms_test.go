package docs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRoomsAreListed: the page of a folder that has many packages names each of them, and no other.
func TestRoomsAreListed(t *testing.T) {
	for _, folder := range []string{"../pit", "../internal/testkit"} {
		page := filepath.Join(folder, "README.md")
		intro, _, _ := strings.Cut(readPage(t, page), "\n## ")
		var listed []string
		for _, name := range firstColumn(intro) {
			listed = append(listed, strings.TrimSuffix(name, "/"))
		}
		slices.Sort(listed)
		if there := roomsBelow(t, folder); !slices.Equal(listed, there) {
			t.Errorf("%s lists\n%q, and there are\n%q", page, listed, there)
		}
	}
}

// roomsBelow are a folder's own folders that have Go files, or of which one has.
func roomsBelow(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		for _, pattern := range []string{"*.go", "*/*.go"} {
			files, err := filepath.Glob(filepath.Join(folder, e.Name(), pattern))
			if err != nil {
				t.Fatal(err)
			}
			if len(files) > 0 && !slices.Contains(names, e.Name()) {
				names = append(names, e.Name())
			}
		}
	}
	return names
}
