package table

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/plaintext"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file takes back the payment that has ended a round. Until bets open again the round lies on the table, and a
// complaint can be heard where it is made.

// unpay finds the payment that has ended the last round, or says why it cannot be taken back: whatever has changed what
// the next round begins with would be lost with it.
func (t *Table) unpay() (at int, reason vocab.Reason) {
	switch {
	case !t.endedByPayment() || !t.sameAsEnded(t.kept):
		return 0, vocab.NoRound
	case t.stands(), t.covered != 0:
		return 0, vocab.RoundHeld
	case t.opening.Closed:
		return 0, vocab.TableIsClosed
	}
	return len(t.history.inputs) - 1, 0
}

// endedByPayment says whether the last thing that was done in the round that lies on the table was a payment. What
// somebody else has decided stands.
func (t *Table) endedByPayment() bool {
	inputs := t.history.inputs
	return t.phase == vocab.Idle && len(inputs) > 0 && inputs[len(inputs)-1].kind == vocab.InPaid
}

// carries says whether the round that lies on the table goes with what the table carries into the next round. Its
// payment cannot be taken back while the shoe is offline, and can once it is back.
func (t *Table) carries() bool {
	now := t.kept
	now.Shoe.Offline = t.history.ended.Shoe.Offline
	return t.endedByPayment() && (t.unloaded != nil || t.sameAsEnded(now))
}

// sameAsEnded says whether the table has what it had when the round was ended. What a jackpot of several tables shows
// is the pit's, and no part of that.
func (t *Table) sameAsEnded(now Kept) bool {
	if t.rules.Linked() {
		now.Jackpot, now.Alone = t.history.ended.Jackpot, t.history.ended.Alone
	}
	return now.same(&t.history.ended)
}

func (k *Kept) same(other *Kept) bool {
	return k.Round == other.Round && slices.Equal(k.Waiting, other.Waiting) && k.Shoe == other.Shoe &&
		k.Seen == other.Seen && k.Jackpot == other.Jackpot && k.Alone == other.Alone &&
		slices.Equal(k.Lines, other.Lines)
}

// Last is the round that lies on the table between two rounds: what the table had before it, and its inputs.
type Last struct {
	Before Kept      `json:"before"`
	Inputs []Carried `json:"in"`
}

// last is the round whose payment can be taken back, now or once the loading of the shoe is; nil for none. It reuses
// the memory of an earlier one, over, which may be nil.
func (t *Table) last(over *Last) *Last {
	if !t.carries() {
		return nil
	}
	if over == nil {
		over = &Last{Inputs: make([]Carried, 0, 16)}
	}
	over.Before.set(t.history.beginning())
	over.Inputs = over.Inputs[:0]
	for in := range t.history.all {
		over.Inputs = carry(over.Inputs, &in)
	}
	return over
}

// lay deals the last round again. Rules by which it cannot be dealt are others than those by which it was, and its
// payment stands.
func (t *Table) lay(l *Last) {
	if l == nil {
		return
	}
	p := Position{Before: l.Before}
	for i := range l.Inputs {
		p.Inputs = l.Inputs[i].inputs(p.Inputs)
	}
	if t.placeRound(&p) != nil || t.phase != vocab.Idle {
		t.clearAway()
	}
	t.alerts, t.held, t.behind, t.rejected, t.pressed, t.unrecorded = alerts{}, nil, nil, 0, pressed{}, false
}

// clearAway takes the last round off the table: nothing of it can be taken back any more.
func (t *Table) clearAway() {
	t.round.clear()
	t.history.begin(&t.kept)
}

// ClearAway is for a table whose record has no more than what it carries into the next round.
func (t *Table) ClearAway() { t.clearAway() }

// Carried are inputs of a round, as far as they have consequences: cards or plain calls that follow one another, of
// which there are most, or one of another kind.
type Carried struct {
	Cards   names               `json:"cards,omitempty"`
	Calls   names               `json:"calls,omitempty"`
	In      string              `json:"in,omitempty"`
	Card    card.Card           `json:"card,omitzero"`
	Call    string              `json:"call,omitempty"`
	Shoe    string              `json:"shoe,omitempty"`
	Missing int                 `json:"missing,omitempty"`
	Code    string              `json:"code,omitempty"`
	Named   *vocab.Named        `json:"named,omitempty"`
	Storage string              `json:"storage,omitempty"`
	Box     int                 `json:"box,omitempty"`
	Bettor  string              `json:"bettor,omitempty"`
	Bettors []string            `json:"bettors,omitzero"`
	Wager   string              `json:"wager,omitempty"`
	Hand    uint8               `json:"hand,omitempty"`
	Why     vocab.Why           `json:"why,omitzero"`
	Amount  *int64              `json:"amount,omitempty"`
	Seat    vocab.Seat          `json:"seat,omitempty"`
	Player  string              `json:"player,omitempty"`
	What    vocab.Correction    `json:"what,omitzero"`
	Nth     int                 `json:"nth,omitempty"`
	To      vocab.To            `json:"to,omitzero"`
	Outcome vocab.Outcome       `json:"outcome,omitzero"`
	With    irregularity.Choice `json:"with,omitzero"`
	By      string              `json:"by,omitempty"`
	Dealer  bool                `json:"dealer,omitempty"`
	Because string              `json:"because,omitempty"`
	Hole    vocab.HoleEvent     `json:"hole,omitzero"`
}

// carry adds an input to the list, in whose unused room an earlier list may lie.
func carry(list []Carried, in *vocab.Input) []Carried {
	n := len(list)
	switch {
	case in.Kind == vocab.InCard && n > 0 && list[n-1].Cards != nil:
		list[n-1].Cards = list[n-1].Cards.and(in.Card.String())
		return list
	case in.Kind == vocab.InCard:
		return append(list, Carried{Cards: room(list, 64).and(in.Card.String())})
	case in.Kind != vocab.InCall || in.Bettor != "" || in.Bettors != nil || in.Stated:
		return append(list, carried(in))
	case n > 0 && list[n-1].Calls != nil:
		list[n-1].Calls = list[n-1].Calls.and(in.Call.String())
		return list
	}
	return append(list, Carried{Calls: room(list, 32).and(in.Call.String())})
}

// room is memory for the names of the list's next element.
func room(list []Carried, size int) names {
	if n := len(list); n < cap(list) {
		if next := &list[:n+1][n]; next.Cards != nil {
			return next.Cards[:0]
		} else if next.Calls != nil {
			return next.Calls[:0]
		}
	}
	return make(names, 0, size)
}

// names are some names in one text: a journal has them once a round.
type names []byte

func (n names) and(name string) names {
	if len(n) > 0 {
		n = append(n, ' ')
	}
	return append(n, name...)
}

// MarshalText writes the names.
func (n names) MarshalText() ([]byte, error) { return n, nil }

// UnmarshalText reads what MarshalText writes.
func (n *names) UnmarshalText(text []byte) error {
	*n = append((*n)[:0], text...)
	return nil
}

func carried(in *vocab.Input) Carried {
	c := Carried{
		In: in.Kind.String(), Card: in.Card, Call: in.Call.String(), Shoe: in.Shoe.Event.String(),
		Missing: in.Shoe.Missing, Code: in.Code, Named: in.Shoe.Named, Storage: in.Storage.String(),
		Box: in.Box, Bettor: in.Bettor, Bettors: in.Bettors, Wager: in.Wager.String(), Hand: in.Hand, Why: in.Why,
		Seat: in.Seat, Player: in.Player,
		What: in.Correct.What, Nth: in.Correct.Nth, To: in.Correct.To, Outcome: in.Correct.Outcome,
		With: in.With, By: in.By,
		Dealer: in.Role == vocab.Dealer, Because: in.Because, Hole: in.Hole,
	}
	if in.Kind == vocab.InHole || in.Card == card.Down {
		c.Code = "" // a seal says nothing without the record that it belongs to
	}
	if in.Kind == vocab.InJackpot {
		c.Nth = in.Entry
	}
	if in.Stated {
		amount := in.Amount
		c.Amount = &amount
	}
	return c
}

// inputs adds those that are carried to a list.
func (c *Carried) inputs(list []vocab.Input) []vocab.Input {
	for _, name := range plaintext.Fields(string(c.Cards)) {
		one, _ := card.Parse(name)
		list = append(list, vocab.Input{Kind: vocab.InCard, Card: one})
	}
	for _, name := range plaintext.Fields(string(c.Calls)) {
		one, _ := vocab.ParseCall(name)
		list = append(list, vocab.Input{Kind: vocab.InCall, Call: one})
	}
	if c.In == "" {
		return list
	}
	in := vocab.Input{
		Card: c.Card, Shoe: vocab.ShoeSaid{Missing: c.Missing, Named: c.Named}, Code: c.Code,
		Box: c.Box, Bettor: c.Bettor, Bettors: c.Bettors, Hand: c.Hand, Why: c.Why, Seat: c.Seat, Player: c.Player,
		Correct: vocab.Correct{What: c.What, Nth: c.Nth, To: c.To, Outcome: c.Outcome},
		With:    c.With, By: c.By, Because: c.Because, Hole: c.Hole,
	}
	if in.Kind, _ = vocab.ParseInputKind(c.In); in.Kind == vocab.InJackpot {
		in.Entry, in.Correct.Nth = c.Nth, 0
	}
	in.Call, _ = vocab.ParseCall(c.Call)
	if c.Wager != "" {
		in.Wager = vocab.ParseWager(c.Wager)
	}
	in.Shoe.Event, _ = vocab.ParseShoeEvent(c.Shoe)
	in.Storage, _ = vocab.ParseStorageEvent(c.Storage)
	if c.Dealer {
		in.Role = vocab.Dealer
	}
	if c.Amount != nil {
		in.Amount, in.Stated = *c.Amount, true
	}
	return append(list, in)
}
