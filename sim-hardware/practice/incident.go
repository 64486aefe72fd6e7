package practice

import (
	"slices"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/mishap"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// IncidentsOf are what can go wrong at a table, to be put right there. keeps says that its shoe keeps cards that could
// not be sent.
func IncidentsOf(r *rules.Rules, keeps bool) []mishap.Mishap {
	return mishap.Taught(mishap.House{Rules: r, Keeps: keeps})
}

// TopicOf is what an exercise about a mishap is about.
func TopicOf(m mishap.Mishap) string { return "incident/" + m.Name }

// Case is an incident that has happened: what is right now.
type Case struct {
	mishap.Mishap
	// Ways are those that put it right in this house.
	Ways []irregularity.Choice
	// Card is the one to be named, None for none.
	Card card.Card
}

// CaseOf is what is right after an incident in a house. drawn is the card that it drew.
func CaseOf(r *rules.Rules, m mishap.Mishap, drawn card.Card) Case {
	c := Case{Mishap: m, Ways: m.Ways(r)}
	if m.Names {
		c.Card = drawn
	}
	return c
}

// Seen is what was put into the table, and what followed.
type Seen struct {
	At   time.Time
	In   vocab.Input
	Outs []vocab.Output
}

// refused says that it changed nothing.
func (s *Seen) refused() bool {
	return slices.ContainsFunc(s.Outs, func(o vocab.Output) bool { return o.Kind == vocab.Rejected })
}

// Outcome is how an incident was put right.
type Outcome struct {
	// Raised says that the table has noticed it, and Over that it is put right.
	Raised, Over bool
	// Given is how, in the names of the transcript.
	Given    string
	Mistakes []Mistake
	Took     time.Duration
}

// Judge says how an incident was put right, by what the table was given since. drawn counts the cards that left the
// shoe since it was noticed.
func (c *Case) Judge(seen []Seen, drawn int) Outcome {
	var o Outcome
	var began time.Time
	var named []card.Card
	for _, s := range seen {
		switch {
		case !o.Raised:
			if o.Raised = slices.ContainsFunc(s.Outs, c.raises); o.Raised {
				began = s.At
			}
			continue
		case s.refused():
			continue
		case s.In.Kind == vocab.InResolve && s.In.With == irregularity.Identify:
			named = append(named, s.In.Card)
		}
		if !c.over(&s) {
			continue
		}
		o.Over, o.Took = true, s.At.Sub(began)
		o.Given = c.given(&s, named)
		o.Mistakes = c.mistakes(&s, named)
		break
	}
	if o.Over && drawn > 0 {
		o.Mistakes = append(o.Mistakes, CardDrawn)
	}
	return o
}

func (c *Case) raises(o vocab.Output) bool {
	return o.Kind == vocab.Irregular && o.Code == c.Code
}

// over says whether a step ended it: for keys, which hold nothing, the next call does.
func (c *Case) over(s *Seen) bool {
	if c.Call != 0 {
		return s.In.Kind == vocab.InCall
	}
	return slices.ContainsFunc(s.Outs, func(o vocab.Output) bool {
		return o.Kind == vocab.Resolved && o.Code == c.Code
	})
}

// with is the way that ended it.
func (c *Case) with(s *Seen) irregularity.Choice {
	for _, o := range s.Outs {
		if o.Kind == vocab.Resolved && o.Code == c.Code {
			return o.With
		}
	}
	return 0
}

func (c *Case) given(s *Seen, named []card.Card) string {
	if c.Call != 0 {
		return s.In.Call.String()
	}
	given := c.with(s).String()
	for _, one := range named {
		given += " " + one.String()
	}
	return given
}

func (c *Case) mistakes(s *Seen, named []card.Card) []Mistake {
	switch with := c.with(s); {
	case c.Call != 0 && s.In.Call != c.Call:
		return []Mistake{WrongCall}
	case c.Call != 0:
	case c.Card != card.None && len(named) == 0:
		return []Mistake{WrongWay}
	case c.Card != card.None && named[0] == card.Down: // it may be the hole card, which nobody is told
	case c.Card != card.None && (len(named) > 1 || named[0] != c.Card):
		return []Mistake{WrongCard}
	case c.Card != card.None:
	case !slices.Contains(c.Ways, with):
		return []Mistake{WrongWay}
	}
	return nil
}
