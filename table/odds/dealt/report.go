package dealt

import (
	"context"

	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/vocab"
)

// Report works out every wager of a query. Those that cannot be worked out are dealt, so many rounds: the side bets
// that the play decides, and Black James where it is more than one box. There the play is the best while the bank draws
// in any case.
func Report(ctx context.Context, q odds.Query, rounds int64) (*odds.Report, error) {
	r, err := odds.Work(ctx, q)
	if err != nil || !Simulated(r) {
		return r, err
	}
	told := func(s *State) {
		r.Told(odds.Progress{Wager: vocab.WagerMain, Done: int(s.Rounds), Of: int(max(rounds, s.Rounds))})
	}
	dealt, err := Deal(ctx, r, Options{Rounds: rounds, Told: told})
	if err != nil {
		return nil, err
	}
	dealt.Into(r)
	return r, nil
}

// Simulated says whether some wagers of a report have to be dealt.
func Simulated(r *odds.Report) bool {
	for _, bet := range r.Rules.Offers() {
		if bet.ByPlay() {
			return true
		}
	}
	return r.James != nil && r.Boxes > 1
}

// Into adds what was dealt to a report that lacks it: its side bets in the house's order, and the main game where it
// was not worked out.
func (r *Result) Into(report *odds.Report) {
	if report.James != nil && report.Boxes > 1 {
		report.Wagers[0] = r.Main()
	}
	wagers := map[string]odds.Wager{}
	for _, w := range r.Sides {
		wagers[w.Name] = w
	}
	var list []odds.Wager
	for _, w := range report.Wagers {
		if _, side := vocab.ParseWager(w.Name).Side(); side {
			wagers[w.Name] = w
		} else {
			list = append(list, w)
		}
	}
	for _, bet := range report.Rules.SideBets {
		if w, known := wagers[bet.Bet.String()]; known {
			list = append(list, w)
		}
	}
	report.Wagers = list
}
