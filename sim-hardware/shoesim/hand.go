package shoesim

import (
	"errors"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe/card"
)

// The simulated sensor's confidence.
const (
	sureConfidence   = 99
	unreadConfidence = 10
)

// Draw draws the next card and returns it.
func (s *Shoe) Draw() (card.Card, error) {
	return s.draw(s.stock.next, seen)
}

// DrawCard draws a chosen card, wherever it is in the shoe.
func (s *Shoe) DrawCard(c card.Card) error {
	take := func() (card.Card, error) { return c, s.stock.takeCard(c) }
	_, err := s.draw(take, seen)
	return err
}

// DrawUnread draws the next card so that the sensor cannot read it, and returns which it was.
func (s *Shoe) DrawUnread() (card.Card, error) {
	return s.draw(s.stock.next, func(card.Card) card.Card { return card.Unread })
}

// DrawForeign draws a card that somebody has put into the shoe: one more than its decks have.
func (s *Shoe) DrawForeign(c card.Card) error {
	_, err := s.draw(func() (card.Card, error) { return c, nil }, seen)
	return err
}

// Overdraw draws a card that was not due. A shoe that knows the game reports it.
func (s *Shoe) Overdraw() (card.Card, error) {
	c, err := s.Draw()
	if err != nil {
		return c, err
	}
	if err = s.Trouble(Overdraw, true); errors.Is(err, ErrNoSuch) {
		err = nil
	}
	return c, err
}

func seen(c card.Card) card.Card { return c }

// draw draws a card, and the shoe reports what the sensor makes of it.
func (s *Shoe) draw(take func() (card.Card, error), sense func(card.Card) card.Card) (card.Card, error) {
	return s.takeCard(take, func(now time.Duration, c card.Card) { s.firmware.card(now, sense(c)) })
}

// takeCard draws a card and lets the shoe report it.
func (s *Shoe) takeCard(take func() (card.Card, error), tell func(time.Duration, card.Card)) (card.Card, error) {
	var drawn card.Card
	err := s.do(func(now time.Duration) error {
		if why := s.firmware.locked(); why != "" {
			return fmt.Errorf("%w (%s): wait until the host unlocks it", ErrLocked, why)
		}
		c, err := take()
		if err != nil {
			return err
		}
		drawn = c
		tell(now, c)
		if s.drawn++; s.drawn == s.options.CutAfter {
			s.firmware.cutCard(now)
		}
		return nil
	})
	return drawn, err
}

// DrawWrong draws the next card, which faulty firmware of a sabot shoe reports with a code of the caller's choice, and
// returns which it was.
func (s *Shoe) DrawWrong(r wire.Rank, suit wire.Suit) (card.Card, error) {
	if s.core == nil {
		return card.None, fmt.Errorf("a wrong code: %w", ErrNoSuch)
	}
	return s.takeCard(s.stock.next, func(now time.Duration, _ card.Card) { s.core.Card(now, r, suit, sureConfidence) })
}

// reading is what the sensor of a sabot shoe makes of a card.
type reading struct {
	rank       wire.Rank
	suit       wire.Suit
	confidence uint8
}

func read(c card.Card) reading {
	switch {
	case c == card.Joker:
		return reading{wire.RankJoker, wire.NoSuit, sureConfidence}
	case c.Ranked():
		return reading{wire.Rank(c.Rank()), wire.Suit(c.Suit()) + wire.Spades, sureConfidence}
	}
	return reading{wire.RankUnread, wire.NoSuit, unreadConfidence}
}

// Return puts cards back into a continuous shuffler.
func (s *Shoe) Return(cards ...card.Card) error {
	return s.do(func(time.Duration) error {
		if !s.options.Continuous {
			return errors.New("cards go back only into a continuous shuffler: reload this shoe instead")
		}
		s.stock.putBack(cards)
		return nil
	})
}

// Reload puts all cards back in: reshuffled, or in the listed order.
func (s *Shoe) Reload() error {
	return s.do(func(time.Duration) error {
		s.stock.reload()
		s.drawn = 0
		return nil
	})
}

// CutCard makes the cut card appear now.
func (s *Shoe) CutCard() error {
	return s.do(func(now time.Duration) error { s.firmware.cutCard(now); return nil })
}

// Trouble gives the shoe a trouble, or ends it.
func (s *Shoe) Trouble(t Trouble, raised bool) error {
	return s.do(func(now time.Duration) error {
		if err := s.Kind().knows(t); err != nil {
			return err
		}
		s.firmware.trouble(now, t, raised)
		return nil
	})
}

// Key presses or releases a key wired to a sabot shoe, 1 to wire.MaxKey.
func (s *Shoe) Key(number uint8, down bool) error {
	return s.doCore(func(now time.Duration, c *Core) error {
		if number == 0 || number > wire.MaxKey {
			return fmt.Errorf("the shoe has no key %d: use 1 to %d", number, wire.MaxKey)
		}
		c.Key(now, number, down)
		return nil
	})
}

// RaiseAlarm makes a sabot shoe raise an alarm, by its code.
func (s *Shoe) RaiseAlarm(a wire.AlarmCode, detail uint16) error {
	return s.doCore(func(now time.Duration, c *Core) error { c.RaiseAlarm(now, a, detail); return nil })
}

// ClearAlarm ends it.
func (s *Shoe) ClearAlarm(a wire.AlarmCode) error {
	return s.doCore(func(now time.Duration, c *Core) error { c.ClearAlarm(now, a, 0); return nil })
}

// Log makes the firmware of a sabot shoe send a log text.
func (s *Shoe) Log(level wire.Level, text string) error {
	return s.doCore(func(_ time.Duration, c *Core) error { c.Log(level, text); return nil })
}

// doCore lets something happen that only a sabot shoe has.
func (s *Shoe) doCore(happen func(time.Duration, *Core) error) error {
	return s.do(func(now time.Duration) error {
		if s.core == nil {
			return ErrNoSuch
		}
		return happen(now, s.core)
	})
}
