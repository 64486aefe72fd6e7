package docs

import (
	"bytes"
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	namedTest = regexp.MustCompile("`(Test[A-Z][A-Za-z0-9]*|[a-z-]+\\.test\\.mjs)`")
	testThere = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9]*)\(`)
)

// TestPromises: every promise of the page on security names a test that holds it, and every test that the page names
// exists.
func TestPromises(t *testing.T) {
	text, err := os.ReadFile("security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, begun := strings.Cut(string(text), "<!-- promises -->\n")
	list, _, ended := strings.Cut(rest, "<!-- end of promises -->")
	rows := strings.Split(strings.TrimSpace(list), "\n")
	if !begun || !ended || len(rows) < 3 {
		t.Fatal("security.md has no list of promises")
	}
	for _, row := range rows[2:] {
		if cells := strings.Split(row, " | "); len(cells) != 2 || !namedTest.MatchString(cells[1]) {
			t.Errorf("no test holds %s", row)
		}
	}
	there := testsBelow(t, "..")
	for _, found := range namedTest.FindAllStringSubmatch(string(text), -1) {
		if !there[found[1]] {
			t.Errorf("security.md names %s, and there is no such test", found[1])
		}
	}
}

// testsBelow are the names of all tests, fuzz targets and benchmarks below a folder, and those of the files of page
// tests.
func testsBelow(t *testing.T, root string) map[string]bool {
	t.Helper()
	there := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "dist" || entry.Name() == ".git"):
			return fs.SkipDir
		case strings.HasSuffix(path, ".test.mjs"):
			there[filepath.Base(path)] = true
			return nil
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, found := range testThere.FindAllSubmatch(text, -1) {
			there[string(found[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return there
}

// TestModulesOfThePage: each module that the page on security names is one that Sabot is built with, in the version
// that it names.
func TestModulesOfThePage(t *testing.T) {
	page, err := os.ReadFile("security.md")
	if err != nil {
		t.Fatal(err)
	}
	modules, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("`(github\\.com/[A-Za-z0-9./-]+)`( v[0-9.]+)?").FindAllStringSubmatch(string(page), -1)
	if len(found) < 3 {
		t.Fatalf("the page names %v", found)
	}
	for _, one := range found {
		if line := one[1] + cmp.Or(one[2], " v"); !bytes.Contains(modules, []byte(line)) {
			t.Errorf("go.mod has no %s", line)
		}
	}
}
