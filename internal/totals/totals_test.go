package totals

import (
	"context"
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

const begins = 6 * time.Hour

// night is a table that is dealt, with its journal.
type night struct {
	*journal.Journal
	t      testing.TB
	table  table.Table
	player tabletest.Player
	dice   *rand.Rand
	at     time.Time
	seq    uint64
}

func newNight(t testing.TB, path string, at time.Time) *night {
	t.Helper()
	dice := rand.New(rand.NewPCG(3, 9))
	n := &night{t: t, dice: dice, player: tabletest.Player{Dice: dice, Boxes: 3, Freely: true}, at: at}
	n.open(path)
	n.take(*tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	return n
}

func (n *night) open(path string) {
	n.t.Helper()
	j, err := journal.Open(path, journal.Options{Program: "sabotd test", DayBegins: begins})
	if err != nil {
		n.t.Fatal(err)
	}
	n.Journal = j
}

func (n *night) entry(in vocab.Input) journal.Entry {
	n.seq++
	n.at = n.at.Add(time.Duration(1+n.dice.IntN(4000)) * time.Millisecond)
	in.Line, in.Time = n.seq, n.at.UnixNano()
	return runner.Record(&n.table, &in, shoe.Position{})
}

func (n *night) take(in vocab.Input) {
	n.t.Helper()
	if err := n.Append([]journal.Entry{n.entry(in)}); err != nil {
		n.t.Fatal(err)
	}
}

// deal takes more inputs, some of them mistakes; dealers come and go.
func (n *night) deal(inputs int) {
	n.t.Helper()
	var entries []journal.Entry
	for range inputs {
		in := n.player.Next(&n.table)
		switch n.dice.IntN(200) {
		case 0, 1, 2, 3:
			if in = n.player.Anything(&n.table); in.Kind == vocab.InSetup {
				continue
			}
		case 4:
			in = vocab.Input{
				Kind: vocab.InDealer, By: []string{"anna", "ben", "anna", ""}[n.dice.IntN(4)],
				Dealer: vocab.DealerChange{Shift: []string{"", "late"}[n.dice.IntN(2)]},
			}
		}
		entries = append(entries, n.entry(in))
	}
	if err := n.Append(entries); err != nil {
		n.t.Fatal(err)
	}
}

// reference is what the journal has come to since a moment, counted from its first record on.
func reference(t *testing.T, j *journal.Reader, start time.Time) topic.Totals {
	t.Helper()
	lines, rulesOf := transcript.NewParser(nil), recall.New(j, profile.Built())
	var fold tally.Fold
	var all topic.Totals
	day := newPeriod(start, dealing{})
	dealers := map[dealing]*period{}
	dealt := func(name, shift string, at time.Time) *period {
		by := dealing{name, shift}
		if dealers[by] == nil {
			dealers[by] = newPeriod(at, by)
		}
		return dealers[by]
	}
	var shift *period
	for rec, err := range j.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		in, _ := lines.ReadInput(rec.Input)
		if in.Kind == vocab.InSetup {
			if in.Rules, err = rulesOf.RulesOf(*in.Setup); err != nil {
				t.Fatal(err)
			}
		}
		one := tally.Record{Seq: rec.Seq, At: time.Unix(0, rec.At), In: &in}
		all.Sequence, all.Time = rec.FirstEvent-1, one.At
		for line := range rec.Lines() {
			out, _ := lines.ReadOutput(line)
			one.Outs = append(one.Outs, out)
			all.Sequence++
			if out.Kind == vocab.DealerChanged {
				if shift = nil; out.By != "" {
					shift = newPeriod(one.At, dealing{out.By, out.Dealer.Shift})
				}
			}
		}
		step := fold.Record(one)
		for _, i := range step.Raised {
			if !i.Raised.Before(start) {
				day.of("", "").Irregularity(&i)
				kept, _ := fold.Kept()
				dealt(kept.Dealer, kept.Shift, i.Raised).of("", "").Irregularity(&i)
			}
			if shift != nil {
				shift.of("", "").Irregularity(&i)
			}
		}
		for _, counted := range []struct {
			round *tally.Round
			times int64
		}{{step.Reopened, -1}, {step.Ended, 1}} {
			r := counted.round
			if r == nil {
				continue
			}
			if !r.Opened.Before(start) {
				day.of(r.Game, r.Currency).Round(r, counted.times)
				dealt(r.Dealer, r.Shift, r.Opened).of(r.Game, r.Currency).Round(r, counted.times)
			}
			if shift != nil && !r.Opened.Before(shift.since) && r.Dealer == shift.dealer {
				shift.of(r.Game, r.Currency).Round(r, counted.times)
			}
		}
		if a := step.Adjusted; a != nil {
			periods := []*period{shift}
			if !a.Opened.Before(start) {
				periods = append(periods, day, dealt(a.Dealer, a.Shift, one.At))
			}
			for _, p := range periods {
				if p != nil {
					p.of(a.Game, a.Currency).Adjustment(a, false)
				}
			}
		}
	}
	all.Day = day.message()
	if shift != nil {
		m := shift.message()
		all.Shift = &m
	}
	for _, one := range dealers {
		all.Dealers = append(all.Dealers, one.message())
	}
	all.Sort()
	addUp(t, all)
	return all
}

// addUp: a day is what its dealers have come to.
func addUp(t *testing.T, all topic.Totals) {
	t.Helper()
	var sum topic.Period
	byWager := map[[3]string]topic.Takings{}
	sum.Irregularities = map[string]uint64{}
	for _, one := range all.Dealers {
		sum.Rounds, sum.Void = sum.Rounds+one.Rounds, sum.Void+one.Void
		for code, n := range one.Irregularities {
			sum.Irregularities[code] += n
		}
		for _, w := range one.Wagers {
			have := byWager[[3]string{w.Game, w.Wager, w.Currency}]
			w.Over, w.VoidKept = w.Over+have.Over, w.VoidKept+have.VoidKept
			w.Count, w.Staked, w.PaidOut, w.Result, w.Unknown = w.Count+have.Count, w.Staked+have.Staked,
				w.PaidOut+have.PaidOut, w.Result+have.Result, w.Unknown+have.Unknown
			byWager[[3]string{w.Game, w.Wager, w.Currency}] = w
		}
	}
	for _, w := range byWager {
		sum.Wagers = append(sum.Wagers, w)
	}
	sum.Since = all.Day.Since
	sum.Sort()
	if !reflect.DeepEqual(sum, all.Day) {
		t.Fatalf("the dealers add up to\n%+v\nand the day is\n%+v", sum, all.Day)
	}
}

func same(t *testing.T, what string, got, want topic.Totals) {
	t.Helper()
	if reflect.DeepEqual(asJSON(t, got), asJSON(t, want)) {
		return
	}
	t.Fatalf("%s:\n%s\nnot\n%s", what, asJSON(t, got), asJSON(t, want))
}

func asJSON(t *testing.T, v topic.Totals) string {
	t.Helper()
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCountedAnywhere: wherever a day begins, in whatever shift, what is counted from there is
// what is counted from the journal's first record, whatever the croupier does; and it is the same
// in one go and little by little.
func TestCountedAnywhere(t *testing.T) {
	n := newNight(t, filepath.Join(t.TempDir(), "journal"), time.Date(2026, 3, 28, 20, 0, 0, 0, time.Local))
	var starts []time.Time
	running, err := Begin(n.Reader, recall.New(n.Reader, profile.Built()), n.at.Add(-time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for range tier.Times(8, 12) {
		n.deal(900)
		starts = append(starts, n.at.Add(time.Duration(n.dice.IntN(100))*time.Second))
		if err := catch(n, running); err != nil {
			t.Fatal(err)
		}
		same(t, "little by little", running.message(), reference(t, n.Reader, running.start))
	}
	// somebody has to deal in the end, and not always the same
	for running.shift == nil || running.shift.message().Rounds == 0 || len(running.dealers) < 4 {
		n.deal(100)
		if err := catch(n, running); err != nil {
			t.Fatal(err)
		}
	}
	shifts := 0
	for _, start := range append(starts, time.Unix(0, 0)) {
		c, err := Begin(n.Reader, recall.New(n.Reader, profile.Built()), start)
		if err != nil {
			t.Fatal(err)
		}
		if err := catch(n, c); err != nil {
			t.Fatal(err)
		}
		want := reference(t, n.Reader, start)
		if want.Time.Before(start) {
			want.Time = start
		}
		same(t, "since "+start.String(), c.message(), want)
		if c.shift != nil && c.shift.message().Rounds > 0 {
			shifts++
		}
	}
	if shifts == 0 || running.day.message().Rounds < 200 || len(running.day.message().Irregularities) < 5 {
		t.Errorf("the test shows little: %+v", running.message())
	}
}

func catch(n *night, c *Count) error {
	for rec, err := range n.Records(c.record + 1) {
		if err == nil {
			err = c.Record(&rec)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// TestALongShift: a shift that began long before the day is counted whole.
func TestALongShift(t *testing.T) {
	n := newNight(t, filepath.Join(t.TempDir(), "journal"), time.Date(2026, 3, 28, 20, 0, 0, 0, time.Local))
	n.deal(3000)
	n.take(vocab.Input{Kind: vocab.InDealer, By: "carla", Dealer: vocab.DealerChange{Shift: "night"}})
	for range 20 {
		var entries []journal.Entry
		for range 1000 {
			entries = append(entries, n.entry(n.player.Next(&n.table)))
		}
		if err := n.Append(entries); err != nil {
			t.Fatal(err)
		}
	}
	start := n.at.Add(-time.Minute)
	c, err := Begin(n.Reader, recall.New(n.Reader, profile.Built()), start)
	if err != nil {
		t.Fatal(err)
	}
	if err := catch(n, c); err != nil {
		t.Fatal(err)
	}
	same(t, "a long shift", c.message(), reference(t, n.Reader, start))
	if shift, day := c.shift.message().Rounds, c.day.message().Rounds; shift < 500 || day > 10 {
		t.Errorf("the shift has %d rounds, the day %d", shift, day)
	}
}

func TestDayOf(t *testing.T) {
	zone := system.Zone(t, "Europe/Berlin")
	for at, want := range map[string]string{
		"2026-03-28 06:00": "2026-03-28 06:00", "2026-03-28 05:59": "2026-03-27 06:00",
		"2026-03-29 05:59": "2026-03-28 06:00", "2026-03-29 06:00": "2026-03-29 06:00", // summer time began at 2:00
		"2026-10-25 05:59": "2026-10-24 06:00", "2026-10-25 06:01": "2026-10-25 06:00",
		"2027-01-01 00:00": "2026-12-31 06:00",
	} {
		moment, err := time.ParseInLocation("2006-01-02 15:04", at, zone)
		if err != nil {
			t.Fatal(err)
		}
		if got := DayOf(moment, begins).Format("2006-01-02 15:04"); got != want {
			t.Errorf("at %s the day began at %s, not %s", at, got, want)
		}
	}
}

// TestANewDay: when the gaming day is over, the day begins at zero, though nobody deals.
func TestANewDay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	synctest.Test(t, func(t *testing.T) {
		n := newNight(t, path, time.Now())
		n.deal(2000)
		bubble.Settle(time.Until(n.at) + time.Second)
		c := New(n.Journal, recall.New(n.Reader, profile.Built()), begins, time.Now, slog.New(slog.DiscardHandler))
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() {
			c.Run(ctx)
			close(done)
		}()
		synctest.Wait()
		before, ok := c.Latest()
		if !ok || before.Day.Rounds == 0 {
			t.Fatalf("before: %+v", before)
		}
		changed := c.Changed()
		<-changed
		after, _ := c.Latest()
		if after.Day.Rounds != 0 || !after.Day.Since.Equal(before.Day.Since.AddDate(0, 0, 1)) ||
			!after.Time.Equal(after.Day.Since) || time.Now().Before(after.Day.Since) {
			t.Errorf("after: %+v", after)
		}
		stop()
		<-done
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestWhoConnectsInMidShift: a reader who connects when much was dealt has the totals at once, also
// after a restart of the table, and of a broker that has forgotten all.
func TestWhoConnectsInMidShift(t *testing.T) {
	name, err := topic.NewTable("wiesbaden", "bj1")
	if err != nil {
		t.Fatal(err)
	}
	mosquitto := brokertest.StartMosquitto(t)
	path := filepath.Join(t.TempDir(), "journal")
	evening, began := time.Date(2026, 3, 1, 20, 0, 0, 0, time.Local), time.Now() // no gaming day begins meanwhile
	clock := func() time.Time { return evening.Add(time.Since(began)) }
	n := newNight(t, path, evening.Add(-time.Hour))
	n.take(vocab.Input{Kind: vocab.InDealer, By: "anna", Dealer: vocab.DealerChange{Shift: "late"}})
	run := func() (stop func()) {
		log := slog.New(slog.DiscardHandler)
		counter := New(n.Journal, recall.New(n.Reader, profile.Built()), begins, clock, log)
		publisher, err := publish.New(publish.Config{
			Config: transport.Config{Broker: "tcp://" + mosquitto.Addr(), BackoffMax: 200 * time.Millisecond},
			Table:  name, Boot: n.Boot(), Totals: counter, Log: log,
		}, journaltest.Published{Journal: n.Journal}, journaltest.NoView{}, func() publish.Condition {
			return publish.Condition{}
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{}, 2)
		go func() { counter.Run(ctx); done <- struct{}{} }()
		go func() { _ = publisher.Run(ctx); done <- struct{}{} }() // what was not acknowledged is in the journal
		return func() {
			cancel()
			<-done
			<-done
			if err := n.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	// late connects, and waits for retained totals of all that was dealt.
	late := func(what string) {
		t.Helper()
		want := reference(t, n.Reader, DayOf(evening, begins))
		brokertest.Until(t, what, func() bool {
			messages := brokertest.Subscribe(t, mosquitto.Addr(), topic.Filter(topic.Any, topic.Any, topic.KindTotals))
			brokertest.Until(t, "totals come", func() bool { return len(messages.Messages()) > 0 })
			m := messages.Messages()[0]
			if err := brokertest.ValidSchema(m.Topic, m.Payload); err != nil {
				t.Fatal(err)
			}
			var got topic.Totals
			if err := json.Unmarshal(m.Payload, &got); err != nil {
				t.Fatal(err)
			}
			if got.Sequence < want.Sequence {
				return false
			}
			if got.Site != "wiesbaden" || got.Table != "bj1" || got.Boot != n.Boot() {
				t.Errorf("%s of boot %d", m.Payload, got.Boot)
			}
			got.Site, got.Table, got.Boot = "", "", 0
			want.Time, got.Time = want.Time.UTC(), got.Time.UTC()
			same(t, what, inUTC(got), inUTC(want))
			return true
		})
	}
	stop := run()
	n.deal(1500)
	late("in mid-shift")
	stop()
	n.open(path)
	n.deal(700)
	stop = run()
	late("after a restart")
	mosquitto.Kill()
	n.deal(500)
	mosquitto.Start()
	late("after the broker has forgotten all")
	stop()
}

// inUTC writes all times as a message has them.
func inUTC(t topic.Totals) topic.Totals {
	t.Time, t.Day.Since = t.Time.UTC(), t.Day.Since.UTC()
	if t.Shift != nil {
		shift := *t.Shift
		shift.Since = shift.Since.UTC()
		if len(shift.Wagers) == 0 { // as JSON has it, whatever it was
			shift.Wagers = []topic.Takings{}
		}
		t.Shift = &shift
	}
	t.Dealers = slices.Clone(t.Dealers)
	for i := range t.Dealers {
		t.Dealers[i].Since = t.Dealers[i].Since.UTC()
	}
	return t
}

// BenchmarkStart counts a day of a table with a long journal, as a start does.
func BenchmarkStart(b *testing.B) {
	n := newNight(b, filepath.Join(b.TempDir(), "journal"), time.Date(2026, 3, 28, 20, 0, 0, 0, time.Local))
	for range 100 {
		n.deal(2000)
	}
	start := n.at.Add(-10 * time.Hour)
	for b.Loop() {
		c, err := Begin(n.Reader, recall.New(n.Reader, profile.Built()), start)
		if err == nil {
			err = catch(n, c)
		}
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(c.day.message().Rounds), "rounds")
	}
}
