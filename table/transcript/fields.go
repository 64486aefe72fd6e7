package transcript

import (
	"strings"

	"github.com/sabot-table/sabot/table"
)

// field is one field of an input line.
type field uint8

const (
	fIn field = iota
	fT
	fHouse
	fCurrency
	fMin
	fBoxMax
	fUnit
	fDecks
	fBoxes
	fCall
	fJackpot
	fKeysApart
	fProfile
	fEvent
	fMissing
	fCode
	fBox
	fBettor
	fWager
	fAmount
	fSeated
	fPlayer
	fCard
	fBettors
	fWith
	fBy
	fRole
	fReason
	fName
	fShift
	fieldCount
)

var fieldNames = [fieldCount]string{
	fIn: "in", fT: "t", fHouse: "house", fCurrency: "currency", fMin: "min", fBoxMax: "box_max",
	fUnit: "unit", fDecks: "decks", fBoxes: "boxes", fCall: "call", fJackpot: "jackpot", fKeysApart: "keys_apart", fProfile: "profile",
	fEvent: "event", fMissing: "missing", fCode: "code", fBox: "box", fBettor: "bettor",
	fWager: "wager", fAmount: "amount", fSeated: "seated", fPlayer: "player", fCard: "card",
	fBettors: "bettors", fWith: "with", fBy: "by", fRole: "role", fReason: "reason",
	fName: "name", fShift: "shift",
}

func (f field) String() string { return fieldNames[f] }

func parseField(name []byte) (field, bool) {
	for f, known := range fieldNames {
		if known == string(name) {
			return field(f), true
		}
	}
	return 0, false
}

// fields is a set of fields.
type fields uint32

func setOf(list ...field) fields {
	var s fields
	for _, f := range list {
		s |= 1 << f
	}
	return s
}

func (s fields) has(f field) bool { return s>>f&1 == 1 }

// String lists the set, for error messages.
func (s fields) String() string {
	var names []string
	for f := range fieldCount {
		if s.has(f) {
			names = append(names, f.String())
		}
	}
	return strings.Join(names, ", ")
}

// shape is which fields a kind of line has.
type shape struct{ required, optional fields }

func (s shape) all() fields { return s.required | s.optional | setOf(fIn, fT) }

var shapes = map[table.InputKind]shape{
	table.InSetup: {setOf(fHouse), setOf(fCurrency, fMin, fBoxMax, fUnit, fDecks, fBoxes, fCall, fJackpot, fKeysApart, fProfile)},
	table.InShoe:  {setOf(fEvent), 0},
	table.InOpen:  {},
	table.InStake: {setOf(fBox, fBettor, fWager), setOf(fAmount, fSeated, fPlayer)},
	table.InClose: {},
	table.InCard:  {setOf(fCard), 0},
	table.InCall:  {setOf(fCall), 0},
	table.InUndo:  {},
	table.InResolve: {
		setOf(fWith), setOf(fBy, fCard, fRole, fReason),
	},
	table.InPaid:        {0, setOf(fBox, fAmount)},
	table.InAcknowledge: {setOf(fCode, fBy), 0},
	table.InDealer:      {setOf(fName), setOf(fShift)},
	table.InNote:        {setOf(fCode), setOf(fBy)},
	table.InStorage:     {setOf(fEvent), 0},
}

// callShape is which fields a call has: a decision for the active hand may name
// who joins, a bettor's insurance names box and bettor.
func callShape(c table.Call) shape {
	switch c {
	case table.CallDouble, table.CallSplit, table.CallSurrender:
		return shape{setOf(fCall), setOf(fBettors)}
	case table.CallInsurance:
		return shape{setOf(fCall, fBox, fBettor), setOf(fAmount)}
	case table.CallEvenMoney:
		return shape{setOf(fCall, fBox, fBettor), 0}
	default:
		return shape{setOf(fCall), 0}
	}
}

// eventShape is which fields a shoe's event has: a hole says how many cards are
// missing, where that is known, and what has a name of the shoe's own its code.
func eventShape(e table.ShoeEvent) shape {
	switch e {
	case table.ShoeGap:
		return shape{setOf(fEvent), setOf(fMissing)}
	case table.ShoeAlarmRaised, table.ShoeAlarmCleared, table.ShoeNote:
		return shape{setOf(fEvent), setOf(fCode)}
	default:
		return shape{setOf(fEvent), 0}
	}
}
