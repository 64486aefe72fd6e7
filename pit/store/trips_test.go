package store

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// asking is a way to a server that counts how often it was asked: how often something was said to it after an answer.
type asking struct {
	asked  atomic.Int64
	asks   atomic.Bool // the last that went over it was a question
	cut    atomic.Bool // it breaks off
	starts atomic.Bool // it answers as a server that has just been started
	tried  atomic.Int64

	mu   sync.Mutex
	ways []net.Conn
}

// hangUp breaks off all connections.
func (a *asking) hangUp() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, way := range a.ways {
		_ = way.Close()
	}
}

func (a *asking) Write(b []byte) (int, error) {
	if !a.asks.Swap(true) {
		a.asked.Add(1)
	}
	return len(b), nil
}

type answers struct{ *asking }

func (a answers) Write(b []byte) (int, error) {
	a.asks.Store(false)
	return len(b), nil
}

// between listens before a server. Each connection to it counts in the same asking.
func between(t *testing.T, server string) (address string, a *asking) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	a = &asking{}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			a.tried.Add(1)
			if starts := a.starts.Load(); starts || a.cut.Load() {
				if starts {
					startsUp(near)
				}
				near.Close()
				continue
			}
			far, err := net.Dial("tcp", server)
			if err != nil {
				near.Close()
				continue
			}
			a.mu.Lock()
			a.ways = append(a.ways, near, far)
			a.mu.Unlock()
			all.Go(func() { _, _ = io.Copy(far, io.TeeReader(near, a)); far.Close() })
			all.Go(func() { _, _ = io.Copy(near, io.TeeReader(far, answers{a})); near.Close() })
		}
	})
	t.Cleanup(func() { l.Close(); all.Wait() })
	return l.Addr().String(), a
}

// startsUp answers as a server that takes nobody yet.
func startsUp(near net.Conn) {
	no := pgproto3.ErrorResponse{Severity: "FATAL", Code: "57P03", Message: "the database system is starting up"}
	text, err := no.Encode(nil)
	if err == nil {
		_, err = near.Read(make([]byte, 1<<10)) // which has to come first
	}
	if err == nil {
		_, _ = near.Write(text)
	}
}

// nodeOver is a store of a node that has taken all tables, and a journal of which it keeps copies.
func nodeOver(t *testing.T) (s *Store, r *journal.Reader, a *asking) {
	t.Helper()
	tier.Landing(t, "a PostgreSQL server")
	server := journaltest.NewPostgres(t)
	address, a := between(t, server.Address())
	s, err := Open(t.Context(), Options{
		Source: strings.Replace(server.Source(), server.Address(), address, 1), Node: "a",
		Silence: time.Minute, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	took := make(taking)
	var shares sync.WaitGroup
	shares.Go(func() { s.Nodes().Run(ctx, took) })
	t.Cleanup(func() {
		stop()
		shares.Wait()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	<-took
	brokertest.Until(t, "the node has all tables", func() bool { return s.Nodes().Held() == s.Nodes().Parts() })
	folder := filepath.Join(fastDir(t), "journal")
	journaltest.NewNight(t, folder, "wiesbaden", 1).Deal(300)
	if r, err = journal.OpenReadOnly(folder); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return s, r, a
}

// saysToo has a table say a piece of a journal, and how it stands after it.
func saysToo(ctx context.Context, s *Store, name string, stretch journal.Stretch, health bool) error {
	of, err := topic.NewTable("wiesbaden", name)
	if err != nil {
		return err
	}
	last, err := s.Append(ctx, &Batch{Table: of, Journal: name, Stretch: stretch})
	if err != nil || !health {
		return err
	}
	rec, err := journal.ParseRecord(stretch.Frames[len(stretch.Frames)-1])
	if err != nil {
		return err
	}
	at := time.Unix(0, rec.At)
	head := topic.Head{ID: name, Record: last, Hash: hex.EncodeToString(rec.Hash[:])}
	return cmp.Or(s.Witness(ctx, of, head, at), s.Told(ctx, of, Told{Head: head, Boot: 1, At: at}))
}

// TestFewQuestions: what many tables say at once, and how they are, costs fewer questions to PostgreSQL than there are
// tables: the ways there and back would take most of the time.
func TestFewQuestions(t *testing.T) {
	s, r, a := nodeOver(t)
	const tables, pieces = 30, 40
	for n, last := 0, uint64(0); n < pieces; n++ {
		stretch, err := r.Stretch(last, 1000)
		if err != nil {
			t.Fatal(err)
		}
		last = stretch.After + uint64(len(stretch.Frames))
		if n == 10 { // once all that is remembered was read
			a.asked.Store(0)
		}
		var all sync.WaitGroup
		for i := range tables {
			all.Go(func() {
				if err := saysToo(t.Context(), s, fmt.Sprintf("bj-%d", i), stretch, n%10 == 0); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	if asked := a.asked.Load(); asked > tables*(pieces-10) {
		t.Errorf("the database was asked %d times for %d times what %d tables said", asked, pieces-10, tables)
	}
}

// TestAValueThatCannotBeWritten: a value that PostgreSQL does not have is refused by itself. That it is one found the
// driver out when it had begun to send, and the connection was gone for all tables.
func TestAValueThatCannotBeWritten(t *testing.T) {
	s, r, a := nodeOver(t)
	stretch, err := r.Stretch(0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if err := saysToo(t.Context(), s, "bj-1", stretch, true); err != nil {
		t.Fatal(err)
	}
	of, err := topic.NewTable("wiesbaden", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	before := a.tried.Load()
	err = s.Told(t.Context(), of, Told{
		Head: topic.Head{ID: "bj-1"}, Boot: 1, Heard: 1 << 63, At: time.Now().AddDate(100, 0, 0),
	})
	if err == nil || !s.Unfit(t.Context(), err) {
		t.Errorf("event %d is heard: %v, for which the database is to blame", uint64(1<<63), err)
	}
	if tried := a.tried.Load() - before; tried > 0 {
		t.Errorf("the connection was broken off: %d were made since", tried)
	}
}

// TestAnOutageIsMetTogether: where the database is not reached, or takes nobody, what many tables say is tried
// together, not each by itself: with a server that does not answer each try takes seconds.
func TestAnOutageIsMetTogether(t *testing.T) {
	s, r, a := nodeOver(t)
	stretch, err := r.Stretch(0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for name, how := range map[string]*atomic.Bool{"cut": &a.cut, "starting": &a.starts} {
		how.Store(true)
		a.hangUp()
		before := a.tried.Load()
		var all sync.WaitGroup
		const tables = 50
		for i := range tables {
			all.Go(func() {
				if saysToo(t.Context(), s, fmt.Sprintf("bj-%d", i), stretch, false) == nil {
					t.Errorf("%s: what a table says is kept, and the database is not reached", name)
				}
			})
		}
		all.Wait()
		if tried := a.tried.Load() - before; tried > tables {
			t.Errorf("%s: the database was tried %d times for %d tables", name, tried, tables)
		}
		how.Store(false)
	}
}

// TestOneChangeFailsAlone: what ails one change fails none that is made together with it, whatever it looks like.
func TestOneChangeFailsAlone(t *testing.T) {
	s := openNew(t)
	w := newWriter(s)
	defer w.forget()
	var jobs []*job
	for _, outcome := range []error{nil, io.ErrUnexpectedEOF, nil} {
		jobs = append(jobs, &job{
			ctx: t.Context(), change: func(*writer) error { return outcome }, answer: make(chan error, 1),
		})
	}
	_ = w.serve(jobs)
	for i, j := range jobs {
		if err := <-j.answer; (err != nil) != (i == 1) {
			t.Errorf("change %d: %v", i+1, err)
		}
	}
}

// taking hears that a node has taken tables.
type taking chan struct{}

func (t taking) Moved() {
	select {
	case <-t:
	default:
		close(t)
	}
}
func (taking) Alerts([]floor.Alert) {}
func (taking) Words([]floor.Word)   {}
func (taking) Database(error)       {}
