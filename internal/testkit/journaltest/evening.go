package journaltest

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/vocab"
)

// Evening is a table's gaming day of eight hours, with a float, fills, credits, cash, relief and mistakes.
type Evening struct {
	*Night
	Table  topic.Table
	Folder string
	// Sold is the cash in the drop box.
	Sold int64

	slip uint32
	// stolen is when a chip of 100.00 goes, in hours; never if it is 0.
	stolen int
}

func (e *Evening) chips(hour int) []vocab.Chips {
	return []vocab.Chips{{Value: 500, Pieces: int64(20 + hour)}, {Value: 10_000, Pieces: 3}}
}

// order takes all steps of a slip but its approval by the one who asked.
func (e *Evening) order(kind vocab.InputKind, hour int) {
	e.slip++
	step := func(step vocab.SlipStep, by string) {
		y := &vocab.Tray{Step: step, Chips: e.chips(hour)}
		if step != vocab.SlipAsked {
			y.Slip = e.slip
		}
		if step == vocab.SlipApproved {
			y.Chips = nil
		}
		e.Take(vocab.Input{Kind: kind, By: by, Tray: y})
	}
	step(vocab.SlipAsked, "d1")
	step(vocab.SlipApproved, "s1")
	step(vocab.SlipSent, "cage")
	step(vocab.SlipReceived, "d1")
}

// sell sells chips for cash, which goes into the drop box.
func (e *Evening) sell(amount int64) {
	e.Sell(amount)
	e.Sold += amount
}

// hour is one of the eight.
func (e *Evening) hour(hour, rounds int) {
	e.Rounds(rounds)
	e.sell(20_000 + int64(hour)*5000)
	switch hour {
	case 1, 6:
		e.order(vocab.InFill, hour)
	case 3:
		e.order(vocab.InCredit, hour)
		e.Take(vocab.Input{Kind: vocab.InTips, Amount: 5000, By: "d1"})
	}
	if e.stolen > 0 && hour == e.stolen {
		e.Cash.Moved, e.Cash.Stolen = e.Cash.Moved-10_000, e.Cash.Stolen+10_000
	}
	if hour == 2 || hour == 5 {
		e.Take(e.Cash.Count(vocab.CountInterim))
	}
	e.Flush()
}

// TheGamingDay is that of the evenings, 20260328: they begin at 20:00 of the clock in Berlin.
const TheGamingDay = 20260328

// Evenings are the tables of a floor, with so many rounds an hour. From the tray of one a chip of 100.00 is stolen in
// the fifth hour; of none, for a negative number.
func Evenings(tb testing.TB, tables, rounds, thief int) (list []*Evening) {
	tb.Helper()
	for i := range tables {
		houses := []string{"wiesbaden", "baden", "st-moritz", "mendrisio"}
		folder := filepath.Join(tabletest.FastDir(tb), "journal")
		n := NewNight(tb, folder, houses[i%len(houses)], uint64(i)+350)
		n.Dealers, n.Apart = []string{"anna", "ben", "carla"}, 400*time.Millisecond
		dice := rand.New(rand.NewPCG(uint64(i), 351))
		n.Cash = &tabletest.Cash{Player: tabletest.Player{Dice: dice, Boxes: 1 + i%4, Freely: true}}
		table, err := topic.NewTable("wiesbaden", fmt.Sprintf("bj-%d", i+1))
		if err != nil {
			tb.Fatal(err)
		}
		e := &Evening{Night: n, Folder: folder, Table: table}
		if i == thief {
			e.stolen = 4
		}
		begun := n.Now
		e.Take(n.Cash.Count(vocab.CountOpening))
		for hour := range 8 {
			n.Now = begun.Add(time.Duration(hour)*time.Hour + time.Minute)
			e.hour(hour, rounds)
		}
		e.Take(n.Cash.Count(vocab.CountClosing))
		e.Take(vocab.Input{Kind: vocab.InDrop, By: "s1"})
		e.Flush()
		if len(n.Cash.Wrong) > 0 {
			tb.Fatal(n.Cash.Wrong)
		}
		list = append(list, e)
	}
	return list
}
