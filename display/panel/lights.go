package panel

import (
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/vocab"
)

// Lamp is the state of a lamp.
type Lamp uint8

// The states of a lamp.
const (
	Off Lamp = iota
	On
	Blink
)

// Lights are the lamps, and the lock of the shoe's card exit. At a running table one
// lamp is always lit: a dark panel is a panel that does not work.
type Lights struct {
	// Green: draw a card.
	Green Lamp
	// Amber: somebody decides, and a key is pressed: a call, the insurance, the
	// payment, opening and closing the bets.
	Amber Lamp
	// Red is lit while the round is held and a person must put it right. It blinks while
	// nobody at the table can: the shoe does not answer, or nothing can be recorded.
	Red Lamp
	// Floor blinks while the floor is called, and is lit once somebody is coming.
	Floor Lamp
	// Locked: no card may leave the shoe.
	Locked bool
}

// Light says which lamps are lit at a table with this view.
func Light(v display.View) Lights {
	l := ofRound(v)
	l.Floor = floorLamp(v)
	return l
}

// ofRound are the lamps that say what the round wants.
func ofRound(v display.View) Lights {
	switch {
	case !v.Known():
		return Lights{} // nothing is known of the table yet
	case v.Held != nil && len(v.Held.Choices) == 0:
		return Lights{Red: Blink, Locked: true}
	case v.Held != nil:
		return Lights{Red: On, Locked: true}
	}
	switch v.Due.To {
	case vocab.ToBox, vocab.ToBank, vocab.ToAside, vocab.ToHole:
		return Lights{Green: On}
	case vocab.ToCall:
		if v.Due.Implied {
			return Lights{Green: On, Amber: On}
		}
	}
	return Lights{Amber: On, Locked: true}
}

// Sound is what the buzzer says.
type Sound uint8

// The sounds. Silence is the zero Sound.
const (
	// Refused: what was pressed was not taken.
	Refused Sound = iota + 1
	// Irregular: something must be put right.
	Irregular
)

// Pattern is how long the buzzer is on, off, on and so on.
func (s Sound) Pattern() []time.Duration {
	const short, long = 80 * time.Millisecond, 250 * time.Millisecond
	switch s {
	case Refused:
		return []time.Duration{short}
	case Irregular:
		return []time.Duration{long, short, long, short, long}
	}
	return nil
}

// Raised is Irregular if a later view shows an irregularity that an earlier one did not
// show.
func Raised(before, after display.View) Sound {
	if after.Held == nil || before.Held != nil && before.Held.Code == after.Held.Code {
		return 0
	}
	return Irregular
}
