package sidebet_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/sidebet"
)

// decks is how many decks the shoes of the counted houses hold.
const decks = 6

// full counts each card in a full shoe.
func full() map[card.Card]int {
	shoe := map[card.Card]int{}
	for c := range card.All {
		shoe[c] = decks
	}
	return shoe
}

// eachPair yields every two cards that can leave a full shoe one after the other,
// with the number of ways in which they can.
func eachPair(yield func(a, b card.Card, ways int)) {
	shoe := full()
	for a := range card.All {
		waysA := shoe[a]
		shoe[a]--
		for b := range card.All {
			yield(a, b, waysA*shoe[b])
		}
		shoe[a]++
	}
}

// countPairs counts the ordered pairs of a full shoe by the line they win.
func countPairs(line func(a, b card.Card) sidebet.Line) map[sidebet.Line]int {
	counts := map[sidebet.Line]int{}
	eachPair(func(a, b card.Card, ways int) { counts[line(a, b)] += ways })
	return counts
}

// countTrios counts the ordered trios of a full shoe, the box's two cards and the
// bank's first, by the line that a bet wins.
func countTrios(bet sidebet.Bet) map[sidebet.Line]int {
	counts := map[sidebet.Line]int{}
	eachPair(func(a, b card.Card, ways int) {
		for c := range card.All {
			left := decks
			if c == a {
				left--
			}
			if c == b {
				left--
			}
			counts[won(bet, sidebet.Cards{First: a, Second: b, Bank: c})] += ways * left
		}
	})
	return counts
}

// wantCounts compares counts; orders is in how many orders the cards of one
// combination can come.
func wantCounts(t *testing.T, counts map[sidebet.Line]int, orders int, want map[sidebet.Line]int) {
	t.Helper()
	total := 0
	for line, n := range counts {
		total += n
		if n != want[line]*orders {
			t.Errorf("line %q: %d ordered combinations, want %d x %d", line, n, orders, want[line])
		}
	}
	wantTotal := 0
	for line, n := range want {
		wantTotal += n * orders
		if counts[line] == 0 {
			t.Errorf("line %q never wins", line)
		}
	}
	if total != wantTotal {
		t.Errorf("%d ordered combinations, want %d", total, wantTotal)
	}
}

// one is a hand of a side bet, as text, and the line it wins.
type one struct {
	cards string // "8S 8H": the box's two cards, or the bank's
	bank  string // the bank's first card, where it counts
	want  sidebet.Line
}

func (o one) parse(t *testing.T) sidebet.Cards {
	t.Helper()
	var first, second string
	if _, err := fmt.Sscan(o.cards, &first, &second); err != nil {
		t.Fatalf("%q: %v", o.cards, err)
	}
	bank := o.bank
	if bank == "" {
		bank = "2H"
	}
	return sidebet.Cards{First: parse(t, first), Second: parse(t, second), Bank: parse(t, bank)}
}

func parse(t *testing.T, name string) card.Card {
	t.Helper()
	c, err := card.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// checkTable runs the hands of one bet and checks that every line has one.
func checkTable(t *testing.T, bet sidebet.Bet, line func(sidebet.Cards) sidebet.Line, hands []one) {
	t.Helper()
	won := map[sidebet.Line]bool{}
	for _, h := range hands {
		got := line(h.parse(t))
		won[got] = true
		if got != h.want {
			t.Errorf("%s with %s against %s: %q, want %q", bet, h.cards, h.bank, got, h.want)
		}
	}
	for _, l := range append(slices.Clone(defOf(bet).Lines()), "") {
		if !won[l] {
			t.Errorf("%s: no hand wins %q", bet, l)
		}
	}
}

// defOf is a bet as a house has it.
func defOf(bet sidebet.Bet) *sidebet.Def {
	for _, h := range profile.Built() {
		if o := h.Offer(bet); o != nil {
			return o.Def
		}
	}
	panic(bet + " is in no house")
}

// won is the line that a bet wins with cards that decide it.
func won(bet sidebet.Bet, c sidebet.Cards) sidebet.Line {
	line, decided := defOf(bet).Judge(c)
	if !decided {
		panic(fmt.Sprintf("%s is not decided by %+v", bet, c))
	}
	return line
}

func byCards(bet sidebet.Bet) func(sidebet.Cards) sidebet.Line {
	return func(c sidebet.Cards) sidebet.Line { return won(bet, c) }
}

// byPair is what the box's two cards alone win.
func byPair(bet sidebet.Bet) func(a, b card.Card) sidebet.Line {
	return func(a, b card.Card) sidebet.Line {
		return won(bet, sidebet.Cards{First: a, Second: b, Bank: card.Of(2, card.Hearts)})
	}
}
