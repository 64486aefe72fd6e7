package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// line is a transcript line, input or output, as far as words or the second book need
// it. Only lines that differ are read so.
type line struct {
	In  string `json:"in"`
	Out string `json:"out"`

	House    string      `json:"house"`
	Profile  string      `json:"profile"`
	Event    string      `json:"event"`
	Missing  int         `json:"missing"`
	Alarm    string      `json:"alarm"`
	Found    string      `json:"found"`
	Card     string      `json:"card"`
	To       string      `json:"to"`
	Box      uint8       `json:"box"`
	Hand     uint8       `json:"hand"`
	Total    uint8       `json:"total"`
	Soft     bool        `json:"soft"`
	Points   *uint8      `json:"points"`
	Call     string      `json:"call"`
	Allowed  []string    `json:"allowed"`
	Bettor   string      `json:"bettor"`
	Bettors  []string    `json:"bettors"`
	Player   string      `json:"player"`
	Wager    string      `json:"wager"`
	Amount   *int64      `json:"amount"`
	Outcome  string      `json:"outcome"`
	Why      string      `json:"why"`
	Stake    *int64      `json:"stake"`
	Returned *int64      `json:"returned"`
	Won      *int64      `json:"won"`
	Ratio    money.Ratio `json:"ratio"`
	Times    uint8       `json:"times"`

	Round     uint64      `json:"round"`
	Bank      []card.Card `json:"bank"`
	BankTotal uint8       `json:"bank_total"`
	Staked    *int64      `json:"staked"`

	Reason  string   `json:"reason"`
	Code    string   `json:"code"`
	Choices []string `json:"choices"`
	With    string   `json:"with"`
	By      string   `json:"by"`
}

func parseLine(text []byte) (l line, err error) { return l, json.Unmarshal(text, &l) }

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
	l, err := parseLine(input)
	return err == nil && l.In == vocab.InSetup.String()
}

// isGap says whether an input tells of events that the shoe has lost.
func isGap(input []byte) bool {
	l, err := parseLine(input)
	return err == nil && l.In == vocab.InShoe.String() && l.Event == vocab.ShoeGap.String()
}

// openedRound is the number of the round that lines begin with opening.
func openedRound(lines []byte) (number uint64, opened bool) {
	first, _, _ := bytes.Cut(lines, []byte("\n"))
	l, err := parseLine(first)
	return l.Round, err == nil && l.Out == vocab.Opened.String()
}

// kinds are the outputs that the second book looks at, by name. It passes over others.
var kinds = map[string]vocab.Kind{}

var (
	places   = map[string]vocab.To{}
	outcomes = map[string]vocab.Outcome{}
)

func init() {
	for _, k := range []vocab.Kind{vocab.Rejected, vocab.Dealt, vocab.DueChanged, vocab.Settled, vocab.Bonus, vocab.RoundDecided} {
		kinds[k.String()] = k
	}
	for _, to := range []vocab.To{vocab.ToBox, vocab.ToBank, vocab.ToAside, vocab.ToCall, vocab.ToInsurance, vocab.ToPayment, vocab.ToNothing} {
		places[to.String()] = to
	}
	for o := range vocab.EveryOutcome {
		outcomes[o.String()] = o
	}
}

// parseOutputs reads outputs as they were recorded, for the second book.
func parseOutputs(lines []byte) ([]vocab.Output, error) {
	var outs []vocab.Output
	for _, text := range split(lines) {
		l, err := parseLine([]byte(text))
		if err != nil {
			return nil, err
		}
		out, err := l.output()
		if err != nil {
			return nil, err
		}
		outs = append(outs, out)
	}
	return outs, nil
}

func (l *line) output() (vocab.Output, error) {
	out := vocab.Output{
		Kind: kinds[l.Out], To: places[l.To], Box: l.Box, Hand: l.Hand, Total: l.Total, Soft: l.Soft,
		Bettor: l.Bettor, Round: l.Round, Outcome: outcomes[l.Outcome], Odds: l.Ratio, Times: max(l.Times, 1),
	}
	if l.Card != "" {
		c, err := card.Parse(l.Card)
		if err != nil {
			return out, err
		}
		out.Card = c
	}
	if l.Points != nil {
		out.Total, out.Points = *l.Points, true
	}
	switch out.Kind {
	case vocab.Settled, vocab.Bonus:
		return out, l.money(&out)
	case vocab.RoundDecided:
		out.Total, out.Unstated = l.BankTotal, l.Staked == nil
		sums := vocab.Sums{Staked: value(l.Staked), Returned: value(l.Returned), Won: value(l.Won), Unstated: l.Staked == nil}
		out.Result = &vocab.Result{Bank: l.Bank, Sums: sums}
	}
	return out, nil
}

func (l *line) money(out *vocab.Output) error {
	out.Wager = vocab.ParseWager(l.Wager)
	why, known := whyOf(out.Wager, l.Why)
	if !known {
		return fmt.Errorf("%q decides no wager", l.Why)
	}
	out.Why, out.Unstated = why, l.Stake == nil
	out.Stake, out.Returned, out.Won = value(l.Stake), value(l.Returned), value(l.Won)
	return nil
}

// whyOf finds a reason by its name: of a side bet first among the lines of its
// paytable, some of which are named as other reasons are.
func whyOf(w vocab.Wager, name string) (vocab.Why, bool) {
	if bet, side := w.Side(); side {
		for _, l := range bet.Lines() {
			if l.String() == name {
				return vocab.WhyLine(l), true
			}
		}
	}
	for why := range vocab.EveryWhy {
		if why.String() == name {
			return why, true
		}
	}
	return 0, false
}

func value(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

func amount(minor int64) string { return money.Format(minor, 2) }

func sum(n *int64) string {
	if n == nil {
		return "an amount that nobody entered"
	}
	return amount(*n)
}

// shortOf writes a fingerprint as people compare it.
func shortOf(sum []byte) string {
	if len(sum) == 0 {
		return "(none)"
	}
	return fmt.Sprintf("%.12x", sum[:min(6, len(sum))])
}
