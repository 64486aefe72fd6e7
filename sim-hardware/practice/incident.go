package practice

import (
	"slices"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Place is where a round stands when something goes wrong.
type Place uint8

// The places.
const (
	// Betting: bets are open.
	Betting Place = iota + 1
	// Dealing: two boxes have had a card each, and the bank's is due.
	Dealing
	// Calling: the first box calls.
	Calling
	// Paying: the bank has drawn, and payment is due.
	Paying
)

// Incident is something that goes wrong at the real table, to be put right there.
type Incident struct {
	// Topic is its name.
	Topic string
	Code  irregularity.Code
	At    Place
	// Happens is what does, in the language of scenarios. Keys are pressed by it, too.
	Happens string
	// Right says how it is put right; nil for the way that the house proposes.
	Right func(irregularity.Ways) []irregularity.Choice
	// Names says that the card that was drawn has to be named.
	Names bool
	// Call is what the guest has said, 0 for nothing: that key is to be pressed in the end.
	Call vocab.Call
	// Mends is what ends the cause, in the language of scenarios, "" for nothing: a person does it at the bench.
	Mends string
	// fits says whether it can happen in a house, with a shoe that keeps its cards or does not; nil for always.
	fits func(r *rules.Rules, keeps bool) bool
}

func always(c irregularity.Choice) func(irregularity.Ways) []irregularity.Choice {
	return func(irregularity.Ways) []irregularity.Choice { return []irregularity.Choice{c} }
}

// butAccept are the ways that do not say that all was right.
func butAccept(w irregularity.Ways) (all []irregularity.Choice) {
	for c := range w.All {
		if c != irregularity.Accept {
			all = append(all, c)
		}
	}
	return all
}

// incidents are all of them, the commonest first.
var incidents = []Incident{
	{
		Topic: "incident/called-too-late", Code: irregularity.CardWithoutCall, At: Calling, Happens: "draw",
		Right: always(irregularity.Accept), fits: keyFirst,
	},
	{
		Topic: "incident/unread-card", Code: irregularity.UnreadCard, At: Dealing, Happens: "unread",
		Right: always(irregularity.Identify), Names: true,
	},
	{Topic: "incident/overdraw", Code: irregularity.BankOverdraw, At: Paying, Happens: "draw"},
	{Topic: "incident/early-card", Code: irregularity.UnexpectedCard, At: Betting, Happens: "draw"},
	{
		Topic: "incident/two-keys", Code: irregularity.ContradictoryKeys, At: Calling,
		Happens: "press card\npress rest",
		Call:    vocab.CallRest, fits: cardKey,
	},
	{
		Topic: "incident/cable", Code: irregularity.ShoeOffline, At: Calling, Happens: "pull",
		Right: always(irregularity.Online), Mends: "plug", fits: keepsCards,
	},
	{
		Topic: "incident/lid", Code: irregularity.ShoeAlarm, At: Calling, Happens: "alarm cover",
		Right: always(irregularity.Cleared), Mends: "clear cover", fits: keepsCards,
	},
	{
		Topic: "incident/not-called", Code: irregularity.CardWithoutCall, At: Calling, Happens: "draw",
		Right: butAccept,
		fits:  callsFirst,
	},
	{
		Topic: "incident/lost-card", Code: irregularity.LostCards, At: Dealing, Happens: "pull\ndraw\nreboot\nplug",
		Right: always(irregularity.Identify), Names: true, fits: keepsCards,
	},
	{
		Topic: "incident/lost-card-unkept", Code: irregularity.LostCards, At: Dealing, Happens: "pull\ndraw\nplug",
		Right: always(irregularity.Identify), Names: true, fits: losesCards,
	},
	{
		Topic: "incident/foreign-joker", Code: irregularity.ForeignJoker, At: Dealing, Happens: "foreign JOKER",
		fits: noJokers,
	},
}

// keyFirst: in Black James a card without a forecast can only be burnt.
func keyFirst(r *rules.Rules, keeps bool) bool {
	return r.Game == rules.BlackJack && callsFirst(r, keeps)
}

func callsFirst(r *rules.Rules, _ bool) bool {
	return r.Play.Calls == rules.CallsRequired && r.Ways(irregularity.CardWithoutCall).Has(irregularity.Accept)
}

func cardKey(r *rules.Rules, _ bool) bool        { return r.Game == rules.BlackJack && r.Play.KeysApart > 0 }
func keepsCards(_ *rules.Rules, keeps bool) bool { return keeps }
func losesCards(_ *rules.Rules, keeps bool) bool { return !keeps }

// noJokers: a shoe that keeps no card cannot read one that it does not expect, either.
func noJokers(r *rules.Rules, keeps bool) bool { return r.Cards.Jokers == 0 && keeps }

// IncidentsOf are what can go wrong at a table. keeps says that its shoe keeps cards that could not be sent.
func IncidentsOf(r *rules.Rules, keeps bool) []Incident {
	return slices.DeleteFunc(slices.Clone(incidents), func(i Incident) bool {
		return i.fits != nil && !i.fits(r, keeps)
	})
}

// Case is an incident that has happened: what is right now.
type Case struct {
	Incident
	// Ways are those that put it right in this house.
	Ways []irregularity.Choice
	// Card is the one to be named, None for none.
	Card card.Card
}

// CaseOf is what is right after an incident in a house. drawn is the card that it drew.
func CaseOf(r *rules.Rules, i Incident, drawn card.Card) Case {
	c := Case{Incident: i}
	ways := r.Ways(i.Code)
	if i.Right != nil {
		c.Ways = i.Right(ways)
	} else {
		for proposed := range ways.All {
			c.Ways = []irregularity.Choice{proposed}
			break
		}
	}
	if i.Names {
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
	case c.Card != card.None && (len(named) > 1 || named[0] != c.Card):
		return []Mistake{WrongCard}
	case c.Card != card.None:
	case !slices.Contains(c.Ways, with):
		return []Mistake{WrongWay}
	}
	return nil
}
