package figures

import (
	"context"
	"slices"

	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/rules"
)

// Worth is what a house's rules are worth at its own packs, from a full shoe and on one box.
type Worth struct {
	Wagers []odds.Wager
	// Chart is the best play.
	Chart odds.Chart
}

// enough rounds are dealt for a wager of a house's own that cannot be worked out: some seconds on one core.
const enough = 1_000_000

// find works rules out, and tells which part of the work is done. What has to be dealt is dealt so many rounds.
func find(ctx context.Context, r *rules.Rules, rounds int64, told func(part float64)) (*Worth, error) {
	wagers, before := dealt.Known(r)
	q := odds.Query{Rules: r, Shoe: odds.Full(r)}
	exact := 1.0
	q.Told = func(p odds.Progress) { told(exact * min(share(int64(p.Done), int64(p.Of)), 1)) }
	if !before && slow(r) {
		exact = .5
	}
	report, err := odds.Work(ctx, q)
	if err != nil {
		return nil, err
	}
	if before {
		report.Wagers = wagers
	} else if dealt.Simulated(report) {
		// One core: the others are for the tables' messages and pages.
		o := dealt.Options{Rounds: rounds, Shards: 1, Told: func(s *dealt.State) {
			told(exact + (1-exact)*min(share(s.Rounds, rounds), 1))
		}}
		found, err := dealt.Deal(ctx, report, o)
		if err != nil {
			return nil, err
		}
		found.Into(report)
	}
	return &Worth{report.Wagers, chart(report)}, nil
}

// slow says whether a side bet of rules has to be dealt.
func slow(r *rules.Rules) bool {
	return slices.ContainsFunc(r.Offers(), (*rules.Offer).ByPlay)
}

func chart(r *odds.Report) odds.Chart {
	if r.James != nil {
		return r.James.Chart()
	}
	return r.Main.Chart()
}
