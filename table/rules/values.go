package rules

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/table/money"
)

// Money is an amount as a profile writes it, "10" or "10.50", in minor units.
type Money money.Amount

// UnmarshalText reads the amount.
func (m *Money) UnmarshalText(text []byte) error {
	n, err := money.Parse(string(text))
	if err != nil {
		return err
	}
	if n == 0 {
		return errors.New("the amount must be more than 0")
	}
	*m = Money(n)
	return nil
}

// MarshalText writes the amount with two decimals.
func (m Money) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// String writes the amount with two decimals.
func (m Money) String() string { return money.Format(int64(m), 2) }

// base is what a Limit is a part of.
type base uint8

const (
	baseNone base = iota
	baseMin
	baseBoxMax
	baseUnit
)

var baseNames = []string{baseMin: "min", baseBoxMax: "box_max", baseUnit: "unit"}

// Limit is an amount ("10.00"), or a part or multiple of one of the table's own:
// "min", "2 min", "1/10 box_max", "unit".
type Limit struct {
	amount money.Amount
	of     base
	times  money.Ratio
}

// UnmarshalText reads the limit.
func (l *Limit) UnmarshalText(text []byte) error {
	words := strings.Fields(string(text))
	for i := baseMin; i <= baseUnit; i++ {
		if len(words) > 0 && words[len(words)-1] == baseNames[i] {
			times, err := parseTimes(words[:len(words)-1])
			if err == nil {
				*l = Limit{of: i, times: times}
			}
			return err
		}
	}
	var m Money
	if err := m.UnmarshalText(text); err != nil {
		return fmt.Errorf("%q is no limit: write an amount such as 10.00, or a part of the table's own such as min, 2 min, 1/10 box_max", text)
	}
	*l = Limit{amount: money.Amount(m)}
	return nil
}

func parseTimes(words []string) (money.Ratio, error) {
	if len(words) == 0 {
		return money.Ratio{Num: 1, Den: 1}, nil
	}
	num, den, part := strings.Cut(words[0], "/")
	if !part {
		den = "1"
	}
	n, errNum := strconv.ParseInt(num, 10, 16)
	d, errDen := strconv.ParseInt(den, 10, 16)
	if len(words) > 1 || errNum != nil || errDen != nil || n < 1 || d < 1 {
		return money.Ratio{}, fmt.Errorf("%q is no part: write it as 2 or 1/10", strings.Join(words, " "))
	}
	return money.Ratio{Num: n, Den: d}, nil
}

// MarshalText writes the limit as a profile does.
func (l Limit) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// String writes the limit as a profile does.
func (l Limit) String() string {
	switch {
	case l.of == baseNone:
		return money.Format(l.amount, 2)
	case l.times.Num == 1 && l.times.Den == 1:
		return baseNames[l.of]
	case l.times.Den == 1:
		return fmt.Sprintf("%d %s", l.times.Num, baseNames[l.of])
	default:
		return fmt.Sprintf("%d/%d %s", l.times.Num, l.times.Den, baseNames[l.of])
	}
}

// in returns the limit at a table, in whole payable units.
func (l Limit) in(t TableLimits) money.Amount {
	of := [...]money.Amount{baseMin: t.Min, baseBoxMax: t.BoxMax, baseUnit: t.Unit}
	if l.of == baseNone {
		return l.amount
	}
	amount, _ := money.Share(of[l.of], l.times, t.Unit, money.Down)
	return amount
}

// Prize is what a line pays: odds on the stake, a fixed amount, or the jackpot.
// The zero Prize is no prize.
type Prize struct {
	Odds    money.Ratio
	Amount  money.Amount
	Jackpot bool
}

// UnmarshalText reads "50:1", "250.00" or "jackpot".
func (p *Prize) UnmarshalText(text []byte) error {
	if string(text) == "jackpot" {
		*p = Prize{Jackpot: true}
		return nil
	}
	if strings.Contains(string(text), ":") {
		var odds money.Ratio
		if err := odds.UnmarshalText(text); err != nil {
			return err
		}
		*p = Prize{Odds: odds}
		return nil
	}
	var m Money
	if err := m.UnmarshalText(text); err != nil {
		return fmt.Errorf("%q is no prize: write odds such as 50:1, an amount such as 250.00, or jackpot", text)
	}
	*p = Prize{Amount: money.Amount(m)}
	return nil
}

// MarshalText writes the prize as a profile does.
func (p Prize) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// String writes the prize as a profile does, "" for none.
func (p Prize) String() string {
	switch {
	case p.Jackpot:
		return "jackpot"
	case p.Amount != 0:
		return money.Format(p.Amount, 2)
	case p.Odds.Den != 0:
		return p.Odds.String()
	}
	return ""
}

// Game is which game is played.
type Game uint8

// The games.
const (
	BlackJack Game = iota
	BlackJames
)

// Source is whether cards leave in one pass or go back after each round.
type Source uint8

// The sources of cards.
const (
	Shoe Source = iota
	Shuffler
)

// CallMode is whether a card for a box needs the call "card" first.
type CallMode uint8

// The call modes.
const (
	CallsRequired CallMode = iota
	CallsImplied
)

// BankDraws is how far the bank draws when no open wager needs it.
type BankDraws uint8

// The ways of the bank.
const (
	// DrawsNeeded: only what an open wager needs. (Common rule 7.)
	DrawsNeeded BankDraws = iota
	// DrawsAlways: to 17, by the letter of the sheets.
	DrawsAlways
)

// Bettors is who may place a side bet on a played box.
type Bettors uint8

// The bettors.
const (
	// Anybody: every guest, with or without a main stake.
	Anybody Bettors = iota
	// WithStake: who has a main stake on the box.
	WithStake
	// SeatedOnly: who has a main stake on the box and sits.
	SeatedOnly
	// HoldersOnly: the box's holder.
	HoldersOnly
)

var (
	gameNames    = []string{BlackJack: "black-jack", BlackJames: "black-james"}
	sourceNames  = []string{Shoe: "shoe", Shuffler: "shuffler"}
	callNames    = []string{CallsRequired: "required", CallsImplied: "implied"}
	drawNames    = []string{DrawsNeeded: "needed", DrawsAlways: "always"}
	bettorsNames = []string{Anybody: "anybody", WithStake: "with-stake", SeatedOnly: "seated", HoldersOnly: "holders"}
)

// String returns the game's name in a profile.
func (g Game) String() string { return gameNames[g] }

// MarshalText writes the game's name.
func (g Game) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText reads the game's name.
func (g *Game) UnmarshalText(b []byte) error { return oneOf(g, gameNames, b) }

// String returns the source's name in a profile.
func (s Source) String() string { return sourceNames[s] }

// MarshalText writes the source's name.
func (s Source) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the source's name.
func (s *Source) UnmarshalText(b []byte) error { return oneOf(s, sourceNames, b) }

// String returns the mode's name in a profile and in transcripts.
func (m CallMode) String() string { return callNames[m] }

// MarshalText writes the mode's name.
func (m CallMode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the mode's name.
func (m *CallMode) UnmarshalText(b []byte) error { return oneOf(m, callNames, b) }

// String returns the way's name in a profile.
func (d BankDraws) String() string { return drawNames[d] }

// MarshalText writes the way's name.
func (d BankDraws) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the way's name.
func (d *BankDraws) UnmarshalText(b []byte) error { return oneOf(d, drawNames, b) }

// String returns the bettors' name in a profile.
func (b Bettors) String() string { return bettorsNames[b] }

// MarshalText writes the bettors' name.
func (b Bettors) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads the bettors' name.
func (b *Bettors) UnmarshalText(text []byte) error { return oneOf(b, bettorsNames, text) }

func oneOf[T ~uint8](v *T, names []string, text []byte) error {
	for i, name := range names {
		if name == string(text) {
			*v = T(i)
			return nil
		}
	}
	return fmt.Errorf("%q is none of %q", text, names)
}
