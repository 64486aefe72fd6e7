package docs

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// block is one fenced block of a page.
type block struct {
	kind, text string
	line       int // of its fence, from 1
	start, end int // of its text in the page, in bytes
}

func blocksOf(t *testing.T, path string) []block {
	t.Helper()
	var blocks []block
	var open *block
	at, number := 0, 0
	for line := range strings.Lines(readPage(t, path)) {
		number++
		kind, fence := strings.CutPrefix(strings.TrimRight(line, "\n"), "```")
		switch {
		case fence && open == nil:
			open = &block{kind: kind, line: number, start: at + len(line)}
		case fence:
			open.end = at
			blocks, open = append(blocks, *open), nil
		case open != nil:
			open.text += line
		}
		at += len(line)
	}
	if open != nil {
		t.Fatalf("%s:%d: the block is not closed", path, open.line)
	}
	return blocks
}

// writeBlocks puts the blocks' texts into the page.
func writeBlocks(t *testing.T, path string, blocks []block) {
	t.Helper()
	page, end := readPage(t, path), 0
	var out strings.Builder
	for _, b := range blocks {
		out.WriteString(page[end:b.start] + b.text)
		end = b.end
	}
	out.WriteString(page[end:])
	if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// span is text in backquotes, outside of blocks.
type span struct {
	text string
	line int
	part int // the number of the paragraph, item or row in which it stands
}

var (
	quoted = regexp.MustCompile("`([^`]+)`")
	// newPart is how a line begins that ends a paragraph, or begins an item of a list or a row of a table.
	newPart = regexp.MustCompile(`^(\s*$|\||- |\d+\. |#)`)
)

func spansOf(t *testing.T, path string) []span {
	t.Helper()
	var spans []span
	fenced, number, part := false, 0, 0
	for line := range strings.Lines(readPage(t, path)) {
		if number++; newPart.MatchString(line) {
			part++
		}
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if fenced {
			continue
		}
		for _, found := range quoted.FindAllStringSubmatch(line, -1) {
			spans = append(spans, span{found[1], number, part})
		}
	}
	return spans
}

// sectionOf is the text below a heading, up to the next of any level.
func sectionOf(t *testing.T, path, heading string) string {
	t.Helper()
	_, rest, found := strings.Cut(readPage(t, path), "\n## "+heading+"\n")
	if !found {
		t.Fatalf("%s has no section %q", path, heading)
	}
	section, _, _ := strings.Cut(rest, "\n#")
	return section
}

// firstColumn lists the names in backquotes in the first column of a table.
func firstColumn(section string) []string {
	var names []string
	for line := range strings.Lines(section) {
		if found := regexp.MustCompile("^\\| `([^`]+)` \\|").FindStringSubmatch(line); found != nil {
			names = append(names, found[1])
		}
	}
	return names
}
