// Package tray works out what must be in a table's tray, and what a gaming day came to by what was counted, beside what
// its rounds say. It is pure: values in, values out.
package tray

import (
	"slices"
	"time"

	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/table/vocab"
)

// Event is something that was done to a table's tray, by one of its journals.
type Event struct {
	Journal string
	tally.TrayEvent
}

// moved is how much more is in the tray by the event.
func (e *Event) moved() int64 {
	switch {
	case e.Of == vocab.InFill && e.Told.Step == vocab.SlipReceived, e.Of == vocab.InTips:
		return e.Told.Amount
	case e.Of == vocab.InCredit && e.Told.Step == vocab.SlipSent, e.Of == vocab.InBuyIn, e.Of == vocab.InAdjust:
		return -e.Told.Amount
	}
	return 0
}

// before says whether a record of a journal comes after the event; that of another journal goes by its time.
func (e *Event) before(journal string, record uint64, at time.Time) bool {
	if journal == e.Journal {
		return record > e.Record
	}
	return at.After(e.At)
}

// Order puts events that are in the order of their journals, and of the records in these, into that of their times. A
// clock that is set back does not turn the order of records round.
func Order(events []Event) {
	latest, at := map[string]time.Time{}, map[recordName]time.Time{}
	for i := range events {
		e := &events[i]
		if e.At.After(latest[e.Journal]) {
			latest[e.Journal] = e.At
		}
		at[e.name()] = latest[e.Journal]
	}
	slices.SortStableFunc(events, func(a, b Event) int { return at[a.name()].Compare(at[b.name()]) })
}

// recordName names a record of a journal.
type recordName struct {
	journal string
	record  uint64
}

func (e *Event) name() recordName { return recordName{e.Journal, e.Record} }

// Round is what a round has done to the tray.
type Round struct {
	Journal string
	// Number is its number at the table, and Last the record that has ended it.
	Number, Last uint64
	Ended        time.Time
	Dealer       string
	Currency     string
	tally.InTray
}

// Now is what is known of a table's tray.
type Now struct {
	// Count is the last count, nil where nobody has counted it.
	Count *Event
	// Must is what must be in it, as far as Known says so; Rounds and Unknown are the rounds since the count, and those
	// of them of which nobody knows all amounts. Missing says that the pit lacks records since.
	Must            int64
	Known, Missing  bool
	Rounds, Unknown int
	// Currency is the one in which is played now, "" where nobody knows it.
	Currency string
	// Cash is what must be in the drop box, of that currency.
	Cash int64
	// Slips are those under way, by their numbers.
	Slips []Slip
	// Last is what was done last.
	Last *Event
}

// Forget keeps of a tray whose money is another from now on nothing but its slips, as the table does.
func (n *Now) Forget() {
	n.Count, n.Must, n.Known, n.Missing, n.Rounds, n.Unknown = nil, 0, false, false, 0, 0
}

// Took takes what was done since the count, rounds as sums.
func (n *Now) Took(events []Event, won int64) {
	n.Must, n.Known = n.Count.Told.Amount+won, n.Unknown == 0 && !n.Missing
	for i := range events {
		n.Must += events[i].moved()
	}
	if !n.Known {
		n.Must = 0
	}
}

// Slip is a fill or a credit with its steps.
type Slip struct {
	Journal string
	Number  uint32
	Credit  bool
	// Steps are those it has taken, in their order: the first one asks.
	Steps []Event
}

// Chips are those that it is about, and Amount what they are worth.
func (s *Slip) Chips() []vocab.Chips { return s.Steps[0].Told.Chips }

// Amount is what its chips are worth.
func (s *Slip) Amount() int64 { return s.Steps[0].Told.Amount }

// Step is the last step that it has taken.
func (s *Slip) Step() vocab.SlipStep { return s.Steps[len(s.Steps)-1].Told.Step }

// Took is the step by that name, nil while it was not taken.
func (s *Slip) Took(step vocab.SlipStep) *Event {
	for i := range s.Steps {
		if s.Steps[i].Told.Step == step {
			return &s.Steps[i]
		}
	}
	return nil
}

// Over says that it takes no step any more.
func (s *Slip) Over() bool { return s.Step() == vocab.SlipReceived || s.Step() == vocab.SlipRefused }

// slipName names a slip, of a fill or a credit.
type slipName struct {
	journal string
	number  uint32
}

// Slips puts steps together, in the order of the slips' first ones. A slip whose asking is not among them is left out.
func Slips(events []Event) (list []Slip) {
	at := map[slipName]int{}
	for i := range events {
		e := &events[i]
		if e.Told.Slip == 0 {
			continue
		}
		of := slipName{e.Journal, e.Told.Slip}
		n, known := at[of]
		switch {
		case known:
		case e.Told.Step != vocab.SlipAsked:
			continue
		default:
			n = len(list)
			at[of] = n
			list = append(list, Slip{Journal: e.Journal, Number: e.Told.Slip, Credit: e.Of == vocab.InCredit})
		}
		list[n].Steps = append(list[n].Steps, *e)
	}
	return list
}
