package vocab

import "github.com/sabot-table/sabot/table/plaintext"

// Source is what an input came from.
type Source uint8

// The sources.
const (
	// FromShoe: the shoe said it.
	FromShoe Source = iota + 1
	// FromPanel: a key of the panel, or at the shoe, was pressed.
	FromPanel
	// FromScreen: somebody touched a screen.
	FromScreen
	// FromPit: a signed command of the pit.
	FromPit
	// FromConfiguration: the table's configuration says so.
	FromConfiguration
	// FromProgram: the table's own program found it, such as that its disk is full.
	FromProgram
	// FromBench: whoever plays at a bench or in a demonstration.
	FromBench
)

var sourceNames = plaintext.Enum[Source]{
	FromShoe: "shoe", FromPanel: "panel", FromScreen: "screen", FromPit: "pit",
	FromConfiguration: "configuration", FromProgram: "program", FromBench: "bench",
}

// String returns the source's name in transcripts.
func (s Source) String() string { return sourceNames.Name(s) }

// ParseSource reads a source's name.
func ParseSource(s string) (Source, bool) { return sourceNames.Parse(s) }

// EverySource yields every source.
func EverySource(yield func(Source) bool) { sourceNames.Every(yield) }

// Person says whether a person stands behind what came from there, and may err or lie.
func (s Source) Person() bool {
	switch s {
	case FromPanel, FromScreen, FromPit, FromBench:
		return true
	}
	return false
}

// Origin is where an input came from, and who was there. It is for the record: an input
// means the same wherever it came from, but for what only the shoe knows of itself. One that
// is empty is an input of which nobody said it, as in records of earlier releases.
type Origin struct {
	From Source
	// At is the screen's name, or the pit's.
	At string
	// Who is the dealer who was signed in, "" for nobody.
	Who string
	// ProvenAt is the screen at which the supervisor in whose name it was done had been
	// proven, where that is another than At.
	ProvenAt string
}

// OwnScreen is what the table's own screen is called where screens have no names: it is on
// this machine, and the page is open to no other.
const OwnScreen = "table"

// Came returns where the input came from, empty if nobody says so.
func (in *Input) Came() Origin { return *orNone(in.Origin) }

// Come notes where the input came from.
func (in *Input) Come(o Origin) {
	if in.Origin = nil; o != (Origin{}) {
		in.Origin = &o
	}
}

// Told returns where what is told of came from, empty if nobody says so.
func (t *Trouble) Told() Origin { return *orNone(orNone(t).Origin) }

// Shown makes its texts such as may come in: the name of a dealer, or of a screen, may be
// older than the rule for names.
func (o Origin) Shown() Origin {
	in := Input{Origin: &o}
	in.ShowTexts()
	return o
}

// nowhere is the origin of what has none. Nobody writes it. Many inputs have none, and orNone would make one for each
// of their fields.
var nowhere Origin

// ofInput is where a field of an input's Origin is. Whoever reads a line has made Room for it.
func ofInput(in *Input) *Origin {
	if in.Origin == nil {
		return &nowhere
	}
	return in.Origin
}

// ofOutput is the same for an output.
func ofOutput(o *Output) *Origin {
	if o.Trouble == nil || o.Trouble.Origin == nil {
		return &nowhere
	}
	return o.Trouble.Origin
}

// originFields are the fields of an origin.
func originFields[L any](of func(*L) *Origin) []*Field[L] {
	from := named("from", Optional, sourceNames, "where it came from", func(l *L) *Source { return &of(l).From })
	from.Noun = "source of inputs"
	return []*Field[L]{
		from,
		text("at", Optional, "the screen's name, or the pit's", func(l *L) *string { return &of(l).At }).called(),
		text("who", Optional, "the dealer who was signed in then", func(l *L) *string { return &of(l).Who }).called(),
		text("proven_at", Optional,
			"the screen at which the supervisor of that name had been proven, where it is another", func(l *L) *string {
				return &of(l).ProvenAt
			}).called(),
	}
}

// InEvery are the fields that every input may have beside those of its kind: when it
// happened, and where it came from.
var InEvery = [...]Line[Input]{
	{Fields: []*Field[Input]{
		number("t", TypeMoment, Optional, "when it happened", func(in *Input) *int64 { return &in.Time }),
	}},
	{
		Fields: originFields(ofInput),
		Room:   func(in *Input) { in.Origin = &Origin{} },
		Infer:  func(in *Input) { in.Come(in.Came()) },
	},
}

// toldOrigin are the fields that outputs which repeat an origin share.
var toldOrigin = originFields(ofOutput)

// withOrigin is a kind of output that repeats the origin of its input, as people are told of
// it who do not see the input.
func withOrigin(l Line[Output]) Line[Output] {
	l.Fields = append(l.Fields, toldOrigin...)
	l.Room = func(o *Output) { o.Trouble = &Trouble{Origin: &Origin{}} }
	l.Infer = func(o *Output) {
		if o.Told() == (Origin{}) {
			o.Trouble.Origin = nil
		}
	}
	return l
}
