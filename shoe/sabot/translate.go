package sabot

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
)

// eventOf translates a numbered message into the table's terms. misread is what the codec found wrong with it, if
// anything.
func eventOf(m *wire.Message, misread error) shoe.Event {
	e := shoe.Event{Position: positionOf(m), Err: misread}
	switch {
	case m.Type == wire.Card:
		e.Kind, e.Card = shoe.Drawn, cardOf(m.Rank, m.Suit)
	case misread != nil:
		e.Kind, e.Code = shoe.Other, m.Type.String()
	default:
		describe(&e, m)
	}
	return e
}

// describe fills in what a good message says, except a card's.
func describe(e *shoe.Event, m *wire.Message) {
	switch m.Type {
	case wire.CutCard:
		e.Kind = shoe.CutCard
	case wire.Key:
		e.Kind, e.Code = shoe.Key, strconv.Itoa(int(m.KeyNumber))
		if !m.Down {
			e.Kind, e.Code = shoe.Other, "key-released "+e.Code
		}
	case wire.AlarmRaised:
		e.Kind, e.Code = shoe.AlarmRaised, m.Alarm.String()
		switch m.Alarm {
		case wire.AlarmEventsLost:
			e.Kind, e.Missing = shoe.Gap, eventsLost(m.Detail)
		case wire.AlarmTampering:
			what := wire.Tampering(min(m.Detail, math.MaxUint8))
			e.Code = tamperingCode(what)
			if int(what) < len(tamperings) {
				e.Err = tamperings[what]
			}
		}
	case wire.AlarmCleared:
		e.Kind, e.Code = shoe.AlarmCleared, m.Alarm.String()
	case wire.LockState:
		e.Kind, e.Code = lockOf(m.Locks)
	default:
		e.Kind, e.Code = shoe.Other, m.Type.String()
	}
}

func positionOf(m *wire.Message) shoe.Position {
	return shoe.Position{Boot: m.Boot, Seq: m.Seq}
}

var suits = [...]card.Suit{
	wire.Spades: card.Spades, wire.Hearts: card.Hearts, wire.Diamonds: card.Diamonds, wire.Clubs: card.Clubs,
}

// cardOf never loses a card: one that is unknown is an unread one.
func cardOf(r wire.Rank, s wire.Suit) card.Card {
	switch {
	case !wire.ValidCard(r, s) || r == wire.RankUnread:
		return card.Unread
	case r == wire.RankJoker:
		return card.Joker
	default:
		return card.Of(card.Rank(r), suits[s])
	}
}

// eventsLost returns how many events a full queue could not keep; the highest value means that many or more, which is
// 0, unknown.
func eventsLost(detail uint16) uint32 {
	if detail == 0xFFFF {
		return 0
	}
	return uint32(detail)
}

var lockNames = [...]string{"host", "queue-full", "fault", "by-hand"}

// lockOf names the reasons why the card exit is locked.
func lockOf(locks wire.LockBits) (kind shoe.Kind, reasons string) {
	if locks == 0 {
		return shoe.Unlocked, ""
	}
	var names []string
	for bit := range 8 {
		switch {
		case locks&(1<<bit) == 0:
		case bit < len(lockNames):
			names = append(names, lockNames[bit])
		default:
			names = append(names, fmt.Sprintf("reason %d", bit))
		}
	}
	return shoe.Locked, strings.Join(names, "+")
}
