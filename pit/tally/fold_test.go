package tally_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/secondbook"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

var start = time.Date(2026, 3, 28, 20, 0, 0, 0, time.UTC)

// scene is a table whose records are folded, and the second book of it.
type scene struct {
	t     rapid.TB // also a test's own
	table table.Table
	book  secondbook.Book
	fold  tally.Fold
	seq   uint64
	at    time.Time
	// open are the irregularities that the fold has not seen put right, and counts all since
	// the dealer took over.
	open   map[irregularity.Code]int
	counts map[irregularity.Code]uint32
	// records are those of the round, as a journal has them.
	records []history.Record
	// outs is the last answer, and last what the fold made of it.
	outs []vocab.Output
	last tally.Step
}

func newScene(t rapid.TB) *scene {
	return &scene{t: t, at: start, open: map[irregularity.Code]int{}, counts: map[irregularity.Code]uint32{}}
}

// take puts an input in, each a second after the one before, and folds its record.
func (s *scene) take(in vocab.Input) tally.Step {
	s.seq++
	s.at = s.at.Add(time.Second)
	in.Line, in.Time = s.seq, s.at.UnixNano()
	outs := s.table.Step(&in)
	if err := s.book.Enter(&in, outs); err != nil {
		s.t.Fatalf("record %d: %v", s.seq, err)
	}
	s.record(&in, outs)
	step := s.fold.Record(tally.Record{Seq: s.seq, At: s.at, In: &in, Outs: outs})
	s.outs, s.last = outs, step
	for _, out := range outs {
		if out.Kind == vocab.DealerChanged {
			clear(s.counts)
		}
	}
	for _, one := range step.Raised {
		s.counts[one.Code]++
		if one.Righted.IsZero() {
			s.open[one.Code]++
		}
	}
	for _, one := range step.Righted {
		s.open[one.Code]--
	}
	return step
}

// answer is take, and gives what the table answered.
func (s *scene) answer(in *vocab.Input) []vocab.Output {
	s.take(*in)
	return s.outs
}

// record keeps a record, if it is of the round under way.
func (s *scene) record(in *vocab.Input, outs []vocab.Output) {
	rec := history.Record{Seq: s.seq, At: in.Time, Input: transcript.AppendInput(nil, in)}
	for i := range outs {
		if outs[i].Kind == vocab.Opened {
			s.records = nil
		}
		rec.Outputs = append(transcript.AppendOutput(rec.Outputs, &outs[i]), '\n')
	}
	s.records = append(s.records, rec)
}

// resume goes on with a fold that is made of what this one keeps.
func (s *scene) resume() {
	kept, ok := s.fold.Kept()
	if !ok {
		return
	}
	text, err := json.Marshal(kept)
	if err != nil {
		s.t.Fatal(err)
	}
	var again tally.Kept
	if err := json.Unmarshal(text, &again); err != nil {
		s.t.Fatal(err)
	}
	s.fold = *tally.Resume(again)
}

// sums are the amounts of a round over all its wagers.
func sums(round *tally.Round) (sums vocab.Sums) {
	for _, w := range round.Wagers {
		sums.Staked += w.Staked
		sums.Won += w.Due
		sums.Unstated = sums.Unstated || w.Unknown > 0
	}
	return sums
}

// TestAgainstTheBook: whatever is put in at a table, a round comes to what the second book has
// worked out, and what was put right is what the table has put right. All of them add something to each figure.
func TestAgainstTheBook(t *testing.T) {
	var rounds, void, corrected, unknown int
	all := tally.Sums{}
	houses := tabletest.Book().Names()
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		house := rapid.SampledFrom(houses).Draw(rt, "house")
		mistakes := rapid.IntRange(0, 6).Draw(rt, "mistakes")
		dice := rand.New(rand.NewPCG(seed, 1))
		s := newScene(rt)
		player := &tabletest.Player{Dice: dice, Boxes: 1 + dice.IntN(4), Freely: true}
		s.take(*tabletest.SetUp(rules.Setup{House: house}))
		changed := false
		for range 400 {
			in := player.Next(&s.table)
			if dice.IntN(14) < mistakes {
				in = player.Anything(&s.table)
			}
			step := s.take(in)
			changed = changed || in.Kind == vocab.InCorrect && s.table.Rejected() == 0
			s.sameIrregularities()
			for i := range step.Raised {
				all.Irregularity(&step.Raised[i])
			}
			if dice.IntN(4) == 0 {
				s.resume()
			}
			if step.Ended == nil {
				continue
			}
			rounds++
			s.sameRound(step.Ended)
			all.Round(step.Ended, 1)
			if got := sums(step.Ended); got.Unstated {
				unknown++
			}
			if step.Ended.Void {
				void++
			}
			if changed {
				corrected++
			}
			changed = false
		}
	})
	if rounds < 500 || void == 0 || corrected == 0 || unknown == 0 {
		t.Errorf("%d rounds, %d void, %d corrected, %d with unknown stakes: the test tries too little", rounds, void,
			corrected, unknown)
	}
	all.Round(&tally.Round{Boxes: 1}, 1) // by rules that nobody knows, so that its table has no places
	for i := range tally.Figures {
		if f := &tally.Figures[i]; !has(all, f) {
			t.Errorf("nothing adds to the figure %q of %d", f.Column, f.Of)
		}
	}
}

// has says whether a figure is anything but zero in one of the sums.
func has(sums tally.Sums, f *tally.Figure) bool {
	for name, sum := range sums {
		if name.Of == f.Of && !reflect.ValueOf(f.At(sum)).Elem().IsZero() {
			return true
		}
	}
	return false
}

// sameRound compares the round with the engine's table, which still has it, and with the book.
func (s *scene) sameRound(round *tally.Round) {
	s.t.Helper()
	want := s.book.Sums()
	got := sums(round)
	if got.Unstated != want.Unstated {
		s.t.Fatalf("round %d: amounts unknown: %v, by the book %v", round.Number, got.Unstated, want.Unstated)
	}
	if !want.Unstated && (got.Staked != want.Staked || got.Won != want.Returned+want.Won) {
		s.t.Fatalf("round %d comes to %+v, by the book %+v: %+v", round.Number, got, want, round.Wagers)
	}
	byWager := map[string]*tally.Wager{}
	onBox := map[string]*[rules.MaxBoxes + 1]int64{}
	hands, boxes := map[[2]uint8]bool{}, map[uint8]bool{}
	for nth := range s.table.Decided() {
		one := &s.table.Decided()[nth]
		w := byWager[one.Wager.String()]
		if w == nil {
			w = &tally.Wager{Wager: one.Wager.String()}
			byWager[w.Wager], onBox[w.Wager] = w, &[rules.MaxBoxes + 1]int64{}
		}
		if one.Kind == vocab.Settled {
			w.Count++
			w.Staked += one.Stake
			if one.Why == vocab.WhyDead { // nobody has played it: it is no part of what is squared for luck
				w.Dead += one.Stake
			} else {
				onBox[w.Wager][one.Box] += one.Stake
			}
			if one.Wager == vocab.WagerMain {
				hands[[2]uint8{one.Box, one.Hand}], boxes[one.Box] = true, true
			}
			if one.Unstated {
				w.Unknown++
			}
		}
		owed, given, _ := s.table.PaidOtherwise(nth)
		w.Returned += one.Returned + one.Won + given - owed
		w.Due += one.Returned + one.Won
		if one.Why == vocab.WhyDead {
			w.DeadReturned += one.Returned + one.Won + given - owed
		}
	}
	for name, w := range byWager {
		for _, staked := range onBox[name] {
			w.BoxSquares += float64(staked) * float64(staked)
		}
	}
	for _, w := range byWager {
		if round.Void {
			w.Kept = w.Staked - w.Returned
		}
	}
	if len(byWager) != len(round.Wagers) {
		s.t.Fatalf("round %d has %v, the table %d kinds of wagers", round.Number, round.Wagers, len(byWager))
	}
	for _, w := range round.Wagers {
		if want := byWager[w.Wager]; want == nil || *want != w {
			s.t.Fatalf("round %d: %+v, at the table %+v", round.Number, w, want)
		}
	}
	if round.Boxes != len(boxes) || round.Hands != len(hands) {
		s.t.Fatalf("round %d: %d boxes, %d hands; at the table %d and %d", round.Number, round.Boxes, round.Hands,
			len(boxes), len(hands))
	}
	if void := history.Of(round.Number, s.records).Void; round.Void != void {
		s.t.Fatalf("round %d is void: %v, by its past %v", round.Number, round.Void, void)
	}
	if first := s.records[0].Seq; round.First != first || round.Last != s.seq || !round.Ended.Equal(s.at) {
		s.t.Fatalf("round %d is of the records %d to %d, ended %s", round.Number, round.First, round.Last, round.Ended)
	}
	if cards := len(s.table.Laid()); round.Cards != cards {
		s.t.Fatalf("round %d has %d cards, at the table %d", round.Number, round.Cards, cards)
	}
	s.sameLays(round)
}

// sameLays compares what lies on each box with the engine's table.
func (s *scene) sameLays(round *tally.Round) {
	s.t.Helper()
	want := []tally.Lay{{Box: tally.Bank}}
	at := func(box uint8) (on *tally.Lay) {
		want, on = tally.On(want, box)
		return on
	}
	for nth := range s.table.Decided() {
		one := &s.table.Decided()[nth]
		owed, given, _ := s.table.PaidOtherwise(nth)
		on := at(one.Box)
		on.Returned += one.Returned + one.Won + given - owed
		if one.Kind == vocab.Settled {
			on.Staked += one.Stake
		}
	}
	for _, one := range s.table.Laid() {
		box := one.Box
		if one.To == vocab.ToAside && box == 0 {
			box = tally.Aside
		}
		on := at(box)
		on.Cards = append(on.Cards, one.Card)
	}
	for _, list := range [][]tally.Lay{want, round.Lays} {
		for i := range list {
			slices.Sort(list[i].Cards) // of a correction the table has them in the order in which they came
		}
	}
	if fmt.Sprint(round.Lays) != fmt.Sprint(want) {
		s.t.Fatalf("round %d has %v on its boxes, the table %v", round.Number, round.Lays, want)
	}
}

// sameIrregularities compares what is open, and what was counted since the dealer took over,
// with the table's alerts.
func (s *scene) sameIrregularities() {
	s.t.Helper()
	standing := map[irregularity.Code]int{}
	for alert := range s.table.Alerts {
		standing[alert.Code] = alert.Standing
	}
	for code := range irregularity.EveryCode {
		if code.Word() {
			continue // no breach
		}
		if s.open[code] != standing[code] {
			s.t.Fatalf("record %d: %d of %s are open, at the table %d", s.seq, s.open[code], code, standing[code])
		}
		if s.counts[code] != s.table.Count(code) {
			s.t.Fatalf("record %d: %d of %s since the dealer took over, at the table %d", s.seq, s.counts[code], code,
				s.table.Count(code))
		}
	}
}
