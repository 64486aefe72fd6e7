package floor

import (
	"fmt"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/topic"
)

// What a table's view has at the most: far more than any table, and nothing that takes long to draw.
const (
	mostDigits  = 6
	mostBoxes   = 64
	mostOfEach  = 256 // bettors, hands, payouts of a box, and cards of a hand
	mostInWords = 64  // characters of a name in an alert
)

// drawable refuses a view that no table shows, and that would be drawn on every screen.
func drawable(v *display.View) error {
	most := 0
	for _, b := range v.Boxes {
		most = max(most, len(b.Bettors), len(b.Sides), len(b.Hands), len(b.Payouts))
		for _, h := range b.Hands {
			most = max(most, len(h.Cards), len(h.Stakes))
		}
	}
	most = max(most, len(v.Bank.Cards), len(v.Aside), len(v.Alerts))
	if v.Digits < 0 || v.Digits > mostDigits || len(v.Boxes) > mostBoxes || most > mostOfEach {
		return fmt.Errorf("the table's view is none of a table: %d decimals, %d boxes, %d of a kind in one of them",
			v.Digits, len(v.Boxes), most)
	}
	return nil
}

// A table's alerts begin at this pace: so many at once, and then one in a while. They are kept in the database, and
// whoever may write a table's topics could fill it.
const (
	alertsAtOnce = 200
	alertEvery   = 10 * time.Second
)

// paceOf is when a table will have all its alerts again.
type paceOf map[topic.Table]time.Time

// takeTurn counts one that begins, if it may.
func (p paceOf) takeTurn(table topic.Table, now time.Time) bool {
	rested := later(p[table], now).Add(alertEvery)
	if rested.Sub(now) > alertsAtOnce*alertEvery {
		return false
	}
	p[table] = rested
	return true
}

// limited is what a table says of an alert, with names that are no longer than names are, and counts that are some.
func limited(s display.Alert) display.Alert {
	for _, text := range []*string{&s.Caller, &s.By, &s.AcknowledgedBy, &s.Raised, &s.Cleared} {
		if runes := []rune(*text); len(runes) > mostInWords {
			*text = string(runes[:mostInWords])
		}
	}
	s.Times, s.Standing = max(s.Times, 0), max(s.Standing, 0)
	return s
}
