package web

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
)

// A card is cardWide by cardHigh in its own units. In a row, every card but the
// last shows step of its width: its whole index.
const (
	cardWide = 64
	cardHigh = 90
	step     = 34
	tight    = 29
	// loose is how many cards are laid with step; more are laid tight.
	loose = 4
)

const (
	red   = "#c10f2e"
	black = "#15191d"
)

// inks are the suits' colours. A screen with four colours sets its own for diamonds and
// clubs.
var inks = [...]string{black, red, "var(--diamonds," + red + ")", "var(--clubs," + black + ")"}

// crowns tell the courts apart: the jack's feathered cap, the queen's coronet, the king's crown.
var crowns = map[string]string{
	"J": "M3 16H25L23 9C18 11 10 11 5 9ZM20 9C20 3 24 0 29 1 27 5 25 8 22 9.5Z",
	"Q": "M4 16H26L28 5 20.5 10 15 2 9.5 10 2 5ZM15 2A1.8 1.8 0 1 0 15 1.9ZM2 5A1.8 1.8 0 1 0 2 4.9ZM28 5A1.8 1.8 0 " +
		"1 0 28 4.9Z",
	"K": "M3 16H27V6L21 10 18 5H16.5V3.5H18.5V1.5H16.5V0H13.5V1.5H11.5V3.5H13.5V5H12L9 10 3 6Z",
}

// faceModel is one of the fifty-two in the deck. Crown is a court's.
type faceModel struct{ Name, Rank, Suit, Ink, Crown string }

// deck are the cards whose shapes stand once in a page; a hand refers to them.
var deck = func() (all []faceModel) {
	for c := range card.All {
		rank, suit := c.String()[:1], c.Suit()
		all = append(all, faceModel{c.String(), rank, strconv.Itoa(int(suit)), inks[suit], crowns[rank]})
	}
	return all
}()

// shapeOf names a card's shape: a question mark would not do in an address.
func shapeOf(c card.Card) string { return strings.Replace(c.String(), "??", "unread", 1) }

// row draws cards side by side, the last one on top, in one picture that scales.
type row []card.Card

// AppendMarkup draws nothing where there are no cards.
func (cards row) AppendMarkup(b []byte) []byte {
	if len(cards) == 0 {
		return b
	}
	pitch := step
	if len(cards) > loose {
		pitch = tight
	}
	b = opened(b, "cards", cardWide+pitch*(len(cards)-1), cardHigh, cards)
	for i, c := range cards {
		b = append(append(b, `<use href="#c-`...), shapeOf(c)...)
		if i > 0 {
			b = strconv.AppendInt(append(b, `" x="`...), int64(i*pitch), 10)
		}
		b = append(b, `"/>`...)
	}
	return append(b, `</svg>`...)
}

// edge is what a frame takes around a card.
const edge = 4

// open draws cards that lie open and are nobody's yet, each in a frame.
type open []card.Card

// AppendMarkup draws nothing where there are no cards.
func (cards open) AppendMarkup(b []byte) []byte {
	const pitch = cardWide + 2*edge + 2
	if len(cards) == 0 {
		return b
	}
	b = opened(b, "cards open", cardWide+2*edge+pitch*(len(cards)-1), cardHigh+2*edge, cards)
	for i, c := range cards {
		b = framed(b, c, i*pitch)
	}
	return append(b, `</svg>`...)
}

// framed draws a card in a frame.
func framed(b []byte, c card.Card, x int) []byte {
	return fmt.Appendf(b,
		`<g class="framed" transform="translate(%d 0)"><use href="#c-%s" x="%d" y="%d"/><rect x="2" y="2" width="%d" height="%d" rx="8"/></g>`,
		x, shapeOf(c), edge, edge, cardWide+edge, cardHigh+edge)
}

// laid draws a hand's cards, and in its frame the card that lies open for it.
type laid struct{ cards, open []card.Card }

// AppendMarkup draws the open card where the hand's next one would lie.
func (l laid) AppendMarkup(b []byte) []byte {
	at := step * len(l.cards)
	if at > 0 {
		at += 2 * edge
	}
	b = opened(b, "cards laid", at+cardWide+2*edge, cardHigh+2*edge, slices.Concat(l.cards, l.open))
	for i, c := range l.cards {
		b = fmt.Appendf(b, `<use href="#c-%s" x="%d" y="%d"/>`, shapeOf(c), i*step, edge)
	}
	for _, c := range l.open {
		b = framed(b, c, at)
	}
	return append(b, `</svg>`...)
}

// turned draws cards that lie across, one beside the other: in Black James a card
// that does not count.
type turned []card.Card

// AppendMarkup draws nothing where there are no cards.
func (cards turned) AppendMarkup(b []byte) []byte {
	if len(cards) == 0 {
		return b
	}
	const pitch = cardHigh + 6
	b = opened(b, "cards turned", cardHigh+pitch*(len(cards)-1), cardWide, cards)
	for i, c := range cards {
		b = fmt.Appendf(b, `<use href="#c-%s" transform="translate(%d 0)rotate(90)"/>`, shapeOf(c), cardHigh+i*pitch)
	}
	return append(b, `</svg>`...)
}

// opened opens a picture of cards, which says what they are.
func opened(b []byte, class string, wide, high int, cards []card.Card) []byte {
	b = append(append(b, `<svg class="`...), class...)
	b = strconv.AppendInt(append(b, `" viewBox="0 0 `...), int64(wide), 10)
	b = strconv.AppendInt(append(b, ' '), int64(high), 10)
	b = append(b, `" role="img" aria-label="`...)
	for i, c := range cards {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, c.String()...)
	}
	return append(b, `">`...)
}
