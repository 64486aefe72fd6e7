package practice

import "github.com/sabot-table/sabot/table/plaintext"

// Mistake is what a trainee did wrong when something had gone wrong at the table.
type Mistake uint8

// The mistakes.
const (
	// WrongWay: it was put right in another way than what happened asks for.
	WrongWay Mistake = iota + 1
	// WrongCard: another card was named than lies there.
	WrongCard
	// CardDrawn: a card was drawn that should have stayed in the shoe.
	CardDrawn
	// WrongCall: another call was pressed than the guest made.
	WrongCall
	// GivenUp: it was not put right.
	GivenUp
)

var mistakeNames = plaintext.Enum[Mistake]{
	WrongWay: "wrong-way", WrongCard: "wrong-card", CardDrawn: "card-drawn", WrongCall: "wrong-call",
	GivenUp: "given-up",
}

// String returns the mistake's name in results.
func (m Mistake) String() string { return mistakeNames.Name(m) }

// MarshalText writes the mistake's name.
func (m Mistake) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the mistake's name.
func (m *Mistake) UnmarshalText(text []byte) error { return mistakeNames.Read(m, text, "mistake") }
