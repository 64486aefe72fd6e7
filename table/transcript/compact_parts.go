package transcript

import (
	"math"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// part is how one field of an input is written and read in the compact form.
type part struct {
	field field
	// given says whether an input has the field, where it need not.
	given func(in *vocab.Input) bool
	write func(e *Encoder, in *vocab.Input)
	read  func(d *Decoder, in *vocab.Input)
}

// The parts, as layouts list them.
var (
	pHouse    = textPart(fHouse, func(in *vocab.Input) *string { return &in.Setup.House })
	pCurrency = textPart(fCurrency, func(in *vocab.Input) *string { return &in.Setup.Currency })
	pMin      = limitPart(fMin, func(in *vocab.Input) *int64 { return &in.Setup.Min })
	pBoxMax   = limitPart(fBoxMax, func(in *vocab.Input) *int64 { return &in.Setup.BoxMax })
	pUnit     = limitPart(fUnit, func(in *vocab.Input) *int64 { return &in.Setup.Unit })
	pDecks    = countPart(fDecks, math.MaxInt16, func(in *vocab.Input) *int { return &in.Setup.Decks })
	pBoxes    = countPart(fBoxes, math.MaxInt16, func(in *vocab.Input) *int { return &in.Setup.Boxes })
	pCalls    = textPart(fCall, func(in *vocab.Input) *string { return &in.Setup.Calls })
	pJackpot  = limitPart(fJackpot, func(in *vocab.Input) *int64 { return &in.Setup.Jackpot })
	pProfile  = textPart(fProfile, func(in *vocab.Input) *string { return &in.Setup.Profile })

	pEvent   = namePart(fEvent, 0, namedEvents, func(in *vocab.Input) *vocab.ShoeEvent { return &in.Shoe })
	pMissing = countPart(fMissing, math.MaxInt32, func(in *vocab.Input) *int { return &in.Missing })
	pCode    = textPart(fCode, func(in *vocab.Input) *string { return &in.Code })
	pBox     = countPart(fBox, math.MaxInt32, func(in *vocab.Input) *int { return &in.Box })
	pBettor  = personPart(fBettor, func(in *vocab.Input) *string { return &in.Bettor })
	pPlayer  = personPart(fPlayer, func(in *vocab.Input) *string { return &in.Player })
	pWager   = namePart(fWager, vocab.WagerUnknown, namedWagers, func(in *vocab.Input) *vocab.Wager { return &in.Wager })
	pCall    = namePart(fCall, 0, namedCalls, func(in *vocab.Input) *vocab.Call { return &in.Call })
	pWith    = namePart(fWith, 0, namedChoices, func(in *vocab.Input) *irregularity.Choice { return &in.With })
	pBy      = textPart(fBy, func(in *vocab.Input) *string { return &in.By })
	pReason  = textPart(fReason, func(in *vocab.Input) *string { return &in.Because })
	pName    = textPart(fName, func(in *vocab.Input) *string { return &in.By })
	pShift   = textPart(fShift, func(in *vocab.Input) *string { return &in.Shift })
	pWho     = personPart(fBy, func(in *vocab.Input) *string { return &in.By })
	pStorage = namePart(fEvent, 0, namedStorage, func(in *vocab.Input) *vocab.StorageEvent { return &in.Storage })
	pRole    = namePart(fRole, 0, namedRoles, func(in *vocab.Input) *vocab.Role { return &in.Role })
)

var pIrregularity = namePart(fCode, 0, namedCodes, func(in *vocab.Input) *irregularity.Code { return &in.Irregularity })

var pKeysApart = part{
	fKeysApart,
	func(in *vocab.Input) bool { return in.Setup.KeysApart != 0 },
	func(e *Encoder, in *vocab.Input) {
		if n := in.Setup.KeysApart; n < -1 || n == 0 || n > rules.MaxKeysApart {
			e.fail("%s cannot be %d", fKeysApart, n)
		}
		e.amount(int64(in.Setup.KeysApart))
	},
	func(d *Decoder, in *vocab.Input) {
		in.Setup.KeysApart = int(d.varint(-1, rules.MaxKeysApart))
		if in.Setup.KeysApart == 0 {
			d.fail("%s cannot be 0", fKeysApart)
		}
	},
}

var pCard = part{
	fCard,
	func(in *vocab.Input) bool { return in.Card != card.None },
	func(e *Encoder, in *vocab.Input) { e.card(in.Card) },
	func(d *Decoder, in *vocab.Input) { in.Card = d.card() },
}

var pAmount = part{
	fAmount,
	func(in *vocab.Input) bool { return in.Stated },
	func(e *Encoder, in *vocab.Input) { e.amount(in.Amount) },
	func(d *Decoder, in *vocab.Input) { in.Amount, in.Stated = d.amount(), true },
}

var pSeated = part{
	fSeated,
	func(in *vocab.Input) bool { return in.Seat != vocab.SeatDefault },
	func(e *Encoder, in *vocab.Input) { e.truth(in.Seat == vocab.Seated) },
	func(d *Decoder, in *vocab.Input) {
		in.Seat = vocab.Standing
		if d.truth() {
			in.Seat = vocab.Seated
		}
	},
}

var pBettors = part{
	fBettors,
	func(in *vocab.Input) bool { return in.Bettors != nil },
	func(e *Encoder, in *vocab.Input) { e.list(in.Bettors) },
	func(d *Decoder, in *vocab.Input) { in.Bettors = d.list() },
}

// textPart is a text, left out where it is empty.
func textPart(f field, of func(*vocab.Input) *string) part {
	return part{
		f,
		func(in *vocab.Input) bool { return *of(in) != "" },
		func(e *Encoder, in *vocab.Input) { e.text(f, *of(in)) },
		func(d *Decoder, in *vocab.Input) { *of(in) = d.text() },
	}
}

// personPart is a text that cannot be empty where it is written.
func personPart(f field, of func(*vocab.Input) *string) part {
	return part{
		f,
		func(in *vocab.Input) bool { return *of(in) != "" },
		func(e *Encoder, in *vocab.Input) { e.person(f, *of(in)) },
		func(d *Decoder, in *vocab.Input) { *of(in) = d.person(f) },
	}
}

// countPart is a number from 0, left out where it is 0.
func countPart(f field, most int, of func(*vocab.Input) *int) part {
	return part{
		f,
		func(in *vocab.Input) bool { return *of(in) != 0 },
		func(e *Encoder, in *vocab.Input) { e.count(f, *of(in), most) },
		func(d *Decoder, in *vocab.Input) { *of(in) = d.count(most) },
	}
}

// limitPart is an amount of a setup, left out where it is 0.
func limitPart(f field, of func(*vocab.Input) *int64) part {
	return part{
		f,
		func(in *vocab.Input) bool { return *of(in) != 0 },
		func(e *Encoder, in *vocab.Input) { e.limit(f, *of(in)) },
		func(d *Decoder, in *vocab.Input) { *of(in) = d.limit() },
	}
}

// namePart is a name out of a set, left out where it is the zero value. A name that
// is not among them is otherwise, and is refused where that is 0.
func namePart[T enumeration](f field, otherwise T, names *named[T], of func(*vocab.Input) *T) part {
	return part{
		f,
		func(in *vocab.Input) bool { return *of(in) != 0 },
		func(e *Encoder, in *vocab.Input) {
			name := (*of(in)).String()
			if _, ok := names.find([]byte(name)); !ok {
				e.fail("%q is no %s", name, f)
			}
			e.word(name)
		},
		func(d *Decoder, in *vocab.Input) {
			w := d.word()
			if w.as != any(names) {
				v, ok := names.find(w.raw)
				if !ok {
					v = otherwise
				}
				if v == 0 && !ok {
					d.fail("%q is no %s; %s", w.raw, f, newer)
				}
				w.as, w.value = names, uint8(v)
			}
			*of(in) = T(w.value)
		},
	}
}
