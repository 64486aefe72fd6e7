package docs

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/processes"
)

const readme = "../README.md"

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
)

// TestLinks follows every relative link of all pages, to its file and to the heading in it.
func TestLinks(t *testing.T) {
	for _, page := range everyPage(t) {
		for _, found := range link.FindAllStringSubmatch(readPage(t, page), -1) {
			if strings.Contains(found[1], "://") {
				continue
			}
			path, anchor, _ := strings.Cut(found[1], "#")
			target := filepath.Join(filepath.Dir(page), path)
			if path == "" {
				target = page
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", page, found[1], err)
			} else if anchor != "" && !slices.Contains(anchorsOf(readPage(t, target)), anchor) {
				t.Errorf("%s links to %s, which has no such heading", page, found[1])
			}
		}
	}
}

// everyPage are the paths of all pages of Markdown in the module.
func everyPage(t *testing.T) (pages []string) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{"node_modules", "testdata", "dist", ".git"}, d.Name()):
			return filepath.SkipDir
		case filepath.Ext(path) == ".md":
			pages = append(pages, path)
		}
		return nil
	})
	if err != nil || !slices.Contains(pages, readme) {
		t.Fatalf("the README is not among the pages %v: %v", pages, err)
	}
	return pages
}

// anchorsOf returns the anchors of a page's headings.
func anchorsOf(page string) []string {
	var anchors []string
	for _, found := range heading.FindAllStringSubmatch(page, -1) {
		name := strings.ReplaceAll(strings.ToLower(found[1]), " ", "-")
		anchors = append(anchors, regexp.MustCompile(`[^a-z0-9_-]`).ReplaceAllString(name, ""))
	}
	return anchors
}

// TestTargets looks for the targets of make that the pages name.
func TestTargets(t *testing.T) {
	targets := words(regexp.MustCompile(`(?m)^([a-z][a-z-]*):`), readPage(t, "../Makefile"))
	named := words(regexp.MustCompile("(?m)(?:^ +|`)make ([a-z-]+)"), readPage(t, readme), readPage(t, "operations.md"))
	if len(named) == 0 {
		t.Error("the pages name no target of make")
	}
	for _, target := range named {
		if !slices.Contains(targets, target) {
			t.Errorf("the Makefile has no target %q", target)
		}
	}
}

// TestCommands looks for the commands of sabot that the pages name.
func TestCommands(t *testing.T) {
	help, err := exec.Command(processes.Binary(t, "sabot"), "help").CombinedOutput()
	if err != nil {
		t.Fatalf("sabot help: %v\n%s", err, help)
	}
	commands := words(regexp.MustCompile(`(?m)^  sabot ([a-z-]+)`), string(help))
	use := regexp.MustCompile("(?m)(?:^ +|`)(?:go run \\./cmd/)?sabot ([a-z-]+)")
	for _, command := range words(use, readPage(t, readme), readPage(t, "operations.md"), readPage(t, "audit.md"),
		readPage(t, contract)) {
		if command != "help" && !slices.Contains(commands, command) {
			t.Errorf("there is no command sabot %s", command)
		}
	}
}

// words collects what the pattern's group finds in texts.
func words(pattern *regexp.Regexp, texts ...string) []string {
	var found []string
	for _, text := range texts {
		for _, match := range pattern.FindAllStringSubmatch(text, -1) {
			found = append(found, match[1])
		}
	}
	return found
}
