package vocab

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/plaintext"
)

// Line is one kind of input or output: what it means, and its fields in the order in
// which they are written. L is what holds them, [Input] or [Output].
type Line[L any] struct {
	Name    string
	Meaning string
	// Forms are the forms that lines of the kind have, which differ in their fields, and
	// Form is the one that a line has; nil where there is one alone. By names the field
	// that decides on the form of an input.
	Forms  []string
	Form   func(*L) uint8
	By     string
	Fields []*Field[L]
	// Room makes the parts that the kind's fields are in, and Infer sets what is not
	// written since it follows from the fields: both are for whoever reads a line, and
	// nil where there is nothing to do.
	Room, Infer func(*L)
}

// Field is one field of a line: its name, how its value is written, whether it may be
// missing, what it means, and where the value is.
type Field[L any] struct {
	Name    string
	Type    Type
	Need    Need
	Unit    string
	Meaning string
	// Names are what a Named value, or one of a list, may be called, by the value; "" is
	// none; of a Word they are those that every house knows. Noun is what they name, and Else what a text becomes that
	// is no word, "" where it is refused.
	Names []string
	Noun  string
	Else  string
	// Only are the line's forms that have the field, and NullIn those in which its value is
	// null, as sets. An Only of 0 is every form.
	Only, NullIn uint64
	// Most bounds a number.
	Most int64
	// Wrong says what is wrong with a text that comes from outside, "" for nothing; nil where
	// any text may come, or none does. What is on record is read whatever it says of it.
	Wrong func(text string) string
	// Given is set where the field stands in a line, and Null where its value is null:
	// an amount that nobody knows.
	Given, Null func(*L) *bool

	// Where the value is: one of these, by the type. At points to what Number gives.
	At        func(*L) any
	Number    func(*L) int64
	SetNumber func(*L, int64)
	Text      func(*L) *string
	Texts     func(*L) *[]string
	Choices   func(*L) *irregularity.Choices
	Cards     func(*L) *[]card.Card
	Ratio     func(*L) *money.Ratio
	Due       func(*L) *Due
	Chips     func(*L) *[]Chips
}

// Type is how a value is written in JSON.
type Type uint8

// The types.
const (
	TypeText     Type = iota + 1 // any text
	TypeName                     // a text that is not empty
	TypeMoment                   // RFC 3339 with fractions
	TypeCount                    // a whole number from 0
	TypePositive                 // a whole number from 1
	TypeApart                    // milliseconds from 1, or -1 for never
	TypeAmount                   // a whole number of minor units
	TypeNamed                    // one of the names
	TypeWord                     // one of the names, or one that a house has given
	TypeCard                     // a card's two characters, or what stands for them
	TypeTruth                    // true or false
	TypeRatio                    // a text such as "3:2"
	TypeTexts                    // a list of texts
	TypeCalls                    // a list of calls
	TypeChoices                  // a list of choices
	TypeCards                    // a list of cards
	TypeDue                      // an object with the fields of Dues
	TypeChips                    // a list of chips, such as "500x20"
)

// Need is whether a field may be missing.
type Need uint8

// The needs.
const (
	// Required always stands in the line.
	Required Need = iota + 1
	// Optional is left out where it is 0, empty or false.
	Optional
	// Assumed is always written, and may be missing where somebody else wrote the line.
	Assumed
)

// integer is what numbers, truths and enumerations are kept in.
type integer interface {
	~int | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// number is a field whose value is an integer.
func number[L any, T integer](name string, of Type, need Need, meaning string, at func(*L) *T) *Field[L] {
	return &Field[L]{
		Name: name, Type: of, Need: need, Meaning: meaning, Most: most[T](),
		At:     func(l *L) any { return at(l) },
		Number: func(l *L) int64 { return int64(*at(l)) }, SetNumber: func(l *L, n int64) { *at(l) = T(n) },
	}
}

// most is the largest number that is written: where there is room for more, what JSON's
// readers agree on.
func most[T integer]() int64 {
	largest := ^T(0) // -1 where it has a sign
	switch bits := uint64(largest); {
	case largest > 0 && bits <= 1<<32:
		return int64(bits)
	case largest > 0:
		return 1<<63 - 1
	default:
		return 1<<31 - 1
	}
}

func count[L any, T integer](name string, need Need, meaning string, at func(*L) *T) *Field[L] {
	return number(name, TypeCount, need, meaning, at)
}

// amount is money in minor units.
func amount[L any](name string, need Need, meaning string, at func(*L) *int64) *Field[L] {
	f := number(name, TypeAmount, need, meaning, at)
	f.Unit, f.Most = "minor units", money.Max
	return f
}

// positive is a number of a setup.
func positive[L any, T integer](name, unit, meaning string, most int64, at func(*L) *T) *Field[L] {
	f := number(name, TypePositive, Optional, meaning, at)
	f.Unit, f.Most = unit, most
	return f
}

func named[L any, T ~uint8](name string, need Need, names []string, meaning string, at func(*L) *T) *Field[L] {
	f := number(name, TypeNamed, need, meaning, at)
	f.Names, f.Noun = names, name
	return f
}

// word is a name that a house may have given.
func word[L any](name string, need Need, names []string, meaning string, at func(*L) *string) *Field[L] {
	return &Field[L]{Name: name, Type: TypeWord, Need: need, Meaning: meaning, Names: names, Noun: name, Text: at}
}

func playing[L any](need Need, meaning string, at func(*L) *card.Card) *Field[L] {
	f := number("card", TypeCard, need, meaning, at)
	f.Names = cardNames
	return f
}

func calls[L any](name string, need Need, meaning string, at func(*L) *Calls) *Field[L] {
	f := number(name, TypeCalls, need, meaning, at)
	f.Names = callNames
	return f
}

func truth[L any](name string, need Need, meaning string, at func(*L) *bool) *Field[L] {
	return &Field[L]{
		Name: name, Type: TypeTruth, Need: need, Meaning: meaning,
		At:     func(l *L) any { return at(l) },
		Number: func(l *L) int64 { return one(*at(l)) }, SetNumber: func(l *L, n int64) { *at(l) = n == True },
	}
}

// What the number of a truth is. An Optional one that is False is left out, but not one
// that is Denied: that somebody said no is something else than that nobody said anything.
const (
	False int64 = iota
	True
	Denied
)

// one is a truth as a number.
func one(yes bool) int64 {
	if yes {
		return True
	}
	return False
}

func text[L any](name string, need Need, meaning string, at func(*L) *string) *Field[L] {
	return &Field[L]{Name: name, Type: TypeText, Need: need, Meaning: meaning, Text: at}
}

// person is a text that says who it is.
func person[L any](name string, need Need, meaning string, at func(*L) *string) *Field[L] {
	f := text(name, need, meaning, at)
	f.Type = TypeName
	return f.called()
}

// called limits a text from outside to what a name may hold.
func (f *Field[L]) called() *Field[L] {
	f.Wrong = plaintext.WrongName
	return f
}

// said limits a text from outside to words that can be seen.
func (f *Field[L]) said() *Field[L] {
	f.Wrong = plaintext.WrongWords
	return f
}

// only limits the field to some of the line's forms.
func (f *Field[L]) only(forms uint64) *Field[L] {
	f.Only = forms
	return f
}

// optional may be missing, with a meaning of its own.
func (f *Field[L]) optional(meaning string) *Field[L] {
	f.Need, f.Meaning = Optional, meaning
	return f
}

// given keeps in the line that the field was stated.
func (f *Field[L]) given(at func(*L) *bool) *Field[L] {
	f.Given = at
	return f
}

// unknown writes null for an amount that nobody knows, in these forms.
func (f *Field[L]) unknown(at func(*L) *bool, forms uint64) *Field[L] {
	f.Null, f.NullIn = at, forms
	return f
}

// in names the number's unit.
func (f *Field[L]) in(unit string) *Field[L] {
	f.Unit = unit
	return f
}

// otherwise is what a text becomes that is no word.
func (f *Field[L]) otherwise(v string) *Field[L] {
	f.Else = v
	return f
}

// kinds are the names of kinds of lines.
func kinds[K ~uint8, L any](lines []Line[L]) plaintext.Enum[K] {
	names := make(plaintext.Enum[K], len(lines))
	for i := range lines {
		names[i] = lines[i].Name
	}
	return names
}

// set is a set of an enumeration's members.
func set[T ~uint8](list ...T) (s uint64) {
	for _, one := range list {
		s |= 1 << one
	}
	return s
}

// orNone is a part that few lines have, an empty one where a line has none. Whoever reads a line has made Room for it.
func orNone[P any](part *P) *P {
	if part == nil {
		return new(P)
	}
	return part
}

// namesOf are the names of an enumeration's members, by their value.
func namesOf[T interface {
	~uint8
	String() string
}](every func(func(T) bool),
) []string {
	var names []string
	for v := range every {
		for len(names) <= int(v) {
			names = append(names, "")
		}
		names[v] = v.String()
	}
	return names
}

var (
	cardNames   = namesOf(everyCard)
	codeNames   = namesOf(irregularity.EveryCode)
	choiceNames = namesOf(irregularity.EveryChoice)
	// personsChoices are those that a person can take.
	personsChoices = namesOf(func(yield func(irregularity.Choice) bool) {
		for c := range irregularity.EveryChoice {
			if _, persons := irregularity.ParseChoice(c.String()); persons && !yield(c) {
				return
			}
		}
	})
)

// some are the names of these members alone.
func some[T ~uint8](names plaintext.Enum[T], members ...T) (few plaintext.Enum[T]) {
	for _, v := range members {
		few = put(few, v, names[v])
	}
	return few
}

func everyCard(yield func(card.Card) bool) {
	for c := range card.All {
		if !yield(c) {
			return
		}
	}
	_ = yield(card.Joker) && yield(card.Unread) && yield(card.Down)
}
