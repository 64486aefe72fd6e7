package simtest

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/vocab"
)

// The tray between two rounds: what is counted, filled, credited, sold and adjusted.
const tray = "tray"

// errand is what is done with the tray, from what the display shows between two rounds.
type errand func(*World, *rand.Rand, display.View) []vocab.Input

// errands are by their names.
var errands = map[string]errand{
	"count":  counted,
	"fill":   func(w *World, dice *rand.Rand, _ display.View) []vocab.Input { return w.slip(dice, vocab.InFill) },
	"credit": func(w *World, dice *rand.Rand, _ display.View) []vocab.Input { return w.slip(dice, vocab.InCredit) },
	"buy-in": sold(vocab.InBuyIn),
	"tips":   sold(vocab.InTips),
	"drop": func(*World, *rand.Rand, display.View) []vocab.Input {
		return one(vocab.Input{Kind: vocab.InDrop, By: "supervisor"})
	},
	"change": changed,
	"adjust": adjusted,
}

func drawErrand(dice *rand.Rand) Args {
	what := pick(dice, "count", "count", "count", "fill", "credit", "buy-in", "tips", "drop", "change",
		"adjust", "adjust")
	return Args{"what=" + what, fmt.Sprint("dice=", 1+dice.IntN(1e6))}
}

// counted is a count. A closing one closes the table.
func counted(_ *World, dice *rand.Rand, _ display.View) []vocab.Input {
	event := pick(dice, vocab.CountOpening, vocab.CountInterim, vocab.CountInterim, vocab.CountClosing)
	return one(vocab.Input{Kind: vocab.InCount, By: "supervisor", Tray: &vocab.Tray{
		Count: event, Dealer: "d1", Chips: []vocab.Chips{
			{Value: 10000, Pieces: int64(dice.IntN(200))},
			{Value: 500, Pieces: int64(dice.IntN(300))},
		},
	}})
}

// slip is a fill or a credit with all its steps, of which it may lack the last or be refused. The table gives the
// numbers in a row.
func (w *World) slip(dice *rand.Rand, kind vocab.InputKind) []vocab.Input {
	w.slips++
	chips := []vocab.Chips{{Value: 2000, Pieces: int64(1 + dice.IntN(20))}}
	step := func(step vocab.SlipStep, by string, chips []vocab.Chips) vocab.Input {
		y := vocab.Tray{Step: step, Chips: chips}
		if step != vocab.SlipAsked {
			y.Slip = w.slips
		}
		return vocab.Input{Kind: kind, By: by, Tray: &y}
	}
	list := []vocab.Input{
		step(vocab.SlipAsked, "d1", chips), step(vocab.SlipApproved, "supervisor", nil),
		step(vocab.SlipSent, "cage", chips), step(vocab.SlipReceived, "d1", chips),
	}
	if dice.IntN(4) == 0 {
		refused := step(vocab.SlipRefused, "supervisor", nil)
		refused.Because = "not today"
		list = append(list[:1+dice.IntN(2)], refused)
	}
	return list
}

func sold(kind vocab.InputKind) errand {
	return func(_ *World, dice *rand.Rand, _ display.View) []vocab.Input {
		in := vocab.Input{Kind: kind, By: "d1", Amount: pick(dice, int64(5000), 10000, 20000, -5000)}
		if in.Amount < 0 {
			in.By, in.Because = "supervisor", "miscounted"
		}
		return one(in)
	}
}

func changed(*World, *rand.Rand, display.View) []vocab.Input {
	return one(vocab.Input{Kind: vocab.InChange, By: "d1", Tray: &vocab.Tray{
		Chips: []vocab.Chips{{Value: 500, Pieces: 20}}, For: []vocab.Chips{{Value: 10000, Pieces: 1}},
	}})
}

// adjusted is of a wager of the round that lies there, or of one before it.
func adjusted(_ *World, dice *rand.Rand, v display.View) []vocab.Input {
	b, ok := played(dice, v)
	if !ok {
		return nil
	}
	in := vocab.Input{
		Kind: vocab.InAdjust, PastRound: int(v.Round), Box: b.Number, Bettor: pick(dice, b.Bettors...).Name,
		Wager: vocab.WagerMain, By: "supervisor", Because: "dispute",
	}
	in.PastRound -= dice.IntN(2)
	in.Amount = pick(dice, v.Min, -v.Min, v.Unit)
	return one(in)
}

// toTray has something done with the tray when no round is under way.
func (w *World) toTray(a Args) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.errands = append(w.errands, a)
}

// betweenRounds does what is to be done with the tray, which may be refused, and opens a table that was closed by it.
func (w *World) betweenRounds(ctx context.Context, table Table) error {
	v, err := sight(ctx, table)
	if err != nil || !isIdle(v) {
		return err
	}
	w.mu.Lock()
	todo := w.errands
	w.errands = nil
	w.mu.Unlock()
	for _, a := range todo {
		dice := rand.New(rand.NewPCG(w.script.Seed, uint64(a.number("dice"))))
		for _, in := range errands[a.get("what")](w, dice, v) {
			refused, err := w.press(ctx, table, in, false)
			if err != nil {
				return err
			}
			w.log.Info("tray", "what", in.Kind, "refused", refused)
		}
	}
	return w.openAgain(ctx, table)
}

func (w *World) openAgain(ctx context.Context, table Table) error {
	v, err := sight(ctx, table)
	if err != nil || !v.Opening.Closed {
		return err
	}
	_, err = w.press(ctx, table, vocab.Input{
		Kind: vocab.InTable, Table: vocab.TableChange{Event: vocab.TableOpened}, By: "supervisor",
	}, false)
	return err
}
