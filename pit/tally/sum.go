package tally

import (
	"time"
)

// Sum is what rounds have come to, or their wagers of one kind, or irregularities of one code. Amounts are in minor
// units of one currency; the house's result is Staked - Returned. Its figures are named in Figures, which says all else
// about them.
type Sum struct {
	Rounds, Void, Boxes, Hands, Bettors, Cards int64
	Decisions                                  int64
	Deciding                                   time.Duration
	// Playing is how long the rounds took, from the opening of the bets to the end, at most mostPlayed each.
	Playing time.Duration
	// Places are the boxes that could have been played: the table's, round by round, where its rules are known.
	// Unplaced are those of Boxes that were played where they are not. Dealt is how long was dealt: from the opening of
	// each round to that of the next in the table's journal, at most five minutes, and of the last one until its end.
	Places, Unplaced int64
	Dealt            time.Duration

	// Due is what Returned would be if everything had been paid as it was due. Unknown counts those of Wagers whose
	// amount nobody entered, and WagerRounds the rounds with such a wager.
	Wagers, Staked, Returned, Due, Unknown, WagerRounds int64
	// Counted are the rounds that luck is judged by: those that are not void, and in which something was played.
	Counted int64
	// VoidStaked and VoidReturned are those of Staked and Returned that nobody has played for: of void rounds, and of
	// dead wagers.
	VoidStaked, VoidReturned int64
	// BoxSquares and RoundSquares are of minor units, of what was staked and played on each box of a round, and in each
	// round.
	BoxSquares, RoundSquares float64
	// Kept is what void rounds came to, of Staked - Returned.
	Kept int64

	Irregularities int64
}

// mostPlayed is the longest time that a round takes: in one that seems to take longer the clock was put on.
const mostPlayed = 24 * time.Hour

// Measure is of what figures are.
type Measure uint8

// The measures.
const (
	// Everything is all of them.
	Everything Measure = iota
	OfRounds
	OfWagers
	OfIrregularities
)

// Figure is one of the figures of a Sum.
type Figure struct {
	Of Measure
	// Column is its name in the database.
	Column string
	// At is where it is: an *int64, a *time.Duration or a *float64.
	At func(*Sum) any
}

// Figures are all figures, in the order of their columns.
var Figures = []Figure{
	{OfRounds, "rounds", func(s *Sum) any { return &s.Rounds }},
	{OfRounds, "void", func(s *Sum) any { return &s.Void }},
	{OfRounds, "boxes", func(s *Sum) any { return &s.Boxes }},
	{OfRounds, "hands", func(s *Sum) any { return &s.Hands }},
	{OfRounds, "bettors", func(s *Sum) any { return &s.Bettors }},
	{OfRounds, "cards", func(s *Sum) any { return &s.Cards }},
	{OfRounds, "decisions", func(s *Sum) any { return &s.Decisions }},
	{OfRounds, "deciding", func(s *Sum) any { return &s.Deciding }},
	{OfRounds, "playing", func(s *Sum) any { return &s.Playing }},
	{OfRounds, "places", func(s *Sum) any { return &s.Places }},
	{OfRounds, "unplaced", func(s *Sum) any { return &s.Unplaced }},
	{OfRounds, "dealt", func(s *Sum) any { return &s.Dealt }},
	{OfWagers, "wagers", func(s *Sum) any { return &s.Wagers }},
	{OfWagers, "staked", func(s *Sum) any { return &s.Staked }},
	{OfWagers, "returned", func(s *Sum) any { return &s.Returned }},
	{OfWagers, "due", func(s *Sum) any { return &s.Due }},
	{OfWagers, "unknown", func(s *Sum) any { return &s.Unknown }},
	{OfWagers, "rounds", func(s *Sum) any { return &s.WagerRounds }},
	{OfWagers, "counted", func(s *Sum) any { return &s.Counted }},
	{OfWagers, "void_staked", func(s *Sum) any { return &s.VoidStaked }},
	{OfWagers, "void_returned", func(s *Sum) any { return &s.VoidReturned }},
	{OfWagers, "box_squares", func(s *Sum) any { return &s.BoxSquares }},
	{OfWagers, "round_squares", func(s *Sum) any { return &s.RoundSquares }},
	{OfWagers, "kept", func(s *Sum) any { return &s.Kept }},
	{OfIrregularities, "times", func(s *Sum) any { return &s.Irregularities }},
}

// Columns are the names of the figures of a measure.
func (m Measure) Columns() (names []string) {
	for _, f := range m.figures {
		names = append(names, f.Column)
	}
	return names
}

// Into are where those figures are in a sum, and Values what they are, with durations in nanoseconds.
func (m Measure) Into(s *Sum) (into []any) {
	for _, f := range m.figures {
		into = append(into, f.At(s))
	}
	return into
}

// Values are what Into points at.
func (m Measure) Values(s *Sum) (values []any) {
	for _, at := range m.Into(s) {
		switch at := at.(type) {
		case *int64:
			values = append(values, *at)
		case *time.Duration:
			values = append(values, int64(*at))
		case *float64:
			values = append(values, *at)
		}
	}
	return values
}

// figures yields the figures of a measure.
func (m Measure) figures(yield func(int, *Figure) bool) {
	for i := range Figures {
		if f := &Figures[i]; f.Of == m && !yield(i, f) {
			return
		}
	}
}

// Add adds another sum, so many times: -1 takes out what was added.
func (s *Sum) Add(o *Sum, times int64) {
	for _, f := range Figures {
		switch into := f.At(s).(type) {
		case *int64:
			*into += times * *f.At(o).(*int64)
		case *time.Duration:
			*into += time.Duration(times) * *f.At(o).(*time.Duration)
		case *float64:
			*into += float64(times) * *f.At(o).(*float64)
		}
	}
}

// Rate is a number that people read of a sum.
type Rate struct {
	// Name and Note are the words of its name, and of what it is made of: {n} is N.
	Name, Note string
	Of         func(*Sum) float64
	N          func(*Sum) float64
	// Known says whether a sum has what it is made of; nil for always.
	Known func(*Sum) bool
	// Form is how it is written, with so many Digits after the point; N has NDigits.
	Form            Form
	Digits, NDigits int
	// Bar is the class of the bar by which tables and dealers are compared, "plain" for one without; "" for no bar.
	Bar string
	// Column is its place among the columns of a table or a dealer, and Hours says that an hour has it, too.
	Column int
	Hours  bool
}

// Form is how a number is written.
type Form uint8

// The forms.
const (
	Decimal Form = iota
	Percent
	Seconds
)

// Rates are all of them, those that are read first before the others.
var Rates = []Rate{
	{
		Name: "pit.figures-rounds-hour", Note: "pit.figures-n-rounds", Digits: 1, Bar: "plain", Column: 1, Hours: true,
		Of: func(s *Sum) float64 { return s.PerHour(s.Rounds) }, N: func(s *Sum) float64 { return float64(s.Rounds) },
	},
	{
		Name: "pit.figures-hands-hour", Note: "pit.figures-n-hands", Column: 2, Hours: true,
		Of: func(s *Sum) float64 { return s.PerHour(s.Hands) }, N: func(s *Sum) float64 { return float64(s.Hands) },
	},
	{
		Name: "pit.figures-occupancy", Note: "pit.figures-a-round", Form: Percent, NDigits: 1, Column: 4, Hours: true,
		Of: (*Sum).Occupancy, N: func(s *Sum) float64 { return ratio(float64(s.Boxes), s.Rounds) },
		Known: func(s *Sum) bool { return s.Places > 0 },
	},
	{
		Name: "pit.figures-thinking", Note: "pit.figures-n-decisions", Form: Seconds, Digits: 1, Bar: "slow", Column: 3,
		Hours: true,
		Of:    func(s *Sum) float64 { return ratio(s.Deciding.Seconds(), s.Decisions) }, N: func(s *Sum) float64 {
			return float64(s.Decisions)
		},
	},
	{
		Name: "pit.figures-wrong-1000", Note: "pit.figures-n-wrong", Digits: 1, Bar: "wrong", Column: 5,
		Of: func(s *Sum) float64 { return 1000 * ratio(float64(s.Irregularities), s.Rounds) }, N: func(s *Sum) float64 {
			return float64(s.Irregularities)
		},
	},
}

// PerHour is a rate in an hour of dealing, 0 where nothing was dealt.
func (s *Sum) PerHour(n int64) float64 {
	if s.Dealt <= 0 {
		return 0
	}
	return float64(n) / s.Dealt.Hours()
}

// Occupancy is the share of the boxes that were played, where it is known how many there are.
func (s *Sum) Occupancy() float64 { return ratio(float64(max(0, s.Boxes-s.Unplaced)), s.Places) }

func ratio(n float64, of int64) float64 {
	if of == 0 {
		return 0
	}
	return n / float64(of)
}

// Sums are what rounds have come to, by what a sum is of.
type Sums map[Name]*Sum

// Name says of what a sum is: of rounds, of a kind of wager, or of irregularities of a code.
type Name struct {
	Of   Measure
	Name string
}

// Of is the sum of a name.
func (s Sums) Of(name Name) *Sum {
	if s[name] == nil {
		s[name] = &Sum{}
	}
	return s[name]
}

// Round adds what a round has come to, so many times.
func (s Sums) Round(r *Round, times int64) {
	one := Sum{
		Rounds: 1, Boxes: int64(r.Boxes), Hands: int64(r.Hands), Bettors: int64(r.Bettors), Cards: int64(r.Cards),
		Decisions: int64(r.Decisions), Deciding: r.Deciding, Places: int64(r.Places), Dealt: r.Dealt,
		Playing: max(0, min(r.Ended.Sub(r.Opened), mostPlayed)), // a clock that was put back measures nothing
	}
	if r.Places == 0 {
		one.Unplaced = int64(r.Boxes)
	}
	if r.Void {
		one.Void = 1
	}
	s.Of(Name{Of: OfRounds}).Add(&one, times)
	for i := range r.Wagers {
		w := r.Wagers[i].sum(r.Void)
		s.Of(Name{OfWagers, r.Wagers[i].Wager}).Add(&w, times)
	}
}

// sum is what a wager of a round has come to.
func (w *Wager) sum(void bool) Sum {
	played, returned := w.Staked-w.Dead, w.Returned-w.DeadReturned
	if void {
		played, returned = 0, 0
	}
	s := Sum{
		Wagers: w.Count, Staked: w.Staked, Returned: w.Returned, Due: w.Due, Unknown: w.Unknown, WagerRounds: 1,
		Kept:       w.Kept,
		VoidStaked: w.Staked - played, VoidReturned: w.Returned - returned,
		RoundSquares: float64(played) * float64(played),
	}
	if !void {
		s.BoxSquares = w.BoxSquares
	}
	if played != 0 {
		s.Counted = 1
	}
	return s
}

// Irregularity adds one that was raised.
func (s Sums) Irregularity(i *Irregularity) {
	s.Of(Name{OfIrregularities, i.Code.String()}).Irregularities++
}

// Adjustment adds what was paid of a past round, which may be void.
func (s Sums) Adjustment(a *Adjustment, void bool) {
	sum := s.Of(Name{OfWagers, a.Wager})
	sum.Returned += a.Amount
	if void {
		sum.VoidReturned += a.Amount
		sum.Kept -= a.Amount
	}
}
