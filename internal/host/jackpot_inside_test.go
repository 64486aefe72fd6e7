package host

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/jackpot"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// linkedEar is the ear of a table, with the engine behind it.
type linkedEar struct {
	*meterEar
	t    *testing.T
	tab  table.Table
	sign ed25519.PrivateKey
	put  []vocab.Input
	logs bytes.Buffer
	// wrote is how many records the table has written, and pitHas how many of them the pit says that it has; an earlier
	// pit says nothing of that while it is 0.
	wrote  atomic.Uint64
	pitHas uint64
}

func newLinkedEar(t *testing.T, house string) *linkedEar {
	t.Helper()
	name, err := topic.NewTable("lugano", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	l := &linkedEar{t: t, sign: ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, ed25519.SeedSize))}
	l.step(*tabletest.SetUp(rules.Setup{House: house}))
	l.meterEar = &meterEar{
		table: name, key: l.sign.Public().(ed25519.PublicKey), inbox: make(chan []byte, mostWords),
		log:     slog.New(slog.NewTextHandler(&l.logs, nil)),
		journal: func() string { return "00ff" },
		head:    func() (uint64, error) { return l.wrote.Load(), nil },
	}
	l.meterEar.put = func(_ context.Context, in vocab.Input, still func(*table.Table) bool) (runner.Answer, error) {
		if !still(&l.tab) {
			return runner.Answer{}, runner.ErrMovedOn
		}
		l.put = append(l.put, in)
		l.step(in)
		if l.tab.Rejected() != 0 {
			t.Errorf("%s is refused: %s", in.Kind, l.tab.Rejected())
		}
		return runner.Answer{}, nil
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		l.run(ctx)
		close(ended)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	return l
}

func (l *linkedEar) step(in vocab.Input) { l.tab.Step(&in) }

// says has the pit say something, by a key.
func (l *linkedEar) says(key ed25519.PrivateKey, amount int64, entry uint64, given *jackpot.Given) {
	l.t.Helper()
	w := &jackpot.Word{
		Site: "lugano", Table: "bj-1", Jackpot: "ticino", Currency: "EUR", Amount: amount, Entry: entry, Given: given,
	}
	if l.pitHas > 0 {
		w.Journal, w.Head = "00ff", l.pitHas
	}
	payload, err := jackpot.Seal(w, key)
	if err != nil {
		l.t.Fatal(err)
	}
	l.hears(payload)
	synctest.Wait()
}

// wins deals a round in which box 1 wins all of it.
func (l *linkedEar) wins() {
	l.t.Helper()
	if _, err := tabletest.Play(&l.tab, tabletest.WinsJackpot); err != nil {
		l.t.Fatal(err)
	}
	if held, _ := l.tab.Held(); held.Code != irregularity.JackpotAsked {
		l.t.Fatalf("a win does not hold the table: %v", held.Code)
	}
}

// TestJackpotIsBelieved: what the pit has signed for this table goes on its journal between two rounds, and the answer
// to a win while the table stands; nothing that is forged, older, of another journal or of another round does.
func TestJackpotIsBelieved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLinkedEar(t, "linked")
		l.says(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{2}, ed25519.SeedSize)), 99, 9, nil)
		if l.put != nil || !strings.Contains(l.logs.String(), "NOT THE PIT'S") {
			t.Fatalf("a forged word puts in %v, and the log says %q", l.put, l.logs.String())
		}
		l.says(l.sign, 2_000_000, 5, nil)
		l.says(l.sign, 1_000_000, 4, nil)
		if l.tab.Jackpot() != 2_000_000 || len(l.put) != 1 {
			t.Fatalf("it shows %d after %v", l.tab.Jackpot(), l.put)
		}
		l.wins()
		round := l.tab.Round()
		l.says(l.sign, 0, 7, &jackpot.Given{Journal: "00aa", Round: round, Amount: 1, Decision: 6})
		l.says(l.sign, 0, 7, &jackpot.Given{Journal: "00ff", Round: round + 1, Amount: 1, Decision: 6})
		bubble.Pass(2 * time.Second)
		if !l.tab.AsksJackpot() {
			t.Fatal("it takes what is not for this win")
		}
		given := &jackpot.Given{Journal: "00ff", Round: round, Amount: 2_000_000, Decision: 6}
		l.says(l.sign, 0, 7, given)
		l.says(l.sign, 0, 7, given)
		if l.tab.AsksJackpot() || len(l.put) != 2 || l.put[1].Amount != 2_000_000 || l.put[1].Entry != 6 {
			t.Fatalf("it was given %+v", l.put[1:])
		}
	})
}

// TestAnOldWordOfTheJackpot: what the pit once said, and somebody sends again who can write to the topic, neither
// changes what the table shows nor keeps it from being alone. What an earlier pit says, which does not date it, is
// believed until the pit has dated one.
func TestAnOldWordOfTheJackpot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLinkedEar(t, "linked-closed")
		l.says(l.sign, 1_000_000, 1, nil)
		if l.tab.Jackpot() != 1_000_000 {
			t.Fatal("an earlier pit is not believed")
		}
		bubble.Pass(10 * time.Second)
		l.wrote.Store(100)
		l.pitHas = 100
		l.says(l.sign, 2_000_000, 5, nil)
		bubble.Pass(10 * time.Second)
		for minute := range uint64(3) { // the pit is cut off, and the table deals on
			l.wrote.Add(50)
			bubble.Pass(20 * time.Second)
			l.says(l.sign, 2_000_000, 5, nil)
			bubble.Pass(20 * time.Second)
			l.says(l.sign, 9_000_000, 4+minute, nil)
			bubble.Pass(20 * time.Second)
		}
		l.pitHas = 0
		l.says(l.sign, 9_000_000, 9, nil)
		bubble.Pass(10 * time.Second)
		if !l.tab.AloneWith() || l.tab.Jackpot() != 2_000_000 {
			t.Fatalf("it believes old words: alone %v, with %d; it was put in %+v", l.tab.AloneWith(),
				l.tab.Jackpot(), l.put)
		}
		l.pitHas = l.wrote.Load()
		l.says(l.sign, 2_500_000, 6, nil)
		if l.tab.AloneWith() || l.tab.Jackpot() != 2_500_000 {
			t.Error("it does not hear the pit again")
		}
	})
}

// TestJackpotAlone: a table that hears nothing for long is alone, once, until it hears again.
func TestJackpotAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLinkedEar(t, "linked-closed")
		l.says(l.sign, 2_000_000, 5, nil)
		bubble.Pass(3 * time.Minute)
		synctest.Wait()
		if len(l.put) != 2 || l.put[1].Stated || !l.tab.AloneWith() || l.tab.Jackpot() != 2_000_000 {
			t.Fatalf("after three minutes of silence it has put in %+v", l.put)
		}
		l.says(l.sign, 2_000_000, 5, nil)
		if l.tab.AloneWith() {
			t.Error("it hears again, and is alone")
		}
	})
}
