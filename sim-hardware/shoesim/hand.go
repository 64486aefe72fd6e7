package shoesim

import (
	"errors"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe/card"
)

// How sure the simulated sensor is.
const (
	sureConfidence   = 99
	unreadConfidence = 10
)

// Draw takes the next card out and returns it.
func (s *Shoe) Draw() (card.Card, error) {
	return s.draw(s.stock.next, read)
}

// DrawCard takes a chosen card out, wherever it lies in the shoe.
func (s *Shoe) DrawCard(c card.Card) error {
	take := func() (card.Card, error) { return c, s.stock.take(c) }
	_, err := s.draw(take, read)
	return err
}

// DrawUnread takes the next card out in a way that the sensor cannot read, and
// returns which it was.
func (s *Shoe) DrawUnread() (card.Card, error) {
	return s.draw(s.stock.next, func(card.Card) reading { return read(card.Unread) })
}

// DrawWrong takes the next card out, which faulty firmware reports by a code of
// the caller's choice, and returns which it was.
func (s *Shoe) DrawWrong(r wire.Rank, suit wire.Suit) (card.Card, error) {
	return s.draw(s.stock.next, func(card.Card) reading { return reading{r, suit, sureConfidence} })
}

// reading is what the sensor makes of a card.
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

func (s *Shoe) draw(take func() (card.Card, error), sense func(card.Card) reading) (card.Card, error) {
	var drawn card.Card
	err := s.do(func(now time.Duration) error {
		if locks := s.core.Locks(); locks != 0 {
			return fmt.Errorf("%w (reasons %#02x): wait until the host frees it", ErrLocked, uint8(locks))
		}
		c, err := take()
		if err != nil {
			return err
		}
		drawn = c
		r := sense(c)
		s.core.Card(now, r.rank, r.suit, r.confidence)
		if s.drawn++; s.drawn == s.options.CutAfter {
			s.core.CutCard(now)
		}
		return nil
	})
	return drawn, err
}

// Return puts cards back into a continuous shuffler.
func (s *Shoe) Return(cards ...card.Card) error {
	return s.do(func(time.Duration) error {
		if !s.options.Continuous {
			return errors.New("cards go back into a continuous shuffler only: reload this shoe instead")
		}
		s.stock.putBack(cards)
		return nil
	})
}

// Reload puts all cards in again: shuffled anew, or in the listed order.
func (s *Shoe) Reload() error {
	return s.do(func(time.Duration) error {
		s.stock.reload()
		s.drawn = 0
		return nil
	})
}

// CutCard lets the cut card come now.
func (s *Shoe) CutCard() error {
	return s.do(func(now time.Duration) error { s.core.CutCard(now); return nil })
}

// Key presses or releases a key wired to the shoe, 1 to wire.MaxKey.
func (s *Shoe) Key(number uint8, down bool) error {
	return s.do(func(now time.Duration) error {
		if number == 0 || number > wire.MaxKey {
			return fmt.Errorf("the shoe has no key %d: use 1 to %d", number, wire.MaxKey)
		}
		s.core.Key(now, number, down)
		return nil
	})
}

// RaiseAlarm lets the shoe have a trouble.
func (s *Shoe) RaiseAlarm(a wire.AlarmCode, detail uint16) error {
	return s.do(func(now time.Duration) error { s.core.RaiseAlarm(now, a, detail); return nil })
}

// ClearAlarm ends a trouble.
func (s *Shoe) ClearAlarm(a wire.AlarmCode) error {
	return s.do(func(now time.Duration) error { s.core.ClearAlarm(now, a, 0); return nil })
}

// Log lets the firmware send a text for people.
func (s *Shoe) Log(level wire.Level, text string) error {
	return s.do(func(time.Duration) error { s.core.Log(level, text); return nil })
}
