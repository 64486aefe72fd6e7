package luck

import (
	"fmt"
	"testing"

	"github.com/sabot-table/sabot/table/profile"
)

// BenchmarkJudge judges every wager of all houses, as the page of figures does: after a night, a month of a table, and
// just before the normal distribution is used, which costs most.
func BenchmarkJudge(b *testing.B) {
	for _, bets := range []int64{300, 30_000, 250_000, 2_000_000} {
		var all []*Odds
		for _, house := range profile.Built() {
			odds, err := Of(house.Rules)
			if err != nil {
				b.Fatal(err)
			}
			all = append(all, odds...)
		}
		s := Sum{
			Rounds: bets, Staked: bets * 1000, Returned: bets * 950, BoxSquares: float64(bets) * 1e6,
			RoundSquares: float64(bets) * 1e6,
		}
		b.Run(fmt.Sprint(bets), func(b *testing.B) {
			for range b.N {
				for _, o := range all {
					o.Judge(s, .05)
				}
			}
		})
	}
}
