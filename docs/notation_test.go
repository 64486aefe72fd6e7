package docs

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/notation"
	"github.com/sabot-table/sabot/table/profile"
)

const notationPage = "notation.md"

// TestPositions reads each position of the page, and writes it as it is there.
func TestPositions(t *testing.T) {
	positions := 0
	for _, b := range blocksOf(t, notationPage) {
		if b.kind != "position" {
			continue
		}
		positions++
		tab, err := tabletest.Position(b.text, profile.Built())
		if err != nil {
			t.Errorf("%s:%d: %v", notationPage, b.line, err)
		} else if got := string(notation.AppendPosition(nil, tab)) + "\n"; got != b.text {
			t.Errorf("%s:%d: the position is written as\n%s", notationPage, b.line, got)
		}
	}
	if positions < 2 {
		t.Errorf("%s has %d positions, want 2 examples at least", notationPage, positions)
	}
}

// TestNotationOfInputs reads the inputs in the page's table and the lines of its cases.
func TestNotationOfInputs(t *testing.T) {
	var inputs []string
	for row := range strings.Lines(sectionOf(t, notationPage, "Inputs")) {
		if cells := strings.Split(row, "|"); len(cells) > 2 {
			for _, found := range quoted.FindAllStringSubmatch(cells[1], -1) {
				inputs = append(inputs, found[1])
			}
		}
	}
	for _, b := range blocksOf(t, notationPage) {
		if b.kind != "case" {
			continue
		}
		for line := range strings.Lines(b.text) {
			line = strings.TrimSpace(line)
			position, placed := strings.CutPrefix(line, "state")
			switch {
			case !placed:
				inputs = append(inputs, line)
			case position != "":
				if _, err := tabletest.Position(position, profile.Built()); err != nil {
					t.Errorf("%s: %s: %v", notationPage, line, err)
				}
			}
		}
	}
	if len(inputs) < 30 {
		t.Errorf("%s shows only the inputs %q", notationPage, inputs)
	}
	for _, text := range inputs {
		if _, err := tabletest.ReadInputs(text, 2); err != nil {
			t.Errorf("%s: %s: %v", notationPage, text, err)
		}
	}
}

// TestPartsOfPosition: the page explains every part that its examples have.
func TestPartsOfPosition(t *testing.T) {
	table := sectionOf(t, notationPage, "A position")
	for _, b := range blocksOf(t, notationPage) {
		if b.kind != "position" {
			continue
		}
		for part := range strings.SplitSeq(b.text, "|") {
			if name := strings.Fields(part)[0]; !strings.Contains(table, "`"+name+"`") {
				t.Errorf("%s:%d: the table of parts does not explain %q", notationPage, b.line, name)
			}
		}
	}
}
