package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/jackpot"
	"github.com/sabot-table/sabot/pit/store"
)

// linkedFloor is tables that play for one jackpot, before several nodes on one database.
type linkedFloor struct {
	t      *testing.T
	source string
	tables []*linkedTable
	nodes  []*node
	dice   *rand.Rand
	made   int
	// given is what a round was said to get: no node ever says otherwise.
	mu    sync.Mutex
	given map[string]jackpot.Given
}

func (f *linkedFloor) join() {
	f.made++
	f.nodes = append(f.nodes, join(f.t, f.source, fmt.Sprintf("n%d", f.made)))
}

// each does something with all tables at the same time.
func (f *linkedFloor) each(does func(*linkedTable)) {
	var all sync.WaitGroup
	for _, l := range f.tables {
		all.Go(func() { does(l) })
	}
	all.Wait()
}

// sends brings what a table has on record to the node that keeps it, if any does just now.
func (f *linkedFloor) sends(l *linkedTable) bool {
	for _, n := range f.nodes {
		if err := l.send(n.Store, false, nil); err == nil {
			return true
		} else if !errors.Is(err, store.ErrElsewhere) && !broken(err) {
			f.t.Errorf("%s: %v", l.name, err)
		}
	}
	return false
}

// broken says of an error that the way to the database was broken off, and that nothing was refused.
func broken(err error) bool {
	if said, is := errors.AsType[*pgconn.PgError](err); is {
		return said.Code[:2] == "57" || said.Code[:2] == "08"
	}
	_, rewritten := errors.AsType[*store.RewrittenError](err)
	_, rolledBack := errors.AsType[*store.RolledBackError](err)
	_, missing := errors.AsType[*store.MissingError](err)
	return !rewritten && !rolledBack && !missing
}

// decides has all nodes decide at the same time, and hears what each says of it.
func (f *linkedFloor) decides(together time.Duration) (words map[string][]jackpot.Word) {
	words = map[string][]jackpot.Word{}
	var all sync.WaitGroup
	for _, n := range f.nodes {
		all.Go(func() {
			_, err := n.DecideJackpots(context.Background(), together)
			list, failed := n.JackpotTables(context.Background())
			for i := range list {
				if failed == nil && list[i].Given != nil {
					failed = n.DurableJackpot(context.Background(), &list[i])
				}
			}
			if err := errors.Join(err, failed); err != nil {
				if !broken(err) {
					f.t.Error(err)
				}
				return
			}
			f.mu.Lock()
			defer f.mu.Unlock()
			for _, w := range list {
				f.same(&w)
				words[w.Table] = append(words[w.Table], w)
			}
		})
	}
	all.Wait()
	return words
}

// same refuses an answer that is another than one before.
func (f *linkedFloor) same(w *jackpot.Word) {
	if w.Given == nil {
		return
	}
	of := fmt.Sprintf("round %d of journal %s", w.Given.Round, w.Given.Journal)
	if was, said := f.given[of]; said && was != *w.Given {
		f.t.Errorf("%s gets %+v by one node, and %+v by another", of, was, *w.Given)
	}
	f.given[of] = *w.Given
}

// won is how often a jackpot was given; whoever wins at the same moment shares it.
func (f *linkedFloor) won() int {
	decisions := map[uint64]bool{}
	for _, g := range f.given {
		decisions[g.Decision] = true
	}
	return len(decisions)
}

// dies ends something of what is beyond the tables.
func (f *linkedFloor) dies(db *sql.DB) {
	pid := `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
		AND pid <> pg_backend_pid()`
	switch f.dice.IntN(4) {
	case 0: // the database, under all of them
		if _, err := db.Exec(pid); err != nil {
			f.t.Fatal(err)
		}
	case 1: // a node's session, with all that it holds
		if _, err := db.Exec(pid+` AND application_name LIKE $1`,
			fmt.Sprintf("n%d-%%", 1+f.dice.IntN(f.made))); err != nil {
			f.t.Fatal(err)
		}
	case 2: // a node, between what is decided and what is said
		f.nodes[0].end()
		f.nodes = f.nodes[1:]
		f.join()
	}
}

// TestJackpotOfSeveralNodes: tables that different nodes keep win at the same moments, and all nodes decide, while they
// and their sessions end. It is decided once, each node says the same, and nothing is missing by the journals.
func TestJackpotOfSeveralNodes(t *testing.T) {
	seed := tier.SeedOf(t)
	f := &linkedFloor{
		t: t, source: server.source(), dice: rand.New(rand.NewPCG(seed, 35)), given: map[string]jackpot.Given{},
	}
	for i := range tier.Times(5, 20) {
		f.tables = append(f.tables, newLinkedTable(t, fmt.Sprintf("bj%d", i), "linked"))
	}
	for range 3 {
		f.join()
	}
	db, err := sql.Open("pgx", f.source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	const fewest = 5 // while it is won less often, this says nothing
	rounds := tier.Times(25, 400)
	for n := 0; n < rounds || f.won() < fewest && n < 10*rounds; n++ {
		if f.dice.IntN(3) == 0 {
			f.dies(db)
		}
		wins := map[*linkedTable]int{}
		for _, l := range f.tables {
			wins[l] = max(0, f.dice.IntN(6)-3)
		}
		f.each(func(l *linkedTable) {
			l.deal(wins[l])
			f.sends(l)
		})
		words := f.decides(time.Duration(f.dice.IntN(2)) * time.Millisecond)
		f.each(func(l *linkedTable) { // from several nodes, in any order
			for i := range words[l.name.Name()] {
				l.hear(&words[l.name.Name()][i])
			}
		})
	}
	f.settles()
	if sum := addsUp(t, f.nodes[0].Store, f.tables); sum.Wins < fewest {
		t.Errorf("it was given %d times, and won %d times", f.won(), sum.Wins)
	} else {
		t.Logf("%+v", sum)
	}
}

// settles lets everything arrive.
func (f *linkedFloor) settles() {
	for range 4 {
		for _, l := range f.tables {
			brokertest.Until(f.t, "a node keeps the table", func() bool { return f.sends(l) })
		}
		words := f.decides(0)
		f.each(func(l *linkedTable) {
			for i := range words[l.name.Name()] {
				l.hear(&words[l.name.Name()][i])
			}
		})
	}
	for _, l := range f.tables {
		brokertest.Until(f.t, "a node keeps the rest", func() bool { return f.sends(l) })
	}
}

// TestWhatIsGivenOutlivesItsServer: a primary that ends while its standby is away shows afterwards what no standby has.
// Nobody is told of that until the standby has it.
func TestWhatIsGivenOutlivesItsServer(t *testing.T) {
	tier.Soak(t, "a PostgreSQL server with its standby")
	primary := journaltest.NewPostgres(t)
	source := primary.Source()
	s := open(t, source)
	l := newLinkedTable(t, "bj0", "linked")
	l.deal(1)
	if err := l.send(s, false, nil); err != nil {
		t.Fatal(err)
	}
	standby := primary.Standby()
	db, err := sql.Open("pgx", source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	waitsForStandby := func() bool {
		var n int
		err := db.QueryRow(`SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`).Scan(&n)
		return err == nil && n > 0
	}
	standby.Kill()
	ended := make(chan error, 1)
	go func() {
		_, err := s.DecideJackpots(context.Background(), 0)
		ended <- err
	}()
	brokertest.Until(t, "the decision waits for the standby", waitsForStandby)
	primary.Kill()
	if err := <-ended; err == nil {
		t.Fatal("it is decided without a standby")
	}
	primary.Start()
	var words []jackpot.Word
	brokertest.Until(t, "the server that was started anew shows it", func() bool {
		words, err = s.JackpotTables(t.Context())
		return err == nil && len(words) == 1 && words[0].Given != nil
	})
	go func() { ended <- s.DurableJackpot(context.Background(), &words[0]) }()
	brokertest.Until(t, "it waits for the standby", func() bool { return waitsForStandby() || len(ended) > 0 })
	if len(ended) > 0 {
		t.Fatalf("it may be told before a standby has it: %v", <-ended)
	}
	standby.Start()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	words[0].Given.Amount++
	if err := s.DurableJackpot(context.Background(), &words[0]); err == nil {
		t.Error("it may be told what the database does not have")
	}
}

// TestTwoNodesBeginAMeter: a node that hears of a jackpot while another one begins it goes on with what that has put
// in.
func TestTwoNodesBeginAMeter(t *testing.T) {
	source := server.source()
	s := open(t, source)
	l := newLinkedTable(t, "bj0", "linked")
	l.deal(0)
	db, err := sql.Open("pgx", source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	other, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, does := range []string{
		`INSERT INTO jackpot (name, currency, seed, amount, entry) VALUES ('ticino', 'EUR', 1000000, 1000000, 1)`,
		`INSERT INTO jackpot_entry (jackpot, number, kind, amount, leaves, at, place, journal, first, round, record, decision)
			VALUES ('ticino', 1, 'seed', 1000000, 1000000, 0, 99, 99, 0, 0, 0, 0)`,
	} {
		if _, err := other.ExecContext(t.Context(), does); err != nil {
			t.Fatal(err)
		}
	}
	kept := make(chan error, 1)
	go func() { kept <- l.send(s, false, nil) }()
	brokertest.Until(t, "it waits for the other node", func() bool {
		var n int
		err := db.QueryRow(`SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND
			datname = current_database()`).Scan(&n)
		return err == nil && n > 0
	})
	if err := other.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := <-kept; err != nil {
		t.Fatal(err)
	}
	meters, err := s.Jackpots(t.Context())
	if err != nil || len(meters) != 1 || meters[0].Amount != 1_000_700 || meters[0].Entry != 2 {
		t.Errorf("the meters have %+v: %v", meters, err)
	}
}
