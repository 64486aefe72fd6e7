package rules

import (
	"errors"
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/plaintext"
)

// Money is an amount as a profile writes it, "10" or "10.50", in minor units. A file writes it, like a Limit and a
// Prize, with the decimals of its currency; a text on record always has the last two digits after the point, since it
// is read without knowing the currency.
type Money money.Amount

// onRecord is how many digits a text on record has after the point.
const onRecord = 2

// UnmarshalText reads the amount as it is on record.
func (m *Money) UnmarshalText(text []byte) error { return m.read(text, onRecord) }

// UnmarshalIn reads the amount in a currency.
func (m *Money) UnmarshalIn(currency string, text []byte) error {
	return m.read(text, money.Digits(currency))
}

func (m *Money) read(text []byte, digits int) error {
	n, err := money.Parse(string(text), digits)
	if err != nil {
		return err
	}
	if n == 0 {
		return errors.New("the amount must be more than 0")
	}
	*m = Money(n)
	return nil
}

// MarshalText writes the amount as it is on record.
func (m Money) MarshalText() ([]byte, error) { return []byte(m.Text(onRecord)), nil }

// Text writes the amount with so many decimals.
func (m Money) Text(digits int) string { return money.Format(int64(m), digits) }

// base is what a Limit is a part of.
type base uint8

const (
	baseNone base = iota
	baseMin
	baseBoxMax
	baseUnit
)

var baseNames = plaintext.Enum[base]{baseMin: "min", baseBoxMax: "box_max", baseUnit: "unit"}

// Limit is an amount ("10.00"), or a part or multiple of one of the table's own limits:
// "min", "2 min", "1/10 box_max", "unit".
type Limit struct {
	amount money.Amount
	of     base
	times  money.Ratio
}

// UnmarshalText reads the limit as it is on record.
func (l *Limit) UnmarshalText(text []byte) error { return l.read(text, onRecord) }

// UnmarshalIn reads the limit in a currency.
func (l *Limit) UnmarshalIn(currency string, text []byte) error {
	return l.read(text, money.Digits(currency))
}

func (l *Limit) read(text []byte, digits int) error {
	words := plaintext.Fields(string(text))
	if last := len(words) - 1; last >= 0 {
		if of, ok := baseNames.Parse(words[last]); ok {
			times, err := parseTimes(words[:last])
			if err == nil {
				*l = Limit{of: of, times: times}
			}
			return err
		}
	}
	var m Money
	if err := m.read(text, digits); err != nil {
		return errors.New(strconv.Quote(string(text)) +
			" is not a limit: write an amount such as " + money.Format(ten(digits), digits) +
			", or a part of one of the table's own such as min, 2 " +
			"min, 1/10 box_max")
	}
	*l = Limit{amount: money.Amount(m)}
	return nil
}

func parseTimes(words []string) (money.Ratio, error) {
	if len(words) == 0 {
		return money.Ratio{Num: 1, Den: 1}, nil
	}
	num, den, part := plaintext.Cut(words[0], '/')
	if !part {
		den = "1"
	}
	n, errNum := strconv.ParseInt(num, 10, 16)
	d, errDen := strconv.ParseInt(den, 10, 16)
	if len(words) > 1 || errNum != nil || errDen != nil || n < 1 || d < 1 {
		return money.Ratio{}, errors.New(strconv.Quote(plaintext.Join(words, " ")) +
			" is not a part: write it as 2 or 1/10")
	}
	return money.Ratio{Num: n, Den: d}, nil
}

// MarshalText writes the limit as it is on record.
func (l Limit) MarshalText() ([]byte, error) { return []byte(l.Text(onRecord)), nil }

// Text writes the limit as a profile writes it, an amount with so many decimals.
func (l Limit) Text(digits int) string {
	if l.of == baseNone {
		return money.Format(l.amount, digits)
	}
	times := strconv.FormatInt(l.times.Num, 10) + " "
	switch {
	case l.times.Den != 1:
		times = strconv.FormatInt(l.times.Num, 10) + "/" + strconv.FormatInt(l.times.Den, 10) + " "
	case l.times.Num == 1:
		times = ""
	}
	return times + baseNames.Name(l.of)
}

// ten is ten units of a currency with so many decimals.
func ten(digits int) money.Amount {
	amount := money.Amount(10)
	for range digits {
		amount *= 10
	}
	return amount
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

// Prize is what a line pays: odds on the stake, a fixed amount, the jackpot or a part of it.
// The zero Prize is no prize.
type Prize struct {
	Odds    money.Ratio
	Amount  money.Amount
	Jackpot bool
	// Part is the part of the jackpot; the zero Part is all of it.
	Part money.Ratio
}

// whole is what the jackpot is called as a prize.
const whole = "jackpot"

// UnmarshalText reads "50:1", "250.00", "jackpot" or "1/10 jackpot" as it is on record.
func (p *Prize) UnmarshalText(text []byte) error { return p.read(text, onRecord) }

// UnmarshalIn reads the prize in a currency.
func (p *Prize) UnmarshalIn(currency string, text []byte) error {
	return p.read(text, money.Digits(currency))
}

func (p *Prize) read(text []byte, digits int) error {
	if string(text) == whole {
		*p = Prize{Jackpot: true}
		return nil
	}
	if words := plaintext.Fields(string(text)); len(words) == 2 && words[1] == whole {
		part, err := parseTimes(words[:1])
		if err == nil && part.Num >= part.Den {
			err = errors.New(strconv.Quote(string(text)) +
				" is no part of it: write jackpot, or less such as 1/10 jackpot")
		}
		if err == nil {
			*p = Prize{Jackpot: true, Part: part}
		}
		return err
	}
	if slices.Contains(text, ':') {
		var odds money.Ratio
		if err := odds.UnmarshalText(text); err != nil {
			return err
		}
		*p = Prize{Odds: odds}
		return nil
	}
	var m Money
	if err := m.read(text, digits); err != nil {
		return errors.New(strconv.Quote(string(text)) + " is not a prize: write odds such as 50:1, an amount such as " +
			money.Format(25*ten(digits), digits) + ", jackpot, or a part such as 1/10 jackpot")
	}
	*p = Prize{Amount: money.Amount(m)}
	return nil
}

// MarshalText writes the prize as it is on record.
func (p Prize) MarshalText() ([]byte, error) { return []byte(p.Text(onRecord)), nil }

// Text writes the prize as a profile writes it, an amount with so many decimals; "" for none.
func (p Prize) Text(digits int) string {
	switch {
	case p.Part.Den != 0:
		return strconv.FormatInt(p.Part.Num, 10) + "/" + strconv.FormatInt(p.Part.Den, 10) + " " + whole
	case p.Jackpot:
		return whole
	case p.Amount != 0:
		return money.Format(p.Amount, digits)
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

// Source says whether cards leave in one pass or go back after each round.
type Source uint8

// The sources of cards.
const (
	Shoe Source = iota
	Shuffler
)

// Loader is whom the house believes that the shoe was loaded before its cut card came.
type Loader uint8

// The loaders. The zero value is what is safe: who forgets the cards that have left a shoe
// can add cards to it unnoticed.
const (
	BySupervisor Loader = iota
	ByDealer
)

// CallMode says whether a card for a box needs the call "card" first.
type CallMode uint8

// The call modes.
const (
	CallsRequired CallMode = iota
	CallsImplied
)

// BankDraws says how far the bank draws when no open wager needs it.
type BankDraws uint8

// The ways of drawing.
const (
	// DrawsNeeded: only what an open wager needs. (Common rule 7.)
	DrawsNeeded BankDraws = iota
	// DrawsAlways: to 17, by the letter of the sheets.
	DrawsAlways
)

// Bettors says who may place a side bet on a played box.
type Bettors uint8

// The bettors.
const (
	// Anybody: every guest, with or without a main stake.
	Anybody Bettors = iota
	// WithStake: a bettor with a main stake on the box.
	WithStake
	// SeatedOnly: a bettor with a main stake on the box who sits.
	SeatedOnly
	// HoldersOnly: the box's holder.
	HoldersOnly
)

// WhenAlone says what a table does with a linked jackpot while it does not hear the pit. The zero WhenAlone is none.
type WhenAlone uint8

// What it does.
const (
	// LastKnown: it pays what the jackpot had when it was heard last.
	LastKnown WhenAlone = iota + 1
	// Reserved: it pays an amount of the house's.
	Reserved
	// ClosedAlone: it takes no stakes on it.
	ClosedAlone
)

// The names of the enumerations, in a profile and in transcripts.
var (
	WhenAloneNames = plaintext.Enum[WhenAlone]{LastKnown: "last-known", Reserved: "reserve", ClosedAlone: "closed"}
	GameNames      = plaintext.Enum[Game]{BlackJack: "black-jack", BlackJames: "black-james"}
	SourceNames    = plaintext.Enum[Source]{Shoe: "shoe", Shuffler: "shuffler"}
	LoaderNames    = plaintext.Enum[Loader]{BySupervisor: "supervisor", ByDealer: "dealer"}
	CallModeNames  = plaintext.Enum[CallMode]{CallsRequired: "required", CallsImplied: "implied"}
	BankDrawsNames = plaintext.Enum[BankDraws]{DrawsNeeded: "needed", DrawsAlways: "always"}
	BettorsNames   = plaintext.Enum[Bettors]{
		Anybody: "anybody", WithStake: "with-stake", SeatedOnly: "seated",
		HoldersOnly: "holders",
	}
)

// String returns the name of the game.
func (g Game) String() string { return GameNames.Name(g) }

// MarshalText writes the name of the game.
func (g Game) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText reads the name of the game.
func (g *Game) UnmarshalText(text []byte) error { return GameNames.Read(g, text, "game") }

// String returns the name of the source.
func (s Source) String() string { return SourceNames.Name(s) }

// MarshalText writes the name of the source.
func (s Source) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the name of the source.
func (s *Source) UnmarshalText(text []byte) error {
	return SourceNames.Read(s, text, "source of cards")
}

// String returns the name of the loader.
func (l Loader) String() string { return LoaderNames.Name(l) }

// MarshalText writes the name of the loader.
func (l Loader) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads the name of the loader.
func (l *Loader) UnmarshalText(text []byte) error {
	return LoaderNames.Read(l, text, "person who may say that the shoe was loaded")
}

// String returns the name of the call mode.
func (m CallMode) String() string { return CallModeNames.Name(m) }

// MarshalText writes the name of the call mode.
func (m CallMode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the name of the call mode.
func (m *CallMode) UnmarshalText(text []byte) error { return CallModeNames.Read(m, text, "call mode") }

// String returns the name of the way of drawing.
func (d BankDraws) String() string { return BankDrawsNames.Name(d) }

// MarshalText writes the name of the way of drawing.
func (d BankDraws) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the name of the way of drawing.
func (d *BankDraws) UnmarshalText(text []byte) error {
	return BankDrawsNames.Read(d, text, "way of drawing")
}

// String returns the name of the bettors.
func (b Bettors) String() string { return BettorsNames.Name(b) }

// MarshalText writes the name of the bettors.
func (b Bettors) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads the name of the bettors.
func (b *Bettors) UnmarshalText(text []byte) error {
	return BettorsNames.Read(b, text, "group of bettors")
}

// String returns the name of what a table does alone.
func (w WhenAlone) String() string { return WhenAloneNames.Name(w) }

// MarshalText writes the name of what a table does alone.
func (w WhenAlone) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads the name of what a table does alone.
func (w *WhenAlone) UnmarshalText(text []byte) error {
	return WhenAloneNames.Read(w, text, "way to go on alone")
}
