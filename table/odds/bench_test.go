package odds

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// BenchmarkMain works out the main game of each house, its best play with it, and, for how that grows, of one pack and
// of twelve.
func BenchmarkMain(b *testing.B) {
	houses := profile.Built()
	for _, name := range slices.Sorted(maps.Keys(houses)) {
		r := houses[name].Rules
		b.Run(name, func(b *testing.B) { benchmarkMain(b, r, Full(r)) })
	}
	r := houses["schaffhausen"].Rules
	b.Run("1-pack", func(b *testing.B) { benchmarkMain(b, r, Packs(1, 0)) })
	b.Run("12-packs", func(b *testing.B) { benchmarkMain(b, r, Packs(rules.MaxDecks, 0)) })
}

func benchmarkMain(b *testing.B, r *rules.Rules, s Shoe) {
	b.ReportAllocs()
	for b.Loop() {
		q, err := Query{Rules: r, Shoe: s}.checked()
		if err != nil {
			b.Fatal(err)
		}
		if err := (&Report{Query: q}).main(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSides works out every side bet of all houses, insurance and even money, one time.
func BenchmarkSides(b *testing.B) {
	houses := profile.Built()
	for b.Loop() {
		for _, house := range houses {
			q, err := Query{Rules: house.Rules, Shoe: Full(house.Rules)}.checked()
			if err != nil {
				b.Fatal(err)
			}
			q.sides()
		}
	}
}
