package runner_test

import (
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// noted notes what is shown and what is durable among the journal's steps.
func noted(o runner.Options, m *memory) runner.Options {
	o.Shown = func(_ *table.Table, seq uint64) { m.note("shown %d", seq) }
	o.Trouble = func(t *runner.Trouble) {
		switch {
		case t == nil:
			m.note("no trouble")
		case t.Err != nil:
			m.note("trouble: %v", t.Err)
		default:
			m.note("slow")
		}
	}
	o.Durable = func(_ *table.Table, seq uint64) { m.note("durable %d", seq) }
	return o
}

func wantSteps(t *testing.T, m *memory, want ...string) {
	t.Helper()
	if got := m.happened(); !slices.Equal(got, want) {
		t.Errorf("happened\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestDurableThenAcknowledged: a card may be shown at once; the shoe and the pit learn of
// it when the journal has it.
func TestDurableThenAcknowledged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		r := run(t, noted(options(t, m, wiesbaden(0)), m))
		synctest.Wait()
		wantSteps(t, m, "shown 1", "stored 1", "durable 1", "shown 1", "durable 1")

		r.tell(m, shoe.Event{
			Kind: shoe.Drawn, Card: card.Of(card.Ten, card.Spades),
			Position: shoe.Position{Boot: 9, Seq: 5},
		})
		synctest.Wait()
		wantSteps(t, m, "shown 2", "stored 2", "acknowledged 5", "durable 2")

		// Coming online is not one of the shoe's numbered events.
		r.tell(m, shoe.Event{Kind: shoe.Up})
		synctest.Wait()
		wantSteps(t, m, "shown 3", "stored 3", "durable 3")
		if got := m.records[1]; got.ShoeBoot != 9 || got.ShoeSeq != 5 {
			t.Errorf("the card's record has position %d/%d", got.ShoeBoot, got.ShoeSeq)
		}
		if err := r.end(); err != nil {
			t.Error(err)
		}
	})
}

// TestEveryEventOfTheShoe becomes an input, so that it is in the journal before it
// is acknowledged.
func TestEveryEventOfTheShoe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		r := run(t, options(t, m, wiesbaden(0)))
		at := shoe.Position{Boot: 1, Seq: 1}
		for _, e := range []shoe.Event{
			{Kind: shoe.Down, Err: errors.New("gone")},
			{Kind: shoe.Down}, // for another reason
			{Kind: shoe.Up, Shoe: shoe.Identity{Maker: "sabot", Serial: "SB-1", Firmware: "1.0.0"}},
			{Kind: shoe.CutCard, Position: at},
			{Kind: shoe.Key, Code: "3", Position: at},
			{Kind: shoe.Locked, Position: at},
			{Kind: shoe.Other, Code: "lid", Position: at},
			{Kind: shoe.AlarmRaised, Code: "jam", Position: at},
			{Kind: shoe.AlarmCleared, Code: "jam", Position: at},
			{Kind: shoe.Gap, Missing: 2, Position: at},
			{Kind: shoe.Drawn, Card: card.Unread, Position: at},
		} {
			r.tell(m, e)
		}
		synctest.Wait()
		want := []string{
			`{"in":"shoe","event":"offline"}`,
			`{"in":"shoe","event":"online","maker":"sabot","serial":"SB-1","firmware":"1.0.0"}`,
			`{"in":"shoe","event":"cut-card"}`,
			`{"in":"shoe","event":"note","code":"key 3"}`,
			`{"in":"shoe","event":"note","code":"locked"}`,
			`{"in":"shoe","event":"note","code":"other lid"}`,
			`{"in":"shoe","event":"alarm","code":"jam"}`,
			`{"in":"shoe","event":"alarm-cleared","code":"jam"}`,
			`{"in":"shoe","event":"gap","missing":2}`,
			`{"in":"card","card":"??"}`,
		}
		if got := m.inputs()[1:]; !slices.Equal(got, want) {
			t.Errorf("recorded\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if acknowledged := len(slices.DeleteFunc(m.happened(), func(s string) bool {
			return !strings.HasPrefix(s, "ack")
		})); acknowledged != 8 {
			t.Errorf("%d events were acknowledged, not 8", acknowledged)
		}
		if err := r.end(); err != nil {
			t.Error(err)
		}
	})
}

// TestJournalFailsAndRecovers: the table stands still, says why, and tries again.
func TestJournalFailsAndRecovers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		r := run(t, noted(options(t, m, wiesbaden(0)), m))
		r.put(kind(vocab.InOpen))
		synctest.Wait()
		m.happened()

		m.fail(true)
		r.tell(m, shoe.Event{Kind: shoe.Drawn, Card: card.Joker, Position: shoe.Position{Boot: 1, Seq: 1}})
		synctest.Wait()
		wantSteps(t, m, "shown 3", "failed", "trouble: the disk does not write")
		waiting := make(chan runner.Answer, 1)
		go func() {
			answer, err := r.Submit(t.Context(), stake(1000))
			if err != nil {
				t.Error(err)
			}
			waiting <- answer
		}()
		pass(2500 * time.Millisecond)
		wantSteps(t, m, "failed", "failed")
		if len(waiting) != 0 {
			t.Error("an input was answered while the journal could not be written")
		}

		m.fail(false)
		pass(time.Second)
		wantSteps(t, m, "stored 3", "acknowledged 1", "durable 3",
			"shown 5", "stored 4", "stored 5", "no trouble", "durable 5", "shown 6", "stored 6", "durable 6")
		if answer := <-waiting; answer.Seq != 6 {
			t.Errorf("the input that waited was answered with %+v", answer)
		}
		want := []string{
			`{"in":"storage","event":"failing"}`,
			`{"in":"storage","event":"back"}`,
		}
		if got := m.inputs()[3:5]; !slices.Equal(got, want) {
			t.Errorf("recorded\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if down := m.records[4].At - m.records[3].At; down != int64(3*time.Second) {
			t.Errorf("according to the record nothing could be written for %v, not for three seconds",
				time.Duration(down))
		}
		if err := r.end(); err != nil {
			t.Error(err)
		}
	})
}

// TestEndWhileTheJournalFails: what is not in the journal is not acknowledged.
func TestEndWhileTheJournalFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		r := run(t, options(t, m, wiesbaden(0)))
		r.put(kind(vocab.InOpen))
		m.happened()
		m.fail(true)
		failed := make(chan error, 1)
		go func() {
			_, err := r.Submit(t.Context(), stake(1000))
			failed <- err
		}()
		synctest.Wait()
		r.tell(m, shoe.Event{Kind: shoe.Drawn, Card: card.Joker, Position: shoe.Position{Boot: 1, Seq: 1}})
		err := r.end()
		if !errors.Is(err, errDisk) || !strings.Contains(err.Error(), "the last 1 inputs are not in it") {
			t.Errorf("the runner ended with %v", err)
		}
		if err := <-failed; !errors.Is(err, errDisk) {
			t.Errorf("the input was answered with %v", err)
		}
		wantSteps(t, m, "failed")
	})
}

// TestGroupCommit: inputs that wait while the journal writes share the next write, up to a
// limit, and each gets its own answer.
func TestGroupCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		r := run(t, options(t, m, wiesbaden(0)))
		r.put(kind(vocab.InOpen))
		m.appends, m.writing = nil, make(chan struct{})
		const waiting = 70
		answers := make(chan runner.Answer, 1+waiting)
		submit := func(amount int64) {
			answer, err := r.Submit(t.Context(), stake(amount))
			if err != nil {
				t.Error(err)
			}
			answers <- answer
		}
		go submit(1000)
		<-m.writing
		for range waiting {
			go submit(1)
		}
		synctest.Wait()
		m.writing <- struct{}{}
		for range 2 {
			<-m.writing
			m.writing <- struct{}{}
		}
		seen := map[uint64]vocab.Reason{}
		for range 1 + waiting {
			answer := <-answers
			seen[answer.Seq] = answer.Rejected
		}
		if !slices.Equal(m.appends, []int{1, 64, 6}) {
			t.Errorf("the writes took %v inputs, not 1, 64 and 6", m.appends)
		}
		for seq := uint64(3); seq <= 3+waiting; seq++ {
			reason, answered := seen[seq]
			if want := vocab.BelowMinimum; !answered || (reason != want) != (seq == 3) {
				t.Errorf("input %d was answered (%t) with %s", seq, answered, reason)
			}
		}
		if err := r.end(); err != nil {
			t.Error(err)
		}
	})
}

// TestAfterTheEnd: a caller that waits for an input learns that it was not taken.
func TestAfterTheEnd(t *testing.T) {
	m := &memory{}
	r := run(t, options(t, m, wiesbaden(0)))
	r.put(kind(vocab.InOpen))
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	before := len(m.inputs())
	for range 100 { // more than the queue holds
		if _, err := r.Submit(t.Context(), kind(vocab.InClose)); !errors.Is(err, runner.ErrStopped) {
			t.Fatalf("after the end an input was answered with %v", err)
		}
		r.tell(m, shoe.Event{Kind: shoe.Drawn, Card: card.Joker, Position: shoe.Position{Boot: 1, Seq: 1}})
	}
	if after := len(m.inputs()); after != before {
		t.Errorf("%d inputs were recorded after the end", after-before)
	}
	for _, step := range m.happened() {
		if strings.HasPrefix(step, "ack") {
			t.Error("a card was acknowledged after the end")
		}
	}
}

// TestRefusedInputs are answered with the reason, and recorded.
func TestRefusedInputs(t *testing.T) {
	m := &memory{}
	r := run(t, options(t, m, wiesbaden(0)))
	answer, err := r.Submit(t.Context(), kind(vocab.InClose))
	if err != nil || answer.Rejected != vocab.NoRound || answer.Seq != 2 || answer.Phase != vocab.Idle {
		t.Errorf("the answer is %+v, %v", answer, err)
	}
	if err := r.end(); err != nil {
		t.Error(err)
	}
	if got, want := string(m.records[1].Outputs), `{"out":"rejected","reason":"no-round","line":2}`+"\n"; got != want {
		t.Errorf("the record is %s", got)
	}
}

// TestSetup: the configured setup is put in if the journal's last one differs, and never
// while a round is running.
func TestSetup(t *testing.T) {
	const setup = `{"in":"setup","house":"wiesbaden"}`
	const changed = `{"in":"setup","house":"wiesbaden","decks":8}`
	m := &memory{}
	start := func(decks int, inputs ...vocab.Input) {
		t.Helper()
		r := run(t, options(t, m, rules.Setup{House: "wiesbaden", Decks: decks}))
		r.put(inputs...)
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
	}
	start(0, kind(vocab.InOpen), stake(1000))
	start(0)
	start(8, stake(2000))
	start(8, kind(vocab.InClose))
	start(0)
	start(8,
		vocab.Input{Kind: vocab.InCard, Card: card.Unread},
		vocab.Input{Kind: vocab.InResolve, With: irregularity.VoidRound, By: "s"},
		kind(vocab.InPaid), kind(vocab.InOpen))
	want := []string{
		setup, `{"in":"open"}`, `{"in":"stake","box":1,"bettor":"a","wager":"main","amount":1000}`,
		`{"in":"stake","box":1,"bettor":"a","wager":"main","amount":2000}`,
		`{"in":"close"}`, `{"in":"card","card":"??"}`, `{"in":"resolve","with":"void-round","by":"s"}`,
		`{"in":"paid"}`, changed, `{"in":"open"}`,
	}
	if got := m.inputs(); !slices.Equal(got, want) {
		t.Errorf("recorded\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestChangedSetupAtOnce: without a round the setup is put in before anything else.
func TestChangedSetupAtOnce(t *testing.T) {
	const undo, setup, changed = `{"in":"undo"}`, `{"in":"setup","house":"wiesbaden"}`,
		`{"in":"setup","house":"wiesbaden","decks":8}`
	m := &memory{}
	for _, decks := range []int{0, 8, 8, 0} {
		starts(t, options(t, m, rules.Setup{House: "wiesbaden", Decks: decks}), kind(vocab.InUndo))
	}
	if got, want := m.inputs(), []string{setup, undo, changed, undo, undo, setup, undo}; !slices.Equal(got, want) {
		t.Errorf("recorded\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// starts runs a table for these inputs, some of which may be refused.
func starts(t *testing.T, o runner.Options, inputs ...vocab.Input) {
	t.Helper()
	r := run(t, o)
	for _, in := range inputs {
		if _, err := r.Submit(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
}

// TestChangedLimits: a start that changes the limits alone puts these in, between two rounds,
// and no setup: what has left the shoe stays counted. What a supervisor has announced since
// stays in force until the configuration changes.
func TestChangedLimits(t *testing.T) {
	mendrisio := func(minimum int64) rules.Setup { return rules.Setup{House: "mendrisio", Min: minimum} }
	announced := func(by string, minimum int64) vocab.Input {
		in := vocab.Input{Kind: vocab.InLimits, By: by}
		in.Limits = vocab.LimitsChange{Min: minimum}
		return in
	}
	unexpected, burnt := vocab.Input{Kind: vocab.InCard, Card: card.Of(9, card.Spades)},
		vocab.Input{Kind: vocab.InResolve, With: irregularity.Burn, By: "s"}
	m := &memory{}
	starts(t, options(t, m, mendrisio(0)), unexpected, burnt)
	starts(t, options(t, m, mendrisio(2000)), announced("anna", 5000)) // the configuration's are put in first
	starts(t, options(t, m, mendrisio(2000)), kind(vocab.InOpen))      // anna's stay, after a restart too
	starts(t, options(t, m, mendrisio(1000)), stake(5000), vocab.Input{Kind: vocab.InCard, Card: card.Unread},
		// until they change
		vocab.Input{Kind: vocab.InResolve, With: irregularity.VoidRound, By: "s"}, kind(vocab.InPaid))
	o := options(t, m, mendrisio(1000))
	starts(t, o)
	want := []string{
		`{"in":"setup","house":"mendrisio"}`, `{"in":"card","card":"9S"}`, `{"in":"resolve","with":"burn","by":"s"}`,
		`{"in":"limits","min":2000,"box_max":50000}`, `{"in":"limits","min":5000,"by":"anna"}`, `{"in":"open"}`,
		`{"in":"stake","box":1,"bettor":"a","wager":"main","amount":5000}`, `{"in":"card","card":"??"}`,
		`{"in":"resolve","with":"void-round","by":"s"}`, `{"in":"paid"}`, `{"in":"limits","min":1000,"box_max":50000}`,
	}
	if got := m.inputs(); !slices.Equal(got, want) {
		t.Errorf("recorded\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if out, _ := o.Table.Dealt(); out != 2 || o.Table.Rules().Table.Min != 1000 {
		t.Errorf("%d cards have left the shoe, and the minimum is %d", out, o.Table.Rules().Table.Min)
	}
}

// TestStartsClosed: a table that nobody has opened or closed starts closed, if the
// configuration says so. What a supervisor did stays.
func TestStartsClosed(t *testing.T) {
	opened := vocab.Input{Kind: vocab.InTable, Table: vocab.TableChange{Event: vocab.TableOpened}, By: "anna"}
	closed := func(m *memory) runner.Options {
		o := options(t, m, wiesbaden(0))
		o.Closed = true
		return o
	}
	const setup, closing, opening, open = `{"in":"setup","house":"wiesbaden"}`, `{"in":"table","event":"closed"}`,
		`{"in":"table","event":"opened","by":"anna"}`, `{"in":"open"}`
	fresh := &memory{}
	starts(t, closed(fresh), kind(vocab.InOpen)) // refused
	starts(t, closed(fresh), opened)
	starts(t, closed(fresh), kind(vocab.InOpen))
	starts(t, closed(fresh))
	if got, want := fresh.inputs(), []string{setup, closing, open, opening, open}; !slices.Equal(got, want) {
		t.Errorf("recorded\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	used := &memory{}
	starts(t, options(t, used, wiesbaden(0)), kind(vocab.InOpen))
	starts(t, closed(used), stake(1000)) // a round is under way
	if got := used.inputs(); slices.Contains(got, closing) {
		t.Errorf("closed in a round:\n%s", strings.Join(got, "\n"))
	}
}

// TestRecordsNameTheirRules: each record carries the fingerprint of the rules in force
// after it.
func TestRecordsNameTheirRules(t *testing.T) {
	m := &memory{}
	r := run(t, options(t, m, wiesbaden(0)))
	r.put(kind(vocab.InOpen), stake(1000))
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	house := profile.Built()["wiesbaden"].Fingerprint
	for i, rec := range m.records {
		if got := hex.EncodeToString(rec.Rules); got != house {
			t.Errorf("record %d names the rules %q, not %s", i+1, got, house)
		}
	}
	if len(m.records) != 3 {
		t.Errorf("%d records, want 3", len(m.records))
	}
}
