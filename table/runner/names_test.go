package runner_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/plaintext"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

const steering = "a\x1b[2J\n\u202e\u0085b"

// TestAttackNames: whoever puts a name in, through whatever desk, puts in none that steers a terminal. What a shoe says
// is recorded, with all that is hidden in it written visibly.
func TestAttackNames(t *testing.T) {
	m := &memory{}
	r := run(t, options(t, m, wiesbaden(0)))
	r.put(kind(vocab.InOpen))
	before := len(m.inputs())
	tries, through := 0, 0
	for _, in := range []vocab.Input{
		{Kind: vocab.InStake, Box: 1, Bettor: steering, Wager: vocab.WagerMain, Amount: 1000, Stated: true},
		{Kind: vocab.InHold, By: steering},
		{Kind: vocab.InHold, Because: steering},
		{Kind: vocab.InDealer, By: steering},
		{Kind: vocab.InNote, Code: steering},
		{Kind: vocab.InCall, Call: vocab.CallDouble, Bettors: []string{"a", steering}},
	} {
		tries++
		var wrong *vocab.TextError
		if _, err := r.Submit(t.Context(), in); !errors.As(err, &wrong) || len(m.inputs()) != before {
			through++
			t.Errorf("%s: %v", in.Kind, err)
		}
	}
	for _, e := range []shoe.Event{
		{Kind: shoe.AlarmRaised, Code: steering},
		{Kind: shoe.AlarmCleared, Code: steering},
		{Kind: shoe.Up, Shoe: shoe.Identity{Maker: "sabot", Serial: steering, Firmware: steering}},
	} {
		tries++
		r.tell(m, e)
	}
	r.put(vocab.Input{Kind: vocab.InNote, Code: "all was told"})
	told := m.inputs()[before:]
	for _, line := range told {
		if plaintext.Visible(line) != line {
			through++
			t.Errorf("recorded was %q", line)
		}
	}
	if len(told) != 4 {
		t.Errorf("recorded was %q", told)
	}
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	attack.Report(t, "names that steer a terminal, put in or told by a shoe", tries, through)
}

// TestNamesOfBefore: a table whose record has such names starts again as it was.
func TestNamesOfBefore(t *testing.T) {
	m := &memory{}
	o := options(t, m, wiesbaden(0))
	r := run(t, o)
	r.put(kind(vocab.InOpen))
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	seq, _ := m.Next()
	for _, in := range []vocab.Input{
		{
			Kind: vocab.InStake, Box: 1, Bettor: steering, Player: steering, Wager: vocab.WagerMain, Amount: 1000,
			Stated: true,
		},
		{Kind: vocab.InDealer, By: steering},
	} {
		in.Line, in.Time = seq, time.Now().UnixNano()
		seq++
		if err := m.Append([]journal.Entry{runner.Record(o.Table, &in, shoe.Position{})}); err != nil {
			t.Fatal(err)
		}
	}
	back, err := runner.Restore(m, profile.Built(), o.Rules)
	if err != nil || back.Differs != nil {
		t.Fatalf("restored with %+v, %v", back, err)
	}
	if bettors := back.Table.Bettors(1); len(bettors) != 1 || bettors[0].Name != steering {
		t.Errorf("on the box lie the stakes of %+v", bettors)
	}
	if !slices.ContainsFunc(m.inputs(), func(line string) bool {
		in, err := transcript.NewParser(nil).Parse([]byte(line), 0)
		return err == nil && in.By == steering
	}) {
		t.Error("nothing of before is on record")
	}
}

// TestAttackLookAlikes: nobody plays in a round whose name is taken for that of another bettor or player of it.
func TestAttackLookAlikes(t *testing.T) {
	m := &memory{}
	r := run(t, options(t, m, wiesbaden(0)))
	r.put(kind(vocab.InOpen))
	r.put(vocab.Input{
		Kind: vocab.InStake, Box: 1, Bettor: "anna", Player: "Zoë", Wager: vocab.WagerMain, Amount: 1000,
		Stated: true,
	})
	before := len(m.inputs())
	tries, through := 0, 0
	for _, name := range []string{"Anna", "аnna", "ａｎｎａ", "Zoe\u0308", "zoë"} {
		for _, in := range []vocab.Input{{Bettor: name}, {Bettor: "bert", Player: name}} {
			in.Kind, in.Box, in.Wager, in.Amount, in.Stated = vocab.InStake, 2, vocab.WagerMain, 1000, true
			tries++
			var wrong *vocab.TextError
			if _, err := r.Submit(t.Context(), in); !errors.As(err, &wrong) || len(m.inputs()) != before {
				through++
				t.Errorf("%+q plays beside the others: %v", name, err)
			}
		}
	}
	attack.Report(t, "bettors whose names look the same", tries, through)
	r.put(vocab.Input{
		Kind: vocab.InStake, Box: 2, Bettor: "anna", Player: "Zoë", Wager: vocab.WagerMain, Amount: 1000,
		Stated: true,
	})
	if len(m.inputs()) != before+1 {
		t.Error("the same bettor does not play on another box")
	}
}
