package rules

import (
	"errors"
	"strconv"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/plaintext"
)

// Soft17 is what the bank does on 17 in which an ace counts eleven.
type Soft17 uint8

// What it does.
const (
	StandsOnSoft17 Soft17 = iota
	DrawsOnSoft17
)

// Soft17Names are the names in a profile.
var Soft17Names = plaintext.Enum[Soft17]{StandsOnSoft17: "stands", DrawsOnSoft17: "draws"}

// String returns the name in a profile.
func (s Soft17) String() string { return Soft17Names.Name(s) }

// MarshalText writes the name in a profile.
func (s Soft17) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the name in a profile.
func (s *Soft17) UnmarshalText(text []byte) error {
	return Soft17Names.Read(s, text, "rule for soft 17")
}

// DrawsSoft17 reports whether the bank takes a card on a soft 17.
func (b *Bank) DrawsSoft17() bool { return b.Soft17 != nil && *b.Soft17 == DrawsOnSoft17 }

// BankTakes is what a Black Jack of the bank takes.
type BankTakes uint8

// What it takes.
const (
	TakesAll BankTakes = iota
	TakesOriginal
	TakesBusted
)

// BankTakesNames are the names in a profile.
var BankTakesNames = plaintext.Enum[BankTakes]{TakesAll: "all", TakesOriginal: "original", TakesBusted: "busted"}

// String returns the name in a profile.
func (t BankTakes) String() string { return BankTakesNames.Name(t) }

// MarshalText writes the name in a profile.
func (t BankTakes) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads the name in a profile.
func (t *BankTakes) UnmarshalText(text []byte) error {
	return BankTakesNames.Read(t, text, "rule for the bank's Black Jack")
}

// TakesOriginal reports whether the bank's Black Jack takes original bets only, of what is not over 21 before at least.
func (b *Bank) TakesOriginal() bool { return b.Takes != nil && *b.Takes != TakesAll }

// TakesBusted reports whether a hand over 21 is lost at once where the bank's Black Jack takes original bets only.
func (b *Bank) TakesBusted() bool { return b.Takes != nil && *b.Takes == TakesBusted }

// Pushes reports whether a total of the bank makes all hands but a Black Jack a stand-off.
func (b *Bank) Pushes(total int) bool { return total == 22 && b.Pushes22 != nil && *b.Pushes22 }

// TakesTie reports whether a hand as high as the bank's loses.
func (b *Bank) TakesTie(total int) bool { return b.WinsTies != nil && b.WinsTies.Has(total) }

// Totals are totals that the bank stands on.
type Totals struct{ set uint32 }

const (
	leastTotal = 17
	mostTotal  = 21
)

// Has reports whether a total is among them.
func (t *Totals) Has(total int) bool { return t.set>>total&1 == 1 }

// UnmarshalText reads a list such as "17, 18".
func (t *Totals) UnmarshalText(text []byte) error {
	var read Totals
	part, rest, more := plaintext.Cut(string(text), ',')
	for {
		name := plaintext.Trim(part)
		total, err := strconv.Atoi(name)
		if err != nil || total < leastTotal || total > mostTotal {
			return errors.New(strconv.Quote(name) + " is not a total that the bank stands on: write 17 to 21")
		}
		if read.Has(total) {
			return errors.New(name + " is there twice: remove one of them")
		}
		if read.set |= 1 << total; !more {
			break
		}
		part, rest, more = plaintext.Cut(rest, ',')
	}
	*t = read
	return nil
}

// MarshalText writes the list as a profile does.
func (t Totals) MarshalText() ([]byte, error) {
	var names []string
	for total := leastTotal; total <= mostTotal; total++ {
		if t.Has(total) {
			names = append(names, strconv.Itoa(total))
		}
	}
	return []byte(plaintext.Join(names, ", ")), nil
}

// ManyCards is a hand that wins by the number of its cards.
type ManyCards struct {
	Cards      int         `yaml:"cards,required" min:"5" max:"10" doc:"How many cards not over 21 win."`
	Pays       money.Ratio `yaml:"pays,required" doc:"What it pays."`
	AfterSplit bool        `yaml:"after_split,required" doc:"Whether a split hand wins so, too."`
}

// Win reports whether so many cards win by their number.
func (m *ManyCards) Win(cards int, split bool) bool {
	return m != nil && cards >= m.Cards && (!split || m.AfterSplit)
}

func (m *ManyCards) check(c *Complaints) {
	c.when(m != nil && (m.Cards < 5 || m.Cards > 10), "many_cards.cards", "no house pays a hand so",
		"write 5 to 10 cards")
}
