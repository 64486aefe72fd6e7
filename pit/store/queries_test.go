package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/luck"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
	"github.com/sabot-table/sabot/table/vocab"
)

// floor is a store with a few tables, and what their rounds came to by the journals alone.
type floor struct {
	store  *store.Store
	rounds []tallied
	tables map[string]*recall.Recall
	// adjusted and reopened count past rounds that were adjusted, and rounds whose payment was taken back after the
	// last.
	adjusted, reopened int
}

type tallied struct {
	table topic.Table
	tally.Round
	irregular int
	// after is what went wrong between this round and the next.
	after []tally.Irregularity
	// waited is how much longer was dealt, until the next round.
	waited time.Duration
}

func newFloor(t *testing.T, source string) *floor {
	f := &floor{store: open(t, source), tables: map[string]*recall.Recall{}}
	dealt := floorDealt()
	f.rounds, f.adjusted, f.reopened = slices.Clone(dealt.rounds), dealt.adjusted, dealt.reopened
	for i, folder := range dealt.folders {
		r, name := reader(t, folder), table(t, floorTable(i))
		if err := f.store.Refill(t.Context(), name, r, nil); err != nil {
			t.Fatal(err)
		}
		f.tables[name.String()] = recall.New(r, profile.Built())
	}
	return f
}

func floorTable(i int) string { return fmt.Sprintf("bj%d", i) }

// dealtFloor is what was dealt at the tables of all floors: their journals, and what these come to.
type dealtFloor struct {
	floor
	folders []string
}

// floorDealt is dealt once, for all tests.
var floorDealt = sync.OnceValue(func() (f dealtFloor) {
	for i, house := range []string{"wiesbaden", "st-moritz", "baden"} {
		folder := filepath.Join(tabletest.FastDir(server), "journal")
		n := journaltest.NewNight(server, folder, house, uint64(i)+40)
		n.Mistakes, n.Dealers, n.Apart = 1, []string{"anna", "d7", "ben"}, 40*time.Second
		for range 3 {
			n.Deal(500)
			n.Take(vocab.Input{Kind: vocab.InFloor, Floor: vocab.FloorCall{Event: vocab.FloorCalled}})
			n.Take(vocab.Input{Kind: vocab.InFloor, Floor: vocab.FloorCall{Event: vocab.FloorDone}, By: "s1"})
		}
		n.Rounds(3)
		for nth, in := range adjustable(server, n, 3) { // of rounds that are kept for long
			in.Amount, in.By, in.Because = []int64{-500, 1200, 700}[nth], "s1", "dispute"
			n.Take(in)
			n.Rounds(1)
			n.Take(vocab.Input{Kind: vocab.InUndo}) // the last payment, which is made again
			n.Rounds(0)
		}
		f.fold(server, table(server, floorTable(i)), n)
		f.folders = append(f.folders, folder)
	}
	return f
})

// adjustable are adjustments of the first rounds in which a main wager was decided, without amounts.
func adjustable(t testing.TB, n *journaltest.Night, most int) (all []vocab.Input) {
	n.Flush()
	rounds := recall.New(n.Journal.Reader, profile.Built())
	for number := uint64(1); len(all) < most; number++ {
		r, err := rounds.Round(number)
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Boxes {
			settled := r.Boxes[i].Settled
			at := slices.IndexFunc(settled, func(l history.Line) bool {
				return l.Out.Wager == vocab.WagerMain && l.Out.Hand == 1
			})
			if at < 0 {
				continue
			}
			all = append(all, vocab.Input{
				Kind: vocab.InAdjust, PastRound: int(number), Box: int(settled[at].Out.Box),
				Bettor: settled[at].Out.Bettor, Wager: vocab.WagerMain,
			})
			break
		}
	}
	return all
}

// fold tallies a journal without the store.
func (f *floor) fold(t testing.TB, name topic.Table, n *journaltest.Night) {
	t.Helper()
	var fold tally.Fold
	var lines history.Reader
	for rec, err := range n.Journal.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		in := lines.Input(rec.Input).In
		if in.Kind == vocab.InSetup {
			set, err := profile.Built().Set(*in.Setup)
			if err != nil {
				t.Fatal(err)
			}
			in.Rules = set
		}
		var outs []vocab.Output
		for line := range rec.Lines() {
			outs = append(outs, lines.Output(line).Out)
		}
		step := fold.Record(tally.Record{Seq: rec.Seq, At: time.Unix(0, rec.At), In: &in, Outs: outs})
		if step.Waited != nil {
			f.rounds[len(f.rounds)-1].waited = step.Waited.More
		}
		for _, one := range step.Raised {
			if one.Code.Word() {
				t.Fatalf("%s is a word between table and pit, and found among what went wrong", one.Code)
			}
			if last := len(f.rounds) - 1; last >= 0 && f.rounds[last].table == name &&
				f.rounds[last].Number == one.Round {
				f.rounds[last].after = append(f.rounds[last].after, one)
			}
		}
		if step.Reopened != nil {
			f.rounds, f.reopened = f.rounds[:len(f.rounds)-1], f.reopened+1
		}
		if a := step.Adjusted; a != nil {
			for i := range f.rounds {
				if r := &f.rounds[i]; r.table == name && r.Number == a.Round {
					paid := a.Paid()
					if r.Void {
						paid.Kept = -a.Amount
					}
					r.Wagers, f.adjusted = tally.Add(slices.Clone(r.Wagers), paid), f.adjusted+1
					lays, on := tally.On(slices.Clone(r.Lays), a.Box)
					on.Returned += a.Amount
					r.Lays = lays
				}
			}
		}
		if step.Ended != nil {
			f.rounds = append(f.rounds, tallied{
				table: name, Round: *step.Ended,
				irregular: len(step.Ended.Irregularities),
			})
		}
	}
}

// amounts adds up what was staked and returned, in all or by one wager.
func (r *tallied) amounts(wager string) (staked, returned, count int64) {
	for _, w := range r.Wagers {
		if wager == "" || w.Wager == wager {
			staked += w.Staked
			returned += w.Returned
			count += w.Count
		}
	}
	return staked, returned, count
}

// TestSums: sums are what the rounds add up to, however they are grouped and filtered.
func TestSums(t *testing.T) {
	onEachInSoak(t, func(t *testing.T, source string) {
		f := newFloor(t, source)
		day := store.Day{Begins: 6 * time.Hour, Zone: system.Zone(t, "Europe/Berlin")}
		groups := map[string]struct {
			by []store.Group
			of func(r *tallied) string
			is func(s *store.Sum) string
		}{
			"all": {nil, func(*tallied) string { return "" }, func(*store.Sum) string { return "" }},
			"table": {
				[]store.Group{store.ByTable},
				func(r *tallied) string { return r.table.String() },
				func(s *store.Sum) string {
					return s.Table.String()
				},
			},
			"day and dealer": {
				[]store.Group{store.ByDay, store.ByDealer},
				func(r *tallied) string { return day.Of(r.Opened).String() + r.Dealer },
				func(s *store.Sum) string { return s.Day.String() + s.Dealer },
			},
			"hour and game": {
				[]store.Group{store.ByHour, store.ByGame},
				func(r *tallied) string { return day.Hour(r.Opened).UTC().String() + r.Game },
				func(s *store.Sum) string { return s.Hour.UTC().String() + s.Game },
			},
			"house and rules": {
				[]store.Group{store.ByHouse, store.ByRules},
				func(r *tallied) string { return r.House + r.Rules },
				func(s *store.Sum) string { return s.House + s.Rules },
			},
		}
		for name, g := range groups {
			for _, filter := range []store.Query{
				{},
				{Dealers: []string{"anna", "ben"}},
				{Tables: []topic.Table{table(t, "bj1")}},
				{First: 20260329, Last: 20260329},
				{Games: []string{"black-james"}},
			} {
				want := map[string][7]int64{}
				for i := range f.rounds {
					r := &f.rounds[i]
					if len(filter.Dealers) > 0 && !slices.Contains(filter.Dealers, r.Dealer) ||
						len(filter.Tables) > 0 && r.table != filter.Tables[0] ||
						filter.First != 0 && day.Of(r.Opened) != filter.First || len(filter.Games) > 0 &&
						r.Game != filter.Games[0] {
						continue
					}
					staked, returned, count := r.amounts("")
					key := r.Currency + g.of(r)
					w := want[key]
					want[key] = [7]int64{
						w[0] + 1, w[1] + staked, w[2] + returned, w[3] + count, w[4] + int64(r.Cards),
						w[5] + int64(r.Places), w[6] + int64(r.Dealt+r.waited),
					}
				}
				filter.By = g.by
				sums, err := f.store.Sums(t.Context(), filter)
				if err != nil {
					t.Fatal(err)
				}
				got := map[string][7]int64{}
				for i := range sums {
					s := &sums[i]
					if s.Rounds > 0 { // an hour may have an irregularity, and no round
						got[s.Currency+g.is(s)] = [7]int64{
							s.Rounds, s.Staked, s.Returned, s.Wagers, s.Cards, s.Places,
							int64(s.Dealt),
						}
					}
				}
				if !maps.Equal(got, want) || len(want) == 0 {
					t.Errorf("by %s, %+v:\n%v, want\n%v", name, filter, got, want)
				}
			}
		}
		f.byWager(t)
		f.byCode(t)
		if f.adjusted < 9 || f.reopened == 0 {
			t.Errorf("%d rounds were adjusted, and %d payments taken back: the test shows too little", f.adjusted,
				f.reopened)
		}
	})
}

func (f *floor) byWager(t *testing.T) {
	sums, err := f.store.Sums(t.Context(), store.Query{By: []store.Group{store.ByTable, store.ByWager}})
	if err != nil {
		t.Fatal(err)
	}
	var void int64
	for _, s := range sums {
		var staked, returned, count, rounds, kept int64
		var sum luck.Sum
		for i := range f.rounds {
			r := &f.rounds[i]
			if r.table != s.Table {
				continue
			}
			a, b, c := r.amounts(s.Wager)
			staked, returned, count = staked+a, returned+b, count+c
			for _, w := range r.Wagers {
				if w.Wager != s.Wager {
					continue
				}
				rounds++
				kept += w.Kept
				if r.Void {
					void++
					continue
				}
				one := luck.Sum{}.Round(w.Returned-w.DeadReturned, w.Staked-w.Dead) // what is dead was never played
				one.BoxSquares = w.BoxSquares
				sum = sum.Add(one)
			}
		}
		if got := (luck.Sum{
			Rounds: s.Counted, Staked: s.Staked - s.VoidStaked, Returned: s.Returned - s.VoidReturned,
			BoxSquares: s.BoxSquares, RoundSquares: s.RoundSquares,
		}); got != sum || s.WagerRounds != rounds ||
			sum.BoxSquares == 0 || sum.RoundSquares < sum.BoxSquares {
			t.Errorf("%s at %s: luck judges by %+v in %d rounds, want %+v in %d", s.Wager, s.Table, got, s.WagerRounds,
				sum, rounds)
		}
		if s.Staked != staked || s.Returned != returned || s.Wagers != count || s.Rounds != 0 || s.Kept != kept {
			t.Errorf("%s at %s: %+v, want %d staked, %d returned, %d wagers, and %d of void rounds", s.Wager, s.Table,
				s, staked, returned, count, kept)
		}
	}
	if len(sums) < 6 || void == 0 {
		t.Errorf("only %d wagers, %d in void rounds", len(sums), void)
	}
}

func (f *floor) byCode(t *testing.T) {
	sums, err := f.store.Sums(t.Context(), store.Query{By: []store.Group{store.ByCode}})
	if err != nil {
		t.Fatal(err)
	}
	list, err := f.store.Irregularities(t.Context(), store.IrregularityQuery{Limit: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[string]int64{}, map[string]int64{}
	righted := 0
	for _, i := range list {
		want[i.Code.String()]++
		if !i.Righted.IsZero() && i.With != 0 {
			righted++
		}
	}
	for _, s := range sums {
		got[s.Code] += s.Irregularities
	}
	if !maps.Equal(got, want) || len(want) < 5 || righted == 0 {
		t.Errorf("irregularities are %v, and by the list %v, %d put right", got, want, righted)
	}
}

var aceOfSpades, kingOfHearts = card.Of(card.Ace, card.Spades), card.Of(card.King, card.Hearts)

// on says whether something lay on a box, -1 for any: at least so much for its guests, and a card.
func (r *tallied) on(box int, returned int64, c card.Card) bool {
	return slices.ContainsFunc(r.Lays, func(on tally.Lay) bool {
		return (box < 0 || int(on.Box) == box) && on.Returned >= returned && (c == 0 || slices.Contains(on.Cards, c))
	})
}

// TestRounds: rounds are found by all that can be asked for, in their order, and what was
// recorded of one is what the table's own journal has.
func TestRounds(t *testing.T) {
	onEachInSoak(t, func(t *testing.T, source string) {
		f := newFloor(t, source)
		middle := f.rounds[len(f.rounds)/2]
		for name, c := range map[string]struct {
			q  store.RoundQuery
			is func(r *tallied) bool
		}{
			"all": {store.RoundQuery{}, func(*tallied) bool { return true }},
			"table": {store.RoundQuery{Tables: []topic.Table{middle.table}}, func(r *tallied) bool {
				return r.table == middle.table
			}},
			"number": {store.RoundQuery{Number: middle.Number}, func(r *tallied) bool {
				return r.Number == middle.Number
			}},
			"time": {store.RoundQuery{From: middle.Opened, To: middle.Opened.Add(time.Hour)}, func(r *tallied) bool {
				return !r.Opened.Before(middle.Opened) && r.Opened.Before(middle.Opened.Add(time.Hour))
			}},
			"dealer":    {store.RoundQuery{Dealers: []string{"d7"}}, func(r *tallied) bool { return r.Dealer == "d7" }},
			"irregular": {store.RoundQuery{Irregular: true}, func(r *tallied) bool { return r.irregular > 0 }},
			"wager": {store.RoundQuery{Wager: "insurance"}, func(r *tallied) bool {
				return slices.ContainsFunc(r.Wagers, func(w tally.Wager) bool { return w.Wager == "insurance" })
			}},
			"a wager that nobody made": {store.RoundQuery{Wager: "nobodys"}, func(*tallied) bool { return false }},
			"side bet": {
				store.RoundQuery{Wager: "twins", Tables: []topic.Table{middle.table, f.rounds[0].table}},
				func(r *tallied) bool {
					_, _, count := r.amounts("twins")
					return count > 0 && (r.table == middle.table || r.table == f.rounds[0].table)
				},
			},
			"code": {store.RoundQuery{Code: "unread-card"}, func(r *tallied) bool {
				return slices.ContainsFunc(slices.Concat(r.Irregularities, r.after), func(i tally.Irregularity) bool {
					return i.Code == irregularity.UnreadCard && i.Round == r.Number
				})
			}},
			"staked": {store.RoundQuery{LeastStaked: 100_000}, func(r *tallied) bool {
				staked, _, _ := r.amounts("")
				return staked >= 100_000
			}},
			"box": {store.RoundQuery{Boxes: []uint8{3}}, func(r *tallied) bool { return r.on(3, 0, 0) }},
			"card anywhere": {store.RoundQuery{Cards: []card.Card{aceOfSpades}}, func(r *tallied) bool {
				return r.on(-1, 0, aceOfSpades)
			}},
			"box and card": {
				store.RoundQuery{Boxes: []uint8{2}, Cards: []card.Card{aceOfSpades}},
				func(r *tallied) bool {
					return r.on(2, 0, aceOfSpades)
				},
			},
			"bank and card": {
				store.RoundQuery{Boxes: []uint8{tally.Bank}, Cards: []card.Card{aceOfSpades}},
				func(r *tallied) bool {
					return r.on(0, 0, aceOfSpades)
				},
			},
			"paid on a box": {store.RoundQuery{Boxes: []uint8{1}, LeastReturned: 5000}, func(r *tallied) bool {
				return r.on(1, 5000, 0)
			}},
			"paid on a box that had a card, at a table": {
				store.RoundQuery{
					Boxes: []uint8{1}, LeastReturned: 3000, Cards: []card.Card{aceOfSpades, kingOfHearts},
					Tables: []topic.Table{middle.table},
				},
				func(r *tallied) bool {
					return r.table == middle.table && (r.on(1, 3000, aceOfSpades) || r.on(1, 3000, kingOfHearts))
				},
			},
			"nobody's box": {store.RoundQuery{Boxes: []uint8{61}}, func(*tallied) bool { return false }},
			"nobody": {store.RoundQuery{Tables: []topic.Table{table(t, "elsewhere")}}, func(*tallied) bool {
				return false
			}},
		} {
			c.q.Limit = 1 << 20
			list, err := f.store.Rounds(t.Context(), c.q)
			if err != nil {
				t.Fatal(err)
			}
			want := 0
			for i := range f.rounds {
				if c.is(&f.rounds[i]) {
					want++
				}
			}
			if len(list) != want || want == 0 && !strings.Contains(name, "nobody") {
				t.Errorf("by %s %d rounds are found, want %d", name, len(list), want)
			}
			for i := range list {
				f.sameRound(t, &list[i])
				if i > 0 && list[i].Opened.After(list[i-1].Opened) {
					t.Fatalf("by %s the rounds are not latest first", name)
				}
			}
		}
		f.recalled(t)
	})
}

func (f *floor) sameRound(t *testing.T, got *store.Round) {
	t.Helper()
	for i := range f.rounds {
		want := &f.rounds[i]
		if want.table != got.Table || want.Number != got.Number {
			continue
		}
		wagers := slices.Clone(want.Wagers)
		for i := range wagers {
			wagers[i].BoxSquares, wagers[i].Dead, wagers[i].DeadReturned = 0, 0, 0 // they are in the sums alone
		}
		if fmt.Sprint(wagers, want.Lays, want.First, want.Last, want.Dealer, want.Void, want.Cards, want.Decisions,
			want.Deciding, want.irregular) !=
			fmt.Sprint(got.Wagers, got.Lays, got.First, got.Last, got.Dealer, got.Void, got.Cards, got.Decisions,
				got.Deciding, got.Irregular) || !want.Opened.Equal(got.Opened) || !want.Ended.Equal(got.Ended) {
			t.Fatalf("round %d at %s is\n%+v, want\n%+v", got.Number, got.Table, got, want)
		}
		return
	}
	t.Fatalf("there is no round %d at %s", got.Number, got.Table)
}

// recalled compares rounds as the store has them, card by card, and the table as it stood, with
// those of the table's own journal.
func (f *floor) recalled(t *testing.T) {
	for i := 0; i < len(f.rounds); i += 5 {
		r := &f.rounds[i]
		kept, err := f.store.Records(context.Background(), r.table, "")
		if err != nil {
			t.Fatal(err)
		}
		own, pit := f.tables[r.table.String()], recall.New(kept, profile.Built())
		want, err := own.Round(r.Number)
		if err != nil {
			t.Fatal(err)
		}
		got, err := pit.Round(r.Number)
		if gotText, wantText := text(t, got), text(t, want); err != nil || gotText != wantText {
			t.Fatalf("round %d at %s is recalled as\n%s, %v, and by its journal\n%s", r.Number, r.table, gotText,
				err, wantText)
		}
		wantState, err := own.State(r.Last)
		if err != nil {
			t.Fatal(err)
		}
		if state, err := pit.State(r.Last); err != nil || state != wantState {
			t.Fatalf("after record %d table %s is %s, %v, and by its journal %s", r.Last, r.table, state,
				err, wantState)
		}
	}
}

func text(t *testing.T, round history.Round) string {
	t.Helper()
	text, err := json.Marshal(round)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
