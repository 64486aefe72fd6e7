package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/internal/totals"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
)

// came is what wagers came to: the house's result, and the stakes.
type came struct{ result, staked int64 }

// account is what was counted, by wager.
type account map[string]came

func (a account) add(wager string, one came) {
	sum := a[wager]
	if sum.result, sum.staked = sum.result+one.result, sum.staked+one.staked; sum != (came{}) {
		a[wager] = sum
	} else {
		delete(a, wager)
	}
}

// TestTheHousesResultIsOne: over a night of each house, with mistakes, corrections and a change of the gaming day, the
// house's result is the same by the formula of pit/README.md over the events, in the table's totals, in the sums of the
// pit's store and in a journal's export: by wager, of the gaming day, of all, and by dealer.
func TestTheHousesResultIsOne(t *testing.T) {
	seen := map[string]int{}
	for at, house := range profile.Built().Names() {
		t.Run(house, func(t *testing.T) {
			path := filepath.Join(processes.FastDir(t), "journal")
			seed := uint64(at) + tier.Times(uint64(15), 1)
			n := journaltest.NewNight(t, path, house, seed)
			n.Mistakes, n.Dealers, n.Apart = 2, []string{"anna", "ben", "carla"},
				time.Duration(tier.Times(24, 8))*time.Second
			if house == "schaffhausen" { // a bonus is rare
				inputs, err := tabletest.Inputs("open; stake 1 a 20; close; 7S 9D 7H; card; 7D; TH; paid")
				if err != nil {
					t.Fatal(err)
				}
				for _, one := range inputs {
					n.Take(one)
				}
			}
			n.Deal(tier.Times(2000, 6000))
			n.Mistakes = 0
			n.Deal(tier.Times(1000, 3000))
			first := n.Now.AddDate(0, 0, -3)
			began := gamingDay.Start(gamingDay.Of(n.Now))
			out := exported(t, path)
			for _, since := range []time.Time{first, began} {
				want := byFormula(t, n.Journal.Reader, since, seen)
				if len(want) == 0 {
					t.Fatalf("since %s there are only %v", since, want)
				}
				said := totalsSince(t, n.Journal, since)
				same(t, "the table's totals", ofTotals(said.Day), want)
				dealers := account{}
				for _, one := range said.Dealers {
					for wager, sum := range ofTotals(one) {
						dealers.add(wager, sum)
					}
				}
				same(t, "the totals by dealer", dealers, want)
				same(t, "the pit's store", ofStore(t, refilled(t, n.Journal.Reader), since), want)
				same(t, "the export", ofExport(t, out, since), want)
			}
		})
	}
	for _, one := range []string{
		"undone", "corrected", "bonus", "void", "unknown", "round that says its sums",
		"over the end of a day", "paid otherwise", "payment taken back after the last", "adjustment",
	} {
		if seen[one] == 0 {
			t.Errorf("the nights have nothing %s: %v", one, seen)
		}
	}
}

// TestTheTraySaysTheSame: whatever is paid, rightly or wrongly, taken back, adjusted, or left in rounds that are void,
// and whatever is filled, credited, sold and stolen, over gaming days with kills in between, the opening tray and all
// that went in and out come to the closing tray and the differences that were told. The journal's events, the table's
// totals, the export, the audit and the pit say the same to the cent: the pit at each count, at the close of each day
// and in its sums.
func TestTheTraySaysTheSame(t *testing.T) {
	seen, adjusted, wrong, counts, slips, thefts := map[string]int{}, 0, 0, 0, 0, 0
	compared, boxes := 0, 0
	for at, house := range profile.Built().Names() {
		t.Run(house, func(t *testing.T) {
			path := filepath.Join(processes.FastDir(t), "journal")
			dice := rand.New(rand.NewPCG(uint64(at), tier.Times(31, tier.Seed())))
			cash := &tabletest.Cash{Player: tabletest.Player{Dice: dice, Boxes: 1 + at%4, Freely: true}}
			n := journaltest.NewNight(t, path, house, uint64(at))
			n.Cash, n.Apart, n.Kills, cash.Float = cash, 400*time.Millisecond, 2, true
			pit := newPitBeside(t, n, uint64(at))
			first := n.Now.AddDate(0, 0, -3)
			for range tier.Times(17, 1667) { // of all houses together 10,000 days
				pit.day(6)
			}
			want := byFormula(t, n.Journal.Reader, first, seen)
			if got := cash.Chips - cash.Adjusted; got != want.total() {
				t.Errorf("the tray has %d more than at the beginning, by the formula %d", got, want.total())
			}
			same(t, "the table's totals", ofTotals(totalsSince(t, n.Journal, first).Day), want)
			same(t, "the pit's store", ofStore(t, pit.store, first), want)
			out := exported(t, path)
			same(t, "the export", ofExport(t, out, first), want)
			for _, one := range cash.Wrong[:min(5, len(cash.Wrong))] {
				t.Error(one)
			}
			for of, lines := range map[string]trayLines{
				"the journal": journalLines(t, n.Journal.Reader), "the export": exportedLines(t, out),
				"the pit": pit.lines,
			} {
				if err := lines.balance(want.total()); err != nil {
					t.Errorf("%s: %v", of, err)
				}
			}
			pit.follows()
			compared, boxes = compared+pit.compared, boxes+pit.boxes
			counts, slips, thefts = counts+cash.Counts, slips+cash.Slips, thefts+cash.Thefts
			if got := sabot(t, "", "journal", "audit", path); got.Status != exitOK {
				t.Errorf("the audit says %+v", got)
			}
			adjusted, wrong = adjusted+cash.Adjustments, wrong+int(min(1, max(cash.Over, -cash.Over)))
		})
	}
	if counts < 150 || slips < 50 || thefts < 20 {
		t.Errorf("%d counts, %d fills and credits, %d thefts: the test shows too little", counts, slips, thefts)
	}
	if compared < 150 || boxes < 20 {
		t.Errorf("the pit was asked at %d counts, and %d drop boxes were opened: the test shows too little", compared,
			boxes)
	}
	if adjusted < 50 || wrong < 5 || seen["void"] == 0 || seen["payment taken back after the last"] < 50 ||
		seen["paid otherwise"] < 50 {
		t.Errorf("%d adjustments, %d houses with wrong payments, %v: the test shows too little", adjusted, wrong, seen)
	}
}

func journalLines(t *testing.T, r *journal.Reader) (lines trayLines) {
	t.Helper()
	for rec, err := range r.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		for text := range rec.Lines() {
			if err := lines.add(text); err != nil {
				t.Fatal(err)
			}
		}
	}
	return lines
}

// exported is where an export of a journal lies.
func exported(t *testing.T, path string) string {
	t.Helper()
	out := filepath.Join(processes.FastDir(t), "out.sqlite")
	if got := sabot(t, "", "journal", "export", "--to", "sqlite", path, out); got.Status != exitOK {
		t.Fatalf("%+v", got)
	}
	return out
}

// exportedLines are those of an export, with the amounts of its columns.
func exportedLines(t *testing.T, out string) (lines trayLines) {
	t.Helper()
	db, err := sql.Open("sqlite", out)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT line, amount, tray FROM event WHERE out IN ('count', 'tray') ORDER BY number`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		var amount, tray *int64
		if err := rows.Scan(&text, &amount, &tray); err != nil {
			t.Fatal(err)
		}
		if err := lines.add([]byte(text)); err != nil {
			t.Fatal(err)
		}
		lines[len(lines)-1].Amount, lines[len(lines)-1].Tray = amount, tray
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

var gamingDay = store.Day{Begins: 6 * time.Hour}

func same(t *testing.T, what string, got, want account) {
	t.Helper()
	if !maps.Equal(got, want) {
		for _, wager := range slices.Sorted(maps.Keys(want)) {
			t.Errorf("%s: %s came to %+v, by the formula to %+v", what, wager, got[wager], want[wager])
		}
		t.Errorf("%s: %v, by the formula %v", what, got, want)
	}
}

// total is the house's result.
func (a account) total() (sum int64) {
	for _, one := range a {
		sum += one.result
	}
	return sum
}

// line is what the formula needs of an event, or of an input.
type line struct {
	Out, In, Call, Wager, Outcome, Event string
	Stake, Staked, Returned, Won         *int64
	// Paid and Due are of a payout alone: elsewhere due is what comes next.
	Paid *int64
	Due  json.RawMessage
	// Round is of an undone that takes back the end of a round, and Amount of an adjusted.
	Round, Amount *int64
}

func read(t *testing.T, text []byte) (l line) {
	t.Helper()
	if err := json.Unmarshal(text, &l); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return l
}

// pressed is an input, and the events that followed from it.
type pressed struct {
	line
	events []line
}

// byFormula reads the events as a program in the pit may that knows nothing of the engine.
func byFormula(t *testing.T, r *journal.Reader, since time.Time, seen map[string]int) account {
	t.Helper()
	all := account{}
	var round []pressed
	var opened time.Time
	var told *line // the round's own sums
	// last is the last round, and counted what it has come to: nothing where it is not counted.
	var last []pressed
	var counted account
	for rec, err := range r.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		now := pressed{line: read(t, rec.Input)}
		ended := false
		for text := range rec.Lines() {
			out := read(t, text)
			switch out.Out {
			case "opened":
				round, opened, told = nil, time.Unix(0, rec.At), nil
			case "rejected":
				now.In = "" // it is no key press that could be taken back
			case "undone":
				seen["undone"]++
				now.In = ""
				if out.Round != nil {
					seen["payment taken back after the last"]++
					round = last
					for wager, one := range counted {
						all.add(wager, came{-one.result, -one.staked})
					}
				}
				for i := len(round) - 1; i >= 0; i-- {
					if round[i].In == out.In && round[i].Call == out.Call &&
						(out.In != "shoe" || round[i].Event == "loaded") {
						round = slices.Delete(round, i, i+1)
						break
					}
				}
			case "corrected":
				seen["corrected"]++
				now.events = nil
				for i := range round {
					round[i].events = nil
				}
			case "settled", "bonus", "payout":
				now.events = append(now.events, out)
			case "adjusted":
				seen["adjustment"]++
				if !opened.Before(since) {
					all.add(out.Wager, came{result: -*out.Amount})
				}
			case "round":
				told = &out
			case "finished":
				ended = true
			}
		}
		round = append(round, now)
		if !ended {
			continue
		}
		sum, void, otherwise := account{}, false, int64(0)
		for _, one := range round {
			for _, e := range one.events {
				void = void || e.Outcome == "void"
				sum.add(e.Wager, formula(t, e, seen))
				if e.Out == "payout" {
					otherwise += formula(t, e, seen).result
				}
			}
		}
		if void {
			seen["void"]++
		}
		if told != nil && told.Won != nil && !void {
			seen["round that says its sums"]++
			if said := *told.Staked - *told.Returned - *told.Won; said != sum.total()-otherwise {
				t.Errorf("record %d: the round says that the house got %d, and its events %v", rec.Seq, said, sum)
			}
		}
		if at := time.Unix(0, rec.At); gamingDay.Of(opened) != gamingDay.Of(at) {
			seen["over the end of a day"]++
		}
		last, counted = round, nil
		if !opened.Before(since) {
			counted = sum
			for wager, one := range sum {
				all.add(wager, one)
			}
		}
		round = nil
	}
	return all
}

// formula is that of the page.
func formula(t *testing.T, e line, seen map[string]int) came {
	t.Helper()
	switch {
	case e.Out == "payout":
		seen["paid otherwise"]++
		var due int64
		if err := json.Unmarshal(e.Due, &due); err != nil {
			t.Fatal(err)
		}
		return came{result: due - *e.Paid}
	case e.Won == nil:
		seen["unknown"]++
		return came{}
	case e.Out == "bonus":
		seen["bonus"]++
		return came{result: -*e.Won}
	}
	return came{*e.Stake - *e.Returned - *e.Won, *e.Stake}
}

// totalsSince is what the table says that it has come to since its gaming day began.
func totalsSince(t *testing.T, j *journal.Journal, since time.Time) topic.Totals {
	t.Helper()
	_, next := j.Next()
	now := func() time.Time { return since.Add(time.Hour).UTC() }
	c := totals.New(j, recall.New(j.Reader, profile.Built()), gamingDay.Begins, now, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(t.Context()) // however long it takes
	done := make(chan struct{})
	go func() {
		c.Run(ctx)
		close(done)
	}()
	defer func() {
		stop()
		<-done
	}()
	for {
		changed := c.Changed()
		if said, ok := c.Latest(); ok && said.Sequence == next-1 {
			return said
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.Fatal("the totals are never up to date")
		}
	}
}

func ofTotals(p topic.Period) account {
	sum := account{}
	for _, w := range p.Wagers {
		if w.Result != w.Staked-w.PaidOut {
			panic(fmt.Sprintf("%+v", w))
		}
		sum.add(w.Wager, came{w.Result, w.Staked})
	}
	return sum
}

// refilled is a store of the pit that was filled from a journal.
func refilled(t *testing.T, r *journal.Reader) *store.Store {
	t.Helper()
	s := openPit(t, filepath.Join(processes.FastDir(t), "pit.db"))
	t.Cleanup(func() { closePit(t, s) })
	if err := s.Refill(t.Context(), theTable(t), r, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

func ofStore(t *testing.T, s *store.Store, since time.Time) account {
	t.Helper()
	sums, err := s.Sums(t.Context(), store.Query{
		First: gamingDay.Of(since),
		By:    []store.Group{store.ByWager, store.ByDealer},
	})
	if err != nil {
		t.Fatal(err)
	}
	all := account{}
	for _, one := range sums {
		all.add(one.Wager, came{one.Staked - one.Returned, one.Staked})
	}
	return all
}

func ofExport(t *testing.T, out string, since time.Time) account {
	t.Helper()
	db, err := sql.Open("sqlite", out)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT wager, sum(CASE out WHEN 'settled' THEN stake - event.returned - event.won WHEN 'payout' THEN event.due - event.paid WHEN 'adjusted' THEN event.due - event.paid ELSE -event.won END), sum(CASE out WHEN 'settled' THEN stake ELSE 0 END)
		FROM event JOIN round ON round.number = event.round
		WHERE out IN ('settled', 'bonus', 'payout', 'adjusted') AND event.taken_back IS NULL AND (event.won IS NOT NULL OR out IN ('payout', 'adjusted')) AND ended IS NOT NULL AND began >= ? GROUP BY wager`,
		since.UTC().Format("2006-01-02T15:04:05.000000000Z"))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := account{}
	for rows.Next() {
		var wager string
		var sum came
		if err := rows.Scan(&wager, &sum.result, &sum.staked); err != nil {
			t.Fatal(err)
		}
		all.add(wager, sum)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
