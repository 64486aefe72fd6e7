package runner_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// spoilt are the reasons why a recorded round cannot be replayed, each with the first
// difference. The round is set up in record 1, opened in 2, staked on in 3 and closed in 4.
var spoilt = map[string]struct {
	spoil func(m *memory)
	seq   uint64
	found string
	told  []string
	// stakes: the round can be voided, and its stake is returned.
	stakes bool
}{
	"another answer": {
		func(m *memory) {
			m.records[3].Outputs = []byte(`{"out":"closed-bets"}` + "\n" + `{"out":"due","to":"box","box":2}` + "\n")
		},
		4, "record 4 is answered differently than it was",
		[]string{"record 4", `"box":2`, `"box":1`},
		true,
	},
	"no answer": {
		func(m *memory) { m.records[1].Outputs = nil },
		2, "record 2 is answered differently than it was",
		[]string{"record 2", `"opened"`},
		true,
	},
	"an unknown input": {
		func(m *memory) { m.records[3].Input = []byte(`{"in":"bet"}`) },
		4, "record 4 is not an input that this version knows",
		[]string{"record 4", `"bet" is no input`},
		true,
	},
	"an unknown opening": {
		func(m *memory) { m.records[1].Input = []byte(`{"in":"begin"}`) },
		2, "record 2 is not an input that this version knows",
		[]string{"record 2"},
		false,
	},
	"an unknown house": {
		func(m *memory) { m.records[0].Input = []byte(`{"in":"setup","house":"macao"}`) },
		1, "the rules of macao  are not known",
		[]string{"record 1", "macao"},
		true,
	},
	"unknown rules": {
		func(m *memory) {
			m.records[0].Input = []byte(`{"in":"setup","house":"wiesbaden","profile":"` +
				strings.Repeat("5", 64) + `"}`)
		},
		1, "the rules of wiesbaden 555555555555 are not known",
		[]string{"record 1", "are not those that were played"},
		true,
	},
	"rules that cannot be read": {
		func(m *memory) {
			profile := strings.Repeat("5", 64)
			m.records[0].Input = []byte(`{"in":"setup","house":"wiesbaden","profile":"` + profile + `"}`)
			m.texts = map[string][]byte{profile: []byte(`{"Roulette":true}`)}
		},
		1, "the rules of wiesbaden 555555555555 are not known",
		[]string{"record 1", `unknown field "Roulette"`},
		true,
	},
	"a broken setup": {
		func(m *memory) { m.records[0].Input = []byte(`{"in":"setup"`) },
		1, "record 1 is not an input that this version knows",
		[]string{"record 1"},
		true,
	},
	"a broken checkpoint": {
		func(m *memory) { m.records[0].Carry = []byte(`{"round":7,"waiting":3`) },
		1, "the checkpoint in record 1 cannot be read",
		[]string{"record 1", "keep the journal for the auditor"},
		true,
	},
	"no setup at all": {
		func(m *memory) { m.records[0].Carry, m.records[0].Input = nil, []byte(`{"in":"set-up"}`) },
		1, "record 1 is not an input that this version knows",
		[]string{"record 1"},
		false,
	},
}

// restored is what a start on a journal finds.
func restored(t *testing.T, m *memory) runner.Restored {
	t.Helper()
	r, err := runner.Restore(m, profile.Built(), profile.Built()["wiesbaden"].Rules)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestDiffers: money depends on the answers, so a difference is reported, and comes first.
func TestDiffers(t *testing.T) {
	for name, c := range spoilt {
		t.Run(name, func(t *testing.T) {
			m := recorded(t)
			c.spoil(m)
			differs := restored(t, m).Differs
			if differs == nil || differs.Seq != c.seq || differs.Found != c.found {
				t.Fatalf("what differs is %+v", differs)
			}
			for _, word := range c.told {
				if !strings.Contains(differs.Error(), word) {
					t.Errorf("the error does not say %q: %v", word, differs)
				}
			}
		})
	}
}

// TestDiffersIsPutRight: the table is held, a supervisor puts it right on record, and it
// continues, even if it is restarted at any point. No round number is used twice.
func TestDiffersIsPutRight(t *testing.T) {
	for name, c := range spoilt {
		t.Run(name, func(t *testing.T) {
			m := recorded(t)
			c.spoil(m)
			with := irregularity.Accept
			if c.stakes {
				with = irregularity.VoidRound
			}
			inputs := []vocab.Input{{Kind: vocab.InOpen}, {Kind: vocab.InResolve, With: with, By: "s1"}}
			if c.stakes {
				inputs = append(inputs, kind(vocab.InPaid))
			}
			inputs = append(inputs, kind(vocab.InOpen), stake(2000), kind(vocab.InClose))
			for i, in := range inputs {
				r := run(t, options(t, m, wiesbaden(0)))
				answer, err := r.Submit(t.Context(), in)
				if held := i == 0; err != nil || (answer.Rejected == vocab.RoundHeld) != held || !held &&
					answer.Rejected != 0 {
					t.Fatalf("input %d, %s: %q, %v", i, in.Kind, answer.Rejected, err)
				}
				if err := r.end(); err != nil {
					t.Fatal(err)
				}
				if again := restored(t, m); again.Differs != nil {
					t.Fatalf("after input %d, %s: %v", i, in.Kind, again.Differs)
				}
			}
			lines := strings.Join(m.inputs(), "\n")
			if n := strings.Count(lines, `{"in":"storage","event":"differs"`); n != 1 {
				t.Errorf("the difference is %d times on record:\n%s", n, lines)
			}
			if now := restored(t, m).Table; now.Round() != 2 || now.Phase() != vocab.Deal {
				t.Errorf("the table is in round %d, phase %d", now.Round(), now.Phase())
			}
			if back := outputs(m); strings.Contains(back,
				`"outcome":"void","why":"void-round","stake":1000,"returned":1000`) != c.stakes {
				t.Errorf("of the stake was returned\n%s", back)
			}
		})
	}
}

func outputs(m *memory) string {
	var b strings.Builder
	for i := range m.records {
		b.Write(m.records[i].Outputs)
	}
	return b.String()
}

// mine is a house's own file, in two editions.
func mine(t *testing.T, more string) profile.Book {
	t.Helper()
	r, err := profile.Built().Parse("mine.yaml", []byte("extends: wiesbaden\nhouse: mine\n"+more))
	if err != nil {
		t.Fatal(err)
	}
	return profile.Built().With(r)
}

// setupOf is the setup of a house of its own, as a daemon configures it.
func setupOf(book profile.Book) rules.Setup {
	return rules.Setup{House: "mine", Profile: book["mine"].Fingerprint}
}

// TestHouseEditedInMidRound: the open round is finished by the rules with which it began,
// whose text the journal has; the edited ones apply after it.
func TestHouseEditedInMidRound(t *testing.T) {
	before, after := mine(t, ""), mine(t, "table: {min: 20}\npays: {black_jack: \"6:5\"}\n")
	m := &memory{texts: map[string][]byte{before["mine"].Fingerprint: before["mine"].Text()}}
	r := run(t, optionsOf(t, m, before, setupOf(before)))
	r.put(kind(vocab.InOpen), stake(1000), kind(vocab.InClose), dealt("AS"), dealt("9D"))
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	o := optionsOf(t, m, after, setupOf(after))
	if len(o.Doubts) != 0 || o.Table.Rules().Fingerprint != before["mine"].Fingerprint {
		t.Fatalf("the table comes back with %v, by rules %s", o.Doubts, o.Table.Rules().Fingerprint)
	}
	r = run(t, o)
	r.put(dealt("KS"), kind(vocab.InPaid))
	r.wait()
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	said := outputs(m)
	if !strings.Contains(said, `"why":"blackjack","stake":1000,"returned":1000,"won":1500`) {
		t.Errorf("the round was not paid by its own rules:\n%s", said)
	}
	if o.Table.Rules().Fingerprint != after["mine"].Fingerprint || !o.Table.Settled() {
		t.Error("the edited rules were not put in after the round")
	}
}

// TestHouseEditedWithoutItsText: a journal without the rules' text leaves the round to a
// supervisor, and the table continues by the edited rules.
func TestHouseEditedWithoutItsText(t *testing.T) {
	before, after := mine(t, ""), mine(t, "table: {min: 20}\n")
	m := &memory{}
	r := run(t, optionsOf(t, m, before, setupOf(before)))
	r.put(kind(vocab.InOpen), stake(1000), kind(vocab.InClose))
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	o := optionsOf(t, m, after, setupOf(after))
	r = run(t, o)
	r.put(vocab.Input{Kind: vocab.InResolve, With: irregularity.VoidRound, By: "s1"}, kind(vocab.InPaid))
	r.wait()
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(outputs(m), `"outcome":"void","why":"void-round","stake":1000,"returned":1000`) {
		t.Errorf("the stake was not returned:\n%s", outputs(m))
	}
	last, err := runner.Restore(m, after, after["mine"].Rules)
	if err != nil || last.Differs != nil || last.Setup == nil || last.Setup.Profile != after["mine"].Fingerprint {
		t.Errorf("after the round the table comes back as %+v, %v", last, err)
	}
}

// TestUnknownRulesBetweenRounds: nothing has been played by them since, so nothing differs.
func TestUnknownRulesBetweenRounds(t *testing.T) {
	before, after := mine(t, ""), mine(t, "table: {min: 20}\n")
	m := &memory{}
	r := run(t, optionsOf(t, m, before, setupOf(before)))
	r.put(vocab.Input{Kind: vocab.InDealer, By: "d7"}, vocab.Input{Kind: vocab.InNote, Code: "pin-wrong"})
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	if o := optionsOf(t, m, after, setupOf(after)); len(o.Doubts) != 0 || o.Last != nil {
		t.Errorf("the table is held by %v; the setup is %+v", o.Doubts, o.Last)
	}
}

// TestDoubtsOfANewJournal: doubts come after the setup with which a journal begins, and hold.
func TestDoubtsOfANewJournal(t *testing.T) {
	m := &memory{}
	o := options(t, m, wiesbaden(0))
	o.Doubts = []vocab.Input{
		runner.Doubt(vocab.StorageNew, "the journal is missing"),
		runner.Doubt(vocab.StorageBehind, ""),
	}
	r := run(t, o)
	r.wait()
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"in":"setup","house":"wiesbaden"}`, `{"in":"storage","event":"new","code":"the journal is missing"}`,
		`{"in":"storage","event":"behind"}`,
	}
	if got := m.inputs()[:3]; !slices.Equal(got, want) || m.appends[0] != 3 {
		t.Errorf("the inputs are %q, the first %d together", got, m.appends[0])
	}
	held, _ := restored(t, m).Table.Held()
	if held.Code != irregularity.JournalNew || held.Found != "the journal is missing" {
		t.Errorf("the table is held by %+v", held)
	}
}

// TestSetupInADoubt: a setup, and limits, that were configured in the meantime are put in
// while the table is held between rounds, and the table remains held.
func TestSetupInADoubt(t *testing.T) {
	m := &memory{}
	r := run(t, options(t, m, wiesbaden(0)))
	r.wait()
	r.put(runner.Doubt(vocab.StorageTouched, "part 3 was deleted"))
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	for _, setup := range []rules.Setup{{House: "wiesbaden", Decks: 8}, {House: "wiesbaden", Decks: 8, Min: 2000}} {
		r = run(t, options(t, m, setup))
		r.wait()
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
	}
	again := restored(t, m)
	held, holding := again.Table.Held()
	if !holding || held.Code != irregularity.JournalTouched || again.Setup.Decks != 8 ||
		again.Table.Rules().Table.Min != 2000 || again.Replayed != 3 {
		t.Errorf("the table is held by %+v, the setup is %+v, replayed %d", held, again.Setup, again.Replayed)
	}
}

// TestAcceptedBy: who accepts that the journal's files were touched has that on record; where the table refuses it, and
// where something else is accepted, nothing has.
func TestAcceptedBy(t *testing.T) {
	for _, c := range []struct {
		event vocab.StorageEvent
		role  vocab.Role
		want  string
	}{
		{vocab.StorageTouched, vocab.Supervisor, "anna"},
		{vocab.StorageTouched, vocab.Dealer, ""},
		{vocab.StorageNew, vocab.Supervisor, ""},
	} {
		m := &memory{}
		r := run(t, options(t, m, wiesbaden(0)))
		r.wait()
		r.put(runner.Doubt(c.event, "part 3 is missing"))
		if _, err := r.Submit(t.Context(), vocab.Input{
			Kind: vocab.InResolve, With: irregularity.Accept, By: "anna",
			Role: c.role,
		}); err != nil {
			t.Fatal(err)
		}
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		if by := m.records[len(m.records)-1].AcceptedBy; by != c.want {
			t.Errorf("%+v: accepted by %q", c, by)
		}
	}
}

// TestDoubtIsALine: whatever was found, a transcript can hold it.
func TestDoubtIsALine(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		found := rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.RuneFrom([]rune("a\"\\\n é王\u2028")), 60, 200,
			-1)).Draw(rt, "found")
		in := runner.Doubt(vocab.StorageTouched, found)
		line := transcript.AppendInput(nil, &in)
		again, err := transcript.NewParser(nil).Parse(line, 0)
		if err != nil || again.Code != in.Code {
			rt.Fatalf("%s: %v", line, err)
		}
	})
}

// TestDiffersAnywhere spoils one record of an open round: the table is held, continues once
// it is put right, and is restored from any of its later records without a difference. A
// new round never has a number that is on record.
func TestDiffersAnywhere(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		_, m := session(t, rt)
		last, _, _, _ := m.Checkpoint()
		if int(last) == len(m.records) {
			rt.Skip("no round is open")
		}
		at := rapid.IntRange(int(last), len(m.records)-1).Draw(rt, "spoilt")
		if rapid.Bool().Draw(rt, "answer") {
			m.records[at].Outputs = []byte("{}\n")
		} else {
			m.records[at].Input = []byte("{}")
		}
		whole := len(m.records)
		o := options(t, m, wiesbaden(0))
		differs := len(o.Doubts) > 0
		r := run(t, o)
		r.wait()
		if !differs && slices.ContainsFunc(m.inputs()[at:], isDiffers) {
			return // a difference that comes later on record
		}
		var held table.Irregularity
		var holding bool
		r.look(func(tab *table.Table) { held, holding = tab.Held() })
		if !differs || !holding {
			rt.Fatalf("nothing differs (%t), or the table is not held: %+v", !differs, held)
		}
		player := &tabletest.Player{Dice: rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 4)), Boxes: 2}
		for range rapid.IntRange(1, 60).Draw(rt, "inputs") {
			var next vocab.Input
			r.look(func(tab *table.Table) { next = player.Next(tab) })
			if _, err := r.Submit(t.Context(), next); err != nil {
				rt.Fatal(err)
			}
		}
		if err := r.end(); err != nil {
			rt.Fatal(err)
		}
		cut := &memory{records: m.records[:rapid.IntRange(whole+1, len(m.records)).Draw(rt, "cut")]}
		if again := restored(t, cut); again.Differs != nil {
			rt.Fatalf("after %d of %d records: %v", len(cut.records), len(m.records), again.Differs)
		}
		var opened uint64
		for i := range m.records {
			if strings.HasPrefix(string(m.records[i].Outputs), `{"out":"opened"`) {
				if m.records[i].Round <= opened {
					rt.Fatalf("record %d opens round %d after round %d", i+1, m.records[i].Round, opened)
				}
				opened = m.records[i].Round
			}
		}
	})
}

func isDiffers(line string) bool { return strings.Contains(line, `"event":"differs"`) }

// dealt is a card from the shoe.
func dealt(name string) vocab.Input {
	inputs, err := tabletest.Inputs(name)
	if err != nil {
		panic(err)
	}
	return inputs[0]
}
