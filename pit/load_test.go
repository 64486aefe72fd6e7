package pit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/replica"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/vocab"
)

// BenchmarkFloor lets many tables be dealt at, in a process of their own over a real broker, and measures how long
// it takes from a table's record to the model from which the pages are drawn, and what the pit needs. In the end
// everything is in the database, byte for byte.
func BenchmarkFloor(b *testing.B) {
	for _, load := range []struct {
		name   string
		tables int
		// events a second, of all tables together
		events float64
		lasts  time.Duration
	}{
		{"200-tables-20-a-minute", 200, 200 * 20 / 60., 20 * time.Second},
		{"500-tables-5-a-second", 500, 500 * 5, 6 * time.Second},
		{"200-tables-burst-of-5000-a-second", 200, 5000, 6 * time.Second},
	} {
		b.Run(load.name, func(b *testing.B) {
			for b.Loop() {
				underLoad(b, load.tables, load.events, load.lasts)
			}
		})
	}
}

// calls are what the tables' process is told, and what it says.
const (
	envTables = "SABOT_LOAD_TABLES"
	saysReady = "tables ready\n"
	saysDone  = "tables done\n"
)

func underLoad(b *testing.B, tables int, events float64, lasts time.Duration) {
	mosquitto := brokertest.StartMosquitto(b)
	folder := processes.FastDir(b)
	c := pit.Default()
	c.Site, c.MQTT.Broker = "wiesbaden", "tcp://"+mosquitto.Addr()
	c.Store.Source, c.Store.TimeZone = filepath.Join(folder, "pit.db"), pit.Zone{Location: time.UTC}
	p, err := pit.Open(b.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()

	child := exec.Command(os.Args[0], "-test.run=^TestTablesOfALoad$", "-test.timeout=10m")
	child.Env = append(os.Environ(), envTables+"="+fmt.Sprintf("%s %s %d %g %d", mosquitto.Addr(), folder, tables,
		events, lasts))
	child.Stderr = os.Stderr
	say, err := child.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	said, err := child.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := child.Start(); err != nil {
		b.Fatal(err)
	}
	expect(b, said, saysReady)
	until(b, p, folder, tables)
	fmt.Fprintln(say)
	before, began := pit.ProcessorTime(b), time.Now()
	all, done := watch(ctx, p)
	bare := beside(b, mosquitto.Addr())
	expect(b, said, saysDone)
	took, spent := time.Since(began), pit.ProcessorTime(b)-before
	ways := bare()
	stopped := time.Now()
	until(b, p, folder, tables)
	behind := time.Since(stopped)
	done()
	delays := delaysOf(b, *all, folder)
	records := requireAll(b, p, folder, tables)
	for name, share := range map[string]float64{"p50": 0.5, "p99": 0.99} {
		model, way := at(delays, share), at(ways, share)
		b.ReportMetric(model, name+"-ms")
		b.ReportMetric(way, "bare-"+name+"-ms")
		b.ReportMetric(model/way, name+"-over-bare")
	}
	b.ReportMetric(behind.Seconds(), "caught-up-s")
	b.ReportMetric(100*spent.Seconds()/took.Seconds(), "cpu-%")
	b.ReportMetric(resident(b), "resident-MiB")
	b.ReportMetric(float64(records), "records")
	b.ReportMetric(float64(len(delays))/took.Seconds(), "views/s")
	if err := say.Close(); err != nil {
		b.Error(err)
	}
	if err := child.Wait(); err != nil {
		b.Error(err)
	}
	stop()
	if err := <-ended; err != nil {
		b.Error(err)
	}
	if err := p.Close(); err != nil {
		b.Error(err)
	}
}

// at is a delay in milliseconds that this share of all does not exceed.
func at(delays []time.Duration, share float64) float64 {
	return float64(delays[int(share*float64(len(delays)-1))]) / float64(time.Millisecond)
}

// beside sends a message over the same broker every few milliseconds, as long as that of a table's record and with QoS
// 1, until its times are asked for: from one client to another that does nothing but note when it came.
func beside(b *testing.B, broker string) (times func() []time.Duration) {
	came := make(chan time.Time, 1)
	ear, mouth := bareClient(b, broker, "bare-ear"), bareClient(b, broker, "bare-mouth")
	token := ear.Subscribe("bare", 1, func(mqtt.Client, mqtt.Message) { came <- time.Now() })
	if token.Wait(); token.Error() != nil {
		b.Fatal(token.Error())
	}
	text := make([]byte, 700)
	ended := make(chan struct{})
	var ways []time.Duration
	var all sync.WaitGroup
	all.Go(func() {
		often := time.NewTicker(3 * time.Millisecond)
		defer often.Stop()
		for {
			select {
			case <-ended:
				return
			case <-often.C:
			}
			said := time.Now()
			mouth.Publish("bare", 1, false, text)
			ways = append(ways, (<-came).Sub(said))
		}
	})
	return func() []time.Duration {
		close(ended)
		all.Wait()
		ear.Disconnect(0)
		mouth.Disconnect(0)
		slices.Sort(ways)
		return ways
	}
}

func bareClient(b *testing.B, broker, id string) mqtt.Client {
	client := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + broker).SetClientID(id))
	if token := client.Connect(); token.Wait() && token.Error() != nil {
		b.Fatal(token.Error())
	}
	return client
}

// until waits until the database has everything that the tables have recorded.
func until(b *testing.B, p *pit.Pit, folder string, tables int) {
	b.Helper()
	heads := map[topic.Table]replica.Position{}
	for n := range tables {
		name := loadTable(b, n)
		r, err := journal.OpenReadOnly(filepath.Join(folder, name.Name()))
		if err != nil {
			b.Fatal(err)
		}
		head, _, err := r.Head()
		if err := errors.Join(err, r.Close()); err != nil {
			b.Fatal(err)
		}
		heads[name] = replica.Position{Journal: r.ID(), Record: head}
	}
	for {
		complete := 0
		for _, t := range p.Progress() {
			if t.Has == heads[t.Table] {
				complete++
			}
		}
		if complete == tables {
			return
		}
		if b.Context().Err() != nil {
			b.Fatalf("%d of %d tables are complete", complete, tables)
		}
		time.Sleep(5 * time.Millisecond) // a look every moment takes little of the time that is measured
	}
}

// seen is when the model had a table as a record has it.
type seen struct {
	table  topic.Table
	record uint64
	at     time.Time
}

// watch notes each view when the model has it.
func watch(ctx context.Context, p *pit.Pit) (*[]seen, func()) {
	var all []seen
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		last := map[topic.Table]uint64{}
		for {
			changed := p.Floor.Changed()
			for _, t := range p.Progress() {
				if v, ok := p.Floor.View(t.Table); ok && v.Seq > last[t.Table] {
					if last[t.Table] != 0 {
						all = append(all, seen{t.Table, v.Seq, time.Now()})
					}
					last[t.Table] = v.Seq
				}
			}
			select {
			case <-ctx.Done():
				return
			case <-changed:
			}
		}
	}()
	return &all, func() { cancel(); <-ended }
}

// delaysOf are how old the views were, by the times of their records.
func delaysOf(b *testing.B, all []seen, folder string) (delays []time.Duration) {
	b.Helper()
	taken := map[topic.Table]map[uint64]int64{}
	for _, one := range all {
		if taken[one.table] == nil {
			taken[one.table] = map[uint64]int64{}
			r, err := journal.OpenReadOnly(filepath.Join(folder, one.table.Name()))
			if err != nil {
				b.Fatal(err)
			}
			for rec := range r.Records(1) {
				taken[one.table][rec.Seq] = rec.At
			}
			if err := r.Close(); err != nil {
				b.Fatal(err)
			}
		}
		delays = append(delays, one.at.Sub(time.Unix(0, taken[one.table][one.record])))
	}
	slices.Sort(delays)
	return delays
}

// requireAll compares the database with every table's journal, and counts the records.
func requireAll(b *testing.B, p *pit.Pit, folder string, tables int) (records uint64) {
	b.Helper()
	for n := range tables {
		name := loadTable(b, n)
		r, err := journal.OpenReadOnly(filepath.Join(folder, name.Name()))
		if err != nil {
			b.Fatal(err)
		}
		got, err := p.Store.Check(b.Context(), name, r, nil)
		if err != nil || !got.Same() || len(got.Extra) > 0 {
			b.Errorf("%s: %+v, %v", name, got, err)
		}
		records += got.Records
		if err := r.Close(); err != nil {
			b.Error(err)
		}
	}
	return records
}

func loadTable(t testing.TB, n int) topic.Table {
	t.Helper()
	table, err := topic.NewTable("wiesbaden", fmt.Sprintf("bj-%d", n+1))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func expect(b *testing.B, from io.Reader, want string) {
	b.Helper()
	got := make([]byte, len(want))
	if _, err := io.ReadFull(from, got); err != nil || string(got) != want {
		b.Fatalf("the tables' process says %q, %v", got, err)
	}
}

func resident(b *testing.B) float64 {
	b.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		b.Skip("there is no /proc here")
	}
	var size, pages int
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		b.Fatal(err)
	}
	return float64(pages*os.Getpagesize()) / (1 << 20)
}

// loaded is a table of the load: a journal, and what its publisher asks for.
type loaded struct {
	*journal.Journal
	mu      sync.Mutex
	view    display.View
	at      time.Time
	changed chan struct{}
}

func (l *loaded) Events(after uint64, limit int) ([]topic.Record, error) {
	events, err := l.Journal.Events(after, limit)
	return publish.Records(events), err
}

func (l *loaded) Last() (uint64, time.Time, error) {
	_, next := l.Next()
	return next - 1, time.Time{}, nil
}

func (l *loaded) show() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at = time.Now()
	l.view.Seq = uint64(l.at.UnixNano())
	close(l.changed)
	l.changed = make(chan struct{})
}

// views is the table's newest view.
type views struct{ *loaded }

func (v views) Latest() (topic.Snapshot, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	_, next := v.Next()
	text, err := json.Marshal(v.view)
	if err != nil {
		panic(err) // it is plain data
	}
	return topic.Snapshot{Sequence: next - 1, Time: v.at, View: text}, !v.at.IsZero()
}

func (v views) Trouble() *topic.Trouble { return nil }

func (v views) Changed() <-chan struct{} {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.changed
}

// fullView is a table of seven boxes in mid-round.
func fullView(table topic.Table) display.View {
	v := display.View{
		Table: table.Name(), House: "wiesbaden", Currency: "EUR", Digits: 2, Min: 1000, BoxMax: 50000,
		Round: 17, Phase: vocab.Play, Due: display.Due{To: vocab.ToCall, Box: 3, Hand: 1},
	}
	for n := 1; n <= 7; n++ {
		v.Boxes = append(v.Boxes, display.Box{
			Number: n, Bettors: []display.Bettor{{Name: "a", Holder: true, Stake: 2000}, {Name: "b", Stake: 1000}},
			Hands: []display.Hand{{
				Cards: []card.Card{card.Card(n), card.Card(n + 9)}, Total: 17,
				Stakes: []display.HandStake{{Bettor: "a", Amount: 2000}, {Bettor: "b", Amount: 1000}},
			}},
		})
	}
	return v
}

// TestTablesOfALoad is the tables' process of BenchmarkFloor.
func TestTablesOfALoad(t *testing.T) {
	var addr, folder string
	var tables int
	var events float64
	var lasts time.Duration
	if _, err := fmt.Sscan(os.Getenv(envTables), &addr, &folder, &tables, &events, (*int64)(&lasts)); err != nil {
		tier.Elsewhere(t, "BenchmarkFloor starts it")
	}
	var nights []*journaltest.Night
	var shown []*loaded
	for n := range tables {
		name := loadTable(t, n)
		j, err := journal.Open(filepath.Join(folder, name.Name()), journal.Options{Program: "test"})
		if err != nil {
			t.Fatal(err)
		}
		l := &loaded{Journal: j, view: fullView(name), changed: make(chan struct{})}
		nights, shown = append(nights, journaltest.Quick(t, j, "wiesbaden", uint64(n))), append(shown, l)
		nights[n].Deal(1)
		l.show()
		publisher, err := publish.New(publish.Config{
			Table: name, Boot: j.Boot(), Config: transport.Config{Broker: "tcp://" + addr},
			FlushTimeout: time.Millisecond,
			Log:          slog.New(slog.DiscardHandler),
			Fetch:        func(f topic.Fetch) (topic.Records, error) { return publish.Fetched(j, f) },
		}, l, views{l}, func() publish.Condition {
			head, hash, err := j.Head()
			if err != nil {
				return publish.Condition{}
			}
			return publish.Condition{Head: &topic.Head{ID: j.ID(), Record: head, Hash: fmt.Sprintf("%x", hash)}}
		})
		if err != nil {
			t.Fatal(err)
		}
		go func() { _ = publisher.Run(t.Context()) }()
	}
	fmt.Print(saysReady)
	var line string
	fmt.Scanln(&line)
	dealAll(nights, shown, events/float64(tables), lasts)
	fmt.Print(saysDone)
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// dealAll deals at all tables, at each so many events a second.
func dealAll(nights []*journaltest.Night, shown []*loaded, rate float64, lasts time.Duration) {
	var all sync.WaitGroup
	var events atomic.Uint64
	end := time.Now().Add(lasts)
	for n := range nights {
		all.Go(func() {
			_, first := nights[n].Journal.Next()
			began := time.Now().Add(time.Duration(rand.Float64() * float64(time.Second) / max(rate, 1)))
			for time.Now().Before(end) {
				_, next := nights[n].Journal.Next()
				// The pace of the benchmark.
				time.Sleep(time.Until(began.Add(time.Duration(float64(next-first) / rate * float64(time.Second)))))
				nights[n].Now, nights[n].Apart = time.Now(), 0 // by which the pit's delay is measured
				nights[n].Deal(1)
				shown[n].show()
			}
			_, next := nights[n].Journal.Next()
			events.Add(next - first)
		})
	}
	all.Wait()
	fmt.Fprintln(os.Stderr, "the tables had "+strconv.FormatUint(events.Load(), 10)+" events in "+lasts.String())
}
