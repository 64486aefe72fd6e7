package lcd

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/vocab"
)

// hand is the hand that is due: what it counts, and its cards.
func (d *drawing) hand() string {
	due := d.view.Due
	for _, b := range d.view.Boxes {
		if b.Number == due.Box && due.Hand >= 1 && due.Hand <= len(b.Hands) {
			return d.cards(d.word("hand"), b.Hands[due.Hand-1])
		}
	}
	return ""
}

func (d *drawing) bank() string { return d.cards(d.word("bank"), d.view.Bank) }

// cards writes a hand of cards in one row; only the last cards, if there is no room for all.
func (d *drawing) cards(name string, h display.Hand) string {
	if len(h.Cards) == 0 {
		return ""
	}
	head := name + " " + d.total(h) + " "
	return head + faces(h.Cards, Columns-width(head))
}

// total is what a hand counts, as a dealer says it: while the hand may still draw, a soft
// seventeen is 7/17.
func (d *drawing) total(h display.Hand) string {
	total := strconv.Itoa(h.Total)
	switch {
	case d.view.Game == display.BlackJames && h.Total == 1:
		return total + d.word("pt")
	case d.view.Game == display.BlackJames:
		return total + d.word("pts")
	case h.Done == vocab.DoneBlackJack:
		return d.language.roomy.Named(display.LabelDone, h.Done)
	case h.Soft && h.Done == 0:
		return strconv.Itoa(h.Total-10) + "/" + total
	}
	return total
}

func faces(cards []card.Card, columns int) string {
	names := make([]string, len(cards))
	for i, c := range cards {
		names[i] = face(c)
	}
	for _, between := range []string{" ", ""} {
		if row := strings.Join(names, between); width(row) <= columns {
			return row
		}
	}
	fits := max((columns-1)/2, 0)
	return "…" + strings.Join(names[len(names)-min(fits, len(names)):], "")
}

// face writes a card in two characters: "T♥", the Joker "JK", an unread card "??".
func face(c card.Card) string {
	switch {
	case c == card.Joker:
		return "JK"
	case !c.Ranked():
		return c.String()
	}
	return c.String()[:1] + string([]rune("♠♥♦♣")[c.Suit()])
}

// heldCard is the card that holds the round, and where it would have gone.
func (d *drawing) heldCard() string {
	held, due := d.view.Held, d.view.Due
	if held.Card == card.None {
		return ""
	}
	row := d.word("card") + " " + face(held.Card)
	if due.Box > 0 {
		row += "  " + d.word("box") + " " + d.place(due)
	}
	return row
}

// place is a box, and the hand where it has several.
func (d *drawing) place(due display.Due) string {
	for _, b := range d.view.Boxes {
		if b.Number == due.Box && len(b.Hands) > 1 {
			return fmt.Sprintf("%d.%d", due.Box, due.Hand)
		}
	}
	return strconv.Itoa(due.Box)
}

// where is the table and its last round.
func (d *drawing) where() string {
	return apart(d.view.Table, d.language.roomy.RoundName(d.view.Round), Columns)
}

func (d *drawing) cardsLeft() string {
	return d.language.roomy.CardsLeft(d.view.Shoe)
}

// boxes are those with a stake.
func (d *drawing) boxes() string {
	var numbers []string
	for _, b := range d.view.Boxes {
		if len(b.Bettors) > 0 {
			numbers = append(numbers, strconv.Itoa(b.Number))
		}
	}
	if len(numbers) == 0 {
		return ""
	}
	row := d.word("boxes") + " " + strings.Join(numbers, " ")
	if width(row) > Columns {
		row = d.word("boxes") + " " + strings.Join(numbers, "")
	}
	return row
}

func (d *drawing) limits() string {
	v := d.view
	row := d.amount(v.Min) + "-" + d.amount(v.BoxMax)
	if with := d.language.roomy.Priced(row, v.Currency); width(with) <= Columns {
		return with
	}
	return row
}

func (d *drawing) cutCard() string {
	if !d.view.Shoe.CutCard {
		return ""
	}
	return d.word("cut-card")
}

func (d *drawing) amount(minor int64) string {
	return plain(d.language.roomy.Money(minor, d.view.Digits))
}
