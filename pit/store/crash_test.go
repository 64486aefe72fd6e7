package store_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// The test binary is also the pit that is killed: with the variable set, it keeps what the
// journals of a folder have, and prints each record that is kept durably.
const childVariable = "SABOT_STORE_CHILD"

// mostStored limits the files of the child, as a full disk does; it has none by default.
const limitVariable = "SABOT_STORE_LIMIT"

func TestMain(m *testing.M) {
	source, folder, ok := strings.Cut(os.Getenv(childVariable), "|")
	if !ok {
		status := m.Run()
		server.end()
		os.Exit(status)
	}
	if err := keepAll(source, folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// server is the PostgreSQL server of all tests that do not stop it.
var server = &forever{}

// TempDir is a folder that is there until the end.
func (f *forever) TempDir() string {
	dir, err := os.MkdirTemp("", "sabot-store-")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			f.Error(err)
		}
	})
	return dir
}

// forever is a test that ends with all tests.
type forever struct {
	testing.TB
	once sync.Once
	*journaltest.Postgres
	empty string // a database with the store's tables, which each test gets a copy of
	ends  []func()
}

func (f *forever) Helper()                           {}
func (f *forever) Cleanup(end func())                { f.ends = append(f.ends, end) }
func (f *forever) Fatal(args ...any)                 { panic(fmt.Sprint(args...)) }
func (f *forever) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
func (f *forever) Error(args ...any)                 { f.Fatal(args...) }
func (f *forever) Errorf(format string, args ...any) { f.Fatalf(format, args...) }

// source is a database of the server with empty tables.
func (f *forever) source() string {
	f.once.Do(func() {
		f.Postgres = journaltest.NewPostgres(f, "jit=off", "full_page_writes=off", "autovacuum=off")
		f.empty = f.Source()
		s, err := store.Open(context.Background(), store.Options{Source: f.empty, Log: slog.New(slog.DiscardHandler)})
		if err == nil {
			err = s.Close()
		}
		if err != nil {
			f.Fatal(err)
		}
	})
	return f.Copy(f.empty)
}

func (f *forever) end() {
	for _, end := range slices.Backward(f.ends) {
		end()
	}
}

// keepAll keeps the journals of a folder, all at once and a few records at a time.
func keepAll(source, folder string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Source: source, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	var limit uint64
	if _, err := fmt.Sscan(os.Getenv(limitVariable), &limit); err == nil {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			return err
		}
	}
	journals, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	failed := make(chan error, len(journals))
	for _, entry := range journals {
		if !entry.IsDir() {
			continue
		}
		all.Go(func() { failed <- keepOne(ctx, s, entry.Name(), filepath.Join(folder, entry.Name())) })
	}
	all.Wait()
	close(failed)
	for wrong := range failed {
		err = errors.Join(err, wrong)
	}
	return errors.Join(err, s.Close())
}

func keepOne(ctx context.Context, s *store.Store, name, folder string) error {
	of, err := topic.NewTable("wiesbaden", name)
	if err != nil {
		return err
	}
	r, err := journal.OpenReadOnly(folder)
	if err != nil {
		return err
	}
	defer r.Close()
	_, after, _, err := s.Position(ctx, of)
	if err != nil {
		return err
	}
	fmt.Println("has", name, after)
	for {
		stretch, err := r.Stretch(after, 2000)
		if err != nil || len(stretch.Frames) == 0 {
			return err
		}
		if _, err := s.Append(ctx, &store.Batch{Table: of, Journal: r.ID(), Stretch: stretch}); err != nil {
			return err
		}
		after += uint64(len(stretch.Frames))
		fmt.Println("kept", name, after)
	}
}

// tables are tables whose journals a child keeps.
type tables struct {
	t      *testing.T
	folder string
	nights []*journaltest.Night
	// kept is the last record of each that a child has said to be durable.
	kept map[string]uint64
}

func newTables(t *testing.T, number int) *tables {
	all := &tables{t: t, folder: tabletest.FastDir(t), kept: map[string]uint64{}}
	for i := range number {
		n := journaltest.NewNight(t, filepath.Join(all.folder, fmt.Sprintf("bj%d", i)),
			[]string{"wiesbaden", "baden", "mendrisio"}[i%3], uint64(i)+7)
		n.Mistakes = i % 2
		all.nights = append(all.nights, n)
	}
	return all
}

func (all *tables) deal(inputs int) {
	for _, n := range all.nights {
		n.Deal(inputs)
	}
}

// child starts a child, and kills it after it has said that so many stretches are kept, or lets
// it end for 0. It returns what the child complained of.
func (all *tables) child(source string, kill int, more ...string) string {
	all.t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(append(os.Environ(), childVariable+"="+source+"|"+all.folder), more...)
	var complaint strings.Builder
	c.Stderr = &complaint
	out, err := c.StdoutPipe()
	if err != nil {
		all.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		all.t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var word, name string
		var record uint64
		if _, err := fmt.Sscan(lines.Text(), &word, &name, &record); err != nil {
			all.t.Fatalf("%q: %v", lines.Text(), err)
		}
		if word == "has" && record < all.kept[name] {
			all.t.Fatalf("table %s has %d records; %d were durable before the kill", name, record, all.kept[name])
		}
		all.kept[name] = max(all.kept[name], record)
		if word == "kept" {
			if kill--; kill == 0 {
				c.Process.Kill() //nolint:errcheck // it may have ended
				io.Copy(io.Discard, out)
				break
			}
		}
	}
	c.Wait() //nolint:errcheck // it was killed, or has complained
	return complaint.String()
}

// complete keeps the rest, and compares all with the journals.
func (all *tables) complete(source string) {
	all.t.Helper()
	if wrong := all.child(source, 0); wrong != "" {
		all.t.Fatal(wrong)
	}
	s, err := store.Open(all.t.Context(), store.Options{Source: source, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		all.t.Fatal(err)
	}
	defer s.Close()
	for i := range all.nights {
		name := fmt.Sprintf("bj%d", i)
		same(all.t, s, table(all.t, name), reader(all.t, filepath.Join(all.folder, name)))
	}
}

// TestKilled: a pit that is killed at any time has lost nothing of what was durable, and has
// every record and every figure exactly once when it has caught up.
func TestKilled(t *testing.T) {
	onEachInSoak(t, func(t *testing.T, source string) {
		all, dice := newTables(t, 4), rand.New(rand.NewPCG(50, 1))
		for range 50 / store.Lighter {
			all.deal(40)
			if wrong := all.child(source, 1+dice.IntN(30)); wrong != "" {
				t.Fatal(wrong)
			}
		}
		all.complete(source)
	})
}

// TestFullDisk: what does not fit on the disk is an error, and is kept when there is room.
func TestFullDisk(t *testing.T) {
	source := filepath.Join(tabletest.FastDir(t), "pit.db")
	all := newTables(t, 3)
	all.deal(100)
	if wrong := all.child(source, 0); wrong != "" {
		t.Fatal(wrong)
	}
	info, err := os.Stat(source)
	if err != nil {
		t.Fatal(err)
	}
	full := 0
	for i := range 10 / min(store.Lighter, 3) {
		all.deal(200)
		wrong := all.child(source, 0, fmt.Sprintf("%s=%d", limitVariable, info.Size()+int64(i)*8192))
		if strings.Contains(wrong, "the pit's store") {
			full++
		} else if wrong != "" {
			t.Fatal(wrong)
		}
	}
	if full == 0 {
		t.Error("the disk was never full")
	}
	all.complete(source)
}

// TestDatabaseAway: while PostgreSQL is stopped, or has crashed, nothing can be kept; when it is
// back, all is, without another start of the pit.
func TestDatabaseAway(t *testing.T) {
	tier.Soak(t, "a PostgreSQL server that is stopped and killed")
	server := journaltest.NewPostgres(t)
	source := server.Source()
	s := open(t, source)
	all := newTables(t, 4)
	var failed int
	for turn := range 6 {
		all.deal(300)
		away := make(chan bool)
		go func() {
			defer close(away)
			if turn%2 == 0 {
				server.Stop()
			} else {
				server.Kill()
			}
			server.Start()
		}()
		for i := range all.nights {
			name := table(t, fmt.Sprintf("bj%d", i))
			r := reader(t, filepath.Join(all.folder, name.Name()))
			brokertest.Until(t, "the database keeps "+name.Name(), func() bool {
				err := s.Refill(context.Background(), name, r, nil)
				if err != nil {
					failed++
				}
				return err == nil
			})
		}
		<-away
	}
	after := open(t, source) // with connections that are all newer than the last stop
	for i := range all.nights {
		name := fmt.Sprintf("bj%d", i)
		same(t, after, table(t, name), reader(t, filepath.Join(all.folder, name)))
	}
	if failed == 0 {
		t.Error("the database was never away")
	}
}
