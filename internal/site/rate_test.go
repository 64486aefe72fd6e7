package site_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
)

// TestRate: in any time, each key gets its burst and what the pace adds in that time, and never more; a wait that was
// named is neither too short nor longer than needed.
func TestRate(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		pace := site.Pace{
			Every: time.Duration(rapid.IntRange(1, 2000).Draw(rt, "every")) * time.Millisecond,
			Burst: rapid.IntRange(1, 9).Draw(rt, "burst"),
		}
		keys := rapid.IntRange(1, 4).Draw(rt, "keys")
		steps := rapid.SliceOfN(rapid.IntRange(0, 3000), 1, 60).Draw(rt, "steps")
		asked := rapid.SliceOfN(rapid.IntRange(0, keys-1), len(steps), len(steps)).Draw(rt, "asked")
		var wrong string
		synctest.Test(t, func(*testing.T) { wrong = paced(pace, keys, steps, asked) })
		if wrong != "" {
			rt.Fatal(wrong)
		}
	})
}

// paced asks for keys after steps of milliseconds, and returns what is wrong. The model counts what each key has left.
func paced(pace site.Pace, keys int, steps, asked []int) string {
	rate := site.NewRate[int](pace, keys)
	began := time.Now()
	taken := make([][]time.Duration, keys)
	for i, step := range steps {
		bubble.Pass(time.Duration(step) * time.Millisecond)
		key, now := asked[i], time.Since(began)
		due := time.Duration(0) // when the next of the key may be taken
		for j, at := range taken[key] {
			due = max(due, at+time.Duration(len(taken[key])-j-pace.Burst+1)*pace.Every)
		}
		want := max(0, due-now)
		if got := rate.Wait(key); got != want {
			return fmt.Sprintf("step %d: key %d has to wait %v, want %v", i, key, got, want)
		}
		if got := rate.Take(key); got != want {
			return fmt.Sprintf("step %d: key %d was taken after %v, want %v", i, key, got, want)
		}
		if want == 0 {
			taken[key] = append(taken[key], now)
		}
	}
	return ""
}

// TestRateIsBounded: keys for which there is no room share one pace, however many they are; the ones that were there
// keep their own, and those that have rested make room.
func TestRateIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rate := site.NewRate[int](site.Pace{Every: time.Second, Burst: 2}, 3)
		for key := range 3 {
			if wait := rate.Take(key); wait != 0 {
				t.Errorf("key %d waits %v at first", key, wait)
			}
		}
		through := 0
		for key := 10; key < 10000; key++ {
			if rate.Take(key) == 0 {
				through++
			}
		}
		if through != 2 {
			t.Errorf("%d strangers got through, want the burst of one", through)
		}
		if wait := rate.Take(0); wait != 0 {
			t.Errorf("who was there before has to wait %v", wait)
		}
		bubble.Pass(2 * time.Second)
		for i := range 3 {
			if taken := rate.Take(20) == 0; taken != (i < 2) {
				t.Errorf("a key that came when others had rested is taken the %d. time: %v", i+1, taken)
			}
		}
	})
}
