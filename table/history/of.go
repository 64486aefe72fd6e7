package history

import (
	"bytes"
	"slices"
	"sort"
	"time"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Record is one record of a journal.
type Record struct {
	Seq uint64
	// At is when it was taken, in Unix nanoseconds.
	At int64
	// Input is one line, and Outputs are lines that each end with a newline.
	Input, Outputs []byte
}

// Of makes a round of its records, which are in order. Who dealt, from which shoe it began,
// and at what table, the caller adds.
func Of(number uint64, records []Record) Round {
	m := maker{Round: Round{Number: number, Boxes: []Box{}, Steps: make([]Step, 0, len(records))}}
	for i := range records {
		m.add(&records[i])
	}
	for i := range m.Steps {
		m.sum(&m.Steps[i])
	}
	sort.Slice(m.Boxes, func(a, b int) bool { return m.Boxes[a].Number < m.Boxes[b].Number })
	return m.Round
}

// maker makes a round step by step.
type maker struct {
	Round
	reader Reader
	turn   vocab.Due // the last that was due
}

func (m *maker) add(r *Record) {
	s := Step{Seq: r.Seq, At: time.Unix(0, r.At), Input: m.reader.Input(r.Input), After: m.Finished()}
	if m.turn.To == vocab.ToCall {
		s.Box, s.Hand = int(m.turn.Box), int(m.turn.Hand)
	}
	for line := range bytes.Lines(r.Outputs) {
		s.Outputs = append(s.Outputs, m.reader.Output(bytes.TrimSuffix(line, []byte("\n"))))
	}
	for i := range s.Outputs {
		m.follow(&s, &s.Outputs[i].Out)
	}
	m.Steps = append(m.Steps, s)
}

// follow keeps track of what an output changes for the steps around it.
func (m *maker) follow(s *Step, out *vocab.Output) {
	switch out.Kind {
	case vocab.Opened:
		m.Began = s.At
	case vocab.DueChanged:
		m.turn = vocab.Due{To: out.To, Spot: vocab.Spot{Box: out.Box, Hand: out.Hand}, Cards: out.Times}
	case vocab.Undone:
		m.takeBack(s.Seq, out)
		if out.Round != 0 {
			m.Ended = time.Time{}
		}
	case vocab.Corrected:
		if !s.After {
			m.correct(s.Seq)
		}
	case vocab.ShoeChanged:
		if !s.After {
			m.Shoes = append(m.Shoes, ShoeOf(out))
		}
	case vocab.Finished:
		m.Ended = s.At
	}
}

// takeBack marks the key press that a correction took back: the last one of its kind
// that counts.
func (m *maker) takeBack(by uint64, undone *vocab.Output) {
	for i := len(m.Steps) - 1; i >= 0; i-- {
		s := &m.Steps[i]
		if isPress(&s.Input.In, undone) && s.TakenBack == 0 && s.counts() {
			s.TakenBack = by
			return
		}
	}
}

// correct marks all that was told of the round so far as told again by a correction.
func (m *maker) correct(by uint64) {
	for i := range m.Steps {
		if s := &m.Steps[i]; s.Corrected == 0 {
			s.Corrected = by
		}
	}
}

// isPress says whether an input may be what was undone. Of what a shoe tells, only its
// loading is.
func isPress(in *vocab.Input, undone *vocab.Output) bool {
	return in.Kind == undone.Input && in.Call == undone.Call &&
		(in.Kind != vocab.InShoe || in.Shoe.Event == vocab.ShoeLoaded)
}

// counts says whether the input was taken: it was not refused, and it was not the
// second of two contradictory calls.
func (s *Step) counts() bool {
	return !slices.ContainsFunc(s.Outputs, func(out Line) bool {
		return out.Out.Kind == vocab.Rejected || out.Out.Kind == vocab.Undone
	})
}

// sum adds a step to what the round as a whole came to.
func (m *maker) sum(s *Step) {
	if s.Input.In.Kind == vocab.InStake && s.counts() {
		m.place(&s.Input.In)
	}
	for i := range s.Outputs {
		line := &s.Outputs[i]
		switch out := &line.Out; {
		case out.Kind == vocab.Irregular:
			m.Irregular = append(m.Irregular, out.Code)
		case out.Kind == vocab.Corrected && !s.After:
			m.again()
		case out.Kind == vocab.Stands && out.Stand.Kind == vocab.InStake:
			m.place(out.Stand)
		case out.Kind == vocab.Stands && out.Stand.With == irregularity.VoidRound:
			m.Void = true
		case s.TakenBack != 0:
		case out.Kind == vocab.Settled || out.Kind == vocab.Bonus:
			b := m.box(int(out.Box))
			b.Settled = append(b.Settled, *line)
		case out.Kind == vocab.Payout:
			b := m.box(int(out.Box))
			b.Paid = append(b.Paid, *line)
		case out.Kind == vocab.RoundDecided:
			m.Result = line
		case out.Kind == vocab.Resolved && out.With == irregularity.VoidRound:
			m.Void = true
		}
	}
}

// again begins what the round came to anew: a correction tells all of it again.
func (m *maker) again() { m.Boxes, m.Result, m.Void = []Box{}, nil, false }

// place takes a stake. A main stake that is withdrawn takes the bettor's side bets
// on the box along.
func (m *maker) place(in *vocab.Input) {
	b := m.box(in.Box)
	if in.Stated && in.Amount == 0 {
		b.Stakes = slices.DeleteFunc(b.Stakes, func(s Stake) bool {
			return s.Bettor == in.Bettor && (s.Wager == in.Wager || in.Wager == vocab.WagerMain)
		})
		m.Boxes = slices.DeleteFunc(m.Boxes, func(b Box) bool { return len(b.Stakes) == 0 })
		return
	}
	stake := Stake{Bettor: in.Bettor, Wager: in.Wager, Amount: Amount(in.Amount, in.Stated)}
	same := func(s Stake) bool { return s.Bettor == in.Bettor && s.Wager == in.Wager }
	if at := slices.IndexFunc(b.Stakes, same); at >= 0 {
		b.Stakes[at] = stake
		return
	}
	b.Stakes = append(b.Stakes, stake)
}

// box is a played box, made where it is new.
func (m *maker) box(number int) *Box {
	at := slices.IndexFunc(m.Boxes, func(b Box) bool { return b.Number == number })
	if at < 0 {
		at = len(m.Boxes)
		m.Boxes = append(m.Boxes, Box{Number: number, Stakes: []Stake{}})
	}
	return &m.Boxes[at]
}
