package odds

import (
	"encoding/json"
	"io"
	"math/big"

	"github.com/sabot-table/sabot/shoe/card"
)

// wagerLine is the contract of a JSON line: of a whole wager without Line, of a line of its paytable with it.
// docs/odds.md describes it.
type wagerLine struct {
	House         string   `json:"house"`
	Decks         int      `json:"decks"`
	Set           []string `json:"set,omitempty"`
	Boxes         int      `json:"boxes,omitempty"`
	Wager         string   `json:"wager"`
	Line          string   `json:"line,omitempty"`
	Probability   string   `json:"probability,omitempty"`
	P             *float64 `json:"p,omitempty"`
	Pays          string   `json:"pays,omitempty"`
	Worth         *float64 `json:"worth,omitempty"`
	Edge          float64  `json:"edge"`
	Variance      *float64 `json:"variance,omitempty"`
	Hit           *float64 `json:"hit,omitempty"`
	Method        Method   `json:"method"`
	Error         float64  `json:"error,omitempty"`
	StandardError *float64 `json:"standard_error,omitempty"`
	Rounds        int64    `json:"rounds,omitempty"`
	Loss          *float64 `json:"loss,omitempty"`
	Stake         string   `json:"stake,omitempty"`
	Currency      string   `json:"currency,omitempty"`
	LongRun       *float64 `json:"long_run,omitempty"`
	BreakEven     string   `json:"break_even,omitempty"`
}

// JSON writes a line for each wager and each of its lines.
func (s *Sheet) JSON(to io.Writer) error {
	out := json.NewEncoder(to)
	for i := range s.Wagers {
		w := &s.Wagers[i]
		if err := out.Encode(s.whole(w)); err != nil {
			return err
		}
		for k := range w.Lines {
			if err := out.Encode(s.part(w, &w.Lines[k])); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Sheet) line(w *Wager) wagerLine {
	l := wagerLine{House: s.Rules.House, Decks: s.Packs, Set: s.Set, Wager: w.Name, Edge: w.Edge, Method: w.Method}
	if s.Boxes > 1 {
		l.Boxes = s.Boxes
	}
	switch w.Method {
	case Bounded:
		l.Error = w.Error
	case Simulated:
		l.StandardError, l.Rounds = &w.Error, w.Rounds // also one of 0
	}
	return l
}

func (s *Sheet) whole(w *Wager) wagerLine {
	l := s.line(w)
	l.Variance, l.Hit = &w.Variance, &w.Hit
	least := LeastStake(s.Rules, w.Name)
	loss := w.Edge * float64(least) / s.major()
	l.Loss, l.Stake, l.Currency, l.LongRun = &loss, s.amount(least), s.Rules.Table.Currency, w.LongRun
	if w.BreakEven > 0 {
		l.BreakEven = s.amount(w.BreakEven)
	}
	return l
}

func (s *Sheet) part(w *Wager, line *Line) wagerLine {
	l := s.line(w)
	l.Line, l.P, l.Pays = line.Name, &line.P, line.Pays
	if line.Probability != nil {
		l.Probability = line.Probability.RatString()
	}
	if line.Probability == nil && w.Method == Exact {
		l.Method, l.Error = Bounded, roundingError
	}
	if line.Worth != 0 {
		l.Worth = &line.Worth
	}
	return l
}

// roundingError is more than the rounding of floating point changes of what was not counted in integers.
const roundingError = 1e-12

// bankLine is the contract of a JSON line of the bank's totals.
type bankLine struct {
	House       string   `json:"house"`
	Decks       int      `json:"decks"`
	Set         []string `json:"set,omitempty"`
	Bank        string   `json:"bank"`
	Card        string   `json:"card,omitempty"`
	P           float64  `json:"p"`
	Probability string   `json:"probability"`
	Method      Method   `json:"method"`
}

// BankJSON writes a line for each of the bank's ends, with any first card or with that of a rank.
func (s *Sheet) BankJSON(to io.Writer, rank card.Rank, ends [Ends]*big.Rat) error {
	out := json.NewEncoder(to)
	for end, p := range ends {
		l := bankLine{
			House: s.Rules.House, Decks: s.Packs, Set: s.Set, Bank: End(end).String(), P: float(p),
			Probability: p.RatString(), Method: Exact,
		}
		if rank != 0 {
			l.Card = rankName(rank)
		}
		if err := out.Encode(l); err != nil {
			return err
		}
	}
	return nil
}

func rankName(r card.Rank) string { return card.Of(r, card.Spades).String()[:1] }
