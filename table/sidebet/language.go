package sidebet

import (
	"errors"
	"strconv"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/plaintext"
)

// This file reads the language in which a paytable says which cards win a line.

// Places are where the cards lie that a bet looks at.
type Places uint8

// The places. First to Down are one card each; Hand and BankHand are known when they have ended.
const (
	First    Places = 1 << iota // the box's first card
	Second                      // the box's second
	Up                          // the bank's first
	Down                        // the bank's second
	Hand                        // the first hand of the box, at its end
	BankHand                    // the bank's hand, at its end

	deal = First | Second | Up | Down
)

var placeNames = []struct {
	name string
	is   Places
}{
	{"box", First | Second},
	{"bank", Up | Down},
	{"first", First},
	{"up", Up},
	{"hand", Hand},
	{"bank-hand", BankHand},
}

// UnmarshalText reads places such as "box+up".
func (p *Places) UnmarshalText(text []byte) error {
	var all Places
	name, rest, more := plaintext.Cut(string(text), '+')
	for {
		is := placeOf(plaintext.Trim(name))
		if is == 0 {
			return errors.New(strconv.Quote(name) +
				" is no place of cards: write box, bank, first, up, hand or bank-hand, or several such as box+up")
		}
		if all |= is; !more {
			break
		}
		name, rest, more = plaintext.Cut(rest, '+')
	}
	if alone := all & (Hand | BankHand); alone != 0 && alone != all {
		return errors.New(strconv.Quote(string(text)) +
			" mixes a whole hand with other cards: write one of them here, and the other with in")
	}
	*p = all
	return nil
}

func placeOf(name string) Places {
	for _, one := range placeNames {
		if one.name == name {
			return one.is
		}
	}
	return 0
}

// String writes the places as a profile does.
func (p Places) String() string {
	text := ""
	for _, one := range placeNames {
		if one.is&p == one.is {
			if p &^= one.is; text != "" {
				text += "+"
			}
			text += one.name
		}
	}
	return text
}

// MarshalText writes the places as a profile does.
func (p Places) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// what is what a test looks at.
type what uint8

const (
	count     what = iota + 1 // how many cards are of some
	all                       // whether all are
	upRank                    // how many have the rank of the bank's first card
	upCard                    // how many are the same card
	suited                    // one suit
	oneColour                 // one colour
	oneRank                   // one rank
	identical                 // one rank and suit
	straight                  // ranks in a row
	blackjack                 // an ace and a ten-value, and no other card
	bust                      // over 21
	soft                      // an ace counts eleven
	total                     // the total, an ace counting eleven where it can
	hardTotal                 // the total, aces counting one
	number                    // how many cards there are
	spread                    // how many ranks lie between the box's cards, among them the bank's first
	kept                      // the box has not lost
	joker                     // a Joker is laid to the box
)

var shapes = map[string]what{
	"suited": suited, "one-colour": oneColour, "one-rank": oneRank, "identical": identical, "straight": straight,
	"blackjack": blackjack, "bust": bust, "soft": soft, "kept": kept, "joker": joker,
}

var measures = map[string]what{"total": total, "hard-total": hardTotal, "cards": number, "spread": spread}

// test is one thing that must be so, or must not.
type test struct {
	what what
	not  bool
	// or begins another alternative.
	or bool
	// in is where, 0 for the cards of the bet.
	in Places
	// from and to bound what is counted; cards are those that count, a bit for each.
	from, to uint8
	cards    uint64
}

// endless is the bound of "3+".
const endless = 255

// When says which cards win a line: tests that must all hold, or those of another alternative. The zero When is none.
type When struct {
	text  string
	tests []test
}

// mostTests bounds a condition.
const mostTests = 32

// UnmarshalText reads a condition such as "2 of QH in box and blackjack in bank".
func (w *When) UnmarshalText(text []byte) error {
	r := reader{words: plaintext.Fields(string(text))}
	read := When{text: plaintext.Join(r.words, " ")}
	or := false
	for {
		t, err := r.test()
		if err != nil {
			return errors.New(strconv.Quote(read.text) + ": " + err.Error())
		}
		t.or = or
		if read.tests = append(read.tests, t); len(read.tests) > mostTests {
			return errors.New(strconv.Quote(read.text) + " has too many tests: write at most " +
				strconv.Itoa(mostTests))
		}
		if len(r.words) == 0 {
			break
		}
		joined := r.next()
		if or = joined == "or"; !or && joined != "and" {
			return errors.New(strconv.Quote(read.text) + ": " + strconv.Quote(joined) +
				" joins no tests: write and, or or")
		}
	}
	*w = read
	return nil
}

// String writes the condition as a profile does.
func (w When) String() string { return w.text }

// MarshalText writes the condition as a profile does.
func (w When) MarshalText() ([]byte, error) { return []byte(w.text), nil }

// IsZero says that there is no condition.
func (w When) IsZero() bool { return w.text == "" }

// reader takes the words of a condition.
type reader struct{ words []string }

// next takes a word, "" behind the last.
func (r *reader) next() (word string) {
	if len(r.words) > 0 {
		word, r.words = r.words[0], r.words[1:]
	}
	return word
}

func (r *reader) has(word string) bool { return len(r.words) > 0 && r.words[0] == word }

func (r *reader) test() (t test, err error) {
	if t.not = r.has("not"); t.not {
		r.next()
	}
	if t, err = r.said(t); err != nil || !r.has("in") {
		return t, err
	}
	r.next()
	if err = t.in.UnmarshalText([]byte(r.next())); err != nil {
		return t, err
	}
	if t.what == spread || t.what == kept || t.what == joker {
		return t, errors.New("this test has its own cards: leave out in " + t.in.String())
	}
	return t, nil
}

// said reads what a test says, without not and in.
func (r *reader) said(t test) (test, error) {
	word := r.next()
	if is := shapes[word]; is != 0 {
		t.what = is
		return t, nil
	}
	if is := measures[word]; is != 0 {
		t.what = is
		return t, t.bounds(r.next())
	}
	t.what = count
	switch word {
	case "all":
		t.what = all
	case "none":
	case "":
		return t, errors.New("a test is missing: write one such as suited, total 20 or 2 of QH")
	default:
		if t.bounds(word) != nil {
			return t, errors.New(strconv.Quote(word) + " is no test: docs/houses.md lists them all")
		}
	}
	if of := r.next(); of != "of" {
		return t, errors.New(strconv.Quote(word+" "+of) + " counts nothing: write " + word + " of and the cards")
	}
	return r.counted(t)
}

// counted reads which cards count.
func (r *reader) counted(t test) (test, error) {
	word := r.next()
	switch word {
	case "up-rank", "up-card":
		if t.what == all {
			return t, errors.New("all of " + word + " is not counted: write a number")
		}
		t.what = upRank
		if word == "up-card" {
			t.what = upCard
		}
		return t, nil
	}
	colour := ^uint64(0)
	if word == "red" || word == "black" {
		colour = cardsOf(func(c card.Card) bool { return c.Red() == (word == "red") })
		if len(r.words) == 0 || r.has("in") || r.has("and") || r.has("or") {
			t.cards = colour
			return t, nil
		}
		word = r.next()
	}
	name, rest, more := plaintext.Cut(word, '/')
	for {
		some := named(name)
		if some == 0 {
			return t, errors.New(strconv.Quote(name) + " names no cards: write a rank such as Q, a card such as QH, " +
				"ten-value, picture, a colour, a suit, up-rank or up-card, several as A/K")
		}
		if t.cards |= some; !more {
			break
		}
		name, rest, more = plaintext.Cut(rest, '/')
	}
	if t.cards &= colour; t.cards == 0 {
		return t, errors.New(strconv.Quote(word) + " has no card of that colour: write another")
	}
	return t, nil
}

// bounds reads 2, 2+ or 2-4.
func (t *test) bounds(word string) error {
	low, more := plaintext.CutSuffix(word, "+")
	low, high, span := plaintext.Cut(low, '-')
	n, err := strconv.ParseUint(low, 10, 6)
	most := n
	switch {
	case err == nil && span:
		most, err = strconv.ParseUint(high, 10, 6)
	case more:
		most = endless
	}
	if err != nil || more && span || most < n {
		return errors.New(strconv.Quote(word) + " is no number: write one such as 2, 2+ or 2-4")
	}
	t.from, t.to = uint8(n), uint8(most)
	return nil
}

// named are the cards of a name: a rank, a card, a suit or a group.
func named(name string) uint64 {
	switch name {
	case "ten-value":
		return cardsOf(func(c card.Card) bool { return c.Rank() >= card.Ten })
	case "picture":
		return cardsOf(func(c card.Card) bool { return c.Rank() > card.Ten })
	}
	for suit, called := range [...]string{
		card.Spades: "spades", card.Hearts: "hearts", card.Diamonds: "diamonds", card.Clubs: "clubs",
	} {
		if called == name {
			return cardsOf(func(c card.Card) bool { return c.Suit() == card.Suit(suit) })
		}
	}
	switch len(name) {
	case 1:
		return cardsOf(func(c card.Card) bool { return c.String()[0] == name[0] })
	case 2:
		return cardsOf(func(c card.Card) bool { return c.String() == name })
	}
	return 0
}

// cardsOf are the cards that a function picks, a bit for each.
func cardsOf(pick func(card.Card) bool) (some uint64) {
	for c := range card.All {
		if pick(c) {
			some |= 1 << c
		}
	}
	return some
}
