package tally

import (
	"slices"
	"time"

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
	// Last is the last round, if none was opened after it.
	Last *Last `json:"last,omitempty"`
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
	kind vocab.InputKind
	call vocab.Call
	shoe vocab.ShoeEvent
	// decided are the wagers that it decided, and the bonuses that it brought.
	decided []decided
	cards   int
	void    bool
	// deciding is how long its decision took; timed says that it is one.
	deciding time.Duration
	timed    bool
	// counts says that it was taken, and was not undone.
	counts bool
}

// decided is a settlement, a bonus, or a payment of something else than was due.
type decided struct {
	wager            vocab.Wager
	box, hand        uint8
	bettor           string
	staked, returned int64
	// due is what is due beside returned, where something else was paid.
	due            int64
	unknown, bonus bool
}

// Record takes the next record.
func (f *Fold) Record(r Record) (s Step) {
	if r.Rules != "" {
		f.kept.Rules = r.Rules
	}
	f.setUp(&r)
	now := step{kind: r.In.Kind, call: r.In.Call, shoe: r.In.Shoe}
	now.deciding, now.timed = f.decision(&r)
	now.counts = true
	ended := false
	for i := range r.Outs {
		out := &r.Outs[i]
		switch out.Kind {
		case vocab.Opened:
			s.Waited = f.open(&r, out.Round)
		case vocab.Rejected:
			now.counts = false
		case vocab.Undone:
			now.counts = false // the second of two contradictory calls, or the undoing itself
			f.takeBack(out)
		case vocab.Corrected:
			f.again()
		case vocab.Finished:
			ended = true
		case vocab.DueChanged:
			f.due, f.asked = out.To == vocab.ToCall, r.At
		case vocab.DealerChanged:
			f.kept.Dealer, f.kept.Shift = out.By, out.Shift
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
	now.timed = now.timed && now.counts
	f.steps = append(f.steps, now)
	if ended {
		s.Ended = f.end(&r)
	}
	return s
}

func (f *Fold) setUp(r *Record) {
	set := r.In.Setup
	if r.In.Kind != vocab.InSetup || set == nil || has(r.Outs, vocab.Rejected) {
		return
	}
	f.kept.House, f.kept.Game, f.kept.Currency, f.kept.Places = set.House, "", set.Currency, 0
	if set.Profile != "" {
		f.kept.Rules = set.Profile
	}
	if r.In.Rules != nil {
		f.kept.Game, f.kept.Currency, f.kept.Places = r.In.Rules.Game.String(), r.In.Rules.Table.Currency, int(r.In.Rules.Table.Boxes)
	}
}

func has(outs []vocab.Output, kind vocab.Kind) bool {
	return slices.ContainsFunc(outs, func(out vocab.Output) bool { return out.Kind == kind })
}

// open begins a round, and says how long the one before it waited.
func (f *Fold) open(r *Record, number uint64) (waited *Waited) {
	k := &f.kept
	k.Round, f.steps = number, f.steps[:0]
	f.round = &Round{
		Number: number, First: r.Seq, Opened: r.At,
		Dealer: k.Dealer, Shift: k.Shift, House: k.House, Game: k.Game, Rules: k.Rules, Currency: k.Currency, Places: k.Places,
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
// card that a house takes for the call.
func (f *Fold) decision(r *Record) (took time.Duration, is bool) {
	call := r.In.Kind == vocab.InCall || r.In.Kind == vocab.InCard && !has(r.Outs, vocab.Irregular)
	if !f.due || !call || has(r.Outs, vocab.Rejected) {
		return 0, false
	}
	took = r.At.Sub(f.asked)
	f.asked = r.At         // of the next one of the same hand, if nothing else becomes due
	return took, took >= 0 // a clock that was put back measures nothing
}

// tell notes what an output of the step tells of the round.
func (s *step) tell(out *vocab.Output) {
	switch out.Kind {
	case vocab.Settled, vocab.Bonus:
		d := decided{
			wager: out.Wager, box: out.Box, hand: out.Hand, bettor: out.Bettor,
			returned: out.Returned + out.Won, unknown: out.Unstated, bonus: out.Kind == vocab.Bonus,
		}
		if !d.bonus {
			d.staked = out.Stake // a bonus is paid on a stake that has its own line
		}
		s.decided = append(s.decided, d)
	case vocab.Payout:
		s.decided = append(s.decided, decided{
			wager: out.Wager, box: out.Box, hand: out.Hand, bettor: out.Bettor, bonus: true, returned: out.Given - out.Owed, due: out.Owed - out.Given,
		})
	case vocab.Dealt:
		s.cards++
	case vocab.Resolved:
		s.void = s.void || out.With == irregularity.VoidRound
	case vocab.Stands:
		s.void = s.void || out.Stand.With == irregularity.VoidRound
	}
}

// takeBack takes back the last key press of its kind that counts, with all that followed.
// Of what a shoe tells, only its loading is a key press.
func (f *Fold) takeBack(undone *vocab.Output) {
	for i := len(f.steps) - 1; i >= 0; i-- {
		s := &f.steps[i]
		if s.kind == undone.Input && s.call == undone.Call && s.counts && (s.kind != vocab.InShoe || s.shoe == vocab.ShoeLoaded) {
			*s = step{}
			return
		}
	}
}

// again forgets all that was told of the round: a correction tells again what holds.
func (f *Fold) again() {
	for i := range f.steps {
		s := &f.steps[i]
		s.decided, s.cards, s.void = nil, 0, false
	}
}
