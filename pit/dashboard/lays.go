package dashboard

import (
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
)

// How a page's fields write the bank, and the Joker, among boxes and ranks.
const (
	bankAsked  = "bank"
	jokerAsked = "joker"
)

// boxesOf reads the box of a query, nil for all.
func boxesOf(text string) []uint8 {
	if text == bankAsked {
		return []uint8{tally.Bank}
	}
	if n, err := strconv.ParseUint(text, 10, 8); err == nil && n >= 1 && n <= rules.MaxBoxes {
		return []uint8{uint8(n)}
	}
	return nil
}

// cardsOf reads the rank and the suit of a query: the cards that have them, nil for all.
func cardsOf(rank, suit string) (cards []card.Card) {
	switch {
	case rank == jokerAsked:
		return []card.Card{card.Joker}
	case rank == "" && suit == "":
		return nil
	}
	for c := range card.All {
		if text := c.String(); (rank == "" || rank == text[:1]) && (suit == "" || suit == text[1:]) {
			cards = append(cards, c)
		}
	}
	return cards
}

// boxes are on which something may have lain.
func (r renderer) boxes(chosen string) []choiceModel {
	all := []choiceModel{{Name: r.say("pit.any-box")}}
	for n := 1; n <= rules.MaxBoxes; n++ {
		text := strconv.Itoa(n)
		all = append(all, choiceModel{Value: text, Name: r.with("past.box", "box", text), Chosen: text == chosen})
	}
	return append(all, choiceModel{Value: bankAsked, Name: r.say("word.bank"), Chosen: chosen == bankAsked})
}

// ranks are those that a card may have had, the ace first.
func (r renderer) ranks(chosen string) []choiceModel {
	all := []choiceModel{{Name: r.say("pit.any-card")}}
	for _, rank := range append([]card.Rank{card.Ace}, down(card.King, 2)...) {
		name := card.Of(rank, card.Spades).String()[:1]
		all = append(all, choiceModel{Value: name, Name: strings.Replace(name, "T", "10", 1), Chosen: name == chosen})
	}
	return append(all, choiceModel{Value: jokerAsked, Name: r.say("card.joker"), Chosen: chosen == jokerAsked})
}

func down(from, to card.Rank) (ranks []card.Rank) {
	for ; from >= to; from-- {
		ranks = append(ranks, from)
	}
	return ranks
}

// suits are those that a card may have had.
func (r renderer) suits(chosen string) []choiceModel {
	all := []choiceModel{{Name: r.say("pit.any-suit")}}
	for suit := card.Spades; suit <= card.Clubs; suit++ {
		ace := card.Of(card.Ace, suit)
		name := ace.String()[1:]
		sign := strings.TrimPrefix(r.language.Say(display.CardName(ace)), "A")
		all = append(all, choiceModel{Value: name, Name: sign, Chosen: name == chosen})
	}
	return all
}

// lays says what lay where in a round, of what was looked for. Where amounts of the round are not entered, a box that
// has none may be theirs, and says nothing of amounts.
func (r renderer) lays(one *store.Round, s *store.RoundQuery, write func(int64) string) (said []string) {
	for i := range one.Lays {
		on := &one.Lays[i]
		if !s.Shows(on) {
			continue
		}
		names := make([]string, len(on.Cards))
		for n, c := range on.Cards {
			names[n] = r.language.Say(display.CardName(c))
		}
		parts := []string{r.laidWhere(on.Box) + ": " + strings.Join(names, " ")}
		known := on.Staked != 0 || on.Returned != 0 || unknown(one) == 0
		if on.Box != tally.Bank && on.Box != tally.Aside && known {
			parts = append(parts, r.say("word.staked")+" "+write(on.Staked), r.say("pit.to-guests")+" "+
				write(on.Returned))
		}
		said = append(said, strings.Join(parts, " · "))
	}
	return said
}

// laidWhere names a box, the bank, or what is laid aside.
func (r renderer) laidWhere(box uint8) string {
	switch box {
	case tally.Bank:
		return r.say("word.bank")
	case tally.Aside:
		return r.say("pit.aside")
	}
	return r.with("past.box", "box", strconv.Itoa(int(box)))
}
