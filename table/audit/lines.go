package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/notation"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// split takes lines apart.
func split(lines []byte) []string {
	if len(lines) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(lines), "\n"), "\n")
}

// apart leaves out what two lists have in common at their beginnings and at their ends.
func apart(a, b []string) ([]string, []string) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// isSetup says whether an input sets the table up, or means to.
func isSetup(input []byte) bool {
	if !bytes.Contains(input, []byte("setup")) {
		return false
	}
	var is struct{ In string }
	return json.Unmarshal(input, &is) == nil && is.In == vocab.InSetup.String()
}

// isGap says whether an input tells of events that the shoe has lost.
func isGap(input []byte) bool {
	in, err := parseInput(input)
	return err == nil && in.Kind == vocab.InShoe && in.Shoe.Event == vocab.ShoeGap
}

// parseInput reads an input of any house.
func parseInput(text []byte) (vocab.Input, error) {
	p := transcript.NewParser(nil)
	p.AnyHouse = true
	return p.Parse(text, 0)
}

// openedRound is the number of the round that lines begin with opening.
func openedRound(lines []byte) (number uint64, opened bool) {
	first, _, _ := bytes.Cut(lines, []byte("\n"))
	out, err := transcript.NewParser(nil).ParseOutput(first, 0)
	return out.Round, err == nil && out.Kind == vocab.Opened
}

// parseOutputs reads outputs as they were recorded, for the second book.
func parseOutputs(lines []byte) ([]vocab.Output, error) {
	p := transcript.NewParser(nil)
	var outs []vocab.Output
	for _, text := range split(lines) {
		out, err := p.ParseOutput([]byte(text), 0)
		if err != nil {
			return nil, err
		}
		outs = append(outs, out)
	}
	return outs, nil
}

// decimals are how many the amounts of a table have, with which its lines are told.
type decimals struct{ notation.Digits }

// digits are those of the amounts of the table that is played again.
func (r *replay) digits() decimals {
	if len(r.tables) > 0 {
		return decimals{notation.DigitsOf(r.tables[0])}
	}
	return decimals{notation.DigitsOf(new(table.Table))}
}

// shortOf writes a fingerprint as people compare it.
func shortOf(sum []byte) string {
	if len(sum) == 0 {
		return "(none)"
	}
	return fmt.Sprintf("%.12x", sum[:min(6, len(sum))])
}
