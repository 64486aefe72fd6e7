package simtest

import (
	"bytes"
	"math/rand/v2"

	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/vocab"
)

// sendOddReport lets an Angel Eye send an intact report of an unexpected length: no reason to hold a table.
func (w *World) sendOddReport(Args) { _ = w.rack.shoe().Report('P', 0x80) }

// controls are characters that may be what is left of a Bee-Tek's message, by their names in a script.
var controls = map[string]string{"NUL": "\x00", "BEL": "\a", "TAB": "\t", "ESC": "\x1b", "DC1-DC3": "\x11\x13"}

func characters(dice *rand.Rand) Args {
	return Args{"what=" + pick(dice, "NUL", "BEL", "TAB", "ESC", "DC1-DC3")}
}

// sendControl puts control characters on a Bee-Tek's line. Nobody knows whether they were a card.
func (w *World) sendControl(a Args) {
	w.mu.Lock()
	good := w.rates == shoesim.FaultRates{}
	w.mu.Unlock()
	v, err := w.lookNow()
	if err := w.rack.shoe().Write(" " + controls[a.get("what")] + " "); err != nil {
		return
	}
	if err == nil && good {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.damages = append(w.damages, damage{after: v.Seq, what: a.get("what")})
	}
}

// damage is what came from the shoe on a good line, and must be told as a loss.
type damage struct {
	after uint64 // the last input then
	what  string
	cards int // on record since
	told  bool
}

// soon is before how many more cards on record damage is told: one may have been on its way to the record.
const soon = 2

// see takes a record that may tell of the damage.
func (d *damage) see(rec journal.Record, kind string) {
	switch {
	case rec.Seq <= d.after || d.cards >= soon:
	case tellsLoss(rec, kind):
		d.told = true
	case kind == vocab.InCard.String():
		d.cards++
	}
}

// tellsLoss says whether a record has that cards may be lost.
func tellsLoss(rec journal.Record, kind string) bool {
	return kind == vocab.InShoe.String() && (bytes.Contains(rec.Input, []byte(`"gap`)) ||
		bytes.Contains(rec.Input, []byte("gap between")))
}
