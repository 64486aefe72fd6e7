package tally

import (
	"slices"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Fold takes a table's records, each once and in order. Its zero value begins before the
// first; Resume begins after an ended round.
type Fold struct {
	kept  Kept
	round *Round // the one under way, nil for none
	steps []step // its inputs that count
	asked time.Time
	// due is whether a call is due.
	due bool
}

// Kept is what a fold knows between two rounds: with it and the records that follow, another
// one goes on.
type Kept struct {
	Round  uint64 `json:"round,omitempty"`
	Dealer string `json:"dealer,omitempty"`
	Shift  string `json:"shift,omitempty"`
	House  string `json:"house,omitempty"`
	Game   string `json:"game,omitempty"`
	Rules  string `json:"rules,omitempty"`
	// Currency is that of all amounts.
	Currency string `json:"currency,omitempty"`
	// Places are the table's boxes, 0 where the rules are not known.
	Places int `json:"places,omitempty"`
	// Counted says that the tray was counted: what rounds have done to it is told from then on.
	Counted bool `json:"counted,omitempty"`
	// Last is the last round, if none was opened after it.
	Last *Last `json:"last,omitempty"`
	// Ended is that round as it was counted: its payment may be taken back. It is nil where no more than its end is
	// known.
	Ended *Ended `json:"ended,omitempty"`
	// Since are the irregularities since the last round ended, and Open those before that
	// are not put right yet.
	Since []Irregularity `json:"since,omitempty"`
	Open  []Irregularity `json:"open,omitempty"`
}

// Resume returns a fold that continues where another one was.
func Resume(k Kept) *Fold {
	k.Since, k.Open = slices.Clone(k.Since), slices.Clone(k.Open)
	return &Fold{kept: k}
}

// Kept is what the fold knows now. It is false while a round is under way.
func (f *Fold) Kept() (k Kept, ok bool) {
	k = f.kept
	k.Since, k.Open = slices.Clone(k.Since), slices.Clone(k.Open)
	return k, f.round == nil
}

// step is an input of the round, with what followed from it and holds.
type step struct {
	Kind vocab.InputKind `json:"kind,omitempty"`
	Call vocab.Call      `json:"call,omitempty"`
	Shoe vocab.ShoeEvent `json:"shoe,omitempty"`
	// Decided are the wagers that it decided, and the bonuses that it brought.
	Decided []decided `json:"decided,omitempty"`
	// Cards is how many cards it dealt, and Dealt which, and where.
	Cards int     `json:"cards,omitempty"`
	Dealt []dealt `json:"dealt,omitempty"`
	Void  bool    `json:"void,omitempty"`
	// Calls is the decision that it was, if it was one.
	Calls
	// Counts says that it was taken, and was not undone.
	Counts bool `json:"counts,omitempty"`
}

// dealt is a card that was dealt to a box, the bank or aside.
type dealt struct {
	Box  uint8     `json:"b,omitempty"`
	Card card.Card `json:"c"`
}

// decided is a settlement, a bonus, or a payment of something else than was due.
type decided struct {
	Wager    vocab.Wager `json:"wager"`
	Box      uint8       `json:"box"`
	Hand     uint8       `json:"hand,omitempty"`
	Bettor   string      `json:"bettor,omitempty"`
	Staked   int64       `json:"staked,omitempty"`
	Returned int64       `json:"returned,omitempty"`
	// Due is what is due beside Returned, where something else was paid.
	Due     int64 `json:"due,omitempty"`
	Unknown bool  `json:"unknown,omitempty"`
	Bonus   bool  `json:"bonus,omitempty"`
	// Dead says that the wager was declared dead.
	Dead bool `json:"dead,omitempty"`
}

// Record takes the next record.
func (f *Fold) Record(r Record) (s Step) {
	if r.Rules != "" {
		f.kept.Rules = r.Rules
	}
	s.SetUp, s.Gone = f.setUp(&r)
	now := step{Kind: r.In.Kind, Call: r.In.Call, Shoe: r.In.Shoe.Event, Counts: true}
	took, timed := f.decision(&r)
	ended := false
	for i := range r.Outs {
		out := &r.Outs[i]
		switch out.Kind {
		case vocab.Opened:
			s.Waited = f.open(&r, out.Round)
		case vocab.Rejected:
			now.Counts = false
		case vocab.Undone:
			now.Counts = false // the second of two contradictory calls, or the undoing itself
			if out.Round != 0 {
				s.Reopened = f.reopen(out.Round)
			}
			f.takeBack(out)
		case vocab.Adjusted:
			s.Adjusted, s.Tray = f.adjust(&r, out), f.atTray(&r, out)
		case vocab.Counted, vocab.TrayMoved:
			s.Tray = f.atTray(&r, out)
		case vocab.JackpotTold:
			s.Meter = append(s.Meter, f.meter(&r, out))
		case vocab.Corrected:
			f.again()
			if f.round != nil {
				f.round.Corrected++
			}
		case vocab.Finished:
			ended = true
		case vocab.DueChanged:
			f.due, f.asked = out.To == vocab.ToCall, r.At
		case vocab.DealerChanged:
			f.kept.Dealer, f.kept.Shift = out.By, out.Dealer.Shift
		case vocab.Irregular:
			s.Raised = f.irregular(s.Raised, &r, i)
		case vocab.Resolved:
			s.Righted = append(s.Righted, f.right(&r, out)...)
		}
		now.tell(out)
	}
	if f.round == nil {
		return s
	}
	if timed && now.Counts {
		now.Calls = Calls{Decisions: 1, Deciding: took}
	}
	f.steps = append(f.steps, now)
	if ended {
		s.Ended = f.endRound(&r)
	}
	return s
}

// setUp says whether the record has set the table up, and which tray is gone by that.
func (f *Fold) setUp(r *Record) (is bool, gone *TrayEvent) {
	set := r.In.Setup
	if r.In.Kind != vocab.InSetup || set == nil || has(r.Outs, vocab.Rejected) {
		return false, nil
	}
	was := f.kept
	f.kept.House, f.kept.Game, f.kept.Currency, f.kept.Places = set.House, "", set.Currency, 0
	if set.Profile != "" {
		f.kept.Rules = set.Profile
	}
	if r.In.Rules != nil {
		f.kept.Game, f.kept.Currency, f.kept.Places = r.In.Rules.Game.String(), r.In.Rules.Table.Currency,
			int(r.In.Rules.Table.Boxes)
	}
	if was.Currency == f.kept.Currency {
		return true, nil
	}
	f.kept.Counted = false // another money is in another tray
	if was.Currency == "" || f.kept.Currency == "" {
		return true, nil // nobody knows whether it is another one
	}
	return true, &TrayEvent{
		Record: r.Seq, At: r.At, Of: vocab.InSetup, By: r.In.By, Round: was.Round, Dealer: was.Dealer,
		Shift: was.Shift, House: was.House, Game: was.Game, Rules: was.Rules, Currency: was.Currency,
	}
}

func has(outs []vocab.Output, kind vocab.Kind) bool {
	return slices.ContainsFunc(outs, func(out vocab.Output) bool { return out.Kind == kind })
}

// open begins a round, and says how long the one before it waited.
func (f *Fold) open(r *Record, number uint64) (waited *Waited) {
	k := &f.kept
	k.Round, k.Ended, f.steps = number, nil, f.steps[:0]
	f.round = &Round{
		Number: number, First: r.Seq, Opened: r.At,
		Dealer: k.Dealer, Shift: k.Shift, House: k.House, Game: k.Game, Rules: k.Rules, Currency: k.Currency,
		Places: k.Places,
	}
	if last := k.Last; last != nil {
		if more := min(r.At.Sub(last.Opened), MostDealt) - last.Dealt; more > 0 {
			waited = &Waited{*last, more}
		}
		k.Last = nil
	}
	return waited
}

// decision says how long the record's decision took, if it is one: a call for a hand, or the
// card that a house takes for the call. Nobody thinks longer than MostDealt: the table stood idle, or its clock was
// put on.
func (f *Fold) decision(r *Record) (took time.Duration, is bool) {
	call := r.In.Kind == vocab.InCall || r.In.Kind == vocab.InCard && !has(r.Outs, vocab.Irregular)
	if !f.due || !call || has(r.Outs, vocab.Rejected) {
		return 0, false
	}
	took = min(r.At.Sub(f.asked), MostDealt)
	f.asked = r.At         // of the next one of the same hand, if nothing else becomes due
	return took, took >= 0 // a clock that was put back measures nothing
}

// tell notes what an output of the step tells of the round.
func (s *step) tell(out *vocab.Output) {
	switch out.Kind {
	case vocab.Settled, vocab.Bonus:
		d := decided{
			Wager: out.Wager, Box: out.Box, Hand: out.Hand, Bettor: out.Bettor,
			Returned: out.Returned + out.Won, Unknown: out.Unstated, Bonus: out.Kind == vocab.Bonus,
			Dead: out.Why == vocab.WhyDead,
		}
		if !d.Bonus {
			d.Staked = out.Stake // a bonus is paid on a stake that has its own line
		}
		s.Decided = append(s.Decided, d)
	case vocab.Payout:
		s.Decided = append(s.Decided, decided{
			Wager: out.Wager, Box: out.Box, Hand: out.Hand, Bettor: out.Bettor, Bonus: true,
			Returned: out.Payment.Given - out.Payment.Owed, Due: out.Payment.Owed - out.Payment.Given,
			Dead: out.Why == vocab.WhyDead,
		})
	case vocab.Dealt:
		s.Cards++
		one := dealt{out.Box, out.Card}
		if out.To == vocab.ToAside && out.Box == 0 {
			one.Box = Aside
		}
		s.Dealt = append(s.Dealt, one)
	case vocab.Resolved:
		s.Void = s.Void || out.With == irregularity.VoidRound
	case vocab.Stands:
		s.Void = s.Void || out.Stand.With == irregularity.VoidRound
	}
}

// takeBack takes back the last key press of its kind that counts, with all that followed.
// Of what a shoe tells, only its loading is a key press.
func (f *Fold) takeBack(undone *vocab.Output) {
	for i := len(f.steps) - 1; i >= 0; i-- {
		s := &f.steps[i]
		if s.Kind == undone.Input && s.Call == undone.Call && s.Counts &&
			(s.Kind != vocab.InShoe || s.Shoe == vocab.ShoeLoaded) {
			*s = step{}
			return
		}
	}
}

// again forgets all that was told of the round: a correction tells again what holds.
func (f *Fold) again() {
	for i := range f.steps {
		s := &f.steps[i]
		s.Decided, s.Cards, s.Dealt, s.Void = nil, 0, nil, false
	}
}
