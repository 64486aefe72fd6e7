package floor_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/shoe/card"
)

// full fills seven boxes.
func (r *room) full() {
	for n := 1; n <= 7; n++ {
		r.view.Boxes = append(r.view.Boxes, display.Box{
			Number: n, Bettors: []display.Bettor{{Name: "a", Holder: true, Stake: 2000}, {Name: "b", Stake: 1000}},
			Hands: []display.Hand{{
				Cards: []card.Card{card.Card(n), card.Card(n + 9)}, Total: 17,
				Stakes: []display.HandStake{{Bettor: "a", Amount: 2000}, {Bettor: "b", Amount: 1000}},
			}},
		})
	}
}

// BenchmarkDeal: a full table stands otherwise.
func BenchmarkDeal(b *testing.B) {
	r := newRoom(b, floor.Options{})
	r.full()
	r.connects()
	b.ReportAllocs()
	for b.Loop() {
		r.dealt(floor.Dealt{View: r.view})
	}
}

// BenchmarkTiles: sixty tables are drawn.
func BenchmarkTiles(b *testing.B) {
	r := newRoom(b, floor.Options{})
	r.full()
	for n := range 60 {
		table, err := topic.NewTable("wiesbaden", fmt.Sprintf("bj-%d", n))
		if err != nil {
			b.Fatal(err)
		}
		r.table = table
		r.connects()
	}
	b.ReportAllocs()
	for b.Loop() {
		r.Tick(r.now.Add(time.Second))
		r.Tiles()
	}
}
