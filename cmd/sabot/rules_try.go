package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"text/tabwriter"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/croupier"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/secondbook"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file deals rounds of a house's own file: what the engine decides, what the second book says of it, and what was
// worked out, beside each other.

// triedRounds are how many rounds a house is tried for.
const triedRounds = 10_000

// tryHouse deals rounds by the rules, and writes what they came to beside what was worked out.
func tryHouse(ctx context.Context, report *odds.Report, e env) error {
	t := &trial{rules: report.Rules, wagers: map[string]*dealtWager{}}
	if err := t.deal(ctx); err != nil {
		return err
	}
	result, err := dealt.Deal(ctx, report, dealt.Options{Rounds: triedRounds, Seed: oddsSeed})
	if err != nil {
		return err
	}
	fmt.Fprintf(e.out, "%d rounds were dealt: engine and second book agree on all %d wagers\n", triedRounds, t.decided)
	out := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(out, "  the house's edge\tworked out\tdealt\n")
	main := result.Main()
	for _, w := range report.Wagers {
		won := t.wagers[w.Name]
		if w.Name == main.Name {
			fmt.Fprintf(out, "  %s\t%.2f %%\t%.2f ± %.2f %%, in as many rounds with best play\n", w.Name, 100*w.Edge,
				100*main.Edge, 100*main.Error)
		} else if won != nil {
			edge, off := won.edge()
			fmt.Fprintf(out, "  %s\t%.2f %%\t%.2f ± %.2f %%, on %d wagers\n", w.Name, 100*w.Edge, 100*edge, 100*off,
				won.count)
		} else {
			fmt.Fprintf(out, "  %s\t%.2f %%\tno stake of its own was dealt\n", w.Name, 100*w.Edge)
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	worked := report.Wagers[0]
	if off := (main.Edge - worked.Edge) / cmp.Or(main.Error, 1); off > 4 || off < -4 {
		return fmt.Errorf("the engine and the analysis differ by %.1f standard errors on the main game: one of them "+
			"is wrong; report it with the file", off)
	}
	return nil
}

// trial is a table at which a house is tried, with guests who place every kind of wager.
type trial struct {
	rules    *rules.Rules
	tab      table.Table
	book     secondbook.Book
	croupier croupier.Croupier
	hole     croupier.HoleCard
	dice     *rand.Rand
	stock    []card.Card
	decided  int
	wagers   map[string]*dealtWager
}

// dealtWager is what a wager has won for the house, in parts of its stakes. Those of one round share the bank's cards:
// the round is what counts for the standard error.
type dealtWager struct {
	count                  int
	sum                    float64
	won, counted           float64 // in the round under way
	squares, mixed, counts float64 // of the rounds before
}

// endRound adds the round under way to those before.
func (w *dealtWager) endRound() {
	w.squares += w.won * w.won
	w.mixed += w.won * w.counted
	w.counts += w.counted * w.counted
	w.won, w.counted = 0, 0
}

func (w *dealtWager) edge() (edge, off float64) {
	n := float64(w.count)
	edge = w.sum / n
	return edge, math.Sqrt(max(w.squares-2*edge*w.mixed+edge*edge*w.counts, 0)) / n
}

func (t *trial) deal(ctx context.Context) error {
	t.dice = rand.New(rand.NewPCG(oddsSeed, 0))
	t.croupier = croupier.Croupier{Dice: t.dice, Boxes: min(t.rules.Table.Boxes, 3), Sides: true}
	err := t.put(vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: t.rules.House}, Rules: t.rules})
	for err == nil && t.tab.Round() <= triedRounds {
		if err = ctx.Err(); err == nil {
			err = t.put(t.next())
		}
	}
	return err
}

// put puts something in, and has the second book read what came of it.
func (t *trial) put(in vocab.Input) error {
	outs := t.tab.Step(&in)
	where := func(what string, err error) error {
		return fmt.Errorf("round %d of %s, at %s %s %s: %s: %w; report it with the file", t.tab.Round(), t.rules.House,
			in.Kind, in.Call, in.Card, what, err)
	}
	if err := t.book.Enter(&in, outs); err != nil {
		return where("the second book disagrees with the engine", err)
	}
	if why := t.tab.Rejected(); why != 0 {
		return where("the engine refuses what it asked for", errors.New(why.String()))
	}
	for i := range outs {
		if out := &outs[i]; out.Kind == vocab.Settled {
			t.count(out)
		}
	}
	return nil
}

func (t *trial) count(out *vocab.Output) {
	t.decided++
	if out.Unstated || out.Stake == 0 || out.Outcome == vocab.Void {
		return
	}
	name := out.Wager.String()
	if out.Wager == vocab.WagerInsurance && t.tab.Bank().Cards[0].Rank() != card.Ace {
		name = odds.InsuranceTen
	}
	if t.wagers[name] == nil {
		t.wagers[name] = new(dealtWager)
	}
	w, won := t.wagers[name], float64(out.Stake-out.Returned-out.Won)/float64(out.Stake)
	w.count++
	w.sum += won
	w.won += won
	w.counted++
}

// next is what croupier, guests and shoe do next.
func (t *trial) next() vocab.Input {
	if held, holding := t.tab.Held(); holding { // a big win
		for choice := range held.Choices.All {
			return vocab.Input{Kind: vocab.InResolve, With: choice, By: "rules check"}
		}
	}
	in, decides := t.croupier.Next(&t.tab)
	if !decides {
		return t.hole.Lay(&t.tab, vocab.Input{Kind: vocab.InCard, Card: t.draw()})
	}
	if in.Kind == vocab.InHole {
		return t.hole.See(&t.tab, in)
	}
	if in.Kind != vocab.InOpen {
		return in
	}
	for _, w := range t.wagers {
		w.endRound()
	}
	if t.tab.Opening().Closed {
		return vocab.Input{Kind: vocab.InTable, Table: vocab.TableChange{Event: vocab.TableOpened}, By: "rules check"}
	}
	full := croupier.Cards(t.rules.Cards)
	if t.rules.Cards.Source == rules.Shuffler {
		t.stock = full
	}
	if len(t.stock) < len(full)/4 {
		t.stock = full
		return vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeLoaded}}
	}
	return in
}

// draw takes any card out of those that are left.
func (t *trial) draw() card.Card {
	if len(t.stock) == 0 {
		t.stock = croupier.Cards(t.rules.Cards)
	}
	last, at := len(t.stock)-1, t.dice.IntN(len(t.stock))
	c := t.stock[at]
	t.stock[at] = t.stock[last]
	t.stock = t.stock[:last]
	return c
}
