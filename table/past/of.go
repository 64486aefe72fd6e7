package past

import (
	"bytes"
	"slices"
	"time"
)

// Record is one record of a journal.
type Record struct {
	Seq uint64
	// At is when it was taken, in Unix nanoseconds.
	At int64
	// Input is one line, and Outputs are lines that each end with a newline.
	Input, Outputs []byte
}

// Of makes a round of its records, which are in order. Who dealt, and at what table,
// the caller adds.
func Of(number uint64, records []Record) Round {
	m := maker{Round: Round{Number: number, Boxes: []Box{}, Steps: make([]Step, 0, len(records))}}
	for i := range records {
		m.add(&records[i])
	}
	for i := range m.Steps {
		m.sum(&m.Steps[i])
	}
	slices.SortFunc(m.Boxes, func(a, b Box) int { return a.Number - b.Number })
	return m.Round
}

// maker makes a round step by step.
type maker struct {
	Round
	turn Turn // the last that was due
}

func (m *maker) add(r *Record) {
	s := Step{Seq: r.Seq, At: time.Unix(0, r.At), Input: Read(r.Input), After: m.Finished()}
	if m.turn.To == "call" {
		s.Box, s.Hand = m.turn.Box, m.turn.Hand
	}
	for line := range bytes.Lines(r.Outputs) {
		s.Outputs = append(s.Outputs, Read(bytes.TrimSuffix(line, []byte("\n"))))
	}
	for i := range s.Outputs {
		m.follow(&s, &s.Outputs[i])
	}
	m.Steps = append(m.Steps, s)
}

// follow keeps track of what an output changes for the steps around it.
func (m *maker) follow(s *Step, out *Line) {
	switch out.Out {
	case "opened":
		m.Began = s.At
	case "due":
		m.turn = Turn{To: out.To, Box: out.Box, Hand: out.Hand}
	case "undone":
		m.takeBack(s.Seq, out)
	case "finished":
		m.Ended = s.At
	}
}

// takeBack marks the key press that a correction took back: the last one of its kind
// that counts.
func (m *maker) takeBack(by uint64, undone *Line) {
	for i := len(m.Steps) - 1; i >= 0; i-- {
		s := &m.Steps[i]
		if s.Input.In == undone.In && s.Input.Call == undone.Call && s.TakenBack == 0 && s.counts() {
			s.TakenBack = by
			return
		}
	}
}

// counts says whether the input was taken: it was not refused, and it was not the
// second of two contradictory calls.
func (s *Step) counts() bool {
	return !slices.ContainsFunc(s.Outputs, func(out Line) bool { return out.Out == "rejected" || out.Out == "undone" })
}

// sum adds a step to what the round as a whole came to.
func (m *maker) sum(s *Step) {
	if s.Input.In == "stake" && s.counts() {
		m.place(&s.Input)
	}
	for i := range s.Outputs {
		out := &s.Outputs[i]
		switch {
		case out.Out == "irregular":
			m.Irregular = append(m.Irregular, out.Code)
		case s.TakenBack != 0:
		case out.Out == "settled" || out.Out == "bonus":
			b := m.box(out.Box)
			b.Settled = append(b.Settled, *out)
		case out.Out == "round":
			m.Result = out
		case out.Out == "resolved" && out.With == "void-round":
			m.Void = true
		}
	}
}

// place takes a stake. A main stake that is withdrawn takes the bettor's side bets
// on the box along.
func (m *maker) place(in *Line) {
	b := m.box(in.Box)
	if in.Amount != nil && *in.Amount == 0 {
		b.Stakes = slices.DeleteFunc(b.Stakes, func(s Stake) bool {
			return s.Bettor == in.Bettor && (s.Wager == in.Wager || in.Wager == "main")
		})
		m.Boxes = slices.DeleteFunc(m.Boxes, func(b Box) bool { return len(b.Stakes) == 0 })
		return
	}
	stake := Stake{Bettor: in.Bettor, Wager: in.Wager, Amount: in.Amount}
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
