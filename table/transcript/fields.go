package transcript

import (
	"math/bits"
	"slices"
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

// String returns the field's name in transcripts, "" for none.
func (f field) String() string {
	if f >= fieldCount {
		return ""
	}
	return fieldNames[f]
}

// fieldKeys are the names as they stand before a value.
var fieldKeys = func() (keys [fieldCount]string) {
	for f, name := range fieldNames {
		keys[f] = `"` + name + `":`
	}
	return keys
}()

func findField(name string) (field, bool) {
	f := slices.Index(fieldNames[:], name)
	return field(f), f >= 0
}

// fields is a set of fields.
type fields uint64

// all yields the fields of the set in their order.
func (s fields) all(yield func(field) bool) {
	for ; s != 0; s &= s - 1 {
		if !yield(s.first()) {
			return
		}
	}
}

// first is the first field of a set that is not empty.
func (s fields) first() field { return field(bits.TrailingZeros64(uint64(s))) }

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
	for f := range s.all {
		names = append(names, f.String())
	}
	return strings.Join(names, ", ")
}

// shape is which fields a kind of line has.
type shape struct{ required, optional fields }

func (s shape) all() fields { return s.required | s.optional | 1<<fIn | 1<<fT }

// shapeOf is which fields an input has, as its call or event has been read.
func shapeOf(in *table.Input) shape {
	switch in.Kind {
	case table.InCall:
		return callShapes[in.Call]
	case table.InShoe:
		return eventShapes[in.Shoe]
	case table.InStorage:
		return storageShapes[in.Storage]
	default:
		return shapes[in.Kind]
	}
}

var shapes = [256]shape{
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

var (
	callShapes    = shapesOf(callShape)
	eventShapes   = shapesOf(eventShape)
	storageShapes = shapesOf(storageShape)
)

func shapesOf[T enumeration](of func(T) shape) (all [256]shape) {
	for i := range all {
		all[i] = of(T(i))
	}
	return all
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

// storageShape is which fields an event of the record has: what a supervisor must see
// to may say what was found.
func storageShape(e table.StorageEvent) shape {
	if e.Holds() {
		return shape{setOf(fEvent), setOf(fCode)}
	}
	return shape{setOf(fEvent), 0}
}
