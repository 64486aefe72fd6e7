package tray_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/tray"
	"github.com/sabot-table/sabot/table/vocab"
)

// day is what the tests put together: each event a minute after the one before.
type day struct {
	tray.Records
	journal string
	at      time.Time
	record  uint64
	must    int64
	before  uint64
}

func newDay() *day {
	from := time.Date(2026, 3, 28, 6, 0, 0, 0, time.UTC)
	return &day{
		Records: tray.Records{From: from, Until: from.AddDate(0, 0, 1)}, journal: "a",
		at: from.Add(12 * time.Hour), must: 100_000,
	}
}

// add adds an event.
func (d *day) add(of vocab.InputKind, amount int64, more ...func(*tray.Event)) *tray.Event {
	d.at, d.record = d.at.Add(time.Minute), d.record+10
	e := tray.Event{Journal: d.journal, TrayEvent: tally.TrayEvent{
		Record: d.record, At: d.at, Of: of,
		Must: d.must, Known: true,
	}}
	e.Told.Amount = amount
	for _, one := range more {
		one(&e)
	}
	d.Events = append(d.Events, e)
	return &d.Events[len(d.Events)-1]
}

// count counts so much more than must be there.
func (d *day) count(event vocab.CountEvent, more int64) {
	e := d.add(vocab.InCount, d.must+more)
	e.Told.Count, e.Told.Difference, e.Told.Since, e.Known = event, more, d.before, d.before != 0
	e.Told.Chips = []vocab.Chips{{Value: 10_000, Pieces: 3}, {Value: 500, Pieces: 100}}
	d.must, d.before = d.must+more, e.Record
}

// round deals a round.
func (d *day) round(won int64, more ...func(*tray.Round)) {
	d.at, d.record = d.at.Add(time.Minute), d.record+10
	r := tray.Round{Journal: d.journal, Number: d.record, Last: d.record, Ended: d.at, Dealer: "anna"}
	r.Won = won
	for _, one := range more {
		one(&r)
	}
	d.must += r.Won
	d.Rounds = append(d.Rounds, r)
}

// sell sells chips for cash.
func (d *day) sell(amount int64) {
	d.must -= amount
	d.add(vocab.InBuyIn, amount)
}

// fill brings chips.
func (d *day) fill(number uint32, amount int64, steps ...vocab.SlipStep) {
	for _, step := range steps {
		if step == vocab.SlipReceived {
			d.must += amount
		}
		e := d.add(vocab.InFill, amount)
		e.Told.Step, e.Told.Slip = step, number
	}
}

func (d *day) drop(must int64) *tray.Event { return d.add(vocab.InDrop, must) }

// TestDayOf: the counts between which a day lies, and what it comes to.
func TestDayOf(t *testing.T) {
	for _, c := range []struct {
		name            string
		put             func(*day)
		closed, doubted bool
		win, rounds     int64
		boxes, between  int
	}{
		{"a day", func(d *day) {
			d.count(vocab.CountOpening, 0)
			d.round(5000)
			d.sell(20_000)
			d.fill(7, 30_000, vocab.SlipAsked, vocab.SlipApproved, vocab.SlipSent, vocab.SlipReceived)
			d.round(-2000)
			d.count(vocab.CountClosing, 0)
			d.drop(20_000)
		}, true, false, 3000, 3000, 1, 2},
		{"a day that begins with the closing of the one before", func(d *day) {
			d.at = d.From.Add(-3 * time.Hour)
			d.count(vocab.CountClosing, 0)
			d.at = d.From.Add(12 * time.Hour)
			d.round(1000)
			d.count(vocab.CountClosing, -500)
		}, true, false, 500, 1000, 0, 1},
		{"an opening count that finds something at night", func(d *day) {
			d.at = d.From.Add(-3 * time.Hour)
			d.count(vocab.CountClosing, 0)
			d.at = d.From.Add(12 * time.Hour)
			d.count(vocab.CountOpening, -10_000)
			d.round(1000)
			d.count(vocab.CountClosing, 0)
		}, true, false, 1000, 1000, 0, 2},
		{"a day that is not closed", func(d *day) {
			d.count(vocab.CountOpening, 0)
			d.round(1000)
			d.count(vocab.CountInterim, 0)
			d.round(7000)
		}, false, false, 1000, 1000, 0, 2},
		{"closed and opened again", func(d *day) {
			d.count(vocab.CountOpening, 0)
			d.round(1000)
			d.count(vocab.CountClosing, 0)
			d.count(vocab.CountOpening, -500)
			d.round(2000)
			d.count(vocab.CountClosing, 0)
		}, true, false, 2500, 3000, 0, 4},
		{"closed, opened again, and not closed any more", func(d *day) {
			d.count(vocab.CountOpening, 0)
			d.round(1000)
			d.count(vocab.CountClosing, 0)
			d.count(vocab.CountOpening, -500)
			d.round(2000)
			d.count(vocab.CountInterim, 0)
		}, false, false, 2500, 3000, 0, 4},
		{"a round of which nobody knows the amounts", func(d *day) {
			d.count(vocab.CountOpening, 0)
			d.round(1000, func(r *tray.Round) { r.Unknown = 1 })
			d.count(vocab.CountClosing, 0)
		}, true, true, 1000, 1000, 0, 2},
		{"records that the pit lacks", func(d *day) {
			d.count(vocab.CountOpening, 0)
			d.round(1000)
			d.Missing = append(d.Missing, d.at)
			d.count(vocab.CountClosing, 0)
		}, true, true, 1000, 1000, 0, 2},
		{"another journal", func(d *day) {
			d.count(vocab.CountOpening, 0)
			d.round(1000)
			d.journal, d.record, d.before = "b", 0, 0
			d.count(vocab.CountClosing, 0)
		}, true, true, 1000, 1000, 0, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDay()
			c.put(d)
			got := tray.DayOf(&d.Records)
			if !got.Counted() || got.Closed != c.closed || got.Doubtful != c.doubted || got.Win() != c.win ||
				got.Sum.Rounds != c.rounds || len(got.Boxes) != c.boxes || len(got.Between) != c.between {
				t.Errorf("%+v: the win is %d", got, got.Win())
			}
		})
	}
}

// TestTrays: each currency has its own counts, rounds and boxes, and a slip stays in the money it was asked for.
func TestTrays(t *testing.T) {
	d := newDay()
	d.count(vocab.CountOpening, 0)
	d.round(1000)
	d.fill(7, 30_000, vocab.SlipAsked, vocab.SlipApproved)
	d.count(vocab.CountInterim, 0)
	n, rounds := len(d.Events), len(d.Rounds)
	d.fill(7, 30_000, vocab.SlipRefused)
	d.must, d.before = 500_000, 0
	d.count(vocab.CountOpening, 0)
	d.round(-200)
	d.sell(700)
	d.count(vocab.CountClosing, 0)
	for i := range d.Events {
		d.Events[i].Currency = []string{"EUR", "JPY"}[min(1, (i+1)/(n+1))]
	}
	for i := range d.Rounds {
		d.Rounds[i].Currency = []string{"EUR", "JPY"}[min(1, (i+1)/(rounds+1))]
	}
	d.Opened = []tray.Opened{{Nth: 1, Amount: 690, Currency: "JPY"}}
	all := d.Trays()
	if len(all) != 2 || all[0].Currency != "EUR" || all[1].Currency != "JPY" {
		t.Fatalf("%+v", all)
	}
	euros, yen := tray.DayOf(&all[0].Records), tray.DayOf(&all[1].Records)
	if euros.Sum != (tray.Sum{Opening: 100_000, Closing: 101_000, Rounds: 1000}) || euros.Closed ||
		len(euros.Slips) != 1 || !euros.Slips[0].Over() || len(euros.Boxes) != 0 {
		t.Errorf("the euros are %+v", euros)
	}
	if yen.Sum != (tray.Sum{Opening: 500_000, Closing: 499_100, Rounds: -200, Drop: 690}) || !yen.Closed ||
		yen.Doubtful || len(yen.Slips) != 0 || yen.Uncounted() != 0 {
		t.Errorf("the yen are %+v", yen)
	}
}

// setUp sets the table up with another money: what the table knew of the tray is gone. The money before is named.
func (d *day) setUp(was string) {
	d.at, d.record, d.must, d.before = d.at.Add(time.Minute), d.record+10, 0, 0
	d.Gone = append(d.Gone, tray.Event{Journal: d.journal, TrayEvent: tally.TrayEvent{
		Record: d.record, At: d.at, Of: vocab.InSetup, Currency: was,
	}})
	for i := range d.Events {
		d.Events[i].Currency = cmp.Or(d.Events[i].Currency, was)
	}
	for i := range d.Rounds {
		d.Rounds[i].Currency = cmp.Or(d.Rounds[i].Currency, was)
	}
}

// TestTheFirstMoneyAgain: a table that is set up in yen and in euros again, with nothing done in yen, has another tray
// and another box of euros. What was sold before is in no box of the new one, a fill that was asked for before moves
// chips of the new one, and what was entered of the first box before it was gone is of that.
func TestTheFirstMoneyAgain(t *testing.T) {
	d := newDay()
	d.count(vocab.CountOpening, 0)
	d.sell(20_000)
	d.round(1000)
	d.fill(7, 30_000, vocab.SlipAsked, vocab.SlipApproved, vocab.SlipSent)
	d.Opened = []tray.Opened{{Nth: 1, At: d.at, Amount: 19_000, Currency: "EUR"}}
	d.setUp("EUR")
	d.setUp("JPY")
	d.must = 50_000
	d.count(vocab.CountOpening, 0)
	d.sell(700)
	d.fill(7, 30_000, vocab.SlipReceived)
	d.round(-200)
	off := d.drop(700)
	d.Opened = append(d.Opened, tray.Opened{Journal: "a", Record: off.Record, Nth: 1, Amount: 700, Currency: "EUR"})
	d.count(vocab.CountClosing, 0)
	d.setUp("EUR")
	all := d.Trays()
	if len(all) != 2 || all[0].Currency != "EUR" || all[1].Currency != "EUR" {
		t.Fatalf("%+v", all)
	}
	first, second := tray.DayOf(&all[0].Records), tray.DayOf(&all[1].Records)
	if len(first.Boxes) != 1 || first.Boxes[0].Must != 20_000 || first.Boxes[0].Off != &d.Gone[0] ||
		first.Uncounted() != 0 || first.Counted() || len(first.Slips) != 1 || !first.Slips[0].Over() {
		t.Errorf("the first euros are %+v", first)
	}
	if second.Sum != (tray.Sum{Opening: 50_000, Closing: 79_100, Fills: 30_000, Drop: 700, Rounds: -200}) ||
		!second.Closed || second.Doubtful || second.Difference() != 0 || len(second.Slips) != 0 ||
		len(second.Boxes) != 1 || second.Uncounted() != 0 || second.Between[1].Lacks != 0 {
		t.Errorf("the euros again are %+v", second)
	}
}

// TestASetUpThatThePitLacks: a box is gone with the tray of its own money alone. Of the one before, whose set-up lies
// among the records that the pit lacks, nobody knows when it was gone.
func TestASetUpThatThePitLacks(t *testing.T) {
	d := newDay()
	d.count(vocab.CountOpening, 0)
	d.sell(20_000)
	for i := range d.Events {
		d.Events[i].Currency = "EUR"
	}
	d.sell(30_500)
	d.setUp("JPY")
	all := d.Trays()
	if len(all) != 2 || all[0].Currency != "EUR" || all[1].Currency != "JPY" {
		t.Fatalf("%+v", all)
	}
	euros, yen := tray.DayOf(&all[0].Records).Boxes, tray.DayOf(&all[1].Records).Boxes
	if len(euros) != 1 || euros[0].Off != nil || euros[0].Must != 20_000 {
		t.Errorf("the euros are in %+v", euros)
	}
	if len(yen) != 1 || yen[0].Off != &d.Gone[0] || yen[0].Must != 30_500 {
		t.Errorf("the yen are in %+v", yen)
	}
}

// TestASetUpWithAWrongClock: a set-up says of what was done before it that it was gone by then, and its clock may be
// before that, and before the day.
func TestASetUpWithAWrongClock(t *testing.T) {
	for _, back := range []time.Duration{24 * time.Hour, 50 * 365 * 24 * time.Hour} {
		d := newDay()
		d.count(vocab.CountOpening, 0)
		d.sell(20_000)
		right := d.at
		d.at = right.Add(-back)
		d.setUp("EUR")
		d.at = right
		d.count(vocab.CountOpening, 0)
		d.sell(700)
		d.setUp("JPY")
		all := d.Trays()
		if len(all) != 2 || all[0].Currency != "EUR" || all[1].Currency != "JPY" {
			t.Fatalf("set back by %s: %+v", back, all)
		}
		for i, must := range []int64{20_000, 700} {
			boxes := tray.DayOf(&all[i].Records).Boxes
			if len(boxes) != 1 || boxes[0].Off != &d.Gone[i] || boxes[0].Must != must {
				t.Errorf("set back by %s: tray %d has %+v", back, i, boxes)
			}
		}
	}
}

// TestTheBoxes: the drop is what was counted in the boxes; the last entry counts, and a box that no table has taken off
// has one, too.
func TestTheBoxes(t *testing.T) {
	d := newDay()
	d.count(vocab.CountOpening, 0)
	d.sell(20_000)
	first := d.drop(20_000)
	record := first.Record
	d.sell(5000)
	d.round(1000)
	d.count(vocab.CountClosing, 0)
	d.Opened = []tray.Opened{
		{Journal: "a", Record: record, Nth: 1, Amount: 18_000}, {Journal: "a", Record: record, Nth: 2, Amount: 19_000},
	}
	got := tray.DayOf(&d.Records)
	if len(got.Boxes) != 2 || got.Boxes[1].Off != nil || got.Boxes[1].Must != 5000 || got.Uncounted() != 1 {
		t.Fatalf("%+v", got.Boxes)
	}
	if got.Drop != 24_000 || got.Difference() != -1000 {
		t.Errorf("the drop is %d, the difference %d", got.Drop, got.Difference())
	}
	d.Opened = append(d.Opened, tray.Opened{Nth: 1, Amount: 5500})
	if got = tray.DayOf(&d.Records); got.Uncounted() != 0 || got.Difference() != -500 {
		t.Errorf("the drop is %d, the difference %d", got.Drop, got.Difference())
	}
}

// TestABoxCountedBeforeItIsTakenOff: what was entered of the box on the table, before the table says that it was taken
// off, is of that box, and so is what corrects it. Of a box that was counted by itself it is not.
func TestABoxCountedBeforeItIsTakenOff(t *testing.T) {
	d := newDay()
	d.count(vocab.CountOpening, 0)
	d.sell(200_000)
	d.Opened = []tray.Opened{{Nth: 1, At: d.at, Amount: 195_000}}
	record := d.drop(200_000).Record
	d.count(vocab.CountClosing, 0)
	check := func(when string, boxes int, drop int64) {
		t.Helper()
		got := tray.DayOf(&d.Records)
		if len(got.Boxes) != boxes || got.Drop != drop || got.Uncounted() != 0 {
			t.Errorf("%s: the drop is %d, of %+v", when, got.Drop, got.Boxes)
		}
	}
	check("counted", 1, 195_000)
	later := tray.Opened{
		Journal: "a", Record: record, Nth: 1, At: d.at, Amount: 199_000, Reason: "a bundle was left out",
	}
	d.Opened = append(d.Opened, later)
	check("corrected", 1, 199_000)
	d.Opened[1].Reason = ""
	check("another box", 2, 394_000)
	later.Reason = ""
	d.Opened = []tray.Opened{{Nth: 1, At: d.at, Amount: 700}, later}
	check("counted after it was taken off", 2, 199_700)
}

// TestABoxCountedBeforeThePitHears: what was entered of the box on the table, once that was taken off and the pit had
// not heard of it, is of that box: nothing says that there is cash in another one.
func TestABoxCountedBeforeThePitHears(t *testing.T) {
	d := newDay()
	d.count(vocab.CountOpening, 0)
	d.sell(200_000)
	record := d.drop(200_000).Record
	d.Opened = []tray.Opened{{Nth: 1, At: d.at.Add(10 * time.Minute), Amount: 195_000}}
	d.count(vocab.CountClosing, 0)
	if got := tray.DayOf(&d.Records); len(got.Boxes) != 1 || got.Drop != 195_000 || got.Uncounted() != 0 {
		t.Errorf("the drop is %d, of %+v", got.Drop, got.Boxes)
	}
	d.Opened = append(d.Opened, tray.Opened{
		Journal: "a", Record: record, Nth: 1, At: d.at, Amount: 199_000, Reason: "a bundle was left out",
	})
	if got := tray.DayOf(&d.Records); len(got.Boxes) != 1 || got.Drop != 199_000 || len(got.Boxes[0].Counts) != 2 {
		t.Errorf("corrected: the drop is %d, of %+v", got.Drop, got.Boxes)
	}
}

// TestTheNextBoxIsAnother: what was entered of the box on the table stays with that box once it was taken off and chips
// are sold again, and so does what is entered of the next one.
func TestTheNextBoxIsAnother(t *testing.T) {
	d := newDay()
	d.count(vocab.CountOpening, 0)
	d.sell(200_000)
	d.Opened = []tray.Opened{{Nth: 1, At: d.at, Amount: 195_000}}
	d.drop(200_000)
	d.sell(700)
	d.count(vocab.CountClosing, 0)
	got := tray.DayOf(&d.Records)
	if len(got.Boxes) != 2 || got.Drop != 195_700 || got.Uncounted() != 1 || len(got.Boxes[0].Counts) != 1 {
		t.Errorf("the drop is %d, of %+v", got.Drop, got.Boxes)
	}
	d.Opened = append(d.Opened, tray.Opened{Nth: 2, At: d.at, Amount: 600})
	got = tray.DayOf(&d.Records)
	if len(got.Boxes) != 2 || got.Drop != 195_600 || got.Uncounted() != 0 {
		t.Errorf("the drop is %d, of %+v", got.Drop, got.Boxes)
	}
}

// TestAClockThatIsAhead: a table's clock says that a box was taken off later than what was entered of the next one.
// That is of another box all the same.
func TestAClockThatIsAhead(t *testing.T) {
	d := newDay()
	d.count(vocab.CountOpening, 0)
	d.sell(200_000)
	d.Opened = []tray.Opened{
		{Nth: 1, At: d.at, Amount: 195_000},
		{Nth: 2, At: d.at.Add(time.Minute), Amount: 600},
		{Nth: 3, At: d.at.Add(2 * time.Minute), Amount: 700, Reason: "a bundle was left out"},
	}
	d.at = d.at.Add(time.Hour)
	d.drop(200_000)
	d.sell(700)
	d.count(vocab.CountClosing, 0)
	got := tray.DayOf(&d.Records)
	if len(got.Boxes) != 2 || got.Drop != 195_700 || got.Uncounted() != 0 || len(got.Boxes[1].Counts) != 2 {
		t.Errorf("the drop is %d, of %+v", got.Drop, got.Boxes)
	}
}

// TestWorthLooking: of an interval whose count differs the rounds are named in which something may have gone wrong,
// those first in which just as much was moved; where nothing is said of any, those that moved most.
func TestWorthLooking(t *testing.T) {
	d := newDay()
	d.count(vocab.CountOpening, 0)
	d.round(9000)
	d.round(-1000, func(r *tray.Round) { r.Accepted, r.Over = 1, 2500 })
	d.round(-1000, func(r *tray.Round) { r.Corrected = 1 })
	adjusted := d.record
	d.round(500)
	d.must += 10_000
	d.add(vocab.InAdjust, -10_000, func(e *tray.Event) { e.Round = adjusted - 20 })
	d.count(vocab.CountInterim, -10_000)
	d.round(9000)
	d.round(-60_000)
	d.count(vocab.CountClosing, 500)
	got := tray.DayOf(&d.Records)
	numbers := func(n *tray.Interval) (list []uint64) {
		for _, one := range n.Rounds {
			list = append(list, one.Number)
		}
		return list
	}
	first, second := &got.Between[1], &got.Between[2]
	if want := []uint64{adjusted - 20, adjusted - 10, adjusted}; !slices.Equal(numbers(first), want) ||
		!first.Rounds[0].Fits || first.Chip != 10_000 || first.Lacks != 0 {
		t.Errorf("%v, want %v: %+v", numbers(first), want, first)
	}
	if len(second.Rounds) != 2 || second.Rounds[0].Won != -60_000 || !second.Rounds[0].Most || second.Chip != 500 {
		t.Errorf("%+v", second)
	}
}

// TestSlips: steps are put together, and one is over when it was received or refused.
func TestSlips(t *testing.T) {
	d := newDay()
	d.fill(4, 100, vocab.SlipAsked, vocab.SlipApproved)
	d.fill(5, 200, vocab.SlipAsked, vocab.SlipRefused)
	d.fill(3, 300, vocab.SlipReceived) // asked for before
	list := tray.Slips(d.Events)
	if len(list) != 2 || list[0].Over() || list[0].Step() != vocab.SlipApproved || !list[1].Over() ||
		list[1].Amount() != 200 ||
		list[0].Took(vocab.SlipSent) != nil || list[0].Took(vocab.SlipApproved) == nil {
		t.Errorf("%+v", list)
	}
}
