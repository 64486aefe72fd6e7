package sidebet_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/sidebet"
)

// when reads a condition.
func when(t testing.TB, text string) sidebet.When {
	t.Helper()
	var w sidebet.When
	if err := w.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return w
}

// places reads places.
func places(t testing.TB, text string) sidebet.Places {
	t.Helper()
	var p sidebet.Places
	if err := p.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return p
}

// define is a bet with lines of these conditions, called a, b and so on.
func define(t testing.TB, cards string, conditions ...string) *sidebet.Def {
	t.Helper()
	var rows []sidebet.Row
	for i, text := range conditions {
		rows = append(rows, sidebet.Row{Line: sidebet.Line(rune('a' + i)), When: when(t, text)})
	}
	d, _, err := sidebet.Define(places(t, cards), rows)
	if err != nil {
		t.Fatalf("%v: %v", conditions, err)
	}
	return d
}

// lying are cards: the box's two, the bank's two, as far as they lie.
func lying(t *testing.T, text string) sidebet.Cards {
	t.Helper()
	var c sidebet.Cards
	for i, to := range []*card.Card{&c.First, &c.Second, &c.Bank, &c.BankSecond} {
		if words := strings.Fields(text); i < len(words) {
			*to = parse(t, words[i])
		}
	}
	return c
}

// TestEachTest has cards with which each test holds, and some with which it does not.
func TestEachTest(t *testing.T) {
	for _, c := range []struct{ cards, when, yes, no string }{
		{"box", "2 of Q", "QH QS", "QH KS"},
		{"box", "1 of Q", "QH KS", "QH QS"},
		{"box", "1+ of Q", "QH QS", "KH KS"},
		{"box+up", "1-2 of Q", "QH QS 2H", "QH QS QD"},
		{"box", "none of Q", "KH KS", "QH KS"},
		{"box", "all of red", "QH KD", "QH KS"},
		{"box", "all of black A/K", "AS KC", "AS KH"},
		{"box", "2 of QH", "QH QH", "QH QD"},
		{"box", "1 of ten-value", "TH 9S", "TH KS"},
		{"box", "2 of picture", "JH KS", "TH KS"},
		{"box", "2 of hearts", "2H KH", "2H KS"},
		{"box", "suited", "2H KH", "2H KD"},
		{"box", "not suited", "2H KD", "2H KH"},
		{"box", "one-colour", "2H KD", "2H KS"},
		{"box", "one-rank", "2H 2D", "2H 3H"},
		{"box", "identical", "2H 2H", "2H 2D"},
		{"box+up", "straight", "9H 7S 8D", "9H 7S 9D"},
		{"box+up", "straight", "AH 3S 2D", "KH AS 2D"},
		{"box+up", "straight", "AH QS KD", "JH QS QD"},
		{"box", "blackjack", "AH QS", "9H QS"},
		{"bank", "blackjack", "2H 3H TD AS", "2H 3H TD 9S"},
		{"box", "total 20", "AH 9S", "AH 8S"},
		{"box+up", "total 12", "AH TS AD", "AH TS 9D"},
		{"box", "hard-total 10", "AH 9S", "TH 9S"},
		{"box+up", "bust", "TH 9S 3S", "TH 9S 2S"},
		{"box", "soft", "AH 9S", "TH 9S"},
		{"box+up", "spread 1", "5H 7S 6S", "5H 8S 6S"},
		{"box+up", "spread 3+", "TH AS JS", "TH 9S JS"},
		{"box", "1 of up-rank", "5H 7S 5S", "5H 5S 5D"},
		{"box", "2 of up-card", "5H 5H 5H", "5H 5S 5H"},
		{"box", "1 of A in up", "5H 5H AS", "AH 5H 5S"},
		{"first+up", "one-rank", "5H 6H 5S", "6H 5H 5S"},
		{"box", "suited and total 20 or 2 of A", "AH AS", "TH 9H"},
	} {
		d := define(t, c.cards, c.when)
		for cards, want := range map[string]sidebet.Line{c.yes: "a", c.no: ""} {
			if line, decided := d.Judge(lying(t, cards)); !decided || line != want {
				t.Errorf("%s of %s, with %s: %q, decided %t, want %q", c.when, c.cards, cards, line, decided, want)
			}
		}
	}
}

// TestHands: whole hands are looked at once they have ended.
func TestHands(t *testing.T) {
	d := define(t, "hand", "cards 5+ and not bust", "kept")
	open := sidebet.Cards{First: card.Of(2, 0), Second: card.Of(3, 0)}
	if _, decided := d.Judge(open); decided {
		t.Error("decided while the hand is played")
	}
	five := []card.Card{card.Of(2, 0), card.Of(3, 0), card.Of(2, 1), card.Of(3, 1), card.Of(4, 1)}
	for _, c := range []struct {
		hand  []card.Card
		hands sidebet.Hands
		want  sidebet.Line
	}{{five, sidebet.HandsLost, "a"}, {five[:2], sidebet.HandsKept, "b"}, {five[:2], sidebet.HandsLost, ""}} {
		ended := open
		ended.Hand, ended.Hands = c.hand, c.hands
		if line, decided := d.Judge(ended); !decided || line != c.want {
			t.Errorf("%v, %d: %q, %t, want %q", c.hand, c.hands, line, decided, c.want)
		}
	}
	if !d.ByPlay() || d.OnlyKept() || d.Bank() != 0 || !d.At(sidebet.LastHand) {
		t.Errorf("%+v", d)
	}
}

// TestMomentsOfTheBanksHand: a bet on it can be decided by the deal already, by a Joker or by the box's first card, so
// that the bank draws nothing for it.
func TestMomentsOfTheBanksHand(t *testing.T) {
	for _, when := range []string{"not joker or total 17", "not 1 of clubs in first and total 17"} {
		d := define(t, "bank-hand", when)
		if _, decided := d.Judge(lying(t, "3C 5H")); !decided || !d.At(sidebet.BoxSecond) {
			t.Errorf("%s: decided %t, at the box's second card %t", when, decided, d.At(sidebet.BoxSecond))
		}
	}
}

// TestDecidedAsSoonAsItIs: a bet is decided by the card after which no other can change it, and no sooner.
func TestDecidedAsSoonAsItIs(t *testing.T) {
	for _, c := range []struct {
		cards, when, lie string
		decided          bool
	}{
		{"box", "2 of QH and blackjack in bank", "QH QH 9S", true},
		{"box", "2 of QH and blackjack in bank", "QH QH TS", false},
		{"box", "2 of QH and blackjack in bank", "QH QD TS", true},
		{"box+bank", "4 of A", "AH AD AS", false},
		{"box+bank", "4 of A", "AH AD KS", true},
		// No one card can be both, though each of the tests is open.
		{"box", "1 of A in bank and 1 of K in bank", "2H 2D QS", true},
	} {
		if _, decided := define(t, c.cards, c.when).Judge(lying(t, c.lie)); decided != c.decided {
			t.Errorf("%s with %s: decided %t", c.when, c.lie, decided)
		}
	}
}

// TestWrongConditions: what cannot be read is refused, with what to write.
func TestWrongConditions(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "a test is missing",
		"suited and":         "a test is missing",
		"suited total 20":    "joins no tests",
		"2 of":               "names no cards",
		"2 of X":             "names no cards",
		"2 QH":               "counts nothing",
		"two of QH":          "is no test",
		"total":              "is no number",
		"total 4-2":          "is no number",
		"total 2-4+":         "is no number",
		"red":                "is no test",
		"1 of black hearts":  "no card of that colour",
		"all of up-rank":     "write a number",
		"suited in box+hand": "mixes a whole hand",
		"suited in hall":     "is no place",
		"spread 1 in box":    "has its own cards",
		strings.Repeat("suited and ", 40) + "suited": "too many",
	} {
		var w sidebet.When
		if err := w.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for cards, text := range map[string]string{
		"hand": "blackjack", "bank-hand": "suited", "up": "bust in bank-hand and 1 of A",
	} {
		rows := []sidebet.Row{{Line: "a", When: when(t, text)}}
		if _, _, err := sidebet.Define(places(t, cards), rows); err == nil {
			t.Errorf("%s of %s is taken", text, cards)
		}
	}
	if _, _, err := sidebet.Define(0, []sidebet.Row{{Line: "a", When: when(t, "suited")}}); err == nil {
		t.Error("a test that looks at nothing is taken")
	}
}

// TestUnreachable: a line that no cards win is found.
func TestUnreachable(t *testing.T) {
	for _, c := range []struct {
		cards string
		when  []string
		never []sidebet.Line
	}{
		{"box", []string{"suited", "identical"}, []sidebet.Line{"b"}},
		{"box", []string{"identical", "suited"}, nil},
		{"box", []string{"3 of A"}, []sidebet.Line{"a"}},
		{"box", []string{"suited or not suited", "2 of A", "kept"}, []sidebet.Line{"b", "c"}},
		{"bank-hand", []string{"bust and cards 2"}, []sidebet.Line{"a"}},
		{"bank-hand", []string{"bust and cards 9+ and blackjack in box"}, nil},
		{"box+bank", []string{"2 of A in bank", "4 of A"}, []sidebet.Line{"b"}},
		{"hand", []string{"cards 5+", "kept and joker", "joker"}, nil},
		// The bank's first card is compared with the others, also where a test counts all three alike.
		{"box", []string{"spread 3 and none of A"}, nil},
		{"box+up", []string{"1 of K and 2 of A and 2 of up-rank"}, nil},
		{"box+up", []string{"1 of up-rank in first and 2 of A"}, nil},
		{"box", []string{"spread 1+ and 1+ of K in bank"}, nil},
		{"bank", []string{"2 of 7 and 1+ of up-rank in box"}, nil},
	} {
		if got := define(t, c.cards, c.when...).Unreachable(); !slices.Equal(got, c.never) {
			t.Errorf("%v of %s: %v win nothing, want %v", c.when, c.cards, got, c.never)
		}
	}
	for bet, known := range profile.KnownBets() {
		if never := known.Def.Unreachable(); len(never) > 0 {
			t.Errorf("%s: %v win nothing", bet, never)
		}
	}
}

// TestUnreachableByEveryDeal: the lines that no cards win are those that none of all deals wins, whatever a paytable
// says.
func TestUnreachableByEveryDeal(t *testing.T) {
	dice := rand.New(rand.NewPCG(tier.SeedOf(t), 36))
	for tried, never := 0, 0; tried < tier.Times(12, 300) || never < 3; {
		cards, conditions := tabletest.AnyPaytable(dice)
		d := tabletest.Defined(cards, conditions)
		if d.Needs()&(sidebet.Hand|sidebet.BankHand) != 0 || deals(d) > 200_000 {
			continue
		}
		tried++
		won := everyDeal(d)
		want := slices.DeleteFunc(slices.Clone(d.Lines()), func(l sidebet.Line) bool { return won[l] })
		never += len(want)
		if got := d.Unreachable(); !slices.Equal(got, want) {
			t.Errorf("%q of %s: %v win nothing, want %v", conditions, cards, got, want)
		}
	}
}

// lie are the cards that a bet tells apart at a place.
func lie(d *sidebet.Def, place sidebet.Places) (cards []card.Card) {
	if d.Needs()&place == 0 {
		return []card.Card{card.None}
	}
	for _, kind := range d.Kinds(place) {
		cards = append(cards, kind.Card)
	}
	return cards
}

// deals is how many there are.
func deals(d *sidebet.Def) int {
	all := 1
	for place := sidebet.First; place <= sidebet.Down; place <<= 1 {
		all *= len(lie(d, place))
	}
	return all
}

// everyDeal are the lines that any deal wins.
func everyDeal(d *sidebet.Def) map[sidebet.Line]bool {
	won := map[sidebet.Line]bool{}
	downs := lie(d, sidebet.Down)
	for _, first := range lie(d, sidebet.First) {
		for _, second := range lie(d, sidebet.Second) {
			for _, up := range lie(d, sidebet.Up) {
				for _, down := range downs {
					c := sidebet.Cards{First: first, Second: second, Bank: up, BankSecond: down}
					for k := range 4 {
						c.Joker, c.Hands = k&1 == 1, sidebet.HandsKept
						if k&2 == 2 {
							c.Hands = sidebet.HandsLost
						}
						line, _ := d.Judge(c)
						won[line] = true
					}
				}
			}
		}
	}
	return won
}

// TestKnownBets: the names on record are those of the file.
func TestKnownBets(t *testing.T) {
	lines := map[sidebet.Line]bool{}
	for bet := range sidebet.EveryBet {
		known, has := profile.KnownBets()[bet]
		if !has {
			t.Fatalf("%s is not in bets.yaml", bet)
		}
		for _, line := range known.Def.Lines() {
			lines[line] = true
		}
	}
	for line := range sidebet.EveryLine {
		if !lines[line] {
			t.Errorf("%s is no line", line)
		}
		delete(lines, line)
	}
	if len(lines) > 0 || len(profile.KnownBets()) != len(sidebet.Bets) {
		t.Errorf("names.go lacks %v, or a bet of %d", lines, len(profile.KnownBets()))
	}
}

// TestJudgeAllocatesNothing: bets are judged in the midst of a round.
func TestJudgeAllocatesNothing(t *testing.T) {
	d := profile.KnownBets()["lucky-ladies"].Def
	c := lying(t, "QH QH TS")
	if n := testing.AllocsPerRun(100, func() { d.Judge(c) }); n != 0 {
		t.Errorf("judging allocates %v times", n)
	}
}

// FuzzWhen: whatever is written, it is refused, or reads the same again and can be judged with any cards.
func FuzzWhen(f *testing.F) {
	for _, known := range profile.KnownBets() {
		for _, row := range known.Def.Rows() {
			f.Add(row.When.String(), known.Def.Cards().String())
		}
	}
	f.Add("not 2-3 of red 7/8 in box or total 12+ and none of up-card in first", "box+up")
	f.Fuzz(func(t *testing.T, text, cards string) {
		var w, again sidebet.When
		var p sidebet.Places
		if w.UnmarshalText([]byte(text)) != nil || p.UnmarshalText([]byte(cards)) != nil {
			return
		}
		if err := again.UnmarshalText([]byte(w.String())); err != nil || again.String() != w.String() {
			t.Fatalf("%q is read as %q, and that as %q, %v", text, w, again, err)
		}
		if err := p.UnmarshalText([]byte(p.String())); err != nil {
			t.Fatalf("%q is written as %q: %v", cards, p, err)
		}
		d, _, err := sidebet.Define(p, []sidebet.Row{{Line: "a", When: w}})
		if err != nil {
			return
		}
		ace := card.Of(card.Ace, card.Hearts)
		ended := []card.Card{ace, card.Of(9, card.Clubs)}
		c := sidebet.Cards{
			First: ace, Second: ended[1], Bank: ace, BankSecond: ended[1], Hands: sidebet.HandsKept, Hand: ended,
			BankHand: ended,
		}
		if _, decided := d.Judge(c); !decided {
			t.Fatalf("%q of %q is open when all lies", w, p)
		}
	})
}
