package display

import (
	"github.com/sabot-table/sabot/table/plaintext"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Game is which game is played: those of the rules, and none.
type Game uint8

// The games. In BlackJames, of higher or lower, totals are points.
const (
	BlackJack  = 1 + Game(rules.BlackJack)
	BlackJames = 1 + Game(rules.BlackJames)
)

var gameNames = plaintext.Enum[Game]{BlackJack: rules.BlackJack.String(), BlackJames: rules.BlackJames.String()}

// String returns the game's name, "" for none.
func (g Game) String() string { return gameNames.Name(g) }

// MarshalText writes the game's name, "" for none.
func (g Game) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText reads the game's name, "" for none.
func (g *Game) UnmarshalText(text []byte) error {
	if *g = 0; len(text) == 0 {
		return nil
	}
	return gameNames.Read(g, text, "game")
}

// Press is a key press: Call says which call it was, if it was one.
type Press struct {
	Kind vocab.InputKind
	Call vocab.Call
}

// String returns the call's name, or what else was pressed: close, paid, or shoe where it was
// loaded; "" for nothing.
func (p Press) String() string {
	if p.Call != 0 {
		return p.Call.String()
	}
	return p.Kind.String()
}

// MarshalText writes the press as String does.
func (p Press) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads the press.
func (p *Press) UnmarshalText(text []byte) error {
	*p = Press{}
	if call, ok := vocab.ParseCall(string(text)); ok {
		*p = Press{vocab.InCall, call}
		return nil
	}
	return p.Kind.UnmarshalText(text)
}
