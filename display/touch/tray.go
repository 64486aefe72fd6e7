package touch

import (
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/vocab"
)

// OpensFloat is the sheet on which the tray is counted, filled and sold from.
const OpensFloat = "float"

// Asks is what completes the first input of an act before it is put in.
type Asks string

// What is asked: nothing; how many there are of each value; some chips; chips for others; an amount, or one that is
// taken back; whether each of the chips of a slip has come.
const (
	AsksNothing Asks = ""
	AsksCount   Asks = "count"
	AsksChips   Asks = "chips"
	AsksChange  Asks = "change"
	AsksAmount  Asks = "amount"
	AsksBack    Asks = "back"
	AsksCame    Asks = "came"
)

// Act is what may be done with the tray now.
type Act struct {
	Key
	Asks Asks
	// Chips are those of the slip that it takes further, and Currency is theirs where the table plays in another.
	Chips    []vocab.Chips
	Currency string
}

// AtTray are the acts, in the order in which they stand: counts, then slips under way, then what begins anew. What
// takes a supervisor, and what moves the chips of a slip, is done between two rounds.
func AtTray(v display.View) []Act {
	if v.Tray == nil {
		return nil
	}
	acts := counts(v)
	for i := range v.Tray.Slips {
		acts = append(acts, steps(v, &v.Tray.Slips[i])...)
	}
	return append(acts, begins(v)...)
}

// atSlip is the key that counts a fill which is here, or leads to a credit that is to be given out.
func atSlip(v display.View) []Key {
	says := display.SlipDue(v)
	if says.Key == "" || v.Held != nil {
		return nil
	}
	name := strings.TrimPrefix(says.Key, "tray.")
	return []Key{{Name: name, Label: says, Kind: Call, Opens: OpensFloat, Shortcut: "f"}}
}

func act(v display.View, name string, asks Asks, in vocab.Input) Act {
	if in.By == "" {
		in.By = dealing(v)
	}
	return Act{Asks: asks, Key: Key{
		Name: "tray-" + name, Label: display.Message{Key: "tray." + name},
		Put: []vocab.Input{in},
	}}
}

// theirs makes an act a supervisor's, who is proven with it.
func theirs(v display.View, a Act) Act {
	for i := range a.Put {
		a.Put[i].By = unproven(v)
	}
	a.Kind, a.Opens = Theirs, AsksPIN(v)
	return a
}

// counts are those that the table may have now. A dealer who is known signs them, beside the supervisor.
func counts(v display.View) []Act {
	if !supervises(v) {
		return nil
	}
	if v.Supervisor != nil && v.Shift.Dealer == "" {
		return []Act{{Key: signIn(v)}}
	}
	count := func(event vocab.CountEvent) Act {
		return theirs(v, act(v, event.String(), AsksCount, vocab.Input{
			Kind: vocab.InCount, Role: vocab.Supervisor, Tray: &vocab.Tray{Count: event, Dealer: dealing(v)},
		}))
	}
	if !v.Tray.Counted || v.Opening.Closed {
		return []Act{count(vocab.CountOpening)}
	}
	if len(v.Tray.Slips) > 0 {
		return []Act{count(vocab.CountInterim)} // it is closed once they are done
	}
	return []Act{count(vocab.CountInterim), count(vocab.CountClosing)}
}

// steps are the next step of a slip, and that it is refused.
func steps(v display.View, s *vocab.Slip) (acts []Act) {
	kind := s.Kind()
	step := func(to vocab.SlipStep, chips []vocab.Chips) Act {
		a := act(v, kind.String()+"-"+to.String(), AsksNothing, vocab.Input{
			Kind: kind, Tray: &vocab.Tray{Step: to, Slip: s.Number, Chips: chips},
		})
		number := strconv.FormatUint(uint64(s.Number), 10)
		a.Name += "-" + number
		a.Chips, a.Currency = s.Chips, s.Currency
		if s.Currency != "" {
			number += " (" + s.Currency + ")"
		}
		a.Label.Args = []display.Arg{{Name: "number", Text: number}}
		return a
	}
	moves := s.Credit == (s.Step == vocab.SlipApproved)
	switch {
	case !s.Takes(s.Step + 1): // in another currency
	case s.Step == vocab.SlipAsked && supervises(v):
		acts = append(acts, theirs(v, step(vocab.SlipApproved, nil)))
	case s.Step != vocab.SlipAsked && (!moves || v.Phase == vocab.Idle):
		next := step(s.Step+1, s.Chips)
		if next.Put[0].Tray.Step == vocab.SlipReceived && !s.Credit {
			next.Asks, next.Kind = AsksCame, Step
		}
		acts = append(acts, next)
	}
	if supervises(v) && !(s.Credit && s.Step == vocab.SlipSent) {
		refused := theirs(v, step(vocab.SlipRefused, nil))
		if len(acts) > 0 {
			refused.Chips = nil // they stand beside the step before
		}
		acts = append(acts, refused)
	}
	return acts
}

// begins are what needs no count and no slip before it.
func begins(v display.View) []Act {
	in := func(kind vocab.InputKind) vocab.Input { return vocab.Input{Kind: kind} }
	asked := func(kind vocab.InputKind) vocab.Input {
		return vocab.Input{Kind: kind, Tray: &vocab.Tray{Step: vocab.SlipAsked}}
	}
	change := in(vocab.InChange)
	change.Tray = &vocab.Tray{}
	acts := []Act{
		act(v, "buy-in", AsksAmount, in(vocab.InBuyIn)), act(v, "change", AsksChange, change),
		act(v, "tips", AsksAmount, in(vocab.InTips)),
		act(v, "fill", AsksChips, asked(vocab.InFill)), act(v, "credit", AsksChips, asked(vocab.InCredit)),
	}
	if supervises(v) {
		acts = append(acts, theirs(v, act(v, "drop", AsksNothing, in(vocab.InDrop))),
			theirs(v, act(v, "buy-in-back", AsksBack, in(vocab.InBuyIn))),
			theirs(v, act(v, "tips-back", AsksBack, in(vocab.InTips))))
	}
	return acts
}
