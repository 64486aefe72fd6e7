package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

var withoutTime = regexp.MustCompile(`"t":"[^"]*",?`)

// commander is a pit that sends commands to a world's table.
type commander struct {
	*command.Sender
	t      *testing.T
	client mqtt.Client
	table  topic.Table
	key    ed25519.PrivateKey

	mu     sync.Mutex
	health topic.Health
	copied [][]byte // the commands that were sent
	// person is in whose name it sends: nobody's who has a key of their own, but for that key.
	person string
}

// commands makes the table of the world open to the commands of a desk, and to those of anna,
// who may only send messages.
func (w *world) commands() (desk, anna *commander) {
	w.t.Helper()
	desk, line := w.commander("desk")
	anna, annas := w.commander("anna")
	w.limits += fmt.Sprintf("commands:\n  keys:\n    - {name: desk, public: %q, may: [acknowledge, coming, open, "+
		"close, limits, message, resend, fill, credit, approve, refuse, sent, received]}\n"+
		"    - {name: anna, public: %q, person: anna, may: [message]}\n", line, annas)
	return desk, anna
}

// commander connects a pit with a key of its own.
func (w *world) commander(name string) (c *commander, line string) {
	t := w.t
	t.Helper()
	table, err := topic.NewTable("test", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(w.dir, name+".key")
	public, err := command.KeyFile.New(path)
	if err != nil {
		t.Fatal(err)
	}
	c = &commander{t: t, table: table, person: "berta"}
	if name != "desk" {
		c.person = name
	}
	if c.key, err = command.KeyFile.Read(path); err != nil {
		t.Fatal(err)
	}
	c.Sender, err = command.NewSender(command.SenderOptions{
		Pit: name, KeyName: name, Key: c.key,
		Patience: 500 * time.Millisecond, Publish: c.publish,
	})
	if err != nil {
		t.Fatal(err)
	}
	o := mqtt.NewClientOptions().AddBroker("tcp://" + w.broker.Addr()).SetClientID("pit-" + name).SetOrderMatters(false)
	c.client = mqtt.NewClient(o)
	if token := c.client.Connect(); !token.WaitTimeout(processes.Deadline) || token.Error() != nil {
		t.Fatal("connect: ", token.Error())
	}
	t.Cleanup(func() { c.client.Disconnect(0) })
	for _, filter := range c.Topics("test") {
		if token := c.client.Subscribe(filter, 1, c.hear); !token.WaitTimeout(processes.Deadline) ||
			token.Error() != nil {
			t.Fatal("subscribe: ", token.Error())
		}
	}
	return c, securefile.PublicKeyLine(public)
}

func (c *commander) hear(_ mqtt.Client, m mqtt.Message) {
	c.Hear(m.Topic(), m.Payload())
	var h topic.Health
	if json.Unmarshal(m.Payload(), &h) == nil && h.Uptime+h.MemoryBytes > 0 {
		c.mu.Lock()
		c.health = h
		c.mu.Unlock()
	}
}

func (c *commander) publish(_ context.Context, name string, payload []byte) error {
	c.mu.Lock()
	c.copied = append(c.copied, bytes.Clone(payload))
	c.mu.Unlock()
	token := c.client.Publish(name, 1, false, payload)
	token.WaitTimeout(processes.Deadline)
	return token.Error()
}

func (c *commander) lastHealth() topic.Health {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.health
}

// ready waits until the table takes commands.
func (c *commander) ready() {
	c.t.Helper()
	brokertest.Until(c.t, "the table takes commands", func() bool { return c.Open(c.table) })
}

// does sends a command, which must end with that reason, "" for one that is done.
func (c *commander) does(one command.Command, reason string) command.Result {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), processes.Deadline)
	defer cancel()
	one.Person = c.person
	got, err := c.Send(ctx, c.table, one)
	if err != nil || got.Reason != reason || (got.State == command.Done) != (reason == "") {
		c.t.Fatalf("%s ends as %+v, %v; want the reason %q", one.What, got, err, reason)
	}
	return got
}

// slips has the pit ask for a fill and a credit, and take their steps; nobody approves what they have asked for.
func (c *commander) slips() (approved command.Result) {
	c.t.Helper()
	const chips = "1000x20"
	fill, credit := command.KindFill, command.KindCredit
	was := c.person
	defer func() { c.person = was }()
	c.does(command.Command{What: command.AskFill, Chips: chips}, "")
	c.does(command.Command{What: command.SlipApproved, Kind: fill, Slip: 1}, vocab.NeedsSupervisor.String())
	c.does(command.Command{What: command.SlipApproved, Kind: credit, Slip: 1}, vocab.NoSuchSlip.String())
	c.person = "cora"
	c.does(command.Command{What: command.SlipSent, Kind: fill, Slip: 1, Chips: chips}, vocab.NotItsTurn.String())
	approved = c.does(command.Command{What: command.SlipApproved, Kind: fill, Slip: 1}, "")
	c.does(command.Command{What: command.SlipSent, Kind: fill, Slip: 1, Chips: "1000x19"}, vocab.NotTheAmount.String())
	c.does(command.Command{What: command.SlipSent, Kind: fill, Slip: 1, Chips: chips}, "")
	c.does(command.Command{What: command.SlipRefused, Kind: fill, Slip: 1, Text: "too late"}, "")
	c.does(command.Command{What: command.AskCredit, Chips: chips}, "")
	c.does(command.Command{What: command.SlipRefused, Kind: credit, Slip: 2, Text: "keep them"}, "")
	return approved
}

// TestCommands: the pit does all that it may do, and is on record for it with the person's name
// and the command's id.
func TestCommands(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	desk, anna := w.commands()
	process := w.start()
	v := w.look()
	desk.ready()
	anna.ready()
	const forged = "ffffffffffffffffffffffffffffffff" // no screen says that the pit has sent something
	closed := desk.does(command.Command{What: command.CloseTable}, "")
	v.await("closed", func(v display.View) bool { return v.Opening.Closed && v.Opening.By == "berta" })
	desk.does(command.Command{What: command.CloseTable}, vocab.TableIsClosed.String())
	desk.does(command.Command{What: command.OpenTable}, "")
	limits := desk.does(command.Command{What: command.Limits, Min: 2000, BoxMax: 100_000}, "")
	v.await("other limits", func(v display.View) bool { return v.Min == 2000 && v.BoxMax == 100_000 })
	if got := desk.does(command.Command{What: command.Limits, Min: 200_000},
		vocab.BadLimits.String()); got.Text == "" || got.Record == 0 {
		t.Errorf("limits that cannot be played are refused as %+v", got)
	}
	anna.does(command.Command{What: command.Limits, Min: 1000}, command.Unauthorised.String())
	said := anna.does(command.Command{What: command.Message, Text: `Bitte „Limits“ \ "20"`}, "")
	v.await("the message", func(v display.View) bool {
		a := display.PitMessage(v)
		return a != nil && a.Text == `Bitte „Limits“ \ "20"` && a.Caller == "anna"
	})
	v.press(vocab.Input{Kind: vocab.InMessage, Message: vocab.Message{Event: vocab.MessageSeen}, By: "d7"})
	v.await("the message seen", func(v display.View) bool { return display.PitMessage(v) == nil })
	desk.does(command.Command{What: command.Coming}, vocab.NotHeld.String())
	v.press(vocab.Input{
		Kind: vocab.InFloor, Floor: vocab.FloorCall{Event: vocab.FloorCalled, Wants: vocab.FloorChips}, By: "d7",
	})
	desk.does(command.Command{What: command.Coming}, "")
	v.await("berta coming", func(v display.View) bool { return display.Floor(v).AcknowledgedBy == "berta" })
	desk.does(command.Command{What: command.Acknowledge, Code: irregularity.CommandRefused}, "")
	desk.does(command.Command{What: command.Resend, From: 1}, "")
	logs(t, process, "the events that the pit requested were sent again")
	slips := desk.slips()
	byHand := vocab.Input{Kind: vocab.InTable, Table: vocab.TableChange{Event: vocab.TableClosed}}
	byHand.Command = forged
	v.press(byHand, vocab.Input{
		Kind: vocab.InTable, Table: vocab.TableChange{Event: vocab.TableOpened},
	}, vocab.Input{Kind: vocab.InOpen})
	desk.does(command.Command{What: command.OpenTable}, vocab.RoundRunning.String())
	process.Stop()

	inputs, _ := w.records()
	if strings.Contains(inputs, forged) {
		t.Error("what was done at a screen is on record as a command")
	}
	lines := strings.Split(inputs, "\n")
	for _, want := range []struct {
		of   command.Result
		line string
	}{
		{
			slips, `{"in":"fill","from":"pit","at":"desk","event":"approved","slip":1,"by":"cora","command":"` +
				slips.ID + `"`,
		},
		{closed, `{"in":"table","from":"pit","at":"desk","event":"closed","by":"berta","command":"` + closed.ID + `"`},
		{limits, `{"in":"limits","from":"pit","at":"desk","min":2000,"box_max":100000,"by":"berta","command":"` +
			limits.ID + `"`},
		{
			said,
			`{"in":"message","from":"pit","at":"anna","event":"sent","text":"Bitte „Limits“ \\ \"20\"","by":"anna","command":"` + said.ID + `"`,
		},
	} {
		line := withoutTime.ReplaceAllString(lines[want.of.Record-1], "")
		if !strings.HasPrefix(line, want.line) || strings.Count(inputs, want.of.ID) != 1 {
			t.Errorf("record %d is\n%s\nand not\n%s", want.of.Record, line, want.line)
		}
	}
	w.audited(1)
}

// TestNoCommands: a table without keys takes none, does not even hear them, and says so.
func TestNoCommands(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	desk, _ := w.commander("desk")
	process := w.start()
	brokertest.Until(t, "health", func() bool { return desk.lastHealth().Uptime+desk.lastHealth().MemoryBytes > 0 })
	if _, err := desk.Send(t.Context(), desk.table,
		command.Command{What: command.CloseTable, Person: desk.person}); err != command.ErrClosed {
		t.Errorf("a command to a table that takes none fails with %v", err)
	}
	process.Stop()
}

// TestCommandsThroughKills kills the daemon while commands are under way. Each is on record once
// if the pit hears that it was done, and not at all if it hears that it was not; and it hears.
func TestCommandsThroughKills(t *testing.T) {
	tier.Soak(t, "built programs run for seconds")
	t.Parallel()
	w := newWorld(t, nil)
	w.hurry()
	desk, _ := w.commands()
	process := w.start()
	desk.ready()
	type sent struct {
		command.Result
		text string
		err  error
	}
	var all []sent
	results := make(chan sent)
	const most = 3
	moments := desk.moments(w)
	for n, await := range moments {
		for i := range most {
			text := fmt.Sprintf("message %d of %d", i, n)
			go func() {
				ctx, cancel := context.WithTimeout(t.Context(), processes.Deadline)
				defer cancel()
				got, err := desk.Send(ctx, desk.table, command.Command{
					What: command.Message, Person: desk.person,
					Text: text,
				})
				results <- sent{got, text, err}
			}()
		}
		await(n)
		process.Kill()
		process = w.start()
		for range most {
			all = append(all, processes.Take(t, "an answer", results))
		}
	}
	process.Stop()
	inputs, _ := w.records()
	counts := map[command.State]int{}
	for _, one := range all {
		if one.err != nil {
			t.Errorf("%q: %v", one.text, one.err)
			continue
		}
		counts[one.State]++
		want := map[command.State]int{command.Done: 1, command.NotDone: 0}[one.State]
		if got := strings.Count(inputs, `"text":"`+one.text+`"`); got != want {
			t.Errorf("%q is %s, and %d times on record", one.text, one.State, got)
		}
	}
	t.Logf("%d were done, %d were not", counts[command.Done], counts[command.NotDone])
}

// moments wait, while the messages of a number are sent, until the table is to be killed: at once, when one or all are
// on their way to the broker, and when one or all are on record. Make soak adds random ones.
func (c *commander) moments(w *world) (all []func(n int)) {
	published := func(least int) func(int) {
		return func(n int) {
			brokertest.Until(c.t, "commands are sent", func() bool {
				return c.published(fmt.Sprintf(" of %d", n)) >= least
			})
		}
	}
	recorded := func(least int) func(int) {
		return func(n int) {
			brokertest.Until(c.t, "commands are on record", func() bool {
				inputs, _ := w.records()
				return strings.Count(inputs, fmt.Sprintf(` of %d"`, n)) >= least
			})
		}
	}
	all = []func(int){func(int) {}, published(1), published(3), recorded(1), recorded(3)}
	chance := rand.New(rand.NewPCG(tier.SeedOf(c.t), 0))
	for range tier.Times(0, 12) {
		// Any moment is right: the kill must not follow from what the test sees.
		all = append(all, func(int) { time.Sleep(time.Duration(chance.IntN(12_000)) * time.Microsecond) })
	}
	return all
}

// published counts the commands with this part that were given to the broker, whether or not it has them already.
func (c *commander) published(part string) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.copied {
		if bytes.Contains(one, []byte(part)) {
			n++
		}
	}
	return n
}

// seal signs a command to close the table, which is changed before.
func (c *commander) seal(key ed25519.PrivateKey, name string, change func(*command.Command)) []byte {
	c.t.Helper()
	h := c.lastHealth().Commands
	one := command.Command{
		Site: "test", Table: "bj-1", Session: h.Session, ID: command.NewID(), Pit: "desk", Person: "berta",
		Expires: int64(h.Clock) + 60_000, What: command.CloseTable,
	}
	change(&one)
	payload, err := command.Seal(one, name, key)
	if err != nil {
		c.t.Fatal(err)
	}
	return payload
}

// bad are commands that no table takes: forged, of another table, of another session, expired,
// cut in half, replayed, not signed, and not permitted.
func (c *commander) bad(replayed []byte) (all [][]byte) {
	c.t.Helper()
	seal := c.seal
	_, other, err := ed25519.GenerateKey(nil)
	if err != nil {
		c.t.Fatal(err)
	}
	good := seal(c.key, "desk", func(*command.Command) {})
	return [][]byte{
		seal(other, "desk", func(*command.Command) {}),
		seal(c.key, "bruno", func(*command.Command) {}),
		seal(c.key, "desk", func(one *command.Command) { one.Table = "bj-2" }),
		seal(c.key, "desk", func(one *command.Command) { one.Session = command.NewID() }),
		seal(c.key, "desk", func(one *command.Command) { one.Expires = 1 }),
		good[:len(good)/2],
		good[129:],
		replayed,
		[]byte(`{"in":"table","event":"closed"}`),
		bytes.Repeat([]byte("x"), 4000),
	}
}

// flood sends bad commands, so many a second, until stop is closed, and returns how many. What could not be sent for
// more than a second is left out.
func (c *commander) flood(bad [][]byte, perSecond int, stop <-chan struct{}) (sent uint64) {
	name := c.table.Topic(topic.KindCommand)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	due, last := 0.0, time.Now()
	for {
		select {
		case <-stop:
			return sent
		case <-tick.C:
			now := time.Now()
			due += min(now.Sub(last), time.Second).Seconds() * float64(perSecond)
			last = now
			for float64(sent) < due && !closed(stop) {
				c.client.Publish(name, 0, false, bad[sent%uint64(len(bad))])
				sent++
			}
		}
	}
}

// TestFloodOfCommands: thousands of bad commands a second to a table that deals, through a real broker.
// None is taken, the table deals its rounds, the journal has a word of them and no more, and
// afterwards a real one is taken.
func TestFloodOfCommands(t *testing.T) {
	tier.Soak(t, "built programs run for seconds")
	t.Parallel()
	rounds := tier.Times[uint64](3, 12)
	w := newWorld(t, nil)
	w.hurry()
	desk, anna := w.commands()
	process := w.start()
	desk.ready()
	anna.ready()
	desk.does(command.Command{What: command.Message, Text: "the only one"}, "")
	desk.mu.Lock()
	replayed := desk.copied[0]
	desk.mu.Unlock()

	stop, flooded := make(chan struct{}), make(chan uint64, 1)
	go func() { flooded <- desk.flood(desk.bad(replayed), *badPerSecond, stop) }()
	told := w.deal(rounds).finish()
	close(stop)
	sent := processes.Take(t, "the end of the flood", flooded)
	brokertest.Until(t, "a real command is taken", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), processes.Deadline)
		defer cancel()
		got, err := desk.Send(ctx, desk.table, command.Command{What: command.CloseTable, Person: desk.person})
		return err == nil && got.State == command.Done
	})
	v := w.look()
	v.await("the alert", func(v display.View) bool {
		for _, a := range v.Alerts {
			if a.Code == irregularity.CommandRefused {
				return a.Standing == 0
			}
		}
		return false
	})
	brokertest.Until(t, "all are counted", func() bool {
		c := desk.lastHealth().Commands
		return c.Refused >= sent
	})
	process.Stop()
	inputs, outputs := w.records()
	if got := cardsOf(inputs); got != names(told) {
		t.Errorf("the journal has other cards than the shoe told")
	}
	if n := strings.Count(outputs, `{"out":"finished"`); n != int(rounds) {
		t.Errorf("%d rounds were finished", n)
	}
	if n := strings.Count(inputs, `{"in":"message"`) + strings.Count(inputs, `{"in":"table"`); n != 2 {
		t.Errorf("%d commands were taken, not 2, in a flood of %d", n, sent)
	}
	if n := strings.Count(inputs, `{"in":"command"`); n < 1 || n > 5 {
		t.Errorf("a flood of %d is in %d records", sent, n)
	}
	w.audited(rounds)
	t.Logf("%d bad commands were sent; %+v", sent, desk.lastHealth().Commands)
}

func closed(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}
