package main

import (
	"context"
	"errors"
	"flag"
	"strconv"
)

// oddsAsked is a command line of sabot rules odds.
type oddsAsked struct {
	house, wager, bankCard, hand, seen string
	decks, boxes                       int
	// meter is the amount in the jackpot, as it was written.
	meter                  string
	changes                []string
	compare                bool
	json, chart, csv, html bool
	rounds                 int64
	state                  string
	e                      env
}

// workOutOdds says what the rules of a house are worth.
func workOutOdds(ctx context.Context, set *flag.FlagSet, args []string, e env) error {
	o := oddsAsked{e: e}
	o.define(set)
	names, err := parseAmong(set, args, e)
	if err != nil {
		return err
	}
	if err := o.fits(len(names)); err != nil {
		return err
	}
	if o.compare {
		return o.compared(ctx, names[0], names[1])
	}
	if o.house == "" {
		return o.allHouses(ctx)
	}
	h, err := o.houseOf(o.house)
	if err != nil {
		return err
	}
	if len(o.changes) > 0 {
		return o.whatIf(ctx, h)
	}
	if err := o.suits(h); err != nil {
		return err
	}
	return o.one(ctx, h)
}

// parseAmong parses options before, between and after the names of houses.
func parseAmong(set *flag.FlagSet, args []string, e env) (names []string, err error) {
	for {
		if err := parse(set, args, e); err != nil || set.NArg() == 0 {
			return names, err
		}
		names, args = append(names, set.Arg(0)), set.Args()[1:]
	}
}

func (o *oddsAsked) define(set *flag.FlagSet) {
	set.StringVar(&o.house, "house", "",
		"the `house`, or the file of a house's own; by default all that come with Sabot")
	set.Func("decks", "so many `packs` instead of the house's", func(text string) (err error) {
		if o.decks, err = strconv.Atoi(text); err != nil || o.decks < 1 {
			err = errors.New("write how many packs, 1 or more")
		}
		return err
	})
	set.IntVar(&o.boxes, "boxes", 1, "so many `boxes` are played, each by another holder")
	set.StringVar(&o.seen, "seen", "", "the `cards` that have left the shoe, such as 7H,TS,JOKER, or a file with them")
	set.StringVar(&o.meter, "meter", "", "the `amount` in the jackpot; by default the house's seed")
	several(set, &o.changes, "set",
		"what if: `KEY=VALUE` of the house's profile, such as pays.black_jack=6:5; may be given several times")
	set.BoolVar(&o.compare, "compare", false, "put two houses beside each other")
	set.StringVar(&o.wager, "wager", "", "only this `wager`, such as main or perfect-pairs")
	set.StringVar(&o.bankCard, "bank-card", "",
		"how the bank ends from this first `card`, such as A; with --hand, what it shows")
	set.StringVar(&o.hand, "hand", "", "what each call is worth with these `cards` against --bank-card, such as TS,6H")
	set.Int64Var(&o.rounds, "simulate", 0, "deal so many `rounds` with the engine by the best play, and compare")
	set.StringVar(&o.state, "state", "", "the `file` that keeps how far --simulate is; it goes on from there")
	set.BoolVar(&o.json, "json", false, "a JSON line for each result")
	set.BoolVar(&o.chart, "chart", false, "the best play as a chart, too")
	set.BoolVar(&o.csv, "csv", false, "the best play as CSV: what each call of each cell is worth, and what it costs")
	set.BoolVar(&o.html, "html", false, "everything as a page")
}
