package recall_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

var houses = profile.Built().Names()

// night records what a player who makes mistakes puts in. It returns who dealt when each
// round began.
func night(t testing.TB, dice tabletest.Dice, house, inputs, mistakes int) (*recorder, map[uint64]string) {
	r, dealers := newRecorder(t), map[uint64]string{}
	player := &tabletest.Player{Dice: dice, Boxes: 1 + dice.IntN(4), Freely: true}
	r.take(*tabletest.SetUp(rules.Setup{House: houses[house]}))
	for range inputs {
		in := player.Next(&r.table)
		if dice.IntN(12) < mistakes {
			in = player.Anything(&r.table)
		}
		name, _ := r.table.Dealer()
		r.take(in)
		if _, begun := dealers[r.table.Round()]; !begun {
			dealers[r.table.Round()] = name
		}
	}
	r.flush()
	return r, dealers
}

// TestNothingIsLeftOut: the recall of a round has every line of that round once, in its
// place, and nothing else.
func TestNothingIsLeftOut(t *testing.T) {
	compared, named := 0, 0
	for seed := range 4 * len(houses) {
		dice := rand.New(rand.NewPCG(uint64(seed), 4))
		r, dealers := night(t, dice, seed%len(houses), 300, 3*(seed/len(houses)))
		j := r.journal
		want := map[uint64][]string{}
		for rec, err := range j.Records(1) {
			if err != nil {
				t.Fatal(err)
			}
			if rec.Round > 0 {
				want[rec.Round] = append(want[rec.Round], fmt.Sprintf("%d %s\n%s", rec.Seq, rec.Input, rec.Outputs))
			}
		}
		past := recall.New(j, profile.Built())
		next := uint64(len(want))
		for round, err := range past.Rounds() {
			if err != nil || round.Number != next {
				t.Fatalf("round %d is yielded where %d is next: %v", round.Number, next, err)
			}
			same(t, round, want[round.Number])
			if agree(t, round) {
				compared++
			}
			if round.Dealer != dealers[round.Number] {
				t.Fatalf("round %d was dealt by %q; the recall says %q", round.Number, dealers[round.Number],
					round.Dealer)
			}
			if round.Dealer != "" {
				named++
			}
			alone, err := past.Round(round.Number)
			if err != nil || !slices.Equal(steps(alone), steps(round)) || alone.Dealer != round.Dealer ||
				alone.Table != round.Table {
				t.Fatalf("round %d alone is %+v, %v\namong the others it is %+v", round.Number, alone, err, round)
			}
			next--
		}
		if next != 0 {
			t.Fatalf("%d of %d rounds are missing", next, len(want))
		}
	}
	if compared == 0 || named == 0 {
		t.Errorf("%d rounds had sums to compare, and %d a dealer: the nights are too short", compared, named)
	}
}

func same(t testing.TB, round history.Round, want []string) {
	t.Helper()
	if got := steps(round); !slices.Equal(got, want) {
		t.Fatalf("round %d is returned as\n%s\nand recorded as\n%s", round.Number, strings.Join(got, ""),
			strings.Join(want, ""))
	}
}

func steps(round history.Round) []string {
	var list []string
	for i := range round.Steps {
		s := &round.Steps[i]
		text := fmt.Sprintf("%d %s\n", s.Seq, s.Input.Text())
		for j := range s.Outputs {
			text += s.Outputs[j].Text() + "\n"
		}
		list = append(list, text)
	}
	return list
}

// agree checks that the settlements in the recall add up to the round's line of sums,
// however often a key press was undone. It reports whether there was one to compare with.
func agree(t testing.TB, round history.Round) bool {
	t.Helper()
	if round.Result == nil || round.Result.Out.Sums.Unstated {
		return false
	}
	var staked, won int64
	for _, b := range round.Boxes {
		for _, s := range b.Settled {
			won += s.Out.Won
			if s.Out.Kind == vocab.Settled {
				staked += s.Out.Stake
			}
		}
	}
	if sums := round.Result.Out.Sums; staked != sums.Staked || won != sums.Won {
		t.Fatalf("round %d: the settled wagers add up to %d and %d, its sums are %s", round.Number, staked, won,
			round.Result.Text())
	}
	return true
}

// TestReads: a recall reads only the end of a journal, however long it is; it finds a
// named round in as many steps as halving takes.
func TestReads(t *testing.T) {
	for _, rounds := range []int{150, 1500} {
		r := newRecorder(t)
		deal(r, rounds)
		last, _, err := r.journal.Head()
		if err != nil {
			t.Fatal(err)
		}
		c := &counted{Journal: r.journal}
		list, err := recall.New(c, profile.Built()).Last(recall.Reach)
		if err != nil || len(list) != recall.Reach {
			t.Fatalf("%d rounds, %v", len(list), err)
		}
		first := list[len(list)-1].Steps[0].Seq
		if need := int(last - first + 1); c.given > need+2*256 {
			t.Errorf("%d records are read for the %d wanted, of %d", c.given, need, last)
		}
		for _, number := range []uint64{1, uint64(rounds) / 2, uint64(rounds) - 1} {
			*c = counted{Journal: r.journal}
			if round, err := recall.New(c, profile.Built()).Round(number); err != nil || round.Number != number {
				t.Fatalf("round %d is %d, %v", number, round.Number, err)
			}
			if c.asked > 45 || c.given > 600 {
				t.Errorf("for round %d of %d, %d records in %d reads", number, rounds, c.given, c.asked)
			}
		}
	}
}

// deal records rounds without mistakes.
func deal(r *recorder, rounds int) {
	for i, in := range tabletest.Deal(rand.New(rand.NewPCG(7, 7)), rounds, 3) {
		if r.take(in); i%4096 == 0 {
			r.flush()
		}
	}
	r.flush()
}

// TestNoRound: the error says what is missing, and what cannot be read.
func TestNoRound(t *testing.T) {
	r := newRecorder(t)
	past0 := recall.New(r.journal, profile.Built())
	wantNone(t, past0, 0, "no round has been opened yet")
	r.take(*tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	r.take(vocab.Input{Kind: vocab.InNote, Code: "quiet"})
	r.flush()
	wantNone(t, past0, 0, "no round has been opened yet")
	if list, err := past0.Last(5); len(list) != 0 || err != nil {
		t.Errorf("a table without rounds recalls %v, %v", list, err)
	}
	r.take(vocab.Input{Kind: vocab.InOpen})
	r.flush()
	wantNone(t, past0, 2, "no such round as 2: the last round is 1")
	for _, n := range []int{0, -3} {
		if list, err := past0.Last(n); len(list) != 0 || err != nil {
			t.Errorf("the last %d rounds are %v, %v", n, list, err)
		}
	}
	if _, err := recall.New(broken{r.journal}, nil).Last(1); !errors.Is(err, errDisk) {
		t.Errorf("an unreadable disk gives %v", err)
	}
	if _, err := recall.New(broken{r.journal}, nil).Round(1); !errors.Is(err, errDisk) {
		t.Errorf("an unreadable disk gives %v", err)
	}
}

func wantNone(t *testing.T, r *recall.Recall, number uint64, words string) {
	t.Helper()
	if _, err := r.Round(number); !errors.Is(err, history.ErrNoRound) || !strings.Contains(err.Error(), words) {
		t.Errorf("round %d: %v", number, err)
	}
}
