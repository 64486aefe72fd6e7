package pit

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/replica"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/profile"
)

// BenchmarkBurst deals at 200 tables as fast as they go, once into their journals alone, and once with a pit that
// hears them without a broker and keeps everything. The pit's work is what the second takes more of the processors;
// the first is its yardstick.
func BenchmarkBurst(b *testing.B) {
	const tables, inputs = 200, 50
	for b.Loop() {
		c := newCrowd(b, tables)
		before := ProcessorTime(b)
		c.deal(inputs)
		alone := ProcessorTime(b) - before

		c = newCrowd(b, tables)
		s, err := store.Open(b.Context(), store.Options{
			Source: filepath.Join(processes.FastDir(b), "pit.db"),
			Log:    slog.New(slog.DiscardHandler),
		})
		if err != nil {
			b.Fatal(err)
		}
		c.ear = replica.New(replica.Options{
			Reader: "pit", Log: slog.New(slog.DiscardHandler), Live: liveOf(s, profile.Built()),
		}, c, floor.New(floor.Options{}), s)
		ctx, stop := context.WithCancel(b.Context())
		ended := make(chan error, 1)
		go func() { ended <- c.ear.Run(ctx) }()
		<-c.up
		before = ProcessorTime(b)
		began := time.Now()
		events := c.deal(inputs)
		c.kept(b)
		took, work := time.Since(began), ProcessorTime(b)-before
		stop()
		if err := <-ended; err != nil {
			b.Error(err)
		}
		for _, d := range c.tables {
			if found, err := s.Check(b.Context(), d.name, d.night.Journal.Reader, nil); err != nil || !found.Same() ||
				len(found.Extra) > 0 {
				b.Errorf("%s: %+v, %v", d.name, found, err)
			}
		}
		if err := s.Close(); err != nil {
			b.Error(err)
		}
		b.ReportMetric(float64(events)/took.Seconds(), "events/s")
		b.ReportMetric(float64(events)/(work-alone).Seconds(), "events/core-second")
		b.ReportMetric((work-alone).Seconds()/alone.Seconds(), "times-the-tables'-work")
		b.ReportMetric(0, "ns/op")
	}
}

// ProcessorTime is what this process has had of the processors.
func ProcessorTime(tb testing.TB) time.Duration {
	tb.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// crowd is many tables in this process, and the line over which a pit hears them.
type crowd struct {
	tables []*crowded
	ear    *replica.Ear
	up     chan struct{}
	mu     sync.Mutex
	to     replica.Listener // nil where no pit hears
}

type crowded struct {
	name  topic.Table
	night *journaltest.Night
	told  uint64 // the last record that was told
}

func newCrowd(b *testing.B, tables int) *crowd {
	b.Helper()
	c := &crowd{up: make(chan struct{})}
	folder := processes.FastDir(b)
	for n := range tables {
		name, err := topic.NewTable("wiesbaden", fmt.Sprintf("bj-%d", n+1))
		if err != nil {
			b.Fatal(err)
		}
		c.tables = append(c.tables, &crowded{
			name:  name,
			night: journaltest.NewNight(b, filepath.Join(folder, name.Name()), "wiesbaden", uint64(n)),
		})
	}
	return c
}

// deal has so many inputs at each table, as many tables at once as there are processors, and counts the events.
func (c *crowd) deal(inputs int) (events uint64) {
	var workers sync.WaitGroup
	for w := range runtime.NumCPU() {
		workers.Go(func() {
			for range inputs {
				for n := w; n < len(c.tables); n += runtime.NumCPU() {
					c.tables[n].night.Deal(1)
					c.tell(c.tables[n])
				}
			}
		})
	}
	workers.Wait()
	for _, d := range c.tables {
		_, next := d.night.Journal.Next()
		events += next - 1
	}
	return events
}

// tell tells the pit what is new at a table.
func (c *crowd) tell(d *crowded) {
	if c.ear == nil {
		return
	}
	last, _, err := d.night.Journal.Head()
	if err != nil {
		panic(err)
	}
	if last > d.told {
		c.answer(d, topic.Fetch{Reader: topic.Stream, Journal: d.night.Journal.ID(), After: d.told})
		d.told = last
	}
}

// health tells the pit how far a table's journal goes.
func (c *crowd) health(b *testing.B, d *crowded) {
	b.Helper()
	record, hash, err := d.night.Journal.Head()
	if err != nil {
		b.Fatal(err)
	}
	c.say(d.name.Topic(topic.KindHealth), topic.AppendHealth(nil, topic.Health{
		Site: d.name.Site(), Table: d.name.Name(), Boot: 1, Time: d.night.Now,
		Journal: topic.Journal{Head: &topic.Head{
			ID: d.night.Journal.ID(), Record: record,
			Hash: fmt.Sprintf("%x", hash),
		}},
	}))
}

func (c *crowd) say(name string, payload []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.to.Message(name, payload)
}

// Hear is a line's.
func (c *crowd) Hear(ctx context.Context, to replica.Listener) error {
	c.to = to
	to.Connected(true, "")
	close(c.up)
	<-ctx.Done()
	return nil
}

// Say is a line's: a table answers.
func (c *crowd) Say(name string, payload []byte) error {
	table, _, err := topic.Parse(name)
	if err != nil {
		return err
	}
	fetch, err := topic.ParseFetch(payload)
	if err != nil {
		return err
	}
	for _, d := range c.tables {
		if d.name == table {
			go c.answer(d, fetch)
		}
	}
	return nil
}

func (c *crowd) answer(d *crowded, fetch topic.Fetch) {
	records, err := publish.Fetched(d.night.Journal, fetch)
	if err != nil {
		panic(err)
	}
	records.Site, records.Table = d.name.Site(), d.name.Name()
	c.say(d.name.Records(fetch.Reader), topic.AppendRecords(nil, records))
}

// kept waits until the pit has every record.
func (c *crowd) kept(b *testing.B) {
	b.Helper()
	heads := map[topic.Table]replica.Position{}
	for _, d := range c.tables {
		head, _, err := d.night.Journal.Head()
		if err != nil {
			b.Fatal(err)
		}
		heads[d.name] = replica.Position{Journal: d.night.Journal.ID(), Record: head}
	}
	told := time.Time{}
	// A look every moment takes little of the time that is measured.
	for complete := 0; complete < len(heads); time.Sleep(5 * time.Millisecond) {
		if complete = 0; time.Since(told) > time.Second {
			told = time.Now()
			for _, d := range c.tables {
				c.health(b, d) // some inputs bring no event
			}
		}
		for _, t := range c.ear.Progress() {
			if t.Has == heads[t.Table] {
				complete++
			}
		}
		if b.Context().Err() != nil {
			b.Fatalf("%d of %d tables are complete", complete, len(heads))
		}
	}
}
