package host_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestShift deals a shift of rounds through every part: pseudo-terminal,
// driver, engine, journal, a real broker. The transcript of it, replayed from
// nothing, must answer what the pit was told, line by line.
func TestShift(t *testing.T) {
	mosquitto := brokertest.StartMosquitto(t)
	floor := processes.Listen(t, mosquitto.Addr(), demoTable(t), nil)
	path := processes.FastDir(t) + "/journal"
	shift(t, path, "tcp://"+mosquitto.Addr(), shiftRounds, func() { floor.Lines(t, events(t, path)) })

	j, err := journal.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var inputs bytes.Buffer
	for r, err := range j.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		inputs.Write(append(r.Input, '\n'))
	}
	report, err := audit.Run(t.Context(), j, audit.Options{Book: profile.Built()})
	if err != nil || !report.Well() || report.Rounds != shiftRounds {
		t.Errorf("the audit says %+v, %v", report, err)
	}
	compare := &comparer{t: t}
	if err := transcript.Replay(&inputs, transcript.NewParser(profile.Built()), compare); err != nil {
		t.Fatal(err)
	}
	compare.with(floor)
	t.Logf("%d rounds, %d events, %d of them twice", shiftRounds, compare.events(), floor.Twice())
}

// events is how many events a journal has.
func events(t *testing.T, path string) (last uint64) {
	t.Helper()
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for {
		all, err := j.Events(last, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if len(all) == 0 {
			return last
		}
		last = all[len(all)-1].Number
	}
}

// shift runs a table until the rounds are dealt and the floor has heard of them: no dealer is as fast as this one, and
// on a busy machine the floor comes after.
func shift(t testing.TB, path, broker string, rounds uint64, heard func()) {
	t.Helper()
	shoe, err := shoesim.New(shoesim.Options{Decks: 6, Jokers: 1, Seed: 11, Continuous: true})
	if err != nil {
		t.Fatal(err)
	}
	defer shoe.Close()
	c := config.Default()
	c.KeysApart = -1 // the simulated dealer calls faster than a person could
	c.Site, c.Table, c.House = "test", "bj-1", "wiesbaden"
	c.Shoe.Port, c.Journal.Path, c.Web.Listen, c.MQTT.Broker = shoe.Path(), path, "127.0.0.1:0", broker
	log := slog.New(slog.DiscardHandler)
	d, err := host.Open(c, profile.Built(), "test", log)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var parts errgroup.Group
	parts.Go(func() error { return d.Run(ctx) })
	dealer := &keysim.Dealer{
		Shoe: shoe, Display: d.Board, Rounds: rounds, Seed: 5, Log: log,
		Press: func(ctx context.Context, in vocab.Input) (vocab.Reason, error) {
			answer, err := d.Submit(ctx, in)
			return answer.Rejected, err
		},
	}
	if err := dealer.Run(ctx); err != nil {
		t.Errorf("the dealer could not go on: %v", err)
	}
	heard()
	stop()
	if err := parts.Wait(); err != nil {
		t.Error(err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// comparer takes a replay's lines, to be compared with what the floor heard.
type comparer struct {
	t    *testing.T
	text bytes.Buffer
}

func (c *comparer) Write(p []byte) (int, error) { return c.text.Write(p) }

func (c *comparer) events() int { return bytes.Count(c.text.Bytes(), []byte("\n")) }

func (c *comparer) with(floor *processes.Floor) {
	c.t.Helper()
	heard := floor.Lines(c.t, uint64(c.events()))
	i := 0
	for line := range bytes.Lines(c.text.Bytes()) {
		if line = bytes.TrimSuffix(line, []byte("\n")); !bytes.Equal(line, heard[i]) {
			c.t.Fatalf("event %d: the replay answers\n%s\nbut the pit was told\n%s", i+1, line, heard[i])
		}
		i++
	}
}

func demoTable(t testing.TB) topic.Table {
	t.Helper()
	name, err := topic.NewTable("test", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	return name
}
