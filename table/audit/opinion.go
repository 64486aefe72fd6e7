package audit

import (
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/secondbook"
	"github.com/sabot-table/sabot/table/vocab"
)

// opinion is the second book of the rules. It follows what was recorded, and looks away
// where it cannot know any more what lies on the table.
type opinion struct {
	book secondbook.Book
	// away says that the book looks away until the next round.
	away bool
	// behind says that it also has to be told what the jackpot shows.
	behind bool
}

// lose looks away until the next round.
func (o *opinion) lose() { o.away, o.behind = true, true }

// enter writes an input and its answer down, and gives what is against the rules. t is
// the table that took the input. Of one round it gives the first fault alone: what comes
// then is mostly a consequence.
func (o *opinion) enter(t *table.Table, in *vocab.Input, outs []vocab.Output) error {
	opens := in.Kind == vocab.InOpen && t.Rejected() == 0 && t.Phase() != vocab.Idle
	switch {
	case opens && o.behind:
		o.takeOver(t)
		cut, unloaded, _ := t.CutCard()
		o.book.TakeOverShoe(cut, unloaded, true) // whoever let this round be dealt did so before
	case o.away && !opens && in.Kind != vocab.InSetup:
		return nil
	}
	err := o.book.Enter(in, outs)
	o.away = err != nil
	o.behind = o.behind && !opens || err != nil
	return err
}

// enterRecorded writes an answer down as it was recorded, which may be anything, and
// gives what is against the rules in it, "" for nothing.
func (o *opinion) enterRecorded(t *table.Table, in *vocab.Input, lines []byte) string {
	outs, err := parseOutputs(lines)
	if err != nil {
		o.lose()
		return ""
	}
	err = o.enter(t, in, outs)
	// What was recorded may well be consistent in itself from here on.
	o.away, o.behind = false, true
	if err != nil {
		return err.Error()
	}
	return ""
}

// compareJackpot compares the jackpot with the table's, unless something went wrong before; then it takes the table's
// over. As long as it looks away it has to be told once more: it does not see what the tray does until the next round.
func (o *opinion) compareJackpot(t *table.Table) (want int64, differs bool) {
	want, differs = o.book.Jackpot(), o.book.Jackpot() != t.Jackpot() && !o.behind
	if o.behind || differs {
		o.takeOver(t)
		o.behind = o.away
	}
	return want, differs
}

// takeOver tells the book what the table has come to without it.
func (o *opinion) takeOver(t *table.Table) {
	o.book.SetUp(t.Rules(), t.Jackpot())
	dealer, _ := t.Dealer()
	burning, unloaded := t.Burning()
	o.book.TakeOver(t.Opening().Closed, dealer, burning, unloaded)
	o.book.TakeOverShoe(t.CutCard())
	for _, l := range t.OnLines() {
		o.book.TakeOverLine(l.Box, l.Bettor)
	}
	o.takeOverTray(t)
}

// takeOverTray tells the book what the table knows of its tray.
func (o *opinion) takeOverTray(t *table.Table) {
	y := t.Tray()
	o.book.TakeOverTray(y.Known, y.Must, y.Cash, y.Since, y.Slips, y.Slip)
}
