package dealt_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"reflect"
	"testing"

	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/odds/dealt"
)

func simulate(t *testing.T, report *odds.Report, o dealt.Options) *dealt.Result {
	t.Helper()
	result, err := dealt.Deal(context.Background(), report, o)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// same says whether two states are the same when they are written.
func same(t *testing.T, a, b *dealt.State) bool {
	t.Helper()
	return reflect.DeepEqual(again(t, a), again(t, b))
}

// again is a state that was written and read.
func again(t *testing.T, s *dealt.State) (read *dealt.State) {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

// TestShards: on however many cores, the same comes out.
func TestShards(t *testing.T) {
	v := variant{name: "wiesbaden"}
	report := v.report(t)
	one := simulate(t, report, dealt.Options{Rounds: 30_000, Shards: 1, Seed: 3})
	for _, shards := range []int{2, 3, 8} {
		if many := simulate(t, report, dealt.Options{Rounds: 30_000, Shards: shards, Seed: 3}); !same(t, one.State,
			many.State) {
			t.Errorf("%d shards come to %+v, and one to %+v", shards, many.State, one.State)
		}
	}
	if other := simulate(t, report, dealt.Options{Rounds: 30_000, Seed: 4}); same(t, one.State, other.State) ||
		other.State.Won.Cmp(one.State.Won) == 0 {
		t.Error("another seed comes to the same")
	}
}

// TestBatchesDiffer: no batch is dealt twice.
func TestBatchesDiffer(t *testing.T) {
	v := variant{name: "st-moritz"}
	report := v.report(t)
	var before *dealt.State
	seen := map[string]bool{}
	for n := int64(1); n <= 20; n++ {
		state := simulate(t, report, dealt.Options{Rounds: n * 1000, State: before}).State
		squares := new(big.Int).Set(state.Squares)
		if before != nil {
			squares.Sub(squares, before.Squares)
		}
		won := new(big.Int).Set(state.Won)
		if before != nil {
			won.Sub(won, before.Won)
		}
		if key := won.String() + " " + squares.String(); seen[key] {
			t.Errorf("batch %d comes to %s as another does", n, key)
		} else {
			seen[key] = true
		}
		before = state
	}
}

// TestGoesOn: a simulation that was ended in the middle, written and read, comes to the same as one that was not.
func TestGoesOn(t *testing.T) {
	v := variant{name: "wiesbaden"}
	report := v.report(t)
	whole := simulate(t, report, dealt.Options{Rounds: 50_000, Seed: 5})
	ctx, end := context.WithCancel(context.Background())
	defer end()
	dealtAll := 0
	part, err := dealt.Deal(ctx, report, dealt.Options{
		Rounds: 500_000_000, Shards: 1, Seed: 5,
		Told: func(*dealt.State) {
			dealtAll++
			end()
		},
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("a cancelled simulation ends with %v", err)
	}
	if dealtAll != 1 || part.Rounds == 0 {
		t.Fatalf("cancelled at its first word, it has told %d times and dealt %d rounds", dealtAll, part.Rounds)
	}
	longer := simulate(t, report, dealt.Options{Rounds: part.Rounds + 7000, Seed: 5})
	if on := simulate(t, report, dealt.Options{
		Rounds: part.Rounds + 7000, Seed: 5,
		State: again(t, part.State),
	}); !same(t, on.State, longer.State) || on.Edge != longer.Edge {
		t.Errorf("gone on it comes to %+v, and at once to %+v", on.State, longer.State)
	}
	first := simulate(t, report, dealt.Options{Rounds: 20_000, Seed: 5}).State
	kept := again(t, first)
	if on := simulate(t, report, dealt.Options{Rounds: 50_000, Seed: 5, State: first}); !same(t, on.State,
		whole.State) {
		t.Errorf("gone on it comes to %+v, and at once to %+v", on.State, whole.State)
	}
	if !same(t, first, kept) {
		t.Error("going on from a state has changed it")
	}
	if on := simulate(t, report, dealt.Options{Rounds: 1000, Seed: 5, State: first}); !same(t, on.State, first) {
		t.Error("a state with more rounds than are asked for is changed")
	}
	if on := simulate(t, report, dealt.Options{Rounds: 20_001, Seed: 5, State: first}); on.Rounds != 21_000 {
		t.Errorf("20,001 rounds are %d", on.Rounds)
	}
}

// TestTooManyRounds: more rounds than can be counted are refused, and not none dealt for ever.
func TestTooManyRounds(t *testing.T) {
	v := variant{name: "no split", house: "st-moritz", set: []string{"split.max=0"}}
	if _, err := dealt.Deal(context.Background(), v.report(t), dealt.Options{Rounds: math.MaxInt64}); err == nil {
		t.Error("it ends without an error")
	}
}

// TestOtherStates: a state of anything else is refused, and so is a damaged one.
func TestOtherStates(t *testing.T) {
	v := variant{name: "st-moritz"}
	report := v.report(t)
	state := simulate(t, report, dealt.Options{Rounds: 1000, Seed: 5}).State
	for _, v := range []variant{
		{name: "st-moritz-65"},
		{name: "no split", house: "st-moritz", set: []string{"split.max=0"}},
		{name: "one pack", house: "st-moritz", packs: 1},
		{name: "one card seen", house: "st-moritz", packs: 1, seen: "7H"},
	} {
		if _, err := dealt.Deal(context.Background(), v.report(t),
			dealt.Options{Rounds: 2000, Seed: 5, State: state}); !errors.Is(err, dealt.ErrOther) {
			t.Errorf("%s: a state of another simulation is taken: %v", v.name, err)
		}
	}
	two := *report
	two.Boxes = 2
	if _, err := dealt.Deal(context.Background(), &two,
		dealt.Options{Rounds: 2000, Seed: 5, State: state}); !errors.Is(err, dealt.ErrOther) {
		t.Errorf("a state of one box is taken for two: %v", err)
	}
	if _, err := dealt.Deal(context.Background(), report,
		dealt.Options{Rounds: 2000, Seed: 6, State: state}); !errors.Is(err, dealt.ErrOther) {
		t.Errorf("a state of another seed is taken: %v", err)
	}
	// Two shoes of which one plays as the other.
	hearts, diamonds := variant{name: "one card seen", house: "st-moritz", packs: 1, seen: "7H"},
		variant{name: "another seen", house: "st-moritz", packs: 1, seen: "7D"}
	seen := simulate(t, hearts.report(t), dealt.Options{Rounds: 1000}).State
	if _, err := dealt.Deal(context.Background(), diamonds.report(t),
		dealt.Options{Rounds: 2000, State: seen}); !errors.Is(err, dealt.ErrOther) {
		t.Errorf("a state of another shoe is taken: %v", err)
	}
	for what, damage := range map[string]func(*dealt.State){
		"rounds":      func(s *dealt.State) { s.Rounds = 1001 },
		"fewer":       func(s *dealt.State) { s.Rounds = -1000 },
		"hits":        func(s *dealt.State) { s.Hits = 1001 },
		"no sum":      func(s *dealt.State) { s.Won = nil },
		"no squares":  func(s *dealt.State) { s.Squares = nil },
		"unit":        func(s *dealt.State) { s.Unit = 7 },
		"more sides":  func(s *dealt.State) { s.Sides = []dealt.Side{{}} },
		"huge":        func(s *dealt.State) { s.Rounds = 1 << 62 / 1000 * 1000 },
		"below zero":  func(s *dealt.State) { s.Squares.SetInt64(-1) },
		"impossible":  func(s *dealt.State) { s.Squares.SetInt64(0) },
		"ends":        func(s *dealt.State) { s.Ends[odds.End17] = 5 },
		"no ends":     func(s *dealt.State) { s.Ends = [odds.Ends]int64{-1, 1001} },
		"no together": func(s *dealt.State) { s.Together = nil },
	} {
		damaged := again(t, state)
		damage(damaged)
		if _, err := dealt.Deal(context.Background(), report,
			dealt.Options{Rounds: 2000, Seed: 5, State: damaged}); err == nil {
			t.Errorf("%s: a damaged state is taken", what)
		}
	}
}

// TestCancelled: before it begins, it deals nothing, and in the middle of the analysis likewise.
func TestCancelled(t *testing.T) {
	v := variant{name: "st-moritz"}
	report := v.report(t)
	ctx, end := context.WithCancel(context.Background())
	end()
	if result, err := dealt.Deal(ctx, report, dealt.Options{Rounds: 1000}); !errors.Is(err, context.Canceled) ||
		result.Rounds != 0 {
		t.Errorf("cancelled before it began it has %+v, %v", result, err)
	}
	if _, err := dealt.Report(ctx, v.query(t), 1000); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled report ends with %v", err)
	}
}
