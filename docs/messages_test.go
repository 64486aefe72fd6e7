package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
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

var joint = regexp.MustCompile(`" \+\s*"`)

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
