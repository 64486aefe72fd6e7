package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/sabot-table/sabot/table/vocab"
)

// trayLine is what somebody reads of an event of the tray who has nothing but the lines, as a journal, an export or a
// pit has them.
type trayLine struct {
	Out, In, Event           string
	Amount, Tray, Difference *int64
}

// trayLines are those of events that count a tray or move its chips.
type trayLines []trayLine

// add adds an event's line, if it is one of the tray.
func (l *trayLines) add(text []byte) error {
	if !bytes.HasPrefix(text, []byte(`{"out":"`+vocab.Counted.String()+`"`)) &&
		!bytes.HasPrefix(text, []byte(`{"out":"`+vocab.TrayMoved.String()+`"`)) {
		return nil
	}
	var one trayLine
	if err := json.Unmarshal(text, &one); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	*l = append(*l, one)
	return nil
}

// balance holds a tray to its equation: what was counted last is what was counted first, what was filled and laid in,
// less what was credited and sold, the result of the rounds and adjustments between, and the differences that the
// counts have told. The error says which count or which sum is wrong.
func (l trayLines) balance(result int64) error {
	var first, last *int64
	sum := result
	for i := range l {
		one := &l[i]
		switch {
		case one.Out != vocab.Counted.String():
			sum += one.moves()
		case first == nil:
			first, last = one.Amount, one.Amount
		case one.Tray == nil || one.Difference == nil || *one.Amount-*one.Tray != *one.Difference:
			return fmt.Errorf("a count of %d does not say what had to be there, or by how much it differs", *one.Amount)
		default:
			last, sum = one.Amount, sum+*one.Difference
		}
	}
	switch {
	case first == nil:
		return fmt.Errorf("none of %d lines is a count", len(l))
	case *last-*first != sum:
		return fmt.Errorf("the tray was counted with %d and %d, and %d came in between", *first, *last, sum)
	}
	return nil
}

// moves is how much more is in the tray by what was put in.
func (l *trayLine) moves() int64 {
	kind, event := l.In, l.Event
	switch {
	case kind == vocab.InFill.String() && event == vocab.SlipReceived.String(), kind == vocab.InTips.String():
		return *l.Amount
	case kind == vocab.InCredit.String() && event == vocab.SlipSent.String(), kind == vocab.InBuyIn.String():
		return -*l.Amount
	}
	return 0
}

// TestTrayBalance: a tray that balances does, and none does of which a line is missing, twice or changed.
func TestTrayBalance(t *testing.T) {
	lines := []string{
		`{"out":"count","event":"opening","amount":5000}`,
		`{"out":"tray","in":"fill","event":"sent","amount":700,"tray":5000}`,
		`{"out":"tray","in":"fill","event":"received","amount":700,"tray":5700}`,
		`{"out":"tray","in":"credit","event":"sent","amount":300,"tray":5400}`,
		`{"out":"tray","in":"buy-in","amount":100,"tray":5300}`,
		`{"out":"tray","in":"tips","amount":20,"tray":5320}`,
		`{"out":"tray","in":"change","amount":500,"tray":5320}`,
		`{"out":"count","event":"closing","amount":5260,"tray":5270,"difference":-10}`,
	}
	read := func(list ...string) (all trayLines) {
		for _, text := range append(list, `{"out":"dealt","card":"TS"}`) {
			if err := all.add([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		return all
	}
	if err := read(lines...).balance(-50); err != nil {
		t.Error(err)
	}
	for what, wrong := range map[string]trayLines{
		"a fill is missing": read(append(append([]string{}, lines[:2]...), lines[3:]...)...),
		"a fill is twice":   read(append(append([]string{}, lines[:3]...), lines[2:]...)...),
		"no difference told": read(append(append([]string{}, lines[:7]...),
			`{"out":"count","event":"closing","amount":5260,"tray":5270}`)...),
		"no count": read(lines[1:7]...),
	} {
		if wrong.balance(-50) == nil {
			t.Errorf("%s, and it balances", what)
		}
	}
	if read(lines...).balance(-49) == nil {
		t.Error("the rounds brought another amount, and it balances")
	}
}
