package store_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/jackpot"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	engine "github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// linkedTable is a table that plays for a jackpot with others: the engine, and a journal as the runner writes it.
type linkedTable struct {
	t       *testing.T
	name    topic.Table
	folder  string
	journal *journal.Journal
	table   *engine.Table
	rules   *rules.Rules
	now     time.Time
	old     []topic.Records // what the pit was sent
}

func newLinkedTable(t *testing.T, name, house string) *linkedTable {
	l := &linkedTable{
		t: t, name: table(t, name), folder: filepath.Join(tabletest.FastDir(t), "journal"), table: &engine.Table{},
		now: time.Date(2026, 3, 28, 19, 0, 0, 0, time.UTC),
	}
	l.open()
	set := tabletest.SetUp(rules.Setup{House: house})
	set.Setup.Profile = set.Rules.Fingerprint
	l.rules = set.Rules
	l.take(*set)
	t.Cleanup(func() { _ = l.journal.Close() })
	return l
}

func (l *linkedTable) open() {
	var err error
	if l.journal, err = journal.Open(l.folder, journal.Options{Program: "test"}); err != nil {
		l.t.Fatal(err)
	}
}

// take puts an input in, which is durable then.
func (l *linkedTable) take(in vocab.Input) vocab.Reason {
	l.t.Helper()
	seq, _, err := l.journal.Head()
	if err != nil {
		l.t.Fatal(err)
	}
	l.now = l.now.Add(time.Second)
	in.Line, in.Time = seq+1, l.now.UnixNano()
	outs := l.table.Step(&in)
	if err := l.journal.Append([]journal.Entry{runner.Recorded(l.table, &in, outs, shoe.Position{})}); err != nil {
		l.t.Fatal(err)
	}
	return l.table.Rejected()
}

// kill ends the table's program, and starts it anew.
func (l *linkedTable) kill() {
	if err := l.journal.Close(); err != nil {
		l.t.Fatal(err)
	}
	l.open()
	restored, err := runner.Restore(l.journal, tabletest.Book(), l.rules)
	if err != nil || restored.Differs != nil {
		l.t.Fatal(err, restored.Differs)
	}
	l.table = restored.Table
}

// cards deals cards.
func (l *linkedTable) cards(names ...string) {
	for _, name := range names {
		c, err := card.Parse(name)
		if err != nil {
			l.t.Fatal(err)
		}
		l.take(vocab.Input{Kind: vocab.InCard, Card: c})
	}
}

// deal plays a round up to its payment; one that is a hit stands. Winners are 0, 1 or 2.
func (l *linkedTable) deal(winners int) {
	if l.table.Phase() != vocab.Idle {
		return
	}
	l.take(vocab.Input{Kind: vocab.InOpen})
	for box, bettor := range []string{"a", "b"} {
		for _, wager := range []vocab.Wager{vocab.WagerMain, "progressive"} {
			amount := int64(2000)
			if wager != vocab.WagerMain {
				amount = 500
			}
			l.take(vocab.Input{
				Kind: vocab.InStake, Box: box + 1, Bettor: bettor, Wager: wager, Amount: amount,
				Stated: true,
			})
		}
	}
	l.take(vocab.Input{Kind: vocab.InClose})
	rest := func() { l.take(vocab.Input{Kind: vocab.InCall, Call: vocab.CallRest}) }
	switch winners {
	case 0:
		l.cards("TS", "TC", "7D", "9S", "9D")
		rest()
		rest()
		l.cards("TH")
	case 1:
		l.cards("AS", "TC", "KC", "KS", "9D")
		rest()
		l.cards("AD")
	default:
		l.cards("AS", "AH", "KC", "KS", "KH", "AD")
	}
	l.refill()
}

// refill keeps the shoe from running out.
func (l *linkedTable) refill() {
	if l.table.Phase() == vocab.Payment {
		l.pay()
	}
}

func (l *linkedTable) pay() {
	l.take(vocab.Input{Kind: vocab.InPaid})
	l.take(vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeLoaded}, By: "d1"})
}

// hear takes what the pit says, as the daemon does.
func (l *linkedTable) hear(w *jackpot.Word) {
	if g := w.Given; g != nil && g.Journal == l.journal.ID() && l.table.AsksJackpot() && l.table.Round() == g.Round {
		if reason := l.take(vocab.Input{
			Kind: vocab.InJackpot, Amount: g.Amount, Entry: int(g.Decision), Stated: true,
		}); reason != 0 {
			l.t.Errorf("the answer is refused: %s", reason)
		}
		l.refill()
	}
	if l.table.Phase() == vocab.Idle {
		l.take(vocab.Input{Kind: vocab.InMeter, Amount: w.Amount, Entry: int(w.Entry), Stated: true})
	}
}

// send brings what the pit lacks of the journal, or what it was sent before.
func (l *linkedTable) send(s *store.Store, again bool, dice *rand.Rand) error {
	if again && len(l.old) > 0 {
		return l.append(s, l.old[dice.IntN(len(l.old))])
	}
	for {
		id, after, _, err := s.Position(context.Background(), l.name)
		if err != nil {
			return err
		}
		heard, err := publish.Fetched(l.journal, topic.Fetch{Reader: "pit", Journal: id, After: after})
		if err != nil {
			return err
		}
		heard.Site, heard.Table, heard.Boot, heard.Program = l.name.Site(), l.name.Name(), 1, "test"
		l.old = append(l.old, heard)
		if err := l.append(s, heard); err != nil {
			return err
		}
		if heard.After+uint64(len(heard.Records)) >= heard.Head.Record {
			return nil
		}
	}
}

func (l *linkedTable) append(s *store.Store, heard topic.Records) error {
	b, err := store.BatchOf(heard)
	if err != nil {
		return err
	}
	_, err = s.Append(context.Background(), b)
	return err
}

// TestJackpot: a jackpot of three tables, from what was staked to what was paid: two that win at the same time share
// it.
func TestJackpot(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		var tables []*linkedTable
		for i := range 3 {
			tables = append(tables, newLinkedTable(t, fmt.Sprintf("bj%d", i), "linked"))
		}
		hear := func() map[string]jackpot.Word {
			all := map[string]jackpot.Word{}
			for _, l := range tables {
				if err := l.send(s, false, nil); err != nil {
					t.Fatal(err)
				}
			}
			words, err := s.JackpotTables(t.Context())
			if err != nil || len(words) != len(tables) {
				t.Fatalf("%d tables are told: %v", len(words), err)
			}
			for _, w := range words {
				all[w.Table] = w
			}
			return all
		}
		tables[0].deal(0) // feeds 2 × 3.50
		if w := hear()["bj2"]; w.Amount != 1_000_700 || w.Jackpot != "ticino" || w.Given != nil {
			t.Fatalf("after a round it is told %+v", w)
		}
		tables[1].deal(1)
		tables[2].deal(2)
		hear()
		if decided, err := s.DecideJackpots(t.Context(), time.Hour); decided || err != nil {
			t.Fatalf("it was given before the others had time to win it: %v", err)
		}
		if decided, err := s.DecideJackpots(t.Context(), 0); !decided || err != nil {
			t.Fatalf("it was not given: %v", err)
		}
		words := hear()
		one, two := words["bj1"].Given, words["bj2"].Given
		if one == nil || two == nil || one.Amount != 1_000_700/3 || two.Amount != 2*1_000_700/3 ||
			one.Decision != two.Decision {
			t.Fatalf("it is shared as %+v and %+v", one, two)
		}
		for _, l := range tables {
			w := words[l.name.Name()]
			l.hear(&w)
		}
		// Each share is rounded down to 0.50; the rest, the seed and what these rounds fed is there for the next.
		left := int64(1_000_700) - 3*333_550 + 1_000_000 + 2*700
		if w := hear()["bj0"]; w.Amount != left || w.Given != nil {
			t.Fatalf("it goes on with %+v, not %d", w, left)
		}
		addsUp(t, s, tables)
	})
}

// addsUp checks by the journals alone.
func addsUp(t *testing.T, s *store.Store, tables []*linkedTable) audit.LinkedSum {
	t.Helper()
	var all audit.Linked
	for _, l := range tables {
		if err := all.Add(reader(t, l.folder)); err != nil {
			t.Fatal(err)
		}
	}
	sums := all.Sums()
	meters, err := s.Jackpots(context.Background())
	if err != nil || len(sums) != 1 || len(meters) != 1 {
		t.Fatalf("%d jackpots, of which the pit has %d: %v", len(sums), len(meters), err)
	}
	if left := sums[0].Meter() - meters[0].Amount; left != 0 || sums[0].Waiting != 0 {
		t.Fatalf("%+v: of what was fed and put in %d is neither paid nor in the meter, which has %d", sums[0], left,
			meters[0].Amount)
	}
	sum := int64(0)
	err = s.JackpotEntries(context.Background(), "ticino", 0, false, func(e store.JackpotEntry) error {
		sum += e.Amount
		return nil
	})
	if err != nil || sum != meters[0].Amount {
		t.Fatalf("the entries add up to %d, and the meter has %d: %v", sum, meters[0].Amount, err)
	}
	return sums[0]
}

// TestJackpotStorm: tables win at the same moments, and everything dies: what was fed and put in is what was paid and
// is in the meter, to the last unit.
func TestJackpotStorm(t *testing.T) {
	onEachInSoak(t, func(t *testing.T, source string) {
		dice := rand.New(rand.NewPCG(tier.SeedOf(t), 34))
		s := open(t, source)
		var tables []*linkedTable
		for i := range tier.Times(5, 100) {
			tables = append(tables, newLinkedTable(t, fmt.Sprintf("bj%d", i), "linked"))
		}
		var late []jackpot.Word
		for range tier.Times(400, 20_000) {
			late = storm(t, s, tables, late, dice)
		}
		for range 5 {
			settle(t, s, tables)
		}
		sum := addsUp(t, s, tables)
		if sum.Wins < 5 {
			t.Errorf("it was won %d times: too few for this to say anything", sum.Wins)
		}
		// A pit whose database was lost has the same meter again, by the journals alone.
		again := open(t, filepath.Join(tabletest.FastDir(t), "again.db"))
		settle(t, again, tables)
		addsUp(t, again, tables)
		t.Logf("%+v", sum)
	})
}

// storm does one thing. late are words that are still on their way.
func storm(t *testing.T, s *store.Store, tables []*linkedTable, late []jackpot.Word, dice *rand.Rand) []jackpot.Word {
	l := tables[dice.IntN(len(tables))]
	switch dice.IntN(12) {
	case 0, 1, 2:
		for range tier.Times(1, 40) {
			l.deal(0)
		}
	case 3:
		l.deal(1)
	case 4:
		l.deal(2)
		tables[dice.IntN(len(tables))].deal(1)
	case 5, 6:
		if err := l.send(s, dice.IntN(3) == 0, dice); err != nil {
			t.Fatal(err)
		}
	case 7:
		if _, err := s.DecideJackpots(context.Background(), time.Duration(dice.IntN(2))*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	case 8:
		words, err := s.JackpotTables(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		late = append(late, words...)
	case 9, 10:
		if len(late) > 0 { // it comes late, out of order, or again
			w := late[dice.IntN(len(late))]
			for _, one := range tables {
				if one.name.Name() == w.Table {
					one.hear(&w)
				}
			}
		}
	case 11:
		l.kill()
		if l.table.AsksJackpot() && dice.IntN(3) == 0 { // a supervisor lets it go on alone
			l.take(vocab.Input{Kind: vocab.InResolve, With: irregularity.Accept, By: "s1"})
			l.refill()
		}
		if dice.IntN(2) == 0 {
			late = nil // all that was on its way is lost
		}
	}
	return late
}

// settle lets everything arrive.
func settle(t *testing.T, s *store.Store, tables []*linkedTable) {
	for _, l := range tables {
		if err := l.send(s, false, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.DecideJackpots(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
	words, err := s.JackpotTables(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i := range words {
		for _, l := range tables {
			if l.name.Name() == words[i].Table {
				l.hear(&words[i])
			}
		}
	}
}

// TestPrunedJackpot: of gaming days that are removed nothing is left of what each round has put in, and yet what was
// put in, what is in the meter, and who has won.
func TestPrunedJackpot(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		l := newLinkedTable(t, "bj0", "linked")
		for i := range 12 {
			l.deal(i % 6 / 5)
			for range 3 {
				settle(t, s, []*linkedTable{l})
			}
			l.now = l.now.Add(8 * time.Hour)
		}
		count := func() (fed, wins int) {
			for _, of := range []struct {
				wins bool
				into *int
			}{{false, &fed}, {true, &wins}} {
				if err := s.JackpotEntries(t.Context(), "ticino", 0, of.wins, func(store.JackpotEntry) error {
					*of.into++
					return nil
				}); err != nil {
					t.Fatal(err)
				}
			}
			return fed - wins, wins
		}
		sums := func() map[jackpot.Kind]int64 {
			sums, err := s.JackpotSums(t.Context(), "ticino")
			if err != nil {
				t.Fatal(err)
			}
			return sums
		}
		was := sums()
		fed, wins := count()
		for range 2 {
			if err := s.Prune(t.Context(), store.Date(20260331)); err != nil {
				t.Fatal(err)
			}
		}
		if left, still := count(); left == 0 || left >= fed || still != wins {
			t.Errorf("of %d rounds %d are left, and of %d entries of wins %d", fed, left, wins, still)
		}
		if now := sums(); !maps.Equal(now, was) {
			t.Errorf("its sums are %v, and were %v", now, was)
		}
		l.deal(1)
		for range 3 {
			settle(t, s, []*linkedTable{l})
		}
		meters, err := s.Jackpots(t.Context())
		sum := int64(0)
		for _, amount := range sums() {
			sum += amount
		}
		if err != nil || len(meters) != 1 || sum != meters[0].Amount {
			t.Errorf("the sums add up to %d, and the meters have %+v: %v", sum, meters, err)
		}
	})
}
