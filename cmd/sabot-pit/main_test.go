package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/pit"
	"github.com/sabot-table/sabot/pit/store"
)

func TestMain(m *testing.M) { processes.Main(m) }

// checked is what sabot-pit check-config says of a configuration, without a process of its own.
func checked(t testing.TB, config string) processes.Ended {
	t.Helper()
	var out, errOut bytes.Buffer
	status := run(t.Context(), []string{"check-config", config}, &out, &errOut)
	return processes.Ended{Status: status, Out: out.String(), Err: errOut.String()}
}

// refused is how sabot-pit ends that is started with a configuration which it should refuse, without a process of its
// own. One that is started all the same ends as soon as it is ready.
func refused(t testing.TB, config string) processes.Ended {
	t.Helper()
	ctx, end := context.WithTimeout(t.Context(), processes.Deadline)
	defer end()
	var out, errOut bytes.Buffer
	status := run(ctx, []string{"--config", config}, ending{&out, end}, &errOut)
	return processes.Ended{Status: status, Out: out.String(), Err: errOut.String()}
}

// ending ends something once something is printed.
type ending struct {
	io.Writer
	end func()
}

func (e ending) Write(b []byte) (int, error) {
	e.end()
	return e.Writer.Write(b)
}

// withStore does something with the database of a configuration, as another program on this machine. Unlike the
// commands it leaves the test's own clock and log as they are, which goroutines of the test read meanwhile.
func withStore(t testing.TB, config string, what func(*store.Store)) {
	t.Helper()
	c, err := pit.Load(config)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := pit.OpenStore(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	what(kept)
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
}

// personDoes is what sabot-pit person does and prints, without a process of its own.
func personDoes(t testing.TB, config string, args ...string) (printed string) {
	t.Helper()
	var out strings.Builder
	withStore(t, config, func(kept *store.Store) {
		if err := lookAfter(t.Context(), args, kept, time.UTC, &out); err != nil {
			t.Fatalf("person %q: %v", args, err)
		}
	})
	return out.String()
}

// kept says whether the database has all of a table's journal, as sabot-pit compare finds it.
func kept(t testing.TB, config string, d *dealt) bool {
	t.Helper()
	c, err := pit.Load(config)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	return compareJournal(t.Context(), c, d.name.Name(), d.folder, log, io.Discard,
		terminal.NewBar(io.Discard, true)) == nil
}
