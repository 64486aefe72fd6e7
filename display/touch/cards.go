package touch

import (
	"slices"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Rank is the first of the two touches that name a card: it shows the Cards, of which the
// second touch is one.
type Rank struct {
	// Name is A, 2 to 9, T, J, Q, K, or the Joker's.
	Name string
	// Label is as it stands on the card.
	Label    display.Message
	Shortcut string
	Cards    []CardKey
}

// CardKey is the key of one card.
type CardKey struct {
	Key
	Card card.Card
}

// jokersKey is the Joker's on a keyboard, where J is the jack's.
const jokersKey = "x"

// Cards are the keys that name the card as it lies, by rank; nil where none is to be
// named.
func Cards(v display.View) []Rank {
	if v.Held == nil || !slices.Contains(v.Held.Choices, irregularity.Identify) {
		return nil
	}
	var ranks []Rank
	for _, name := range strings.Split("A23456789TJQK", "") {
		r := Rank{Name: name, Label: onCard(name), Shortcut: strings.ToLower(name)}
		for _, suit := range strings.Split("SHDC", "") {
			r.Cards = append(r.Cards, named(v, name+suit, strings.ToLower(suit)))
		}
		ranks = append(ranks, r)
	}
	if v.Held.Joker {
		name := card.Joker.String()
		ranks = append(ranks, Rank{
			Name: name, Label: display.CardName(card.Joker), Shortcut: jokersKey,
			Cards: []CardKey{named(v, name, jokersKey)},
		})
	}
	return ranks
}

// onCard is a rank as it is printed.
func onCard(rank string) display.Message {
	return display.Message{
		Key:  "card.named",
		Args: []display.Arg{{Name: "card", Text: strings.Replace(rank, "T", "10", 1)}},
	}
}

// named is the key that says which card it was.
func named(v display.View, name, shortcut string) CardKey {
	c, err := card.Parse(name)
	if err != nil {
		panic("touch: a card that is none: " + err.Error())
	}
	in := vocab.Input{
		Kind: vocab.InResolve, With: irregularity.Identify, Role: vocab.Supervisor,
		By: unproven(v), Card: c,
	}
	opens := AsksPIN(v)
	if slices.Contains(v.Held.Dealer, irregularity.Identify) {
		in.Role, in.By, opens = vocab.Dealer, vocab.Dealer.String(), ""
	}
	return CardKey{Card: c, Key: Key{
		Name: name, Label: display.CardName(c), Kind: Choice, Opens: opens,
		Put: []vocab.Input{in}, Shortcut: shortcut,
	}}
}
