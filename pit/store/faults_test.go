package store_test

import (
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// dealt is a journal with so many inputs in a folder, closed.
func dealt(t *testing.T, folder, house string, seed uint64, inputs int) {
	t.Helper()
	j, err := journal.Open(folder, journal.Options{Program: "test"})
	if err != nil {
		t.Fatal(err)
	}
	n := journaltest.OnJournal(t, j, house, seed)
	n.Deal(inputs)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

func copied(t *testing.T, folder string) string {
	t.Helper()
	to := filepath.Join(tabletest.FastDir(t), "copy")
	if err := os.CopyFS(to, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	return to
}

func headOf(t *testing.T, r *journal.Reader) topic.Head {
	t.Helper()
	record, hash, err := r.Head()
	if err != nil {
		t.Fatal(err)
	}
	return topic.Head{ID: r.ID(), Record: record, Hash: hex.EncodeToString(hash[:])}
}

// kinds are the findings of a table, by their kind.
func kinds(t *testing.T, s *store.Store) map[string]int {
	t.Helper()
	list, err := s.Findings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, f := range list {
		kinds[f.Kind]++
	}
	return kinds
}

// TestRewritten: another record under the number of one that is kept is named, and changes
// nothing.
func TestRewritten(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s, name := open(t, source), table(t, "bj1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		dealt(t, folder, "wiesbaden", 1, 100)
		other := copied(t, folder)
		dealt(t, folder, "wiesbaden", 2, 100)
		dealt(t, other, "wiesbaden", 3, 200)
		mine, theirs := reader(t, folder), reader(t, other)
		if err := s.Refill(t.Context(), name, mine, nil); err != nil {
			t.Fatal(err)
		}
		first := uint64(102) // the first record that differs: one of the set-up, and 100 inputs
		for _, after := range []uint64{0, 50, 101, 150} {
			stretch, err := theirs.Stretch(after, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			if after < 101 { // a stretch ends with its part
				stretch.Frames = append(stretch.Frames, frames(t, theirs, 101)...)
			}
			_, err = s.Append(t.Context(), &store.Batch{Table: name, Journal: theirs.ID(), Stretch: stretch})
			rewritten := (*store.RewrittenError)(nil)
			if !errors.As(err, &rewritten) || rewritten.Record != max(first, after+1) || rewritten.Kept {
				t.Errorf("after %d: %v", after, err)
			}
		}
		same(t, s, name, mine)
		if got := kinds(t, s); got["rewritten"] != 2 {
			t.Errorf("findings are %v", got)
		}
		// The same again is dropped.
		stretch, err := mine.Stretch(20, 5000)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Append(t.Context(), &store.Batch{
			Table: name, Journal: mine.ID(),
			Stretch: stretch,
		}); err != nil {
			t.Errorf("an equal repeat gives %v", err)
		}
		same(t, s, name, mine)
	})
}

func frames(t *testing.T, r *journal.Reader, after uint64) [][]byte {
	t.Helper()
	stretch, err := r.Stretch(after, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return stretch.Frames
}

// TestMissing: records after others that are not kept yet are refused, and say what is missing.
func TestMissing(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s, name := open(t, source), table(t, "bj1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		dealt(t, folder, "wiesbaden", 1, 100)
		r := reader(t, folder)
		stretch, err := r.Stretch(10, 1000)
		if err != nil {
			t.Fatal(err)
		}
		missing := (*store.MissingError)(nil)
		if _, err := s.Append(t.Context(), &store.Batch{
			Table: name, Journal: r.ID(),
			Stretch: stretch,
		}); !errors.As(err,
			&missing) || missing.Kept != 0 || missing.First != 11 {
			t.Errorf("records from 11 on give %v", err)
		}
		if id, record, _, err := s.Position(t.Context(), name); id != "" || record != 0 || err != nil {
			t.Errorf("the position is %q %d, %v", id, record, err)
		}
	})
}

// TestRolledBack: a journal of which an earlier state was restored is named, by its head and by
// what it answers; what it had is kept, and so is what it continues with above that.
func TestRolledBack(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s, name := open(t, source), table(t, "bj1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		dealt(t, folder, "wiesbaden", 1, 100)
		old := copied(t, folder)
		dealt(t, folder, "wiesbaden", 2, 100)
		now, before := reader(t, folder), reader(t, old)
		at := time.Date(2026, 3, 28, 19, 30, 0, 0, time.UTC)
		witness := func(r *journal.Reader, at time.Time) error { return s.Witness(t.Context(), name, headOf(t, r), at) }
		if err := s.Refill(t.Context(), name, now, nil); err != nil {
			t.Fatal(err)
		}
		if err := witness(now, at); err != nil {
			t.Fatal(err)
		}
		// An old message that comes again is none.
		if err := witness(before, at.Add(-time.Minute)); err != nil {
			t.Errorf("an old head gives %v", err)
		}
		doubted := func(want bool) {
			t.Helper()
			if got, err := s.Doubted(t.Context(), name); err != nil || got != want {
				t.Errorf("that it is in doubt is %t, %v", got, err)
			}
		}
		doubted(false)
		back := (*store.RolledBackError)(nil)
		if err := witness(before, at.Add(10*time.Second)); !errors.As(err, &back) || back.Had != 202 ||
			back.Has != 101 {
			t.Errorf("the head of a journal that was rolled back gives %v", err)
		}
		_, after, _, err := s.Position(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		stretch, err := before.Stretch(after, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Append(t.Context(), &store.Batch{
			Table: name, Journal: before.ID(),
			Stretch: stretch,
		}); !errors.As(err, &back) || back.Has != 101 {
			t.Errorf("its answer gives %v", err)
		}
		if got := kinds(t, s); got["rolled-back"] != 1 {
			t.Errorf("findings are %v", got)
		}
		// The table hears from the broker what the pit has, and continues above it.
		record, hash, err := now.Head()
		if err != nil {
			t.Fatal(err)
		}
		j, err := journal.Open(old, journal.Options{
			Program: "test",
			Heard:   journal.Heard{ID: now.ID(), Record: record, Hash: hash, Event: 10_000},
		})
		if err != nil {
			t.Fatal(err)
		}
		n := journaltest.OnJournal(t, j, "wiesbaden", 3)
		n.Deal(100)
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		again := reader(t, old)
		if err := s.Refill(t.Context(), name, again, nil); err != nil {
			t.Fatal(err)
		}
		c, err := s.Check(t.Context(), name, again, nil)
		if err != nil || !c.Same() || len(c.Extra) != 100 || c.Extra[0] != 102 {
			t.Errorf("%d records are kept that the table has lost, %+v, %v", len(c.Extra), c, err)
		}
		if differ, err := s.Compare(t.Context(), nil); err != nil || len(differ) > 0 {
			t.Errorf("the figures do not follow from the records: %v, %v", differ, err)
		}
		// That it goes on without a contradiction is no answer to who has put it back: a person's is.
		doubted(true)
		if _, err := accept(t, s, again); err != nil {
			t.Fatal(err)
		}
		doubted(false)
	})
}

// TestDealtOnFromBefore: a head that is lower than what is known, and another record, is an earlier state that was
// dealt on from, not a record that was rewritten.
func TestDealtOnFromBefore(t *testing.T) {
	s, name := open(t, filepath.Join(tabletest.FastDir(t), "pit.db")), table(t, "bj1")
	folder := filepath.Join(tabletest.FastDir(t), "journal")
	dealt(t, folder, "wiesbaden", 1, 100)
	old := copied(t, folder)
	dealt(t, folder, "wiesbaden", 2, 100)
	dealt(t, old, "wiesbaden", 3, 20)
	at := time.Date(2026, 3, 28, 19, 30, 0, 0, time.UTC)
	if err := s.Refill(t.Context(), name, reader(t, folder), nil); err != nil {
		t.Fatal(err)
	}
	back := (*store.RolledBackError)(nil)
	if err := s.Witness(t.Context(), name, headOf(t, reader(t, old)), at); !errors.As(err, &back) || back.Had != 202 {
		t.Errorf("its head gives %v", err)
	}
}

// TestNewJournal: a table that begins another journal is followed there; that it did is a
// finding.
func TestNewJournal(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s, name := open(t, source), table(t, "bj1")
		var journals []*journal.Reader
		for i := range 3 {
			folder := filepath.Join(tabletest.FastDir(t), "journal")
			dealt(t, folder, "wiesbaden", uint64(i), 150)
			r := reader(t, folder)
			journals = append(journals, r)
			if err := s.Refill(t.Context(), name, r, nil); err != nil {
				t.Fatal(err)
			}
			same(t, s, name, r)
		}
		for _, r := range journals {
			if c, err := s.Check(t.Context(), name, r, nil); err != nil || !c.Same() {
				t.Errorf("%+v, %v", c, err)
			}
		}
		if got := kinds(t, s); got["replaced"] != 2 {
			t.Errorf("findings are %v", got)
		}
	})
}

// TestAnotherName: that a journal is kept of two tables is said, once for each.
func TestAnotherName(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		said := new(system.Text)
		s := openLogged(t, source, said)
		defer s.Close()
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		for i, name := range []string{"bj1", "bj1", "bj2", "bj2"} {
			dealt(t, folder, "wiesbaden", uint64(i), 50)
			if err := s.Refill(t.Context(), table(t, name), reader(t, folder), nil); err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(said.String(), "COUNT AT BOTH"); got != i/2 {
				t.Errorf("kept as %s, the log says it %d times: %s", name, got, said)
			}
		}
		if got := said.String(); !strings.Contains(got, "table=wiesbaden/bj2 other=wiesbaden/bj1") {
			t.Error(got)
		}
	})
}

// TestFormerJournalIsFilled: what is filled in of a journal that was replaced does not make it the table's again, and
// is no finding. Once the table deals on in it, it is followed there; so it is if somebody has accepted it.
func TestFormerJournalIsFilled(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s, name := open(t, source), table(t, "bj1")
		var folders []string
		for i := range 3 {
			folders = append(folders, filepath.Join(tabletest.FastDir(t), "journal"))
			dealt(t, folders[i], "wiesbaden", uint64(i), 100)
		}
		aside, between, now := reader(t, folders[0]), reader(t, folders[1]), reader(t, folders[2])
		keep := func(r *journal.Reader, former string) {
			t.Helper()
			stretch, err := r.Stretch(0, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			stretch.Former = &journal.Former{Journal: former, Why: "it was damaged"}
			batch := &store.Batch{Table: name, Journal: r.ID(), Stretch: stretch}
			if _, err := s.Append(t.Context(), batch); err != nil {
				t.Fatal(err)
			}
		}
		keep(between, aside.ID())
		keep(now, between.ID())
		writes := func(r *journal.Reader, replaced int) {
			t.Helper()
			if err := s.Refill(t.Context(), name, r, nil); err != nil {
				t.Fatal(err)
			}
			id, _, _, err := s.Position(t.Context(), name)
			if got := kinds(t, s)["replaced"]; err != nil || id != now.ID() || got != replaced {
				t.Errorf("the table writes %s, and not %s: %v, %d findings", id, now.ID(), err, got)
			}
		}
		writes(aside, 1)
		writes(between, 1)
		if _, err := accept(t, s, between); err != nil {
			t.Fatal(err)
		}
		if id, _, _, err := s.Position(t.Context(), name); err != nil || id != between.ID() {
			t.Errorf("accepted was %s, and followed is %s, %v", between.ID(), id, err)
		}
		writes(now, 2)
		n := journaltest.NewNight(t, folders[0], "wiesbaden", 7)
		n.Now = n.Now.AddDate(0, 0, 1)
		n.Deal(20)
		now = aside
		writes(aside, 3)
	})
}

// TestWitnessAhead: a head that was told before its record came is compared when that comes.
func TestWitnessAhead(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		dealt(t, folder, "wiesbaden", 1, 100)
		r := reader(t, folder)
		head := headOf(t, r)
		good, bad := table(t, "bj1"), table(t, "bj2")
		if err := s.Witness(t.Context(), good, head, time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
		if err := s.Refill(t.Context(), good, r, nil); err != nil {
			t.Fatal(err)
		}
		head.Hash = head.Hash[:60] + "0000"
		if err := s.Witness(t.Context(), bad, head, time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
		rewritten := (*store.RewrittenError)(nil)
		if err := s.Refill(t.Context(), bad, r, nil); !errors.As(err, &rewritten) || rewritten.Record != head.Record ||
			!rewritten.Kept {
			t.Errorf("a record with another hash than the head gives %v", err)
		}
		same(t, s, bad, r)
		if err := s.Witness(t.Context(), good, head, time.Unix(2, 0)); !errors.As(err, &rewritten) {
			t.Errorf("a head with another hash than the record gives %v", err)
		}
		if err := s.Witness(t.Context(), good, topic.Head{ID: "x", Record: 1, Hash: "no"},
			time.Unix(3, 0)); err == nil {
			t.Error("a head without a hash is taken")
		}
	})
}

// TestWitnessBetween: a head that is told while its journal is half kept is compared with its record when that comes,
// also where the pit was started anew in between.
func TestWitnessBetween(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		dealt(t, folder, "wiesbaden", 1, 100)
		r := reader(t, folder)
		wrong := headOf(t, r)
		wrong.Hash = wrong.Hash[:60] + "0000"
		keep := func(s *store.Store, name string, after uint64, most int) error {
			stretch, err := r.Stretch(after, most)
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Append(t.Context(), &store.Batch{
				Table: table(t, name), Journal: r.ID(), Stretch: stretch,
			})
			return err
		}
		tables := []string{"bj1", "bj2"}
		for _, name := range tables {
			if err := keep(s, name, 0, 1000); err != nil {
				t.Fatal(err)
			}
			if err := s.Witness(t.Context(), table(t, name), wrong, time.Unix(1, 0)); err != nil {
				t.Fatal(err)
			}
		}
		rest := func(s *store.Store, name string) {
			t.Helper()
			_, after, _, err := s.Position(t.Context(), table(t, name))
			if err != nil || after == 0 || after >= wrong.Record {
				t.Fatalf("%d of %d records are kept, %v", after, wrong.Record, err)
			}
			rewritten := (*store.RewrittenError)(nil)
			if err := keep(s, name, after, 1<<20); !errors.As(err, &rewritten) || !rewritten.Kept ||
				rewritten.Record != wrong.Record {
				t.Errorf("%s: a record with another hash than the head gives %v", name, err)
			}
		}
		rest(s, "bj1")
		rest(open(t, source), "bj2")
	})
}

// TestHeadOfAnEmptyJournal: what a table tells before its first record is compared with what it tells next.
func TestHeadOfAnEmptyJournal(t *testing.T) {
	s, name := open(t, filepath.Join(tabletest.FastDir(t), "pit.db")), table(t, "bj1")
	if _, err := s.Append(t.Context(), &store.Batch{Table: name, Journal: "j"}); err != nil {
		t.Fatal(err)
	}
	for at, hash := range []string{strings.Repeat("a", 64), strings.Repeat("b", 64)} {
		err := s.Witness(t.Context(), name, topic.Head{ID: "j", Hash: hash}, time.Unix(int64(at)+1, 0))
		if _, is := errors.AsType[*store.RewrittenError](err); is != (at == 1) {
			t.Errorf("head %d gives %v", at+1, err)
		}
	}
}

// TestReadWhileKept: who reads records while more come misses none.
func TestReadWhileKept(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s, name := open(t, source), table(t, "bj1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		dealt(t, folder, "wiesbaden", 1, 400)
		r := reader(t, folder)
		keep := func(after uint64, most int) uint64 {
			stretch, err := r.Stretch(after, most)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Append(t.Context(),
				&store.Batch{Table: name, Journal: r.ID(), Stretch: stretch}); err != nil {
				t.Fatal(err)
			}
			return after + uint64(len(stretch.Frames))
		}
		kept := keep(0, 1000)
		records, err := s.Records(t.Context(), name, "")
		if err != nil {
			t.Fatal(err)
		}
		next := uint64(1)
		for rec, err := range records.Records(1) {
			if err != nil || rec.Seq != next {
				t.Fatalf("record %d comes after %d, %v", rec.Seq, next-1, err)
			}
			if next++; kept < 401 {
				kept = keep(kept, 700)
			}
		}
		if next != 402 {
			t.Errorf("the last record is %d", next-1)
		}
	})
}

// TestHeadOfAnyRecord: the hash that a table tells of any of its records is compared with that record, be it remembered
// or read.
func TestHeadOfAnyRecord(t *testing.T) {
	folder := filepath.Join(tabletest.FastDir(t), "journal")
	dealt(t, folder, "wiesbaden", 1, 100)
	r := reader(t, folder)
	stretch, err := r.Stretch(0, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(t.TempDir(), "pit.db")
	s := open(t, source)
	for len(stretch.Frames) > 0 { // as they come about
		one := stretch
		one.Frames = stretch.Frames[:1]
		batch := &store.Batch{Table: table(t, "bj1"), Journal: r.ID(), Stretch: one}
		if _, err := s.Append(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
		stretch.After++
		stretch.Frames = stretch.Frames[1:]
	}
	head := headOf(t, r)
	for name, s := range map[string]*store.Store{"remembered": s, "read": open(t, source)} {
		for seq := uint64(1); seq <= stretch.After; seq++ {
			frame, err := r.Stretch(seq-1, 1)
			if err != nil {
				t.Fatal(err)
			}
			rec, err := journal.ParseRecord(frame.Frames[0])
			if err != nil {
				t.Fatal(err)
			}
			head.Record, head.Hash = seq, hex.EncodeToString(rec.Hash[:])
			if err := s.Witness(t.Context(), table(t, "bj1"), head, time.Unix(1, 0)); err != nil {
				t.Errorf("%s: the hash of record %d gives %v", name, seq, err)
			}
			head.Hash = head.Hash[:60] + "0000"
			if err := s.Witness(t.Context(), table(t, "bj1"), head, time.Unix(1, 0)); err == nil {
				t.Errorf("%s: another hash of record %d gives nothing", name, seq)
			}
		}
	}
}
