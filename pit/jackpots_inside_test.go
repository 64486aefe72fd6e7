package pit

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/jackpot"
	"github.com/sabot-table/sabot/pit/replica"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// told is a line to the tables that keeps what is said.
type told struct {
	replica.Line
	key  ed25519.PublicKey
	t    *testing.T
	away bool
	said []*jackpot.Word
}

func (l *told) Say(to string, payload []byte) error {
	if l.away {
		return replica.ErrAway
	}
	w, err := jackpot.Open(payload, l.key)
	if err != nil || to != "sabot/v1/lugano/bj1/jackpot" {
		l.t.Errorf("%s is told what nobody believes: %v", to, err)
		return nil
	}
	l.said = append(l.said, w)
	return nil
}

// TestJackpotsAreSaid: a table is told what is committed, when it is new and from time to time, and its win as soon as
// it is decided, and no earlier.
func TestJackpotsAreSaid(t *testing.T) {
	kept, err := store.Open(t.Context(), store.Options{
		Source: filepath.Join(tabletest.FastDir(t), "pit.db"), Day: store.Day{Zone: time.UTC},
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = kept.Close() })
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{3}, ed25519.SeedSize))
	line := &told{t: t, key: key.Public().(ed25519.PublicKey)}
	m := &meters{
		store: kept, line: line, key: key, together: time.Hour, log: slog.New(slog.DiscardHandler),
		said: map[string]saidWord{},
	}
	look := func() []*jackpot.Word {
		t.Helper()
		line.said = nil
		select {
		case <-kept.JackpotsChanged():
			m.waits = true
		default:
		}
		if !m.due() {
			return nil
		}
		if err := m.look(context.Background()); err != nil {
			t.Fatal(err)
		}
		return line.said
	}
	folder := filepath.Join(tabletest.FastDir(t), "journal")
	night := journaltest.NewNight(t, folder, "linked", 1)
	hears(t, kept, night, folder)
	if said := look(); len(said) != 1 || said[0].Amount != 1_000_000 || said[0].Given != nil {
		t.Fatalf("at first it is told %+v", said)
	}
	if said := look(); len(said) != 0 {
		t.Errorf("it is told the same again at once: %+v", said)
	}
	if m.due() {
		t.Error("the database is asked while nobody plays")
	}
	win(t, night)
	hears(t, kept, night, folder)
	m.again = time.Time{}
	if said := look(); len(said) != 1 || said[0].Given != nil {
		t.Fatalf("it is given before others had time to win it, too: %+v", said)
	}
	m.together = 0
	line.away = true
	look() // what is lost is said again
	line.away = false
	said := look()
	if len(said) != 1 || said[0].Given == nil || said[0].Given.Amount != 1_000_000 ||
		said[0].Given.Journal != night.Journal.ID() {
		t.Fatalf("a win is told %+v", said)
	}
	gone, stop := context.WithCancel(t.Context())
	stop()
	line.said, m.again = nil, time.Time{}
	if err := m.look(gone); err == nil || len(line.said) > 0 {
		t.Errorf("without a database it says %+v: %v", line.said, err)
	}
}

// hears has the pit keep what the journal has.
func hears(t *testing.T, kept *store.Store, night *journaltest.Night, folder string) {
	t.Helper()
	night.Flush()
	name, err := topic.NewTable("lugano", "bj1")
	if err != nil {
		t.Fatal(err)
	}
	r, err := journal.OpenReadOnly(folder)
	if err == nil {
		err = kept.Refill(t.Context(), name, r, nil)
	}
	if err == nil {
		err = r.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// win deals a round in which box 1 wins all of the jackpot.
func win(t *testing.T, night *journaltest.Night) {
	t.Helper()
	inputs, err := tabletest.Inputs(tabletest.WinsJackpot)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range inputs {
		night.Take(in)
	}
}
