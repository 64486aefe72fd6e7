package dealt

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/sabot-table/sabot/table/odds"
)

// Options say how much is dealt, and how.
type Options struct {
	// Rounds is how many there shall be in all, those of State among them; they are rounded up to thousands.
	Rounds int64
	// Shards is how many are dealt at the same time; 0 is one for each core. It changes no result.
	Shards int
	// Seed is what chance is made of.
	Seed uint64
	// State, if set, is where an earlier simulation ended. It is not changed.
	State *State
	// Told, if set, hears every few tenths of a second how far the simulation is: a state to go on from, which stays as
	// it is.
	Told func(*State)
}

// Deal deals the main game of a query that is worked out by the best play, and the side bets that the play decides,
// too. Where it ends early, with the context's error, the state in the result, if there is one, has what was dealt
// until then.
func Deal(ctx context.Context, report *odds.Report, o Options) (*Result, error) {
	if o.Rounds > MostRounds {
		return nil, fmt.Errorf("%d rounds are more than can be counted: take at most %d", o.Rounds, int64(MostRounds))
	}
	g, err := newGame(report, o.Seed)
	if err != nil {
		return nil, err
	}
	state, err := g.checked(o.State)
	if err != nil {
		return nil, err
	}
	if o.Shards <= 0 {
		o.Shards = runtime.GOMAXPROCS(0)
	}
	err = g.run(ctx, state, &o)
	return g.result(state), err
}

// perLeg is how many batches each shard deals, about, before the sums are put together: a few tenths of a second.
const perLeg = 200

// run deals leg by leg. A leg that is not done counts for nothing.
func (g *game) run(ctx context.Context, state *State, o *Options) error {
	shards := make([]*shard, o.Shards)
	for i := range shards {
		shards[i] = g.shard()
	}
	for state.Rounds < o.Rounds {
		if err := ctx.Err(); err != nil {
			return err
		}
		first := state.Rounds / perBatch
		end := min(first+int64(perLeg*o.Shards), (o.Rounds+perBatch-1)/perBatch)
		leg, err := g.leg(ctx, shards, first, end)
		if err != nil {
			return err
		}
		for i := range leg {
			state.add(&leg[i])
		}
		if o.Told != nil {
			o.Told(state.clone())
		}
	}
	return nil
}

// leg deals the batches from first until end, whichever shard has time for the next.
func (g *game) leg(ctx context.Context, shards []*shard, first, end int64) ([]sums, error) {
	done := make([]sums, len(shards))
	errs := make([]error, len(shards))
	var next atomic.Int64
	next.Store(first)
	var all sync.WaitGroup
	for i, s := range shards {
		done[i].sides = g.noSides()
		all.Go(func() {
			for n := next.Add(1) - 1; n < end && errs[i] == nil; n = next.Add(1) - 1 {
				if errs[i] = ctx.Err(); errs[i] == nil {
					errs[i] = s.batch(uint64(n), &done[i])
				}
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return done, nil
}
