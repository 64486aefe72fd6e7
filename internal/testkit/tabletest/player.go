package tabletest

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/croupier"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Dice are what a Player decides by. A *rand.Rand of math/rand/v2 is one.
type Dice = croupier.Dice

// Player is croupier, guests and shoe in one: it asks the table what is due and
// does it. The same dice at the same table always play the same.
type Player struct {
	Dice Dice
	// Boxes is how many boxes are played, from box 1 on.
	Boxes int
	// Freely lets the guests do what not every table has: they place side bets, sit
	// and stand as they like, some boxes are only marked as played, and some calls
	// are not sensible.
	Freely bool
	// Marks has nobody enter an amount.
	Marks bool
	// Lone puts one guest on each box, without co-players.
	Lone bool
	// Pack, if set, is what the shoe is filled with, over and over, so that what is
	// rare comes often.
	Pack []card.Card
	// Unshuffled has cards come in factory order after some of the loadings of [Player.Anything], as the shoe tells
	// them.
	Unshuffled bool

	stock []card.Card
	faces Faces
	// ordered are cards that come next in factory order, and loads counts the loadings at any moment.
	ordered  []card.Card
	loads    int
	croupier croupier.Croupier
}

// Next returns an input that the table takes: what is due, what the guests
// decide, or what puts an irregularity right. The table must be set up.
func (p *Player) Next(t *table.Table) vocab.Input {
	if _, is := t.ToOpen(); is {
		return p.faces.Answer(t, vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleTurned})
	}
	if held, holding := t.Held(); holding {
		if t.AsksJackpot() && p.oneIn(2) {
			return vocab.Input{
				Kind: vocab.InJackpot, Amount: 1_000_000 + int64(p.Dice.IntN(100_000)), Entry: 1 + p.Dice.IntN(9),
				Stated: true,
			}
		}
		return p.putRight(t, held)
	}
	c := &p.croupier
	c.Dice, c.Boxes, c.Freely, c.Marks, c.Plays = p.Dice, p.Boxes, p.Freely, p.Marks, p.plays
	if p.Lone {
		c.Most = 1
	}
	if t.Phase() == vocab.Payment {
		return c.Planned(t, func(croupier.Table) []vocab.Input { return p.payments(t) })
	}
	in, decides := c.Next(t)
	switch {
	case !decides, in.Call == vocab.CallCard && t.Rules().Play.Calls == rules.CallsImplied && p.oneIn(2):
		return p.card(t)
	case in.Kind == vocab.InOpen:
		return p.open(t)
	}
	return p.faces.Answer(t, in)
}

// open begins a round, at a table that is open. A shuffler has its cards back by then; a shoe is loaded
// anew when three quarters of it are dealt.
func (p *Player) open(t *table.Table) vocab.Input {
	if t.Opening().Closed {
		return vocab.Input{Kind: vocab.InTable, Table: vocab.TableChange{Event: vocab.TableOpened}, By: "s1"}
	}
	cards := t.Rules().Cards
	if cards.Source == rules.Shuffler {
		p.fill(cards)
	}
	if len(p.stock) < cards.Full()/4 {
		p.fill(cards)
		return vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeLoaded}}
	}
	in := vocab.Input{Kind: vocab.InOpen}
	if t.Shoe().CutCard && t.Round()%2 == 0 {
		in.Come(vocab.Origin{From: vocab.FromPanel}) // which the table stops
	}
	return in
}

func (p *Player) fill(cards rules.Cards) {
	if p.stock = p.stock[:0]; len(p.Pack) == 0 {
		p.stock = croupier.Cards(cards)
		return
	}
	for len(p.stock) < cards.Full() {
		p.stock = append(p.stock, p.Pack...)
	}
}

// draw takes a card out of the stock, so that no card comes more often than there
// are decks.
func (p *Player) draw(t *table.Table) card.Card {
	if len(p.stock) == 0 {
		p.fill(t.Rules().Cards)
	}
	last := len(p.stock) - 1
	at := p.Dice.IntN(len(p.stock))
	c := p.stock[at]
	p.stock[at] = p.stock[last]
	p.stock = p.stock[:last]
	return c
}

func (p *Player) card(t *table.Table) vocab.Input {
	if len(p.ordered) > 0 {
		next := vocab.Input{Kind: vocab.InCard, Card: p.ordered[0]}
		next.Come(vocab.Origin{From: vocab.FromShoe})
		p.ordered = p.ordered[1:]
		return p.faces.Down(t, next)
	}
	return p.faces.Down(t, vocab.Input{Kind: vocab.InCard, Card: p.draw(t)})
}

// putRight resolves what holds the round by one of the choices, or the shoe does.
func (p *Player) putRight(t *table.Table, held table.Irregularity) vocab.Input {
	switch {
	case held.Code == irregularity.ShoeOffline:
		return vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeCameOnline}}
	case held.Code == irregularity.StorageFailing:
		return vocab.Input{Kind: vocab.InStorage, Storage: vocab.StorageBack}
	case held.Code == irregularity.ShoeAlarm && p.oneIn(2):
		return vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeAlarmCleared}, Code: held.Alarm}
	case held.Code == irregularity.ForeignCard && len(p.Pack) > 0:
		return vocab.Input{Kind: vocab.InResolve, With: irregularity.Accept, By: "s1", Because: "the pack is like that"}
	}
	var list []irregularity.Choice
	for c := range held.Choices.All {
		list = append(list, c)
	}
	in := vocab.Input{Kind: vocab.InResolve, With: list[p.Dice.IntN(len(list))], By: "s1"}
	if in.With == irregularity.Identify {
		in.Card = p.draw(t)
		in = p.faces.Down(t, in)
	}
	return in
}

func (p *Player) oneIn(n int) bool { return p.Dice.IntN(n) == n-1 }
