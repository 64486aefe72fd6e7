package table

import (
	"errors"
	"strconv"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/plaintext"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file watches in which order the cards leave a shoe: packs that nobody has shuffled, and the same order twice,
// are no chance. A shuffler deals no order that anybody could have laid.

// inOrder is how many cards are no chance. In a shoe of six packs the next card is a certain neighbour of the last one
// in 1 of 52 cases, and 6 of 13 cards have seven more above them in their suit, 6 seven below. So a run of eight begins
// at each of 305 places in 12 of 13 · 52^7 cases: it comes by chance in one shoe of 3,650 million, which a floor of a
// hundred tables, each loaded twenty times a day, sees once in 5,000 years. A run of six would come in one shoe of a
// million, nearly once a year. Eight cards that are the same as eight others, one by one, come in one shoe of 52^8,
// which is rarer still.
const inOrder = 8

// Sequence is what is kept of the order in which the cards left the shoe. It is the order in which the shoe told them:
// what was not read, or is corrected later, breaks it, and changes nothing of what has been seen.
type Sequence struct {
	// First are the first cards since the shoe was loaded, and Before those since it was loaded the time before, as
	// long as they may turn out to be the same.
	First  FirstCards `json:"first,omitzero"`
	Before FirstCards `json:"before,omitzero"`
	// Last is the card that came last, and Run how many steps led to it in its suit, one rank each, below zero
	// downwards.
	Last card.Card `json:"last,omitzero"`
	Run  int       `json:"run,omitempty"`
	// Told: it was told since the shoe was loaded that its packs are in factory order.
	Told bool `json:"told,omitempty"`
}

// follow takes a card that the shoe has told. One that lies face down is passed over, since what is seen here is known
// to everybody at once: a run goes on after it, and the first cards are those beside it. The cards of records of
// earlier releases, of which nobody says who told them, and those of a round that is dealt again are none.
func (t *Table) follow(in *vocab.Input) {
	if in.Origin.From != vocab.FromShoe || t.rules.Cards.Source != rules.Shoe ||
		in.Card == card.Down {
		return
	}
	s := &t.sequence
	if s.runs(in.Card, t.rules.Cards.HasTens()) && !s.Told {
		s.Told = true
		t.tellOrder(irregularity.FactoryOrder, in.Card)
	}
	if s.repeats(in.Card) {
		t.tellOrder(irregularity.SameOrder, in.Card)
	}
}

// tellOrder raises the alert of an order that is no chance. There is nothing to put right at the table: what stands is
// that nobody of the pit has seen it.
func (t *Table) tellOrder(code irregularity.Code, last card.Card) {
	t.tellOutput(Irregularity{Code: code, Card: last})
	t.alerts.passed(code, t.now, t.kept.Round)
}

// loaded begins with a full shoe. One that is loaded again before any card has come has had no order.
func (s *Sequence) loaded() {
	if !s.First.IsZero() {
		*s = Sequence{Before: s.First}
	}
}

// runs says whether a card makes a run of its suit, up or down, that is no chance.
func (s *Sequence) runs(c card.Card, tens bool) bool {
	step := 0
	if c.Ranked() && s.Last.Ranked() && c.Suit() == s.Last.Suit() {
		step = inPack(c.Rank(), tens) - inPack(s.Last.Rank(), tens)
	}
	switch {
	case step != 1 && step != -1:
		s.Run = 0
	case s.Run*step > 0:
		s.Run += step
	default:
		s.Run = step
	}
	s.Last = c
	return s.Run == inOrder-1 || s.Run == 1-inOrder
}

// inPack is a rank's place in its suit: in a pack without tens the jack comes after the nine.
func inPack(r card.Rank, tens bool) int {
	if r > card.Ten && !tens {
		return int(r) - 1
	}
	return int(r)
}

// repeats says whether a card is the last of the first cards, which are then all the same as those of the loading
// before.
func (s *Sequence) repeats(c card.Card) bool {
	n := s.First.n
	if n == inOrder {
		return false
	}
	s.First.add(c)
	same := c == s.Before.cards[n] && (c.Ranked() || c == card.Joker)
	if !same || s.First.n == inOrder {
		s.Before = FirstCards{}
	}
	return same && s.First.n == inOrder
}

// FirstCards are the first cards that left a shoe, in their order. As text they are their names: "AS TH".
type FirstCards struct {
	cards [inOrder]card.Card
	n     int
}

// IsZero says whether there is none.
func (f FirstCards) IsZero() bool { return f.n == 0 }

func (f *FirstCards) add(c card.Card) {
	f.cards[f.n] = c
	f.n++
}

// MarshalText writes the cards.
func (f FirstCards) MarshalText() ([]byte, error) { return f.AppendText(nil) }

// AppendText adds to a text what MarshalText writes.
func (f FirstCards) AppendText(text []byte) ([]byte, error) {
	for i, c := range f.cards[:f.n] {
		if i > 0 {
			text = append(text, ' ')
		}
		text = append(text, c.String()...)
	}
	return text, nil
}

// UnmarshalText reads what MarshalText writes.
func (f *FirstCards) UnmarshalText(text []byte) error {
	*f = FirstCards{}
	for _, name := range plaintext.Fields(string(text)) {
		c, err := card.Parse(name)
		if err != nil {
			return err
		}
		if f.n == inOrder {
			return errors.New(strconv.Quote(string(text)) + " are too many first cards of a shoe: " +
				strconv.Itoa(inOrder) + " are kept")
		}
		f.add(c)
	}
	return nil
}
