package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	pitfloor "github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// node is one of several stores on one database.
type node struct {
	*store.Store
	end func()

	mu     sync.Mutex
	alerts []pitfloor.Alert
	words  []pitfloor.Word
	hangs  chan struct{} // the node hangs with the next word, until this is closed
	lost   []error       // why it could not use the database
	// inherited are the tables, of those that are watched, that it has taken over from a node that has died.
	watched   []topic.Table
	inherited map[topic.Table]bool
}

func (n *node) Moved() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, table := range n.watched {
		if n.Nodes().Inherited(table) {
			n.inherited[table] = true
		}
	}
}

func (n *node) Database(err error) {
	if err == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lost = append(n.lost, err)
}

func (n *node) Alerts(list []pitfloor.Alert) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.alerts = append(n.alerts, list...)
}

func (n *node) Words(list []pitfloor.Word) {
	n.mu.Lock()
	n.words = append(n.words, list...)
	hangs := n.hangs
	n.mu.Unlock()
	if hangs != nil {
		<-hangs
	}
}

// heard is how many words, and alerts, the node was told of.
func (n *node) heard() (words, alerts int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.words), len(n.alerts)
}

// join opens a store as a node, which takes its part, and does not lose it because the computer is slow.
func join(t *testing.T, source, name string) *node {
	t.Helper()
	return joinFor(t, source, name, time.Minute)
}

// joinFor is join for a node that loses its part when it is silent for so long, 0 as at a house.
func joinFor(t *testing.T, source, name string, silence time.Duration) *node {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{
		Source: source, Node: name, Silence: silence, Day: store.Day{Zone: time.UTC},
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	n := &node{Store: s}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var all sync.WaitGroup
	all.Go(func() { s.Nodes().Run(ctx, n) })
	n.end = sync.OnceFunc(func() {
		stop()
		all.Wait()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(n.end)
	return n
}

// room are so many tables, each with a journal.
type room struct {
	t       *testing.T
	tables  []topic.Table
	nights  []*journaltest.Night
	readers []*journal.Reader
}

func newRoom(t *testing.T, tables int) *room {
	r := &room{t: t}
	for i := range tables {
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		r.nights = append(r.nights, journaltest.NewNight(t, folder, "wiesbaden", uint64(i)+71))
		r.readers = append(r.readers, reader(t, folder))
		r.tables = append(r.tables, table(t, fmt.Sprintf("bj%d", i)))
	}
	return r
}

// writers are the nodes that may write each table; there is never more than one.
func (r *room) writers(nodes ...*node) (by []*node) {
	for _, table := range r.tables {
		var one *node
		for _, n := range nodes {
			if n.Nodes().Epoch(table) != 0 {
				one = n
			}
		}
		by = append(by, one)
	}
	return by
}

// shared waits until each part has a node, and no node more than its fair share: nobody gives one back any more, and so
// none moves.
func (r *room) shared(nodes ...*node) {
	r.t.Helper()
	parts := nodes[0].Nodes().Parts()
	fair := (parts + len(nodes) - 1) / len(nodes)
	brokertest.Until(r.t, "the nodes share the tables", func() bool {
		all := 0
		for _, n := range nodes {
			if n.Nodes().Held() > fair {
				return false
			}
			all += n.Nodes().Held()
		}
		return all == parts
	})
}

// keeps deals, and has each table's node keep that; the others refuse it.
func (r *room) keeps(nodes ...*node) {
	r.t.Helper()
	var all sync.WaitGroup
	for i, by := range r.writers(nodes...) {
		r.nights[i].Deal(30)
		for _, n := range nodes {
			all.Go(func() {
				err := n.Refill(r.t.Context(), r.tables[i], r.readers[i], nil)
				if n == by && err != nil || n != by && !errors.Is(err, store.ErrElsewhere) {
					n.mu.Lock()
					defer n.mu.Unlock()
					r.t.Errorf("%s at its node %t: %v; sessions lost: %v", r.tables[i], n == by, err, n.lost)
				}
			})
		}
	}
	all.Wait()
}

// TestNodesShareTheTables: each table is written by one node, whose leaving and return lose and double nothing; all
// number what they find by themselves.
func TestNodesShareTheTables(t *testing.T) {
	source := server.source()
	a, b, c := join(t, source, "a"), join(t, source, "b"), join(t, source, "c")
	room := newRoom(t, 9)
	room.shared(a, b, c)
	room.keeps(a, b, c)
	b.end()
	room.shared(a, c)
	room.keeps(a, c)
	d := join(t, source, "d")
	room.shared(a, c, d)
	room.keeps(a, c, d)
	for i, table := range room.tables {
		same(t, a.Store, table, room.readers[i])
	}
}

// TestANodeThatHangs: a node that says nothing any more loses its part to another one soon, and that one knows it; when
// it goes on, it writes nothing, whatever it still takes for its own.
func TestANodeThatHangs(t *testing.T) {
	source := server.source()
	a, b := joinFor(t, source, "a", 0), join(t, source, "b")
	room := newRoom(t, 12)
	room.shared(a, b)
	b.mu.Lock()
	b.watched, b.inherited = room.tables, map[topic.Table]bool{}
	b.mu.Unlock()
	hangs := make(chan struct{})
	goesOn := sync.OnceFunc(func() { close(hangs) })
	defer goesOn()
	a.mu.Lock()
	a.hangs = hangs
	a.mu.Unlock()
	words := []pitfloor.Word{{Alert: "x", What: pitfloor.Coming, By: "anna", At: time.Now()}}
	if err := b.Nodes().Say(t.Context(), words); err != nil {
		t.Fatal(err)
	}
	brokertest.Until(t, "the node hangs", func() bool { words, _ := a.heard(); return words > 0 })
	was := room.writers(a)
	brokertest.Until(t, "the other one has all of it, and knows it", func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		for i, n := range room.writers(b) {
			if n == nil || was[i] != nil && !b.inherited[room.tables[i]] {
				return false
			}
		}
		return true
	})
	for i, n := range was {
		if n == nil {
			continue
		}
		room.nights[i].Deal(10)
		if err := a.Refill(t.Context(), room.tables[i], room.readers[i], nil); !errors.Is(err, store.ErrElsewhere) {
			t.Errorf("%s: the node that has lost it writes: %v", room.tables[i], err)
		}
	}
	room.keeps(b)
	goesOn()
	brokertest.Until(t, "it has tables again", func() bool { return a.Nodes().Held() > 0 })
	b.end()
	brokertest.Until(t, "it keeps a table again", func() bool { // which its lost session may still prevent
		return a.Refill(t.Context(), room.tables[0], room.readers[0], nil) == nil
	})
	for i, table := range room.tables {
		same(t, a.Store, table, room.readers[i])
	}
}

// TestACommandBesideNodes: a command that would write a node's table is told so, and writes once the node is gone, also
// what it had written before the node came.
func TestACommandBesideNodes(t *testing.T) {
	source := server.source()
	alone, room := open(t, source), newRoom(t, 2)
	room.nights[0].Deal(30)
	if err := alone.Refill(t.Context(), room.tables[0], room.readers[0], nil); err != nil {
		t.Fatal(err)
	}
	a := join(t, source, "a")
	room.shared(a)
	room.keeps(a)
	if err := alone.Refill(t.Context(), room.tables[1], room.readers[1], nil); !errors.Is(err, store.ErrElsewhere) {
		t.Errorf("a command writes beside a node: %v", err)
	}
	a.end()
	room.nights[0].Deal(30)
	if err := alone.Refill(t.Context(), room.tables[0], room.readers[0], nil); err != nil {
		t.Error(err)
	}
	same(t, alone, room.tables[0], room.readers[0])
}

// TestNodesTellEachOther: what is kept of an alert at one node, and what a person says at it, the other one hears.
func TestNodesTellEachOther(t *testing.T) {
	source := server.source()
	a, b := join(t, source, "a"), join(t, source, "b")
	newRoom(t, 8).shared(a, b)
	alert := pitfloor.Alert{ID: "wiesbaden.bj0.table-offline.1", Table: table(t, "bj0"), Code: pitfloor.TableOffline}
	if err := a.KeepAlerts(t.Context(), []pitfloor.Alert{alert}); err != nil {
		t.Fatal(err)
	}
	word := pitfloor.Word{Alert: alert.ID, What: pitfloor.Acknowledged, By: "anna", Note: "seen", At: time.Now()}
	if err := a.Nodes().Say(t.Context(), []pitfloor.Word{word, word}); err != nil {
		t.Fatal(err)
	}
	brokertest.Until(t, "the other node hears both", func() bool {
		words, alerts := b.heard()
		return words > 0 && alerts > 0
	})
	b.mu.Lock()
	defer b.mu.Unlock()
	if said := b.words[0]; said.Alert != word.Alert || said.By != "anna" || said.Note != "seen" ||
		!said.At.Equal(word.At) {
		t.Errorf("the other node heard %+v", said)
	}
	if b.alerts[0].ID != alert.ID {
		t.Errorf("the other node heard of %+v", b.alerts[0])
	}
	if err := b.Nodes().Heard(t.Context(), b.words[:1]); err != nil {
		t.Fatal(err)
	}
	err := a.Change(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		var left int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM alert_word`).Scan(&left); err != nil || left > 0 {
			t.Errorf("%d words are left: %v", left, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestASessionAtEveryNode: who has entered at one node is in at the other, also who has left, and the log counts
// without a gap.
func TestASessionAtEveryNode(t *testing.T) {
	source := server.source()
	a, b := join(t, source, "a"), join(t, source, "b")
	id := people.ID{7}
	var all sync.WaitGroup
	for i := range 20 {
		s := []*node{a, b}[i%2]
		all.Go(func() {
			err := s.ChangePeople(t.Context(), func(tx people.Tx) error {
				return tx.Note(people.Entry{At: time.Now(), What: people.Acted})
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	session := people.Session{ID: id, Name: "anna", Began: time.Now(), Used: time.Now()}
	if err := a.ChangePeople(t.Context(), func(tx people.Tx) error {
		return errors.Join(tx.PutPerson(people.Person{Name: "anna", Role: people.Manager, Added: time.Now()}),
			tx.PutSession(session))
	}); err != nil {
		t.Fatal(err)
	}
	in := func(at *node) (in bool) {
		err := at.ReadPeople(t.Context(), func(tx people.Tx) (err error) {
			_, in, err = tx.Session(id)
			return err
		})
		if err != nil {
			t.Error(err)
		}
		return in
	}
	if !in(b) {
		t.Error("a session of one node is none at the other")
	}
	if err := b.ChangePeople(t.Context(), func(tx people.Tx) error { return tx.EndSession(id) }); err != nil {
		t.Fatal(err)
	}
	if in(a) {
		t.Error("a session that ended at one node goes on at the other")
	}
	err := a.ReadPeople(t.Context(), func(tx people.Tx) error {
		notes, err := tx.Notes(people.Query{Most: 100})
		if len(notes) != 20 || notes[0].Number != 20 {
			t.Errorf("the log has %d lines, up to %d", len(notes), notes[0].Number)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
