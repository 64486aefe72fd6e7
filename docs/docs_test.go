// Package docs keeps the documentation true: its examples are replayed, its names are the
// engine's, and its links lead somewhere.
package docs

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	_ "github.com/cockroachdb/datadriven" // has the flag -rewrite

	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/transcript"
)

// rewrite says whether to write anew what is on the pages: the flag -rewrite.
func rewrite() bool { return flag.Lookup("rewrite").Value.String() == "true" }

const contract = "transcript.md"

// TestExamples replays each transcript of the contract and compares the answers,
// or the refusal, in the block that follows it.
func TestExamples(t *testing.T) {
	blocks := blocksOf(t, contract)
	replayed := 0
	for i, b := range blocks {
		if !strings.HasPrefix(b.text, `{"in":"setup"`) {
			continue
		}
		if i+1 == len(blocks) {
			t.Fatalf("%s:%d: the transcript has no answers", contract, b.line)
		}
		want := &blocks[i+1]
		got := replay(b.text, want.kind == "text")
		if rewrite() {
			want.text = got
		} else if got != want.text {
			t.Errorf("%s:%d: the answers to the transcript in line %d are\n%s", contract, want.line, b.line, got)
		}
		replayed++
	}
	if replayed == 0 {
		t.Errorf("%s has no example that could be replayed", contract)
	}
	if rewrite() {
		writeBlocks(t, contract, blocks)
	}
}

// replay returns the outputs of a transcript, or what is wrong with it.
func replay(lines string, wantFault bool) string {
	var out bytes.Buffer
	err := transcript.Replay(strings.NewReader(lines), transcript.NewParser(profile.Built()), &out)
	switch {
	case wantFault && err != nil:
		return err.Error() + "\n"
	case wantFault:
		return "the transcript is valid\n"
	case err != nil:
		return out.String() + err.Error() + "\n"
	}
	return out.String()
}

// TestLines checks the single lines in the contract's text: inputs must be valid,
// outputs must be answers of the engine, and so must occur in an example.
func TestLines(t *testing.T) {
	parser := transcript.NewParser(profile.Built())
	blocks := blocksOf(t, contract)
	seen := map[string]bool{}
	for _, b := range blocks {
		for line := range strings.Lines(b.text) {
			seen[strings.TrimSpace(line)] = true
		}
	}
	for _, page := range []string{contract, "irregularities.md"} {
		for _, span := range spansOf(t, page) {
			switch {
			case strings.HasPrefix(span.text, `{"in":`):
				if _, err := parser.Parse([]byte(span.text), uint64(span.line)); err != nil {
					t.Errorf("%s: %s: %v", page, span.text, err)
				}
			case strings.HasPrefix(span.text, `{"out":`) && !seen[span.text]:
				t.Errorf("%s:%d: no example of %s has the output %s", page, span.line, contract, span.text)
			}
		}
	}
}

func readPage(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
