// This file has the houses of a group, for the page of it.

package pittest

import (
	"context"
	"time"

	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
)

// Group is a hub of two houses: the samples' own, with a line, and another one without.
type Group struct{}

// Sites are the two houses.
func (Group) Sites(map[string]uint64) []dashboard.Site {
	return []dashboard.Site{
		{Name: "kursaal", Page: "https://pit.kursaal.example", Up: true, Since: time.Now().Add(-26 * time.Hour)},
		{Name: "wiesbaden", Since: time.Now().Add(-8 * time.Minute), Behind: 1204},
	}
}

// Elsewhere says that no other node keeps any table.
func (Group) Elsewhere(context.Context) (map[string]uint64, error) { return nil, nil }

// Day has amounts of two currencies at the one house, and of one at the other.
func (Group) Day(context.Context) (list []store.Sum, err error) {
	add := func(site, name, currency string, rounds, staked, returned int64) {
		table, bad := topic.NewTable(site, name)
		if bad != nil {
			err = bad
		}
		list = append(list, store.Sum{
			Key: store.Key{Table: table, Currency: currency},
			Sum: tally.Sum{Rounds: rounds, Staked: staked, Returned: returned},
		})
	}
	add("kursaal", "bj-1", "EUR", 140, 1_900_000, 1_870_000)
	add("kursaal", "bj-2", "EUR", 96, 700_000, 742_500)
	add("kursaal", "bj-3", "CHF", 51, 300_000, 290_000)
	add("wiesbaden", "bj-1", "EUR", 12, 24_000, 30_000)
	return list, err
}
