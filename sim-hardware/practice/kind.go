package practice

import "github.com/sabot-table/sabot/table/plaintext"

// Kind is a kind of exercise.
type Kind uint8

// The kinds.
const (
	// Payouts: what is paid to a box.
	Payouts Kind = iota + 1
	// Bank: whether the bank must draw.
	Bank
	// Calls: which calls a hand may make.
	Calls
	// Incidents: something goes wrong at the table, and is put right there.
	Incidents
	// Tray: what lies in the tray, what must be in it, and what is missing.
	Tray
	// Hole: what a dealer does next with a hole card on the table.
	Hole
)

var kindNames = plaintext.Enum[Kind]{
	Payouts: "payouts", Bank: "bank", Calls: "calls", Incidents: "incidents", Tray: "tray", Hole: "hole",
}

// Kinds are all of them, in the order in which they are learnt.
func Kinds() []Kind { return []Kind{Payouts, Bank, Calls, Hole, Tray, Incidents} }

// String returns the kind's name in addresses and results.
func (k Kind) String() string { return kindNames.Name(k) }

// MarshalText writes the kind's name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the kind's name.
func (k *Kind) UnmarshalText(text []byte) error { return kindNames.Read(k, text, "kind of exercise") }

// Levels is the highest level, and the first is 1. What each adds, deal.go says.
const Levels = 4
