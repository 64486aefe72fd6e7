package angeleye

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/shoe"
)

// A shoe that restarts, whose copies of what follows come mixed and partly not at all, to a table that is killed in the
// middle of them or not: no card is dealt twice. One that is not dealt is told.
func TestRestartAmongMixedCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		frames, arrive := restart(t)
		d := new(Decoder)
		dealt, told := map[string]int{}, 0
		heard := func(e shoe.Event) {
			switch e.Kind {
			case shoe.Drawn:
				dealt[e.Report]++
			case shoe.Gap, shoe.AlarmRaised:
				told++
			}
		}
		killed := rapid.IntRange(0, len(arrive)).Draw(t, "killed")
		away := rapid.SampledFrom([]time.Duration{0, repeatWithin}).Draw(t, "away")
		at := time.Duration(0)
		for k, i := range arrive {
			if k == killed {
				d = again(dealt, frames, away)
				told++ // each start asks
			}
			d.Feed(at, frames[i], heard)
			at += 20 * time.Millisecond
		}
		came := map[int]bool{}
		for _, i := range arrive {
			came[i] = true
		}
		for i, f := range frames {
			switch n := dealt[string(f)]; {
			case n > 1:
				t.Fatalf("% X was dealt %d times", f, n)
			case n == 0 && f[2] == 'D' && came[i] && told == 0:
				t.Fatalf("% X was neither dealt nor told", f)
			}
		}
	})
}

// restart is what a shoe sends before and after a restart, and the order in which the copies arrive.
func restart(t *rapid.T) (frames [][]byte, arrive []int) {
	card := func(number int) {
		frames = append(frames, frame('0'+byte(number%10), 'D', 0x81, 0xB1+byte(len(frames))))
	}
	begin := rapid.IntRange(0, 9).Draw(t, "begin")
	for i := range rapid.IntRange(0, 3).Draw(t, "before") {
		card(begin + i)
		arrive = append(arrive, i, i, i)
	}
	first := len(frames)
	frames = append(frames, frame('0', 'S'), frame('1', 'P'))
	for i := range rapid.IntRange(1, 2).Draw(t, "after") {
		card(2 + i)
	}
	for range 3 {
		for i := first; i < len(frames); i++ {
			if rapid.IntRange(0, 4).Draw(t, "arrives") > 0 {
				arrive = append(arrive, i)
			}
		}
	}
	return frames, arrive
}

// again is the decoder of the next start, so long after the last card that is on record.
func again(dealt map[string]int, frames [][]byte, away time.Duration) *Decoder {
	d := new(Decoder)
	for _, f := range frames {
		if dealt[string(f)] > 0 {
			d.Recall(string(f), away)
		}
	}
	d.Reset()
	return d
}
