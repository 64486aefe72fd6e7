package command_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/topic"
)

// world is a table and a broker around a sender, which lose messages, and a table that is
// killed, as the luck says.
type world struct {
	t      testing.TB
	luck   []byte // what goes wrong, one after the other; then nothing does
	sender *command.Sender

	mu      sync.Mutex
	gate    *command.Gate
	begun   time.Time
	ways    []time.Duration   // how long the first messages are on their way
	done    map[string]int    // how often each text was said, durably
	journal map[string]uint64 // the records of commands
}

// What may go wrong.
const (
	nothing byte = iota
	lostOnTheWay
	lostAnswer
	killedBefore // the journal has it
	killedAfter  // that, and before it is answered
	deliveredTwice
	replayedAfter // the same, and then somebody sends it again
	copied        // to another table, too, which answers first
	slow          // the answer comes after the sender has asked
	faults
)

func (w *world) next() byte {
	if len(w.luck) == 0 {
		return nothing
	}
	one := w.luck[0]
	w.luck = w.luck[1:]
	return one
}

// start starts the table again, with another session.
func (w *world) start() {
	w.gate, w.begun = command.NewGate(aTable(w.t), command.NewID(), []command.Key{annas, desks}), time.Now()
}

// tellHealth tells the sender of the session, as the table does every 10 seconds.
func (w *world) tellHealth() {
	w.mu.Lock()
	health := topic.Health{
		Site: "wiesbaden", Table: "bj1",
		Commands: &topic.Commands{Session: w.gate.Session(), Clock: uint64(time.Since(w.begun).Milliseconds())},
	}
	w.mu.Unlock()
	w.sender.Hear(aTable(w.t).Topic(topic.KindHealth), topic.AppendHealth(nil, health))
}

// publish is what becomes of a message on its way to the table and back.
func (w *world) publish(_ context.Context, name string, payload []byte) error {
	if name != aTable(w.t).Topic(topic.KindCommand) {
		w.t.Errorf("a command is sent on %s", name)
	}
	w.mu.Lock()
	luck := w.next()
	var way time.Duration
	if len(w.ways) > 0 {
		way, w.ways = w.ways[0], w.ways[1:]
	}
	w.mu.Unlock()
	switch luck {
	case lostOnTheWay:
		return errors.New("the connection was lost")
	case deliveredTwice:
		go w.take(payload, nothing)
	case copied:
		w.takeElsewhere(payload)
	case replayedAfter:
		go func() {
			w.take(payload, killedAfter)
			w.tellHealth()
			w.take(payload, nothing)
		}()
		return nil
	}
	go func() {
		bubble.Pass(way)
		w.take(payload, luck)
	}()
	return nil
}

// takeElsewhere is another table, to which the same message is copied.
func (w *world) takeElsewhere(payload []byte) {
	other, err := topic.NewTable("wiesbaden", "bj2")
	if err != nil {
		w.t.Error(err)
	}
	v := command.NewGate(other, command.NewID(), []command.Key{annas, desks}).Judge(0, payload)
	if v.Refused != command.Foreign {
		w.t.Errorf("another table refuses it as %q", v.Refused)
	}
	a := topic.Answer{
		Site: "wiesbaden", Table: "bj2", ID: v.Command.ID, State: command.NotDone.String(),
		Reason: v.Refused.String(),
	}
	w.sender.Hear(other.Answer(v.Command.Pit), topic.AppendAnswer(nil, a))
}

// take is the table.
func (w *world) take(payload []byte, luck byte) {
	w.mu.Lock()
	v := w.gate.Judge(time.Since(w.begun), payload)
	c := v.Command
	a := topic.Answer{
		Site: "wiesbaden", Table: "bj1", ID: c.ID, What: c.What.String(), State: command.NotDone.String(),
		Reason: v.Refused.String(),
	}
	record, known := w.journal[c.ID]
	switch {
	case v.Refused == command.OtherSession && known:
		a.State, a.Record, a.Reason = command.Done.String(), record, ""
	case v.Refused != 0:
	case c.What == command.Outcome:
		b := w.gate.Became(c.Of)
		if record, known := w.journal[c.Of]; known {
			b = command.Became{State: command.Done, Record: record}
		}
		a.Of, a.State, a.Record, a.Reason = c.Of, b.State.String(), b.Record, b.Reason
	case luck == killedBefore:
		w.start()
		w.mu.Unlock()
		return
	default:
		w.done[c.Text]++
		w.journal[c.ID] = uint64(len(w.journal) + 1)
		w.gate.Settle(c.ID, command.Became{State: command.Done, Record: w.journal[c.ID]})
		a.State, a.Record, a.Reason = command.Done.String(), w.journal[c.ID], ""
		if luck == killedAfter {
			w.start()
			w.mu.Unlock()
			return
		}
	}
	w.mu.Unlock()
	if luck == slow {
		bubble.Pass(7 * time.Second)
	}
	if v.Answers && luck != lostAnswer {
		w.sender.Hear(aTable(w.t).Answer(c.Pit), topic.AppendAnswer(nil, a))
	}
}

func newWorld(t testing.TB, luck ...byte) *world {
	w := &world{t: t, luck: luck, done: map[string]int{}, journal: map[string]uint64{}}
	w.start()
	sender, err := command.NewSender(command.SenderOptions{
		Pit: "pit-1", KeyName: "desk", Key: desk,
		Publish: w.publish,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.sender = sender
	return w
}

// run tells health until the test has ended.
func (w *world) run(ctx context.Context) {
	for ctx.Err() == nil {
		w.tellHealth()
		select {
		case <-time.After(10 * time.Second):
		case <-ctx.Done():
		}
	}
}

// TestExactlyOnce: whatever is lost, doubled or killed on the way, a command was carried out once
// where its sender hears that it was, and not at all where it hears that it was not; and it hears.
func TestExactlyOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		luck := rapid.SliceOfN(rapid.ByteMax(faults-1), 0, 12).Draw(rt, "luck")
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, luck...)
			ctx, end := context.WithCancel(t.Context())
			go w.run(ctx)
			synctest.Wait()
			for n := range 4 {
				text := fmt.Sprintf("message %d", n)
				within, cancel := context.WithTimeout(ctx, 5*time.Minute)
				got, err := w.sender.Send(within, aTable(t),
					command.Command{What: command.Message, Person: "berta", Text: text})
				cancel()
				want := map[command.State]int{command.Done: 1, command.NotDone: 0}[got.State]
				if err != nil || w.said(text) != want {
					t.Errorf("with %v, %q ends as %+v, %v, and was carried out %d times", luck, text, got, err,
						w.said(text))
				}
				bubble.Pass(time.Minute) // nothing comes late
				if w.said(text) != want {
					t.Errorf("with %v, %q was carried out afterwards", luck, text)
				}
			}
			end()
			synctest.Wait()
		})
		if t.Failed() {
			rt.FailNow()
		}
	})
}

func (w *world) said(text string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.done[text]
}

// TestNotSent: a command that cannot be sent is not; and where the table never answers, the
// sender says that it does not know.
func TestNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		one := command.Command{What: command.Message, Person: "berta", Text: "hello"}
		if _, err := w.sender.Send(t.Context(), aTable(t), one); err != command.ErrNotHeard {
			t.Errorf("before anything was heard: %v", err)
		}
		w.sender.Hear(aTable(t).Topic(topic.KindHealth),
			topic.AppendHealth(nil, topic.Health{Site: "wiesbaden", Table: "bj1"}))
		if _, err := w.sender.Send(t.Context(), aTable(t), one); err != command.ErrClosed {
			t.Errorf("to a table that takes none: %v", err)
		}
		w.tellHealth()
		one.Text = "two\nlines"
		if _, err := w.sender.Send(t.Context(), aTable(t), one); err == nil || !strings.Contains(err.Error(), `\x0a`) {
			t.Errorf("with two lines: %v", err)
		}
		one.Text = "hello"
		for range 100 {
			w.luck = append(w.luck, lostAnswer)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		_, err := w.sender.Send(ctx, aTable(t), one)
		if unknown, is := errors.AsType[*command.UnknownError](err); !is || unknown.ID == "" || w.said("hello") != 1 {
			t.Errorf("without an answer: %v, and it was carried out %d times", err, w.said("hello"))
		}
	})
}

// TestRefusedLate: why a command was refused is said also where the table takes so long that it is asked meanwhile. The
// answer to that question does not know it.
func TestRefusedLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.ways = []time.Duration{6 * time.Second, 2 * time.Second}
		desk := desks
		desk.May = []command.What{command.Message}
		w.gate = command.NewGate(aTable(t), command.NewID(), []command.Key{desk})
		w.tellHealth()
		got, err := w.sender.Send(t.Context(), aTable(t), command.Command{What: command.CloseTable, Person: "berta"})
		if err != nil || got.State != command.NotDone || got.Reason != command.Unauthorised.String() {
			t.Errorf("it ends as %+v, %v", got, err)
		}
	})
}

// TestLateHealth: of one session the health that came fastest tells the clock, so that one that
// the broker kept does not make commands expire early.
func TestLateHealth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.tellHealth()
		bubble.Pass(time.Hour)
		late := topic.Health{
			Site: "wiesbaden", Table: "bj1",
			Commands: &topic.Commands{Session: w.gate.Session(), Clock: 1000},
		}
		w.sender.Hear(aTable(t).Topic(topic.KindHealth), topic.AppendHealth(nil, late))
		got, err := w.sender.Send(t.Context(), aTable(t),
			command.Command{What: command.Message, Person: "berta", Text: "hello"})
		if err != nil || got.State != command.Done {
			t.Errorf("it ends as %+v, %v", got, err)
		}
	})
}
