package docs

import (
	"bytes"
	"encoding/hex"
	"regexp"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/transcript"
)

const compactPage = "compact.md"

// hexes are the bytes at the beginning of a line.
var hexes = regexp.MustCompile(`^(?:[0-9a-f]{2} )*[0-9a-f]{2}`)

// TestCompactExample holds the page's bytes and its lines together, both ways.
func TestCompactExample(t *testing.T) {
	blocks := blocksOf(t, compactPage)
	if len(blocks) != 2 {
		t.Fatalf("%s has %d blocks, want the lines and their bytes", compactPage, len(blocks))
	}
	var page []byte
	for line := range strings.Lines(blocks[1].text) {
		part, err := hex.DecodeString(strings.ReplaceAll(hexes.FindString(line), " ", ""))
		if err != nil || len(part) == 0 {
			t.Fatalf("%s: %q has no bytes: %v", compactPage, line, err)
		}
		page = append(page, part...)
	}
	var compact, lines bytes.Buffer
	if err := transcript.Compact(strings.NewReader(blocks[0].text), &compact); err != nil || !bytes.Equal(compact.Bytes(), page) {
		t.Errorf("the lines in %s:%d are\n%s%v", compactPage, blocks[0].line, hex.Dump(compact.Bytes()), err)
	}
	if err := transcript.Expand(bytes.NewReader(page), &lines); err != nil || lines.String() != blocks[0].text {
		t.Errorf("the bytes in %s:%d are\n%s%v", compactPage, blocks[1].line, lines.String(), err)
	}
}
