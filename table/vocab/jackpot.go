package vocab

import "github.com/sabot-table/sabot/table/plaintext"

// JackpotEvent is what a table tells of the jackpot to which it is linked.
type JackpotEvent uint8

// The events.
const (
	// JackpotHit: somebody has won all of it. The table stands until it is told how much that is.
	JackpotHit JackpotEvent = iota + 1
	// JackpotRound: a round is finished, and what it has put into the jackpot and was paid from it.
	JackpotRound
	// JackpotJoined: the table is set up to play for it.
	JackpotJoined
)

var jackpotNames = plaintext.Enum[JackpotEvent]{JackpotHit: "hit", JackpotRound: "round", JackpotJoined: "joined"}

// String returns the event's name in transcripts.
func (e JackpotEvent) String() string { return jackpotNames.Name(e) }

// MeterTold is what an output tells of the jackpot to which the table is linked.
type MeterTold struct {
	Event JackpotEvent
	// Name is the jackpot's, and Currency that of its amounts.
	Name, Currency string
	// Seed is the amount at which it starts, and starts again.
	Seed int64
	// Winners is how many stakes have won all of it.
	Winners int
	// Fed is what the round's stakes have put into it, and Paid what was paid from it. (JackpotRound)
	Fed, Paid int64
	// Entry is the pit's decision by which that was paid, 0 where the table went on alone. (JackpotRound)
	Entry int
}

// metered is what an output tells of the jackpot.
func metered(o *Output) *MeterTold { return orNone(orNone(o.Trouble).Meter) }

func roomForMeter(o *Output) { o.Trouble = &Trouble{Meter: &MeterTold{}} }

// meterFields are those of what is told of a linked jackpot.
func meterFields() []*Field[Output] {
	ofRound, ofGame := set(JackpotRound), set(JackpotHit, JackpotRound)
	return []*Field[Output]{
		named("event", Required, jackpotNames, "what happened", func(o *Output) *JackpotEvent {
			return &metered(o).Event
		}),
		text("jackpot", Required, "which jackpot it is", func(o *Output) *string { return &metered(o).Name }),
		text("currency", Required, "the currency of its amounts", func(o *Output) *string {
			return &metered(o).Currency
		}),
		round().only(ofGame),
		sum("seed", "the amount at which it starts, and starts again", func(o *Output) *int64 {
			return &metered(o).Seed
		}),
		count("winners", Required, "how many stakes have won all of it", func(o *Output) *int {
			return &metered(o).Winners
		}).only(ofGame),
		sum("fed", "what the round's stakes have put into it", func(o *Output) *int64 {
			return &metered(o).Fed
		}).only(ofRound),
		sum("paid", "what was paid from it", func(o *Output) *int64 { return &metered(o).Paid }).only(ofRound),
		count("entry", Optional, "the pit's decision by which that was paid; missing where the table went on alone",
			func(o *Output) *int { return &metered(o).Entry }).only(ofRound),
	}
}

func jackpotForm(o *Output) uint8 { return uint8(metered(o).Event) }

// meterInputs are what the pit tells of a linked jackpot.
var (
	meterInput = Line[Input]{
		Name:    "meter",
		Meaning: "what the pit says that the linked jackpot shows; without an amount, that it is not heard",
		Fields: []*Field[Input]{
			amount("amount", Optional, "what is in it; left out where the pit is not heard", amountOf).given(statedOf),
			count("entry", Optional, "the last of its entries that is counted in it", func(in *Input) *int {
				return &in.Entry
			}),
		},
	}
	jackpotInput = Line[Input]{
		Name: "jackpot", Meaning: "how much of the linked jackpot the pit gives to the winners of the round",
		Fields: []*Field[Input]{
			amount("amount", Required, "what this table's winners get together", amountOf).given(statedOf),
			count("entry", Required, "the pit's decision: winners of several tables may share one",
				func(in *Input) *int { return &in.Entry }),
		},
	}
)
