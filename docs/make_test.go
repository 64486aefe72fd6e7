package docs

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// TestLone: what the Makefile takes from the tests with the race detector is what it tests without it. Tests are taken by
// their names, so one of the same name in another package would be in neither.
func TestLone(t *testing.T) {
	names, packages := lone(t)
	used := map[string]bool{}
	for _, f := range testFuncs(t) {
		i := slices.IndexFunc(names, func(name *regexp.Regexp) bool { return name.MatchString(f.name) })
		if i < 0 {
			continue
		}
		used[names[i].String()] = true
		used[f.pkg] = true
		if !slices.Contains(packages, f.pkg) {
			t.Errorf("%s of %s is not tested: give it a name that is not among LONE_TESTS of the Makefile, or its package to LONE_PACKAGES", f.name, f.pkg)
		}
	}
	for _, name := range names {
		if !used[name.String()] {
			t.Errorf("LONE_TESTS of the Makefile names %s, and there is none", name)
		}
	}
	for _, pkg := range packages {
		if !used[pkg] {
			t.Errorf("LONE_PACKAGES of the Makefile names %s, which has none of LONE_TESTS", pkg)
		}
	}
}

// lone asks make which tests it takes, and from which packages.
func lone(t *testing.T) (names []*regexp.Regexp, packages []string) {
	t.Helper()
	said, err := exec.Command("make", "--no-print-directory", "-C", "..", "-n", "long-lone").CombinedOutput()
	if err != nil {
		t.Fatalf("make: %v\n%s", err, said)
	}
	parts := regexp.MustCompile(`-run '\^\((.+)\)\$' (.+)`).FindStringSubmatch(string(said))
	if parts == nil {
		t.Fatalf("make long-lone runs no tests by their names: %s", said)
	}
	for name := range strings.SplitSeq(parts[1], "|") {
		names = append(names, regexp.MustCompile("^("+name+")$"))
	}
	return names, strings.Fields(parts[2])
}

type testOf struct{ name, pkg string }

// testFuncs are all tests of the module.
func testFuncs(t *testing.T) (all []testOf) {
	t.Helper()
	eachFile(t, "_test.go", func(file, text string) {
		for _, f := range testFunc.FindAllStringSubmatch(text, -1) {
			all = append(all, testOf{f[1], "./" + path.Dir(file)})
		}
	})
	return all
}

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
