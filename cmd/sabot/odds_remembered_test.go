package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/odds"
)

// dealtRounds are dealt in make test for what cannot be worked out: enough to tell a gift from none.
const dealtRounds = 50_000

// worker works out every wager of a query.
type worker func(ctx context.Context, q odds.Query, rounds int64) (*odds.Report, error)

// remember works the same query out only once.
func remember(work worker) worker {
	var mu sync.Mutex
	known := map[string]*odds.Report{}
	return func(ctx context.Context, q odds.Query, rounds int64) (*odds.Report, error) {
		mu.Lock()
		defer mu.Unlock()
		key := question(q)
		if known[key] == nil {
			report, err := work(ctx, q, int64(tier.Times(dealtRounds, int(rounds))))
			if err != nil {
				return nil, err
			}
			known[key] = report
		}
		report := *known[key]
		report.Query, report.Wagers = q, slices.Clone(report.Wagers)
		return &report, nil
	}
}

// question is what a query asks, as a text. By what name the rules are known makes no difference; no box is one.
func question(q odds.Query) string {
	var rules map[string]any
	if err := json.Unmarshal(q.Rules.Text(), &rules); err != nil {
		panic(err) // rules write it themselves
	}
	maps.DeleteFunc(rules, func(name string, _ any) bool { return name == "House" || name == "Title" })
	return fmt.Sprint(rules, q.Shoe, max(q.Boxes, 1), q.Meter)
}
