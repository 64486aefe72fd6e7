package store_test

import (
	"context"
	"database/sql"
	"encoding/csv"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/tray"
	"github.com/sabot-table/sabot/table/vocab"
)

// keep has the store keep the journals, and the drop counted: each box holds what it must, and one was counted wrongly
// first.
func keep(t *testing.T, s *store.Store, list []*journaltest.Evening) map[topic.Table]*tray.Records {
	t.Helper()
	for _, e := range list {
		if err := s.Refill(t.Context(), e.Table, reader(t, e.Folder), nil); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.TrayDay(t.Context(), journaltest.TheGamingDay)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range list {
		d := tray.DayOf(all[e.Table])
		if len(d.Boxes) != 1 || d.Boxes[0].Off == nil || d.Boxes[0].Must != e.Sold {
			t.Fatalf("%s: the boxes are %+v, and %d were sold", e.Table, d.Boxes, e.Sold)
		}
		box := tray.Opened{
			Journal: d.Boxes[0].Off.Journal, Record: d.Boxes[0].Off.Record, At: d.Closing.At, Who: "cora",
			Role:   "manager",
			Amount: e.Sold,
		}
		if i == 1 {
			box.Amount -= 5000
		}
		if err := s.CountDrop(t.Context(), e.Table, journaltest.TheGamingDay, box); err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			correct(t, s, e, box)
		}
	}
	if all, err = s.TrayDay(t.Context(), journaltest.TheGamingDay); err != nil {
		t.Fatal(err)
	}
	return all
}

// correct counts a box again, which needs a reason.
func correct(t *testing.T, s *store.Store, e *journaltest.Evening, box tray.Opened) {
	t.Helper()
	box.Amount = e.Sold
	if err := s.CountDrop(t.Context(), e.Table, journaltest.TheGamingDay, box); !errors.Is(err, store.ErrCounted) {
		t.Errorf("a second count without a reason: %v", err)
	}
	box.Reason = "a bundle was left out"
	if err := s.CountDrop(t.Context(), e.Table, journaltest.TheGamingDay, box); err != nil {
		t.Fatal(err)
	}
	box.Record++
	if err := s.CountDrop(t.Context(), e.Table, journaltest.TheGamingDay, box); !errors.Is(err, store.ErrNoBox) {
		t.Errorf("a box that no table has taken off: %v", err)
	}
	box.Record, box.Reason = 0, ""
	if err := s.CountDrop(t.Context(), e.Table, journaltest.TheGamingDay, box); !errors.Is(err, store.ErrNoBox) {
		t.Errorf("a box of a journal without a record, which would be counted again without a reason: %v", err)
	}
}

// TestTheGamingDay: a gaming day of eight hours on twelve tables, with fills, credits, cash, tips, relief, wrong
// payments, payments taken back and adjustments of past rounds: all trays balance but the one from which a chip of
// 100.00 was taken, whose difference is named to the two counts between which it went, and to the rounds worth
// looking at. What the pit says must be in a tray is what lies there, now and by the records alone.
func TestTheGamingDay(t *testing.T) {
	const thief = 6
	onEachInSoak(t, func(t *testing.T, source string) {
		list := journaltest.Evenings(t, 12, tier.Times(12, 60), thief)
		s := open(t, source)
		all := keep(t, s, list)
		var floor tray.Sum
		looked, adjusted := 0, 0
		for i, e := range list {
			d := tray.DayOf(all[e.Table])
			adjusted += e.Cash.Adjustments
			if !d.Counted() || !d.Closed || d.Doubtful || d.Uncounted() != 0 || len(d.Slips) != 3 ||
				len(d.Between) != 4 {
				t.Fatalf("%s: %+v", e.Table, d)
			}
			want := int64(0)
			if i == thief {
				want = -10_000
				looked = checkTheft(t, &d)
			}
			if d.Difference() != want {
				t.Errorf("%s: the counts say %d, the rounds %d", e.Table, d.Win(), d.Rounds)
			}
			for _, one := range d.Between {
				if one.Lacks != 0 || one.Differs() != (i == thief && one.To == d.Between[2].To) {
					t.Errorf("%s: between %v and %v: %+v", e.Table, one.From.At, one.To.At, one)
				}
			}
			floor.Add(&d.Sum)
		}
		if floor.Difference() != -10_000 || looked == 0 || adjusted == 0 {
			t.Errorf("the floor differs by %d, %d rounds to look at, %d adjustments", floor.Difference(), looked,
				adjusted)
		}
		checkTrayExport(t, s, list[thief].Table.Name())
		if differ, err := s.Compare(t.Context(), nil); err != nil || len(differ) > 0 {
			t.Errorf("what is kept of the trays does not follow from the records: %v, %v", differ, err)
		}
	})
}

// checkTrayExport finds in the export the one count that differs, and every entry of a drop box.
func checkTrayExport(t *testing.T, s *store.Store, thief string) {
	t.Helper()
	folder := filepath.Join(tabletest.FastDir(t), "out")
	if _, err := s.Export(t.Context(), folder, store.ExportOptions{Format: "csv"}); err != nil {
		t.Fatal(err)
	}
	read := func(name string) [][]string {
		file, err := os.Open(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(file).ReadAll()
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
		return rows
	}
	rows := read("tray.csv")
	differs, table := slices.Index(rows[0], "difference"), slices.Index(rows[0], "table_name")
	var found []string
	for _, row := range rows[1:] {
		if row[differs] != "" && row[differs] != "0" {
			found = append(found, row[table]+" "+row[differs])
		}
	}
	if !slices.Equal(found, []string{thief + " -10000"}) {
		t.Errorf("by the export these counts differ: %v", found)
	}
	rows = read("drop_box.csv")
	currency := slices.Index(rows[0], "currency")
	if len(rows) != 14 || slices.ContainsFunc(rows, func(row []string) bool { return row[currency] == "" }) {
		t.Errorf("the export has these entries of drop boxes: %q", rows)
	}
}

// checkTheft looks at the day of the table at which a chip is missing, and returns how many rounds are worth looking
// at.
func checkTheft(t *testing.T, d *tray.Day) int {
	t.Helper()
	n := d.Between[2] // the counts are: opening, after the third hour, after the sixth, closing
	from, to := n.From.At.Hour(), n.To.At.Hour()
	if n.Amount != -10_000 || n.Chip != 10_000 || n.From != d.Between[1].To || len(n.To.Told.Dealers) < 2 {
		t.Errorf("between %d and %d o'clock: %+v", from, to, n)
	}
	for _, one := range n.Rounds {
		if one.Adjusted == 0 && (one.Last <= n.From.Record || one.Last > n.To.Record) {
			t.Errorf("round %d is none of the interval's", one.Number)
		}
	}
	return len(n.Rounds)
}

// TestAmountsThatCannotBe: a table that records amounts which wrap a sum keeps nobody from seeing the other trays, and
// of its own nobody can say what must be in it.
func TestAmountsThatCannotBe(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		list := journaltest.Evenings(t, 2, 4, -1)
		for _, e := range list {
			if err := s.Refill(t.Context(), e.Table, reader(t, e.Folder), nil); err != nil {
				t.Fatal(err)
			}
		}
		err := s.Change(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
			const hostile = `place = (SELECT id FROM place WHERE name = $1)`
			_, err := tx.ExecContext(ctx, `UPDATE tray_round SET won = 9223372036854775807, last = last + 1000000
				WHERE `+hostile, list[0].Table.Name())
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, `UPDATE tray_event SET amount = -9223372036854775808, kind = 'buy-in',
				record = record + 1000000 WHERE kind <> 'count' AND `+hostile, list[0].Table.Name())
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		all, err := s.Trays(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !all[list[1].Table].Known || all[list[0].Table].Known {
			t.Errorf("%+v and %+v", all[list[0].Table], all[list[1].Table])
		}
	})
}

// TestTraysNow: while a table deals, is killed and started again, what the pit says must be in the tray is what lies
// there, and it comes out the same from the records alone.
func TestTraysNow(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		of := table(t, "bj-1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		n := journaltest.NewNight(t, folder, "wiesbaden", 35)
		dice := rand.New(rand.NewPCG(36, 1))
		n.Cash = &tabletest.Cash{Player: tabletest.Player{Dice: dice, Boxes: 3, Freely: true}, Float: true}
		n.Take(n.Cash.Count(vocab.CountOpening))
		for range tier.Times(120, 400) {
			n.Rounds(1 + dice.IntN(4))
			if dice.IntN(9) == 0 {
				n.Kill()
			}
			if err := s.Refill(t.Context(), of, reader(t, folder), nil); err != nil {
				t.Fatal(err)
			}
			all, err := s.Trays(t.Context())
			if err != nil || all[of] == nil {
				t.Fatalf("%v, %v", all, err)
			}
			now := all[of]
			if must := n.Cash.Held() + n.Cash.Stolen; !now.Known || now.Must != must {
				t.Fatalf("%d must be in the tray; the pit says %d, %t, since %+v", must, now.Must, now.Known, now.Count)
			}
			if !slices.IsSortedFunc(now.Slips, func(a, b tray.Slip) int { return int(a.Number) - int(b.Number) }) {
				t.Errorf("slips under way: %+v", now.Slips)
			}
		}
		if n.Cash.Counts < 5 || n.Cash.Slips == 0 {
			t.Errorf("%d counts and %d slips: the test shows too little", n.Cash.Counts, n.Cash.Slips)
		}
		days, err := s.TrayDay(t.Context(), s.Day().Of(n.Now))
		if err != nil || days[of] == nil {
			t.Fatalf("%v, %v", days, err)
		}
		for _, one := range tray.DayOf(days[of]).Between {
			if one.Lacks != 0 {
				t.Errorf("between %+v and %+v the pit lacks %d", one.From, one.To, one.Lacks)
			}
		}
		if err := s.Rebuild(t.Context(), of); err != nil {
			t.Fatal(err)
		}
		if differ, err := s.Compare(t.Context(), nil); err != nil || len(differ) > 0 {
			t.Errorf("%v, %v", differ, err)
		}
	})
}

// TestTraysOfAnotherCurrency: a set-up with another currency makes the tray one that nobody has counted, also once the
// first currency is back. What was sold for the other money is in no sum, and slips stay in the money that they are of.
func TestTraysOfAnotherCurrency(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s, of := open(t, source), table(t, "bj-1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		n := journaltest.NewNight(t, folder, "wiesbaden", 41)
		check := func(when, currency string, counted bool, must, cash int64) {
			t.Helper()
			n.Flush()
			if err := s.Refill(t.Context(), of, reader(t, folder), nil); err != nil {
				t.Fatal(err)
			}
			all, err := s.Trays(t.Context())
			if err != nil || all[of] == nil {
				t.Fatalf("%s: %v, %v", when, all, err)
			}
			y := all[of]
			if y.Known != counted || (y.Count != nil) != counted || y.Must != must || y.Cash != cash ||
				y.Currency != currency || len(y.Slips) != 1 || y.Slips[0].Steps[0].Currency != "EUR" {
				t.Errorf("%s: %+v", when, y)
			}
		}
		n.Count(vocab.CountOpening, 100)
		n.Sell(20_000)
		n.AskFill(10)
		check("in euros", "EUR", true, 980_000, 20_000)
		n.SetUp("yen")
		check("set up in yen", "JPY", false, 0, 0)
		n.Sell(5000)
		n.Rounds(2)
		check("not counted yet", "JPY", false, 0, 5000)
		n.Count(vocab.CountOpening, 200)
		n.Sell(1000)
		check("in yen", "JPY", true, 1_999_000, 6000)
		n.SetUp("wiesbaden")
		check("in euros again", "EUR", false, 0, 0)
		n.Sell(700)
		n.Count(vocab.CountOpening, 50)
		n.Sell(300)
		check("counted again", "EUR", true, 499_700, 1000)
		n.Take(vocab.Input{Kind: vocab.InDrop, By: "s1"})
		n.Count(vocab.CountInterim, 50)
		check("taken off", "EUR", true, 500_000, 0)
		threeTrays(t, s, of)
		if err := s.Rebuild(t.Context(), of); err != nil {
			t.Fatal(err)
		}
		requireFigures(t, s)
		threeTrays(t, s, of)
	})
}

// TestTheBoxOfTwoDays: in the box that goes with its tray is what was sold since it was put there, also in the gaming
// day before; what was sold into the box before it is not.
func TestTheBoxOfTwoDays(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s, of := open(t, source), table(t, "bj-1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		n := journaltest.NewNight(t, folder, "wiesbaden", 49)
		n.Count(vocab.CountOpening, 100)
		n.Sell(500)
		n.Take(vocab.Input{Kind: vocab.InDrop, By: "s1"})
		n.Sell(20_000)
		n.Rounds(2)
		n.Count(vocab.CountInterim, 98)
		n.Now = n.Now.AddDate(0, 0, 1)
		n.Count(vocab.CountOpening, 98)
		n.Sell(10_000)
		n.Count(vocab.CountInterim, 97)
		n.SetUp("yen")
		n.Sell(700)
		n.SetUp("wiesbaden")
		n.Flush()
		if err := s.Refill(t.Context(), of, reader(t, folder), nil); err != nil {
			t.Fatal(err)
		}
		day := s.Day().Of(n.Now)
		for _, what := range []string{"at once", "once the day before is removed"} {
			days, err := s.TrayDay(t.Context(), day)
			if err != nil || len(days[of].Trays()) != 2 {
				t.Fatalf("%s: %+v, %v", what, days[of], err)
			}
			for i, must := range []int64{30_000, 700} {
				d := tray.DayOf(&days[of].Trays()[i].Records)
				if len(d.Boxes) != 1 || d.Boxes[0].Off == nil || d.Boxes[0].Must != must {
					t.Errorf("%s: tray %d has %+v, want %d", what, i, d.Boxes, must)
				}
			}
			if err := s.Prune(t.Context(), day); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestASetUpWithAWrongClock: whatever the table's clock said when it was set up with another money, the tray of before
// is gone in the day in which something was done to it, and its box can be counted.
func TestASetUpWithAWrongClock(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		for name, wrong := range map[string]func(time.Time) time.Time{
			"bj-1": func(time.Time) time.Time { return time.Unix(100, 0) },
			"bj-2": func(right time.Time) time.Time { return right.Add(-20 * time.Hour) },
		} {
			of, folder := table(t, name), filepath.Join(tabletest.FastDir(t), "journal")
			n := journaltest.NewNight(t, folder, "wiesbaden", 50)
			n.Count(vocab.CountOpening, 100)
			n.Now = n.Now.AddDate(0, 0, 1)
			n.Count(vocab.CountInterim, 100)
			n.Sell(20_000)
			right := n.Now
			n.Now = wrong(right)
			n.SetUp("yen")
			n.Now = right
			n.Sell(700)
			n.Flush()
			if err := s.Refill(t.Context(), of, reader(t, folder), nil); err != nil {
				t.Fatal(err)
			}
			day := s.Day().Of(right)
			days, err := s.TrayDay(t.Context(), day)
			if err != nil || len(days[of].Trays()) != 2 {
				t.Fatalf("%s: %+v, %v", name, days[of], err)
			}
			d := tray.DayOf(&days[of].Trays()[0].Records)
			if len(d.Boxes) != 1 || d.Boxes[0].Off == nil || d.Boxes[0].Must != 20_000 {
				t.Fatalf("%s: %+v", name, d.Boxes)
			}
			off := d.Boxes[0].Off
			err = s.CountDrop(t.Context(), of, day, tray.Opened{
				Journal: off.Journal, Record: off.Record, At: right.Add(time.Hour), Who: "cora", Amount: 20_000,
			})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// threeTrays requires the gaming day of a table that was set up in euros, in yen and in euros again: each tray has its
// own counts and boxes, and the box that went with the first euros can be counted.
func threeTrays(t *testing.T, s *store.Store, of topic.Table) {
	t.Helper()
	days, err := s.TrayDay(t.Context(), journaltest.TheGamingDay)
	if err != nil || days[of] == nil {
		t.Fatalf("%v, %v", days, err)
	}
	trays := days[of].Trays()
	if len(trays) != 3 {
		t.Fatalf("%d trays: %+v", len(trays), trays)
	}
	for i, want := range []struct {
		currency      string
		opening, sold int64
		boxes         int
	}{{"EUR", 1_000_000, 20_000, 1}, {"JPY", 2_000_000, 6000, 1}, {"EUR", 500_000, 1000, 1}} {
		d := tray.DayOf(&trays[i].Records)
		if trays[i].Currency != want.currency || d.Opening.Told.Amount != want.opening || len(d.Boxes) != want.boxes ||
			d.Boxes[0].Off == nil || d.Boxes[0].Must != want.sold || d.Doubtful || d.Counted() != (i == 2) {
			t.Errorf("tray %d: %+v", i, d)
		}
	}
	if d := tray.DayOf(&trays[2].Records); d.Drop != 300 || d.Difference() != 300 || d.Between[1].Amount != 300 {
		t.Errorf("the last tray: %+v, a difference of %d", d, d.Difference())
	}
	off := tray.DayOf(&trays[0].Records).Boxes[0].Off
	err = s.CountDrop(t.Context(), of, journaltest.TheGamingDay, tray.Opened{
		Journal: off.Journal, Record: off.Record, At: off.At.Add(time.Hour), Who: "cora", Amount: 20_000,
		Reason: "again",
	})
	if err != nil {
		t.Fatal(err)
	}
	if days, err = s.TrayDay(t.Context(), journaltest.TheGamingDay); err != nil {
		t.Fatal(err)
	}
	for i, one := range days[of].Trays() {
		d := tray.DayOf(&one.Records)
		if d.Uncounted() == 0 != (i == 0) || i == 0 && d.Boxes[0].Counts[0].Currency != "EUR" {
			t.Errorf("the first box was counted, and tray %d has %+v", i, d.Boxes)
		}
	}
}

// TestAClockThatIsSetBack: what a table has recorded later came later, though its clock was set back in between.
func TestAClockThatIsSetBack(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s, of := open(t, source), table(t, "bj-1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		n := journaltest.NewNight(t, folder, "wiesbaden", 48)
		step := func(step vocab.SlipStep, by string) {
			n.Now = n.Now.Add(-10 * time.Minute)
			n.Take(vocab.Input{Kind: vocab.InFill, By: by, Tray: &vocab.Tray{Step: step, Slip: 1, Chips: []vocab.Chips{
				{Value: 10_000, Pieces: 10},
			}}})
		}
		n.Count(vocab.CountOpening, 100)
		n.AskFill(10)
		step(vocab.SlipApproved, "s1")
		n.Sell(30_000)
		step(vocab.SlipSent, "c1")
		step(vocab.SlipReceived, "d1")
		n.Take(vocab.Input{Kind: vocab.InDrop, By: "s1"})
		n.Count(vocab.CountClosing, 107)
		n.Flush()
		if err := s.Refill(t.Context(), of, reader(t, folder), nil); err != nil {
			t.Fatal(err)
		}
		days, err := s.TrayDay(t.Context(), journaltest.TheGamingDay)
		if err != nil {
			t.Fatal(err)
		}
		d := tray.DayOf(&days[of].Trays()[0].Records)
		if !d.Closed || d.Difference() != 0 || len(d.Boxes) != 1 || len(d.Slips) != 1 || !d.Slips[0].Over() {
			t.Errorf("%+v", d)
		}
		all, err := s.Trays(t.Context())
		if err != nil || len(all[of].Slips) != 0 || all[of].Must != 1_070_000 {
			t.Errorf("%+v, %v", all[of], err)
		}
	})
}

// TestTheNextBoxIsCounted: what is in a box that is on the table is entered without a reason, though the one before it
// was counted while that was there, also where the table's clock is ahead; a second entry of it needs one.
func TestTheNextBoxIsCounted(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s, of := open(t, source), table(t, "bj-1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		n := journaltest.NewNight(t, folder, "wiesbaden", 47)
		enter := func(want error) {
			t.Helper()
			n.Flush()
			if err := s.Refill(t.Context(), of, reader(t, folder), nil); err != nil {
				t.Fatal(err)
			}
			n.Now = n.Now.Add(time.Minute)
			one := tray.Opened{At: n.Now, Who: "cora", Amount: 1000}
			err := s.CountDrop(t.Context(), of, journaltest.TheGamingDay, one)
			if !errors.Is(err, want) {
				t.Errorf("%v, want %v", err, want)
			}
		}
		n.Sell(1000)
		enter(nil)
		enter(store.ErrCounted)
		n.Take(vocab.Input{Kind: vocab.InDrop, By: "s1"})
		n.Sell(1000)
		enter(nil)
		enter(store.ErrCounted)
		n.SetUp("yen")
		n.SetUp("wiesbaden")
		n.Sell(1000)
		enter(nil)
		enter(store.ErrCounted)
		right := n.Now
		n.Now = right.Add(time.Hour) // the table's clock is ahead
		n.Take(vocab.Input{Kind: vocab.InDrop, By: "s1"})
		n.Sell(1000)
		n.Now = right
		enter(nil)
		days, err := s.TrayDay(t.Context(), journaltest.TheGamingDay)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			d := tray.DayOf(&days[of].Trays()[i].Records)
			if len(d.Boxes) != 2 || d.Uncounted() != 0 {
				t.Errorf("tray %d has %+v", i, d.Boxes)
			}
		}
	})
}

// TestATableComesWhileTheDayIsRead: a drop box of a table that was not there yet when the tables were read is left out
// until the day is read again.
func TestATableComesWhileTheDayIsRead(t *testing.T) {
	s := open(t, filepath.Join(tabletest.FastDir(t), "pit.db"))
	err := s.Change(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO drop_count
			(place, journal, record, nth, day, at, who, role, amount, currency, reason)
			VALUES (1, '', 0, 1, $1, 0, 'cora', 'manager', 1000, 'EUR', '')`, int64(journaltest.TheGamingDay))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if all, err := s.TrayDay(t.Context(), journaltest.TheGamingDay); err != nil || len(all) > 0 {
		t.Errorf("the day is %+v, %v", all, err)
	}
}
