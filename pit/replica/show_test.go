package replica

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
	"github.com/sabot-table/sabot/table/vocab"
)

// dealt is a real table's journal, and a pit that hears it.
type dealt struct {
	*house
	name  topic.Table
	night *journaltest.Night
	said  uint64
	lose  bool // what it says by itself is lost
	// pruned says that the set-up was removed with the records of its time.
	pruned bool
	boot   uint64
	// hangs says that the database does not answer, and looks counts how often its journals' ends were looked at.
	hangs bool
	looks int
	known []topic.Table
}

func newDealt(t *testing.T) *dealt {
	d := &dealt{house: newHouse(t), name: tableNamed(t, "bj-1"), boot: 1}
	d.night = journaltest.NewNight(t, filepath.Join(tabletest.FastDir(t), "journal"), "wiesbaden", 11)
	d.night.Flush()
	return d
}

// answering is the line: the table answers.
type answering struct {
	*fakeLine
	d *dealt
}

func (l answering) Say(_ string, payload []byte) error {
	fetch, err := topic.ParseFetch(payload)
	if err != nil {
		return err
	}
	go func() {
		bubble.Pass(10 * time.Millisecond)
		l.d.says(fetch)
	}()
	return nil
}

func (d *dealt) says(f topic.Fetch) {
	r, err := publish.Fetched(d.night.Journal, f)
	if err != nil {
		d.Error(err)
		return
	}
	r.Site, r.Table = d.name.Site(), d.name.Name()
	d.line.send(d.name.Records(f.Reader), topic.AppendRecords(nil, r))
}

// soFar is the journal as far as it is kept.
type soFar struct {
	*journal.Reader
	has    func() uint64
	pruned bool
}

func (s soFar) SetUp(seq uint64) ([]byte, error) {
	if s.pruned {
		return nil, store.ErrUnknown
	}
	return s.Reader.SetUp(seq)
}

func (s soFar) Head() (uint64, [32]byte, error) { return s.has(), [32]byte{}, nil }

func (s soFar) Records(from uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for rec, err := range s.Reader.Records(from) {
			if rec.Seq > s.has() || !yield(rec, err) {
				return
			}
		}
	}
}

// hears starts a pit; another one keeps the table where elsewhere says so.
func (d *dealt) hears(elsewhere bool) {
	d.floor = floor.New(floor.Options{})
	o := Options{Reader: "pit", Alerts: d.store, Known: d.known, Log: slog.New(slog.DiscardHandler), Live: LiveSource{
		Houses: profile.Built(), DayOf: func(at time.Time) time.Time { return at.Truncate(24 * time.Hour) },
		Records: func(ctx context.Context, table topic.Table, _ string) (recall.Records, error) {
			if d.hangs {
				bubble.Pass(5 * time.Second)
				return nil, errors.New("the database does not answer")
			}
			_, head, _, err := d.store.Position(ctx, table)
			if err != nil || head == 0 {
				return nil, err
			}
			return soFar{d.night.Journal.Reader, func() uint64 {
				d.looks++
				_, head, _, _ := d.store.Position(ctx, table)
				return head
			}, d.pruned}, nil
		},
	}}
	if elsewhere {
		o.Nodes = onlooker{}
	}
	d.ear = New(o, answering{d.line, d}, d.floor, d.store)
	if err := d.ear.Restore(d.Context()); err != nil {
		d.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- d.ear.Run(ctx) }()
	d.stop = func() {
		cancel()
		if err := <-done; err != nil {
			d.Error(err)
		}
	}
	synctest.Wait()
}

// onlooker is a node that keeps no table.
type onlooker struct{}

func (onlooker) Epoch(topic.Table) int64                   { return 0 }
func (onlooker) Live() bool                                { return true }
func (onlooker) Say(context.Context, []floor.Word) error   { return nil }
func (onlooker) Heard(context.Context, []floor.Word) error { return nil }
func (onlooker) Run(ctx context.Context, _ store.Listener) { <-ctx.Done() }

// deal has so many inputs be recorded, each said by itself.
func (d *dealt) deal(inputs int) {
	d.Helper()
	for range inputs {
		d.night.Deal(1)
		d.saysNew()
	}
}

func (d *dealt) saysNew() {
	last, _, err := d.night.Journal.Head()
	if err != nil {
		d.Fatal(err)
	}
	if !d.lose {
		d.says(topic.Fetch{Reader: topic.Stream, Journal: d.night.Journal.ID(), After: d.said})
	}
	d.said = last
}

func (d *dealt) beats() {
	record, hash, err := d.night.Journal.Head()
	if err != nil {
		d.Fatal(err)
	}
	d.line.send(d.name.Topic(topic.KindHealth), topic.AppendHealth(nil, topic.Health{
		Site: d.name.Site(), Table: d.name.Name(), Boot: d.boot, Time: time.Now(), Journal: topic.Journal{
			Head: &topic.Head{ID: d.night.Journal.ID(), Record: record, Hash: hex.EncodeToString(hash[:])},
		},
	}))
	d.said = record
}

// shows wants the floor to show the table as its last record has it.
func (d *dealt) shows(when string) {
	d.Helper()
	synctest.Wait()
	want, _, err := d.night.Journal.Head()
	if err != nil {
		d.Fatal(err)
	}
	if v, ok := d.floor.View(d.name); !ok || v.Seq != want {
		d.Errorf("%s the floor shows the table after record %d (%t), not %d", when, v.Seq, ok, want)
	}
}

// TestShownAsHeard: a table is shown as soon as it says its records, also while the store is away; what was lost is
// shown once it is fetched, and a pit that begins shows what is kept.
func TestShownAsHeard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDealt(t)
		d.deal(40)
		d.hears(false)
		d.beats()
		bubble.Settle(time.Second)
		d.shows("at first")
		for range 60 {
			d.deal(1)
			d.shows("at once")
		}
		bubble.Settle(time.Second)
		if sums, ok := d.floor.Totals(d.name); !ok || sums.Day.Rounds == 0 {
			t.Errorf("the day has %+v, %t", sums.Day, ok)
		}
		d.store.broke(errors.New("away"))
		d.deal(30)
		d.shows("without a store")
		d.store.broke(nil)
		bubble.Settle(time.Minute)
		d.lose = true
		d.deal(5)
		d.lose = false
		d.deal(5)
		bubble.Settle(200 * time.Millisecond)
		d.shows("after a loss")
		d.stop()

		d.hears(false)
		d.beats()
		bubble.Settle(time.Second)
		d.shows("after a start")
		d.lose = true
		d.deal(7)
		d.beats() // as an earlier table, which says nothing by itself
		bubble.Settle(time.Second)
		d.shows("with the heartbeat")
		d.stop()

		d.lose, d.pruned = false, true
		d.hears(false)
		d.beats()
		d.deal(1)
		bubble.Settle(time.Second)
		d.shows("without the set-up's record")
		d.stop()
	})
}

// TestShownBeforeAllIsKept: a pit that lacks months of a table shows at once how it stands, and then what comes.
func TestShownBeforeAllIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDealt(t)
		d.deal(4000)
		d.hears(false)
		d.beats()
		bubble.Settle(35 * time.Millisecond)
		d.shows("at once")
		if _, kept, _, _ := d.store.Position(t.Context(), d.name); kept > 1000 {
			t.Errorf("%d records are kept already: the test shows nothing", kept)
		}
		for range 5 {
			d.deal(3)
			d.shows("meanwhile")
			bubble.Settle(20 * time.Millisecond)
		}
		bubble.Settle(5 * time.Second)
		d.shows("in the end")
		head, _, err := d.night.Journal.Head()
		if _, kept, _, _ := d.store.Position(t.Context(), d.name); err != nil || kept != head {
			t.Errorf("%d records are kept of %d, %v", kept, head, err)
		}
		if sums, ok := d.floor.Totals(d.name); !ok || sums.Day.Rounds == 0 {
			t.Errorf("the day has %+v, %t", sums.Day, ok)
		}
		d.stop()
	})
}

// TestShownWithoutADatabase: while the database does not answer, tables are shown as they are heard, however many
// others would be read; and it is not asked for what is known.
func TestShownWithoutADatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDealt(t)
		d.deal(40)
		d.hears(false)
		d.beats()
		bubble.Settle(3 * time.Second)
		d.shows("at first")
		d.looks = 0
		bubble.Settle(time.Minute)
		if d.looks > 0 {
			t.Errorf("the database is asked %d times in a minute in which nothing happens", d.looks)
		}
		d.hangs = true
		for n := range 20 {
			other := tableNamed(t, fmt.Sprintf("bj-%d", n+2))
			d.line.send(other.Topic(topic.KindHealth), topic.AppendHealth(nil, topic.Health{
				Site: other.Site(), Table: other.Name(), Boot: 1, Time: time.Now(), Journal: topic.Journal{
					Head: &topic.Head{ID: fmt.Sprintf("%032x", n), Record: 7, Hash: strings.Repeat("00", 32)},
				},
			}))
		}
		for range 10 {
			d.deal(1)
			bubble.Settle(6 * time.Second)
			d.shows("meanwhile")
		}
		d.hangs = false
		d.stop()
	})
}

// TestShownAsKept: a hub that begins shows a table of which nothing is retained as it is kept, until it is heard: that
// it is away is no news, and what it had raised is none.
func TestShownAsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDealt(t)
		d.deal(40)
		d.hears(false)
		d.beats()
		bubble.Settle(time.Second)
		d.stop()
		d.known = []topic.Table{d.name}
		d.night.Now = time.Now()
		d.hears(false)
		bubble.Settle(time.Second)
		d.shows("before it is heard")
		bubble.Settle(2 * time.Minute)
		if tile := d.floor.Tiles()[0]; tile.Standing != floor.Offline || len(d.floor.Alerts()) > 0 {
			t.Errorf("the table is %s, with %+v", tile.Standing, d.floor.Alerts())
		}
		d.beats()
		d.deal(3)
		d.shows("once it is heard")
		bubble.Settle(time.Second)
		if _, ok := d.floor.Totals(d.name); !ok || d.floor.Tiles()[0].Standing == floor.Offline {
			t.Errorf("it is %s", d.floor.Tiles()[0].Standing)
		}
		d.stop()

		bubble.Settle(8 * 24 * time.Hour)
		d.hears(false)
		bubble.Settle(time.Second)
		if tiles := d.floor.Tiles(); len(tiles) > 0 && tiles[0].Round > 0 {
			t.Errorf("a table that was taken away is shown: %+v", tiles)
		}
		d.stop()
	})
}

// TestShownByAnotherNode: a node that does not keep the table shows it all the same, and what it has not heard once
// another one has kept it.
func TestShownByAnotherNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDealt(t)
		d.deal(40)
		keeps := func() {
			head, _, err := d.night.Journal.Head()
			if err != nil {
				t.Fatal(err)
			}
			d.store.mu.Lock()
			d.store.has[d.name] = Position{d.night.Journal.ID(), head}
			d.store.mu.Unlock()
		}
		keeps()
		d.hears(true)
		d.beats()
		bubble.Settle(time.Second)
		d.shows("at first")
		d.deal(30)
		d.shows("at once")
		d.lose = true
		d.deal(3)
		d.lose = false
		d.deal(3)
		keeps()
		bubble.Settle(1100 * time.Millisecond)
		d.shows("after a loss")
		if p := d.ear.Progress(); len(p) != 1 || p[0].Asked {
			t.Errorf("the table was asked: %+v", p)
		}
		d.stop()
	})
}

// TestWhatIsPastIsNoNews: what was raised, put right and seen while the pit was away calls nobody, and what
// stands does.
func TestWhatIsPastIsNoNews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDealt(t)
		d.deal(20)
		d.hears(false)
		d.beats()
		bubble.Settle(time.Second)
		d.stop()
		d.night.Take(vocab.Input{Kind: vocab.InFloor, Floor: vocab.FloorCall{Event: vocab.FloorCalled}})
		d.deal(1000)
		d.night.Take(vocab.Input{
			Kind: vocab.InFloor, Floor: vocab.FloorCall{Event: vocab.FloorDone}, By: "keller", Role: vocab.Supervisor,
		})
		d.deal(1000)
		d.hears(false)
		d.beats()
		bubble.Settle(3 * time.Second)
		d.shows("after a day away")
		for _, a := range append(d.floor.Alerts(), d.floor.History()...) {
			if a.Code == "floor-called" {
				t.Errorf("an alert of yesterday: %+v", a)
			}
		}
		if pace := d.floor.Tiles()[0].PerHour; pace != 0 {
			t.Errorf("the rounds of a day away make %d an hour", pace)
		}
		d.stop()
	})
}

// TestRecordsThatAreNone: whoever may write to the broker says records that no table has; the pit goes on, and the
// table is shown again once its own come.
func TestRecordsThatAreNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDealt(t)
		d.deal(40)
		d.hears(false)
		d.beats()
		bubble.Settle(time.Second)
		d.ear.showing(d.name, func(*Table) error { panic("index out of range") })
		bubble.Settle(readAgain + time.Second)
		d.beats()
		bubble.Settle(time.Second)
		d.shows("afterwards")
		d.stop()
	})
}

// TestAMadeUpRecord: one message that no table has sent does not keep a table from being shown.
func TestAMadeUpRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDealt(t)
		d.deal(40)
		d.hears(false)
		d.beats()
		bubble.Settle(time.Second)
		frame := []json.RawMessage{
			json.RawMessage(`{"in":"open"}`),
			json.RawMessage(fmt.Sprintf(`{"record":1000001,"event":1,"hash":"%064x"}`, 1)),
		}
		d.line.send(d.name.Records(topic.Stream), topic.AppendRecords(nil, topic.Records{
			Site: d.name.Site(), Table: d.name.Name(), Boot: 9, Journal: d.night.Journal.ID(), After: 1_000_000,
			Head:    topic.Head{ID: d.night.Journal.ID(), Record: 1_000_001, Hash: strings.Repeat("00", 32)},
			Records: [][]json.RawMessage{frame},
		}))
		synctest.Wait()
		d.deal(1)
		d.shows("after it")
		bubble.Settle(time.Minute)
		d.deal(1)
		d.shows("a minute later")
		d.stop()
	})
}
