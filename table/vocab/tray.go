package vocab

import (
	"errors"
	"strconv"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/plaintext"
)

// Chips are so many pieces of one value, in minor units: "500x20" are twenty of 5.00.
type Chips struct{ Value, Pieces int64 }

// MostPieces bounds the pieces of one value: no tray has more.
const MostPieces = 99_999

// String writes the value, and how many there are.
func (c Chips) String() string {
	return strconv.FormatInt(c.Value, 10) + "x" + strconv.FormatInt(c.Pieces, 10)
}

// Valid says whether there can be such chips.
func (c Chips) Valid() bool {
	return c.Value >= 1 && c.Value <= money.Max && c.Pieces >= 0 && c.Pieces <= MostPieces
}

// MarshalText writes what String does.
func (c Chips) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads "500x20", and nothing that is written in another way.
func (c *Chips) UnmarshalText(text []byte) error {
	value, pieces, _ := plaintext.Cut(string(text), 'x')
	v, errValue := strconv.ParseInt(value, 10, 64)
	n, errPieces := strconv.ParseInt(pieces, 10, 64)
	one := Chips{v, n}
	if errValue != nil || errPieces != nil || !one.Valid() || one.String() != string(text) {
		return errors.New(strconv.Quote(string(text)) +
			` are no chips: write their value in minor units and how many there are, as "500x20"`)
	}
	*c = one
	return nil
}

// ChipsText writes chips apart by blanks.
func ChipsText(list []Chips) string {
	var text []byte
	for i, c := range list {
		if i > 0 {
			text = append(text, ' ')
		}
		text = append(text, c.String()...)
	}
	return string(text)
}

// ParseChips reads what ChipsText has written.
func ParseChips(text string) (list []Chips, err error) {
	for text != "" {
		one, rest, more := plaintext.Cut(text, ' ')
		var c Chips
		if err := c.UnmarshalText([]byte(one)); err != nil {
			return nil, err
		}
		if list, text = append(list, c), rest; more && rest == "" {
			return nil, errors.New(strconv.Quote(one) + " has a blank behind it")
		}
	}
	return list, nil
}

// CountEvent is when the tray is counted.
type CountEvent uint8

// The counts.
const (
	CountOpening CountEvent = iota + 1
	CountClosing
	// CountInterim is one at any other time.
	CountInterim
)

var countNames = plaintext.Enum[CountEvent]{CountOpening: "opening", CountClosing: "closing", CountInterim: "interim"}

// String returns the count's name in transcripts.
func (e CountEvent) String() string { return countNames.Name(e) }

// ParseCountEvent reads a count's name.
func ParseCountEvent(s string) (CountEvent, bool) { return countNames.Parse(s) }

// EveryCountEvent yields every count.
func EveryCountEvent(yield func(CountEvent) bool) { countNames.Every(yield) }

// SlipStep is how far a fill or a credit is: each step follows the one before.
type SlipStep uint8

// The steps.
const (
	SlipAsked SlipStep = iota + 1
	SlipApproved
	SlipSent
	// SlipReceived: the chips are there, and counted.
	SlipReceived
	// SlipRefused ends it while no chips have come or gone.
	SlipRefused
)

var slipNames = plaintext.Enum[SlipStep]{
	SlipAsked: "asked", SlipApproved: "approved", SlipSent: "sent", SlipReceived: "received", SlipRefused: "refused",
}

// String returns the step's name in transcripts.
func (s SlipStep) String() string { return slipNames.Name(s) }

// ParseSlipStep reads a step's name.
func ParseSlipStep(s string) (SlipStep, bool) { return slipNames.Parse(s) }

// EverySlipStep yields every step.
func EverySlipStep(yield func(SlipStep) bool) { slipNames.Every(yield) }

// MarshalText writes the step's name, "" for none.
func (s SlipStep) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the step's name, "" for none.
func (s *SlipStep) UnmarshalText(text []byte) error { return read(slipNames, s, text, "step") }

// Tray is what is counted in the tray, or goes into it or out of it.
type Tray struct {
	// Count is when it is counted, and Dealer who deals then.
	Count  CountEvent
	Dealer string
	// Step is that of a fill or a credit, and Slip its number: the table gives it when it is asked for.
	Step SlipStep
	Slip uint32
	// Chips are those that are there, or that come or go.
	Chips []Chips
	// For are those that come in their place in a change.
	For []Chips
}

// InTray returns what is counted, or moves; empty for an input that is of no tray.
func (in *Input) InTray() Tray { return *orNone(in.Tray) }

// Slip is a fill or a credit under way.
type Slip struct {
	Number uint32   `json:"slip"`
	Credit bool     `json:"credit,omitempty"`
	Step   SlipStep `json:"step"`
	Chips  []Chips  `json:"chips"`
	// By has asked for it.
	By string `json:"by,omitempty"`
	// Currency is that of its chips where the table is set up with another now, "" where it is the table's.
	Currency string `json:"currency,omitempty"`
}

// Takes says whether it can take a step as the table is set up. In another currency it can only come to an end: it is
// refused, or the cage has a credit that was sent before.
func (s *Slip) Takes(step SlipStep) bool {
	return s.Currency == "" || step == SlipRefused || s.Credit && step == SlipReceived
}

// Kind is the input that takes it further.
func (s *Slip) Kind() InputKind {
	if s.Credit {
		return InCredit
	}
	return InFill
}

// Interval is what happened since the tray was counted: where to look for a difference.
type Interval struct {
	// Since is the line of that count, in a journal the record.
	Since uint64 `json:"count,omitempty"`
	// Rounds were finished; of Unknown ones nobody knows all amounts, and Corrected ones were corrected.
	Rounds    int `json:"rounds,omitempty"`
	Unknown   int `json:"unknown,omitempty"`
	Corrected int `json:"corrected,omitempty"`
	// Accepted counts the wagers on which something else was paid than was due, Adjusted the adjustments of past
	// rounds, and Large the wins for which the house has a supervisor come.
	Accepted int `json:"accepted,omitempty"`
	Adjusted int `json:"adjusted,omitempty"`
	Large    int `json:"large,omitempty"`
	// Dealers are those who dealt, in the order in which they came: of very many the last.
	Dealers []string `json:"dealers,omitempty"`
}

// TrayTold is what an output tells of the tray.
type TrayTold struct {
	Tray
	// Of is what was put in, and Amount what moved, or what was counted. (TrayMoved, Counted)
	Of     InputKind
	Amount int64
	// Difference is how much more was counted than had to be there, and Interval since when. (Counted)
	Difference int64
	Interval
}

// chips is a list of chips.
func chips[L any](name string, need Need, meaning string, at func(*L) *[]Chips) *Field[L] {
	return &Field[L]{Name: name, Type: TypeChips, Need: need, Meaning: meaning, Chips: at}
}

func chipsOf(in *Input) *[]Chips { return &orNone(in.Tray).Chips }

// roomForTray keeps the step that has been read already: what else a line has depends on it.
func roomForTray(in *Input) {
	if in.Tray == nil {
		in.Tray = &Tray{}
	}
}

// stepOf is the step of a fill or a credit.
func stepOf() *Field[Input] {
	f := named("event", Required, slipNames, "the step", func(in *Input) *SlipStep { return &orNone(in.Tray).Step })
	f.SetNumber = func(in *Input, n int64) {
		roomForTray(in)
		in.Tray.Step = SlipStep(n)
	}
	return f
}

// trayTold is what an output tells of the tray.
func trayTold(o *Output) *TrayTold { return orNone(orNone(o.Trouble).Tray) }

// withTray is a line that also tells of the tray.
func withTray(l Line[Output]) Line[Output] {
	l = withOrigin(l)
	l.Room = func(o *Output) { o.Trouble = &Trouble{Tray: &TrayTold{}, Origin: &Origin{}} }
	return l
}

// mustHold is what must be in the tray, missing where nobody can say.
func mustHold(meaning string) *Field[Output] {
	return givenSum("tray", meaning+"; missing where nobody can say", func(o *Output) *int64 {
		return &orNone(o.Trouble).InTray.Amount
	}).given(func(o *Output) *bool { return &orNone(o.Trouble).InTray.Known })
}

// slipFields are those of a fill, or of a credit.
var slipFields = []*Field[Input]{
	stepOf(),
	count("slip", Required, "its number, which the table has told", func(in *Input) *uint32 {
		return &orNone(in.Tray).Slip
	}).only(set(SlipApproved, SlipSent, SlipReceived, SlipRefused)),
	chips("chips", Required, "the chips, as they are asked for, sent, or received and counted", chipsOf).
		only(set(SlipAsked, SlipSent, SlipReceived)),
	person("by", Required, "who does it", byOf),
	role(),
	text("reason", Optional, "why it is refused", becauseOf).said().only(set(SlipRefused)),
	commanded(),
}

// soldFields are those of a buy-in, or of tips.
func soldFields(meaning string) []*Field[Input] {
	return []*Field[Input]{
		amount("amount", Required, meaning+"; below zero, what is taken back", amountOf),
		person("by", Required, "who does it", byOf),
		role(),
		text("reason", Optional, "why it is taken back", becauseOf).said(),
	}
}

// countFields are those of a count, as it is told.
func countFields() []*Field[Output] {
	num := func(name, meaning string, at func(*TrayTold) *int) *Field[Output] {
		return count(name, Optional, meaning, func(o *Output) *int { return at(trayTold(o)) })
	}
	difference := func(o *Output) *int64 { return &trayTold(o).Difference }
	since := func(o *Output) *uint64 { return &trayTold(o).Since }
	return []*Field[Output]{
		named("event", Required, countNames, "which count it is", func(o *Output) *CountEvent {
			return &trayTold(o).Count
		}),
		chips("chips", Required, "what is there", func(o *Output) *[]Chips { return &trayTold(o).Chips }),
		sum("amount", "what it is worth", func(o *Output) *int64 { return &trayTold(o).Amount }),
		mustHold("what had to be there"),
		givenSum("difference", "how much more is there than had to be, below zero how much less", difference).
			given(func(o *Output) *bool { return &o.InTray.Known }),
		text("dealer", Required, "the dealer who has counted", func(o *Output) *string { return &trayTold(o).Dealer }),
		text("by", Required, "the supervisor who has counted with them", func(o *Output) *string { return &o.By }),
		count("before", Optional,
			"the line, in a journal the record, of the count before: since then it can have arisen", since),
		num("rounds", "the rounds finished since", func(t *TrayTold) *int { return &t.Rounds }),
		num("unknown", "those of them of which nobody knows all amounts", func(t *TrayTold) *int { return &t.Unknown }),
		num("corrected", "those that were corrected", func(t *TrayTold) *int { return &t.Corrected }),
		num("accepted", "the wagers on which another amount was paid than was due", func(t *TrayTold) *int {
			return &t.Accepted
		}),
		num("adjusted", "the adjustments of past rounds", func(t *TrayTold) *int { return &t.Adjusted }),
		num("large", "the wins for which the house has a supervisor come", func(t *TrayTold) *int { return &t.Large }),
		{
			Name: "dealers", Type: TypeTexts, Need: Optional, Meaning: "who has dealt since",
			Texts: func(o *Output) *[]string { return &trayTold(o).Dealers },
		},
	}
}

// movedFields are those of what comes into the tray, or goes, and of the slips for it.
func movedFields() []*Field[Output] {
	return []*Field[Output]{
		named("in", Required, trayInputs, "what was put in", func(o *Output) *InputKind { return &trayTold(o).Of }),
		named("event", Optional, slipNames, "the step of a fill or a credit", func(o *Output) *SlipStep {
			return &trayTold(o).Step
		}),
		count("slip", Optional, "its number: a table's slips have no gaps", func(o *Output) *uint32 {
			return &trayTold(o).Slip
		}),
		chips("chips", Optional, "its chips, or those that go out in a change", func(o *Output) *[]Chips {
			return &trayTold(o).Chips
		}),
		chips("for", Optional, "those that come in for them", func(o *Output) *[]Chips { return &trayTold(o).For }),
		sum("amount", "what it is worth; of a drop, the cash that must be in the box", func(o *Output) *int64 {
			return &trayTold(o).Amount
		}),
		mustHold("what must be in the tray after it"),
		text("by", Required, "who did it", func(o *Output) *string { return &o.By }),
		text("reason", Optional, "why", func(o *Output) *string { return &o.Because }),
	}
}

// trayInputs are the names of the inputs that move chips, or are of slips.
var trayInputs = some(inputNames, InFill, InCredit, InBuyIn, InDrop, InChange, InTips)
