package web

import (
	"fmt"
	"html/template"
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

// deck are the shapes of all cards, to stand once in a page; a hand refers to them.
var deck = template.HTML(drawDeck())

func drawDeck() string {
	var b strings.Builder
	for i, s := range suits {
		fmt.Fprintf(&b, `<path id="s-%d" d="%s"/>`, i, s)
	}
	for _, r := range "A23456789TJQK?" {
		fmt.Fprintf(&b, `<path id="r-%s" d="%s" fill="none" stroke-width="3.7" stroke-linecap="round" stroke-linejoin="round"/>`,
			glyphID(string(r)), strokes[string(r)])
	}
	b.WriteString(`<rect id="c-face" x=".75" y=".75" width="62.5" height="88.5" rx="6" fill="#fdfbf5" stroke="#5d5a50" stroke-width="1.5"/>`)
	for c := range card.All {
		drawCard(&b, c)
	}
	drawJoker(&b)
	drawUnread(&b)
	return b.String()
}

// drawCard puts a large index into the corner that stays visible in a row, and
// the suit, as large as it goes, where the last card of a row shows it.
func drawCard(b *strings.Builder, c card.Card) {
	rank, ink := c.String()[:1], inks[c.Suit()]
	fmt.Fprintf(b, `<g id="%s" fill="%s" stroke="none"><use href="#c-face"/>`, cardID(c), ink)
	fmt.Fprintf(b, `<use href="#r-%s" stroke="%s" transform="translate(6 7)"/>`, rank, ink)
	fmt.Fprintf(b, `<use href="#s-%d" transform="translate(5.5 41)scale(.66)"/>`, c.Suit())
	if crown, court := crowns[rank]; court {
		fmt.Fprintf(b, `<path d="%s" fill="#b98a1c" stroke="%s" stroke-width="1.2" transform="translate(35 32)scale(.83)"/>`, crown, black)
		fmt.Fprintf(b, `<use href="#s-%d" transform="translate(34 51)scale(.86)"/>`, c.Suit())
	} else {
		fmt.Fprintf(b, `<use href="#s-%d" transform="translate(34 51)scale(.86)"/>`, c.Suit())
	}
	b.WriteString(`</g>`)
}

// drawJoker is a star on a dark card, unlike all others.
func drawJoker(b *strings.Builder) {
	fmt.Fprintf(b, `<g id="%s"><use href="#c-face"/>`, cardID(card.Joker))
	fmt.Fprintf(b, `<use href="#r-J" stroke="%s" transform="translate(6 7)"/>`, black)
	b.WriteString(`<rect x="7" y="40" width="50" height="42" rx="4" fill="#3d2468"/>`)
	b.WriteString(`<path d="M32 44 36.5 56 49 56 39 64 43 77 32 69 21 77 25 64 15 56 27.5 56Z" fill="#ffd34d"/></g>`)
}

// drawUnread is a question, in a broken frame.
func drawUnread(b *strings.Builder) {
	fmt.Fprintf(b, `<g id="%s"><rect x="2" y="2" width="60" height="86" rx="6" fill="#ffd34d" stroke="%s" stroke-width="4" stroke-dasharray="9 5"/>`,
		cardID(card.Unread), black)
	fmt.Fprintf(b, `<use href="#r-unread" stroke="%s" transform="translate(16 20)scale(1.7)"/></g>`, black)
}

func glyphID(rank string) string {
	if rank == "?" {
		return "unread"
	}
	return rank
}

// cardID names a card's shape; a question mark would not do in an address.
func cardID(c card.Card) string {
	if c == card.Unread {
		return "c-unread"
	}
	return "c-" + c.String()
}

// row draws cards side by side, the last one on top, in one picture that scales.
func row(cards []card.Card) template.HTML {
	if len(cards) == 0 {
		return ""
	}
	pitch := step
	if len(cards) > loose {
		pitch = tight
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="cards" viewBox="0 0 %d %d" role="img" aria-label="%s">`,
		cardWide+pitch*(len(cards)-1), cardHigh, spoken(cards))
	for i, c := range cards {
		if i == 0 {
			fmt.Fprintf(&b, `<use href="#%s"/>`, cardID(c))
			continue
		}
		fmt.Fprintf(&b, `<use href="#%s" x="%d"/>`, cardID(c), i*pitch)
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

// turned draws cards that lie across, one beside the other: in Black James a card
// that does not count.
func turned(cards []card.Card) template.HTML {
	if len(cards) == 0 {
		return ""
	}
	const pitch = cardHigh + 6
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="cards turned" viewBox="0 0 %d %d" role="img" aria-label="%s">`,
		cardHigh+pitch*(len(cards)-1), cardWide, spoken(cards))
	for i, c := range cards {
		fmt.Fprintf(&b, `<use href="#%s" transform="translate(%d 0)rotate(90)"/>`, cardID(c), cardHigh+i*pitch)
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

func spoken(cards []card.Card) string {
	names := make([]string, len(cards))
	for i, c := range cards {
		names[i] = c.String()
	}
	return strings.Join(names, " ")
}
