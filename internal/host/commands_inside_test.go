package host

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// ordered is a table's commands alone: what they put in, answer and record, and a hand on the
// journal, which may be stuck.
type ordered struct {
	*commands
	t   *testing.T
	key ed25519.PrivateKey

	mu       sync.Mutex
	answers  []topic.Answer
	recorded []vocab.Input
	put      []vocab.Input
	stuck    chan struct{} // nil for a journal that can be written
}

func order(t *testing.T) *ordered {
	t.Helper()
	name, err := topic.NewTable("test", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	o := &ordered{t: t, key: ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, ed25519.SeedSize))}
	key := command.Key{
		Name: "desk", Public: o.key.Public().(ed25519.PublicKey),
		May: []command.What{command.CloseTable, command.Message, command.SlipSent, command.SlipReceived},
	}
	o.commands = &commands{
		parser: transcript.NewParser(nil), table: name,
		gate: command.NewGate(name, command.NewID(), []command.Key{key}), begun: time.Now(),
		earlier: map[string]command.Became{}, inbox: make(chan []byte, mostCommands),
		queue:   make(chan command.Command, mostCommands),
		settled: make(chan settled, mostCommands), log: slog.New(slog.DiscardHandler),
		put: o.putIn, dealer: func() string { return "d7" },
		record: func(in vocab.Input) { o.note(func() { o.recorded = append(o.recorded, in) }) },
		answer: func(_ string, payload []byte) bool {
			a, err := command.ParseAnswer(payload)
			if err != nil {
				t.Error(err)
			}
			o.note(func() { o.answers = append(o.answers, a) })
			return true
		},
	}
	return o
}

func (o *ordered) note(what func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	what()
}

// putIn is the runner: an input that is late does not apply any more.
func (o *ordered) putIn(ctx context.Context, in vocab.Input, still func(*table.Table) bool) (runner.Answer, error) {
	if o.stuck != nil {
		select {
		case <-o.stuck:
		case <-ctx.Done():
			return runner.Answer{}, runner.ErrStopped
		}
	}
	if !still(&table.Table{}) {
		return runner.Answer{}, runner.ErrMovedOn
	}
	o.note(func() { o.put = append(o.put, in) })
	return runner.Answer{Seq: uint64(len(o.put))}, nil
}

// sends has a command come, and returns its id.
func (o *ordered) sends(c command.Command) string {
	o.t.Helper()
	c.Site, c.Table, c.Session, c.ID, c.Pit, c.Person = "test", "bj-1", o.gate.Session(), command.NewID(), "pit", "anna"
	c.Expires = (time.Since(o.begun) + 30*time.Second).Milliseconds()
	payload, err := command.Seal(c, "desk", o.key)
	if err != nil {
		o.t.Fatal(err)
	}
	o.heard(payload)
	synctest.Wait()
	return c.ID
}

// last is the last answer, to this command.
func (o *ordered) last(id, state, reason string) topic.Answer {
	o.t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	a := o.answers[len(o.answers)-1]
	if a.ID != id || a.State != state || a.Reason != reason {
		o.t.Errorf("the last answer is %+v; want %s %s", a, state, reason)
	}
	return a
}

// runs lets the commands run until the test ends.
func (o *ordered) runs(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		o.run(ctx)
		close(ended)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
}

// TestJournalStuck: while the table cannot record, a pit hears that its command is under way,
// and later ones that are too many; what has expired when it can record again is not done.
func TestJournalStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := order(t)
		o.stuck = make(chan struct{})
		o.runs(t)
		first := o.sends(command.Command{What: command.CloseTable})
		o.last(o.sends(command.Command{What: command.Outcome, Of: first}), "underway", "")
		bubble.Settle(10 * time.Second)
		second := o.sends(command.Command{What: command.Message, Text: "hello"})
		bubble.Settle(25 * time.Second)
		close(o.stuck)
		synctest.Wait()
		o.note(func() {
			if len(o.put) != 1 || o.put[0].Kind != vocab.InMessage || o.put[0].Command != second {
				t.Errorf("what was put in is %+v", o.put)
			}
		})
		o.last(second, "done", "")
		if a := o.last(o.sends(command.Command{What: command.Outcome, Of: first}), "not-done",
			"expired"); a.Of != first {
			t.Errorf("the answer is about %q", a.Of)
		}
	})
}

// TestChipsAtTheTable: the cage sends the chips of a fill and receives those of a credit. That they have come, or gone,
// at the table, nobody says from the pit, whatever the key may.
func TestChipsAtTheTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := order(t)
		o.runs(t)
		for _, c := range []struct {
			what   command.What
			kind   string
			state  string
			reason string
		}{
			{command.SlipSent, command.KindFill, "done", ""},
			{command.SlipReceived, command.KindFill, "not-done", vocab.CallNotAllowed.String()},
			{command.SlipSent, command.KindCredit, "not-done", vocab.CallNotAllowed.String()},
			{command.SlipReceived, command.KindCredit, "done", ""},
		} {
			o.last(o.sends(command.Command{What: c.what, Kind: c.kind, Slip: 1, Chips: "500x20"}), c.state, c.reason)
		}
		o.note(func() {
			if len(o.put) != 2 {
				t.Errorf("what was put in is %+v", o.put)
			}
		})
	})
}

// TestFloodOnRecord: thousands of bad commands a second for five minutes are on record in one line a
// minute, which count all of them.
func TestFloodOnRecord(t *testing.T) {
	const burst = 50
	bursts := tier.Times(20, 200) // a second
	synctest.Test(t, func(t *testing.T) {
		o := order(t)
		const seconds, before = 300, mostCommands + 36
		for range before { // more than wait until the table looks at them
			o.heard([]byte("nothing that is signed"))
		}
		o.runs(t)
		synctest.Wait()
		for range seconds {
			for range bursts {
				for range burst {
					o.heard([]byte("nothing that is signed"))
				}
				synctest.Wait()
			}
			bubble.Settle(time.Second)
		}
		bubble.Settle(2 * time.Minute)
		all := uint64(seconds*bursts*burst + before)
		o.note(func() {
			var times uint64
			for _, in := range o.recorded {
				if times += uint64(in.Refused.Times); in.Kind != vocab.InCommand ||
					in.Refused.Why != command.Unsigned.String() {
					t.Fatalf("it is on record as %+v", in)
				}
			}
			if n := len(o.recorded); times != all || n < 5 || n > 7 {
				t.Errorf("%d are on record, in %d lines", times, n)
			}
			if len(o.answers)+len(o.put) != 0 {
				t.Errorf("they had %d answers, and did %d", len(o.answers), len(o.put))
			}
			if h := o.health(); h.Refused != all || h.Unread != 36 || h.Taken != 0 {
				t.Errorf("health counts %+v", h)
			}
		})
	})
}

// TestEarlier: after a restart the table says of a command what its record says, also if the
// command comes again, and of any other that it was not done.
func TestEarlier(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := order(t)
		done, refused, other := command.NewID(), command.NewID(), command.NewID()
		o.remember(&journal.Record{Seq: 7, Entry: journal.Entry{
			Input:   fmt.Appendf(nil, `{"in":"table","event":"closed","by":"anna","command":"%s"}`, done),
			Outputs: []byte(`{"out":"table","event":"closed","by":"anna"}` + "\n"),
		}})
		o.remember(&journal.Record{Seq: 8, Entry: journal.Entry{
			Input:   fmt.Appendf(nil, `{"in":"table","event":"closed","by":"anna","command":"%s"}`, refused),
			Outputs: []byte(`{"out":"rejected","reason":"round-running","line":8}` + "\n"),
		}})
		o.runs(t)
		if a := o.last(o.sends(command.Command{What: command.Outcome, Of: done}), "done", ""); a.Record != 7 {
			t.Errorf("it is in record %d", a.Record)
		}
		if a := o.last(o.sends(command.Command{What: command.Outcome, Of: refused}), "not-done",
			"round-running"); a.Record != 8 {
			t.Errorf("it is in record %d", a.Record)
		}
		o.last(o.sends(command.Command{What: command.Outcome, Of: other}), "not-done", "")
		for id, state := range map[string]string{done: "done", command.NewID(): "not-done"} {
			payload, err := command.Seal(command.Command{
				Site: "test", Table: "bj-1", Session: command.NewID(), ID: id, Pit: "pit", Person: "anna", Expires: 1,
				What: command.CloseTable,
			}, "desk", o.key)
			if err != nil {
				t.Fatal(err)
			}
			o.heard(payload)
			synctest.Wait()
			if a := o.answers[len(o.answers)-1]; a.ID != id || a.State != state {
				t.Errorf("one of an earlier session is answered with %+v; want %s", a, state)
			}
		}
		question, err := command.Seal(command.Command{
			Site: "test", Table: "bj-1", Session: command.NewID(), ID: command.NewID(), Pit: "pit", Person: "anna",
			Expires: 1, What: command.Outcome, Of: done,
		}, "desk", o.key)
		if err != nil {
			t.Fatal(err)
		}
		o.heard(question)
		synctest.Wait()
		if a := o.answers[len(o.answers)-1]; a.Of != "" || a.Reason != "other-session" {
			t.Errorf("a question that is refused is answered with %+v, as if the command had not been done", a)
		}
	})
}
