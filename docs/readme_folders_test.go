package docs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// listing is a table in a README of what is beside it.
type listing struct {
	// kind is what its rows are, by the heading of their first column: folder, room or file.
	kind  string
	names []span
}

// TestReadmesListWhatIsThere: the table of folders or files in a README names what is beside it, and where they are
// folders, all of them.
func TestReadmesListWhatIsThere(t *testing.T) {
	folders := 0
	for _, page := range everyPage(t) {
		if filepath.Base(page) != "README.md" {
			continue
		}
		for _, l := range listingsOf(t, page) {
			dir := filepath.Dir(page)
			for _, s := range l.names {
				if _, err := os.Stat(filepath.Join(dir, s.text)); err != nil {
					t.Errorf("%s:%d: there is no %q beside it: drop it, or name what it is called now", page, s.line,
						s.text)
				}
			}
			if l.kind != "file" {
				folders++
				l.holdsAll(t, page, dir)
			}
		}
	}
	if folders < 3 {
		t.Errorf("%d tables of folders were found: how they begin is another now", folders)
	}
}

// holdsAll finds the folders that the table lacks.
func (l listing) holdsAll(t *testing.T, page, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		made := slices.Contains([]string{"testdata", "node_modules", "dist"}, e.Name())
		if !e.IsDir() || made || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if !slices.ContainsFunc(l.names, func(s span) bool { return strings.TrimSuffix(s.text, "/") == e.Name() }) {
			t.Errorf("%s: its table of folders has no row of %s", page, e.Name())
		}
	}
}

// listingsOf are a page's tables of folders and files, with what the first column of each quotes.
func listingsOf(t *testing.T, page string) (all []listing) {
	t.Helper()
	number, inside := 0, false
	for line := range strings.Lines(readPage(t, page)) {
		number++
		first, _, row := strings.Cut(strings.TrimPrefix(line, "|"), "|")
		if !row || !strings.HasPrefix(line, "|") {
			inside = false
			continue
		}
		if kind := strings.TrimSpace(first); slices.Contains([]string{"folder", "room", "file"}, kind) {
			all, inside = append(all, listing{kind: kind}), true
			continue
		}
		if !inside {
			continue
		}
		for _, found := range quoted.FindAllStringSubmatch(first, -1) {
			l := &all[len(all)-1]
			l.names = append(l.names, span{text: found[1], line: number})
		}
	}
	return all
}
