package transcript

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/table/vocab"
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
func shapeOf(in *vocab.Input) shape {
	switch in.Kind {
	case vocab.InCall:
		return callShapes[in.Call]
	case vocab.InShoe:
		return eventShapes[in.Shoe]
	case vocab.InStorage:
		return storageShapes[in.Storage]
	default:
		return shapes[in.Kind]
	}
}

var shapes = [256]shape{
	vocab.InSetup: {setOf(fHouse), setOf(fCurrency, fMin, fBoxMax, fUnit, fDecks, fBoxes, fCall, fJackpot, fKeysApart, fProfile)},
	vocab.InShoe:  {setOf(fEvent), 0},
	vocab.InOpen:  {},
	vocab.InStake: {setOf(fBox, fBettor, fWager), setOf(fAmount, fSeated, fPlayer)},
	vocab.InClose: {},
	vocab.InCard:  {setOf(fCard), 0},
	vocab.InCall:  {setOf(fCall), 0},
	vocab.InUndo:  {},
	vocab.InResolve: {
		setOf(fWith), setOf(fBy, fCard, fRole, fReason),
	},
	vocab.InPaid:        {0, setOf(fBox, fAmount)},
	vocab.InAcknowledge: {setOf(fCode, fBy), 0},
	vocab.InDealer:      {setOf(fName), setOf(fShift)},
	vocab.InNote:        {setOf(fCode), setOf(fBy)},
	vocab.InStorage:     {setOf(fEvent), 0},
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
func callShape(c vocab.Call) shape {
	switch c {
	case vocab.CallDouble, vocab.CallSplit, vocab.CallSurrender:
		return shape{setOf(fCall), setOf(fBettors)}
	case vocab.CallInsurance:
		return shape{setOf(fCall, fBox, fBettor), setOf(fAmount)}
	case vocab.CallEvenMoney:
		return shape{setOf(fCall, fBox, fBettor), 0}
	default:
		return shape{setOf(fCall), 0}
	}
}

// eventShape is which fields a shoe's event has: a hole says how many cards are
// missing, where that is known, and what has a name of the shoe's own its code.
func eventShape(e vocab.ShoeEvent) shape {
	switch e {
	case vocab.ShoeGap:
		return shape{setOf(fEvent), setOf(fMissing)}
	case vocab.ShoeAlarmRaised, vocab.ShoeAlarmCleared, vocab.ShoeNote:
		return shape{setOf(fEvent), setOf(fCode)}
	default:
		return shape{setOf(fEvent), 0}
	}
}

// storageShape is which fields an event of the record has: what a supervisor must see
// to may say what was found.
func storageShape(e vocab.StorageEvent) shape {
	if e.Holds() {
		return shape{setOf(fEvent), setOf(fCode)}
	}
	return shape{setOf(fEvent), 0}
}
