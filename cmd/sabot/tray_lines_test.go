package tabletest

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/sabot-table/sabot/table/vocab"
)

// TrayLine is what somebody reads of an event of the tray who has nothing but the lines, as a journal, an export or a
// pit has them.
type TrayLine struct {
	Out, In, Event           string
	Amount, Tray, Difference *int64
}

// TrayLines are those of events that count a tray or move its chips.
type TrayLines []TrayLine

// Add adds an event's line, if it is one of the tray.
func (l *TrayLines) Add(text []byte) error {
	if !bytes.HasPrefix(text, []byte(`{"out":"`+vocab.Counted.String()+`"`)) &&
		!bytes.HasPrefix(text, []byte(`{"out":"`+vocab.TrayMoved.String()+`"`)) {
		return nil
	}
	var one TrayLine
	if err := json.Unmarshal(text, &one); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	*l = append(*l, one)
	return nil
}

// Balance holds a tray to its equation: what was counted last is what was counted first, what was filled and laid in,
// less what was credited and sold, the result of the rounds and adjustments between, and the differences that the
// counts have told. The error says which count or which sum is wrong.
func (l TrayLines) Balance(result int64) error {
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
func (l *TrayLine) moves() int64 {
	kind, event := l.In, l.Event
	switch {
	case kind == vocab.InFill.String() && event == vocab.SlipReceived.String(), kind == vocab.InTips.String():
		return *l.Amount
	case kind == vocab.InCredit.String() && event == vocab.SlipSent.String(), kind == vocab.InBuyIn.String():
		return -*l.Amount
	}
	return 0
}
