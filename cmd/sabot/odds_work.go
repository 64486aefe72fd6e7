package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// fits refuses options that exclude each other.
func (o *oddsAsked) fits(arguments int) error {
	switch {
	case o.compare && arguments != 2:
		return errUsage("--compare takes two houses")
	case !o.compare && arguments > 0:
		return errUsage("it takes options alone")
	case o.compare && (o.house != "" || o.changes != nil):
		return errUsage("--compare takes neither --house nor --set")
	case o.boxes < 1 || o.boxes > rules.MaxBoxes:
		return errUsage(fmt.Sprintf("--boxes takes 1 to %d", rules.MaxBoxes))
	case o.house == "" && !o.compare && (o.hand != "" || o.csv || o.html || o.changes != nil || o.seen != ""):
		return errUsage("name the house: --house HOUSE")
	case o.hand != "" && o.bankCard == "":
		return errUsage("--hand needs the bank's first card: --bank-card A")
	case countTrue(o.chart, o.csv, o.html, o.json, o.hand != "") > 1:
		return errUsage("choose one of --chart, --csv, --html, --json and --hand")
	case o.bankCard != "" && o.hand == "" && (o.chart || o.csv || o.html || o.wager != ""):
		return errUsage("--bank-card shows how the bank ends, and nothing besides; or give --hand")
	case o.wager != "" && o.wager != vocab.WagerMain.String() && (o.chart || o.csv || o.hand != ""):
		return errUsage("--chart, --csv and --hand are of the main game: leave --wager out")
	case o.meter != "" && (o.csv || o.bankCard != "" || o.rounds > 0):
		return errUsage("--meter is of the jackpot, of which nothing is asked here: leave it out")
	case o.rounds < 0 || o.state != "" && o.rounds == 0:
		return errUsage("--simulate takes the number of rounds; --state keeps how far they are")
	case o.rounds > dealt.MostRounds:
		return errUsage(fmt.Sprintf("--simulate takes at most %d rounds", int64(dealt.MostRounds)))
	case o.rounds > 0 && (o.compare || o.changes != nil || o.chart || o.csv || o.html || o.bankCard != "" ||
		o.wager != ""):
		return errUsage("--simulate deals the main game of a house as it is: take --house, --decks, --boxes and " +
			"--seen alone")
	case o.state != "" && o.house == "":
		return errUsage("--state is of one house: --house HOUSE")
	}
	return nil
}

func countTrue(list ...bool) (n int) {
	for _, is := range list {
		if is {
			n++
		}
	}
	return n
}

// houseOf finds a house, with the packs that were asked for.
func (o *oddsAsked) houseOf(name string) (*profile.House, error) {
	book, name, err := openHouse(name)
	if err != nil {
		return nil, err
	}
	if o.decks == 0 {
		return book[name], nil
	}
	return profile.WhatIf(book[name], []string{fmt.Sprintf("cards.decks=%d", o.decks)})
}

// inJackpot is what --meter says, in minor units of a house's currency.
func (o *oddsAsked) inJackpot(r *rules.Rules) (money.Amount, error) {
	if o.meter == "" {
		return 0, nil
	}
	return money.Parse(o.meter, r.Digits())
}

// suits refuses what none of the houses has.
func (o *oddsAsked) suits(houses ...*profile.House) error {
	boxes, jackpot := 0, false
	for _, h := range houses {
		if meter, err := o.inJackpot(h.Rules); o.meter != "" && (err != nil || meter == 0) {
			return errUsage(fmt.Sprintf("--meter: %q is not an amount above 0 of %s", o.meter, h.Rules.Table.Currency))
		}
		boxes = max(boxes, h.Rules.Table.Boxes)
		jackpot = jackpot || h.Jackpot != nil
	}
	switch {
	case o.boxes > boxes:
		return errUsage(fmt.Sprintf("--boxes: the table of %s has %d boxes, by table.boxes of its profile",
			houses[0].House, boxes))
	case o.meter != "" && !jackpot:
		return errUsage(fmt.Sprintf("--meter: %s has no jackpot", houses[0].House))
	}
	return nil
}

// shoe is the house's full shoe without the cards that were seen.
func (o *oddsAsked) shoe(r *rules.Rules) (odds.Shoe, error) {
	full := odds.Full(r)
	if o.seen == "" {
		return full, nil
	}
	cards, err := seenCards(o.seen)
	if err != nil {
		return full, fmt.Errorf("--seen: %w", err)
	}
	left, err := full.Without(cards)
	if err != nil {
		return full, fmt.Errorf("--seen: %w", err)
	}
	return left, nil
}

// mostSeen is the longest file of cards that can be seen of a shoe.
const mostSeen = 64 << 10

// seenCards reads cards, or the file of that name with cards in it.
func seenCards(text string) ([]card.Card, error) {
	if _, err := os.Stat(text); err != nil {
		return cardsIn(text)
	}
	data, err := securefile.Read(text, mostSeen)
	if err != nil {
		return nil, err
	}
	return cardsIn(string(data))
}

// cardsIn reads cards with commas, spaces or lines between them.
func cardsIn(text string) (cards []card.Card, err error) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) }) {
		c, err := card.ParseFace(strings.ToUpper(word))
		if err != nil {
			return nil, fmt.Errorf("%w; write cards such as 7H,TS,JOKER, or the name of a file with them", err)
		}
		cards = append(cards, c)
	}
	return cards, nil
}

// report works out a house, or of it only what is asked for.
func (o *oddsAsked) report(ctx context.Context, r *rules.Rules) (*odds.Report, error) {
	shoe, err := o.shoe(r)
	if err != nil {
		return nil, err
	}
	meter, err := o.inJackpot(r)
	if err != nil {
		return nil, err
	}
	q := odds.Query{Rules: r, Shoe: shoe, Boxes: o.boxes, Meter: meter}
	progress := terminal.NewBar(terminal.Raw(o.e.err), o.json)
	q.Told = func(p odds.Progress) { progress.Show(uint64(p.Done), uint64(p.Of)) }
	report, err := o.workOut(ctx, q)
	progress.Clear()
	if err != nil || o.wager == "" {
		return report, err
	}
	report.Wagers = slices.DeleteFunc(report.Wagers, func(w odds.Wager) bool { return w.Name != o.wager })
	if len(report.Wagers) == 0 {
		return nil, fmt.Errorf("%s has no wager %q; sabot rules show %s lists them", r.House, o.wager, r.House)
	}
	return report, nil
}

// usualRounds are dealt for what cannot be worked out: a second's work.
const usualRounds = 500_000

// workedOut is what the rules are worth. The tests replace it by one that remembers: many of them ask the same.
var workedOut = dealt.Report

// workOut leaves the main game out where only a side bet is asked for that the cards alone decide: that takes no time.
func (o *oddsAsked) workOut(ctx context.Context, q odds.Query) (*odds.Report, error) {
	bet := q.Rules.Offer(sidebet.Bet(o.wager))
	if o.wager == "" || o.wager == vocab.WagerMain.String() || bet != nil && bet.ByPlay() {
		return workedOut(ctx, q, usualRounds)
	}
	wagers, err := odds.Sides(q)
	return &odds.Report{Query: q, Wagers: wagers}, err
}

// allHouses works out every house that comes with Sabot.
func (o *oddsAsked) allHouses(ctx context.Context) error {
	var houses []*profile.House
	for _, name := range profile.Built().Names() {
		h, err := o.houseOf(name)
		if err != nil {
			return err
		}
		switch {
		case o.bankCard != "" && h.Game == rules.BlackJames:
			fmt.Fprintf(o.e.err, "%s is left out: %v\n", h.House, errPoints)
		case o.wager == "" || hasWager(h.Rules, o.wager):
			houses = append(houses, h)
		}
	}
	if len(houses) == 0 {
		return fmt.Errorf("no house has a wager %q", o.wager)
	}
	if err := o.suits(houses...); err != nil {
		return err
	}
	for i, h := range houses {
		if i > 0 && !o.json {
			fmt.Fprintln(o.e.out)
		}
		if o.bankCard != "" {
			if err := o.say(h.House + ": "); err != nil {
				return err
			}
		}
		if err := o.one(ctx, h); err != nil {
			return err
		}
	}
	return nil
}

func hasWager(r *rules.Rules, name string) bool {
	return name == vocab.WagerMain.String() || name == vocab.WagerInsurance.String() && r.Insurance.Offered ||
		name == vocab.WhyEvenMoney.String() && r.Insurance.EvenMoney ||
		slices.ContainsFunc(r.SideBets, func(b rules.SideBet) bool { return b.Bet.String() == name })
}

// one writes what was asked for of one house.
func (o *oddsAsked) one(ctx context.Context, h *profile.House) error {
	if o.rounds > 0 {
		return o.simulated(ctx, h.Rules)
	}
	if o.bankCard != "" && o.hand == "" {
		return o.bank(h.Rules, nil)
	}
	report, err := o.report(ctx, h.Rules)
	if err != nil {
		return err
	}
	sheet := odds.SheetOf(report)
	switch {
	case o.hand != "":
		return o.cell(report)
	case o.csv:
		return chartOf(report).CSV(o.e.out)
	case o.html:
		return odds.HTML(o.e.out, odds.Page{Sheet: &sheet, Chart: chartOf(report)})
	case o.json:
		if err := sheet.JSON(o.e.out); err != nil || o.wager != "" {
			return err
		}
		return o.allBanks(h.Rules, nil)
	}
	if err := sheet.Text(o.e.out); err != nil || !o.chart {
		return err
	}
	return chartOf(report).Text(o.e.out)
}

// chartOf is the best play; nil if the main game was not worked out.
func chartOf(r *odds.Report) *odds.Chart {
	var c odds.Chart
	switch {
	case r.Main != nil:
		c = r.Main.Chart()
	case r.James != nil:
		c = r.James.Chart()
	}
	return &c
}

// errPoints is why a house has no totals of the bank.
var errPoints = errors.New("--bank-card: the bank of Black James has points, and no totals")

// allBanks writes how the bank ends, after whatever first card, where it has totals.
func (o *oddsAsked) allBanks(r *rules.Rules, set []string) error {
	if err := o.bank(r, set); !errors.Is(err, errPoints) {
		return err
	}
	return nil
}

// bank writes how the bank ends, of a house in which set was changed.
func (o *oddsAsked) bank(r *rules.Rules, set []string) error {
	if r.Game == rules.BlackJames {
		return errPoints
	}
	rank, err := rankOf(o.bankCard)
	if err != nil {
		return err
	}
	shoe, err := o.shoe(r)
	if err != nil {
		return err
	}
	ends, err := odds.Totals(&shoe, rank)
	if err != nil {
		return err
	}
	sheet := odds.Sheet{Rules: r, Packs: shoe.Packs, Set: set}
	if o.json {
		return sheet.BankJSON(o.e.out, rank, ends)
	}
	return sheet.BankText(o.e.out, rank, ends)
}

// rankOf reads a rank as cards are written, or a card; 0 for none.
func rankOf(text string) (card.Rank, error) {
	if text == "" {
		return 0, nil
	}
	if text == "10" {
		text = "T"
	}
	if len(text) == 1 {
		text += "S"
	}
	c, err := card.ParseFace(strings.ToUpper(text))
	if err != nil || !c.Ranked() {
		return 0, errUsage(fmt.Sprintf("--bank-card takes a card such as A, T or 7, not %q", text))
	}
	return c.Rank(), nil
}

// cell writes what each call is worth with one hand.
func (o *oddsAsked) cell(r *odds.Report) error {
	if r.Main == nil {
		return errors.New("--hand: only in Black Jack; --chart has the best play of Black James")
	}
	cards, err := cardsIn(o.hand)
	if err != nil {
		return fmt.Errorf("--hand: %w", err)
	}
	if i := slices.IndexFunc(cards, func(c card.Card) bool { return !c.Ranked() }); i >= 0 {
		return fmt.Errorf("--hand: %s counts nothing in a hand: leave it out", cards[i])
	}
	rank, err := rankOf(o.bankCard)
	if err != nil {
		return err
	}
	cell := r.Main.Hand(cards, card.Of(rank, card.Spades))
	if cell == nil {
		return fmt.Errorf("--hand %s: nothing is called with these cards: give two or more that count at most 21, "+
			"and no Black Jack", o.hand)
	}
	return cell.Text(o.e.out, o.hand, o.bankCard)
}
