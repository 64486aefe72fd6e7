package journal

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// faults walks a journal, and gives each fault on a line of its own; behind them how
// many records and seals there were.
func faults(t testing.TB, path string) (text string, records, sealed int) {
	t.Helper()
	r, err := OpenReadOnly(path)
	must(t, err)
	defer mustClose(t, r)
	var b strings.Builder
	must(t, r.Walk(t.Context(), func(s *Step) error {
		if s.Fault != nil {
			fmt.Fprintln(&b, s.Fault)
		}
		if s.Record != nil {
			records++
		}
		if s.Seal != nil {
			if sealed++; s.Seal.Seq != s.Record.Seq {
				t.Errorf("record %d has the seal of record %d", s.Record.Seq, s.Seal.Seq)
			}
		}
		return nil
	}))
	return b.String(), records, sealed
}

// sealedNight makes a journal of n records, each tenth of which ends a round.
func sealedNight(t testing.TB, n int) string {
	t.Helper()
	path := newPath(t)
	j := openSealed(t, path)
	for i := 1; i <= n; i += 10 {
		var round []Entry
		for k := range 9 {
			round = append(round, cardEntry(i+k))
		}
		mustAppend(t, j, append(round, carrying(cardEntry(i+9), "carry"))...)
	}
	mustClose(t, j)
	return path
}

// TestWalkGoesOn: a walk tells every fault once, and goes on behind it.
func TestWalkGoesOn(t *testing.T) {
	for _, c := range []struct {
		name    string
		sql     []string
		want    []string // what each line holds
		records int
		seals   int
	}{
		{"nothing", nil, nil, 320, 32},
		{"two changes", []string{
			`UPDATE record SET at = 7 WHERE seq = 40`, `UPDATE record SET input = 'x' WHERE seq = 200`,
		}, []string{"record 40 does not fit its hash", "record 200 does not fit its hash"}, 320, 32},
		{"some removed", []string{`DELETE FROM record WHERE seq BETWEEN 41 AND 45 OR seq = 60`}, []string{
			"record 41 is missing, and so are the 4 behind it", "record 60 is missing",
		}, 314, 31},
		{"the end cut off", []string{`DELETE FROM record WHERE seq > 300`}, []string{"record 301 is missing: a seal stands behind record 320"}, 300, 30},
		{"seals cut off", []string{`DROP TRIGGER seal_no_delete`, `DELETE FROM seal WHERE seq > 300`}, nil, 320, 30},
		{"another kind", []string{
			`PRAGMA ignore_check_constraints = ON`, `UPDATE record SET hash = x'00' WHERE seq = 50`,
		}, []string{"record 50 has no whole hash"}, 319, 31},
		{"hash changed", []string{`UPDATE record SET hash = zeroblob(32) WHERE seq = 50`}, []string{
			"record 50 does not fit its hash", "record 51 does not fit its hash",
		}, 320, 32},
		{"seal changed", []string{`DROP TRIGGER seal_no_update`, `UPDATE seal SET hash = zeroblob(32) WHERE seq = 50`}, []string{
			"record 50 has another hash than the one that was sealed",
		}, 320, 32},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := sealedNight(t, 320)
			tamper(t, path, c.sql...)
			text, records, seals := faults(t, path)
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			if len(c.want) == 0 && text != "" || len(c.want) > 0 && len(lines) != len(c.want) {
				t.Fatalf("the faults are\n%s\nwant %q", text, c.want)
			}
			for i, want := range c.want {
				if !strings.Contains(lines[i], want) {
					t.Errorf("fault %d is %q, want %q", i+1, lines[i], want)
				}
			}
			if records != c.records || seals != c.seals {
				t.Errorf("%d records and %d seals, want %d and %d", records, seals, c.records, c.seals)
			}
		})
	}
}

// TestWalkOverASpoiltPage reads what is around a page that cannot be read.
func TestWalkOverASpoiltPage(t *testing.T) {
	path := sealedNight(t, 1000)
	scribble(t, path, 20*4096, strings.Repeat("spoilt", 600))
	text, records, _ := faults(t, path)
	if strings.Count(text, "\n") != 1 || !strings.Contains(text, "cannot be read: page 21 of the file: damaged") {
		t.Errorf("the faults are\n%s", text)
	}
	if records < 980 || records > 999 {
		t.Errorf("%d of 1000 records were read", records)
	}
}

// TestWalkIsOneMoment: what is written while a walk goes on is not in it, and does not
// disturb it.
func TestWalkIsOneMoment(t *testing.T) {
	path := newPath(t)
	j := mustOpen(t, path)
	fill(t, j, 5000)
	r, err := OpenReadOnly(path)
	must(t, err)
	defer mustClose(t, r)
	seen := 0
	must(t, r.Walk(t.Context(), func(s *Step) error {
		if s.Fault != nil {
			return s.Fault
		}
		if seen++; seen%500 == 0 {
			mustAppend(t, j, cardEntry(seen))
		}
		return nil
	}))
	if seen != 5000 {
		t.Errorf("%d records, want 5000", seen)
	}
}

// TestWalkEnds when it is told to, and leaves nothing open behind it.
func TestWalkEnds(t *testing.T) {
	j := mustOpen(t, newPath(t))
	fill(t, j, 5000)
	enough := errors.New("enough")
	for i := range 6 { // more often than there are connections
		n := 0
		err := j.Walk(t.Context(), func(*Step) error {
			if n++; n == i*100+1 {
				return enough
			}
			return nil
		})
		if !errors.Is(err, enough) || n != i*100+1 {
			t.Errorf("%v after %d steps", err, n)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := j.Walk(ctx, func(*Step) error {
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a walk whose context ends: %v", err)
	}
}

// TestWalkNeedsItsColumns: pages are read by the columns' order, so another order is
// refused.
func TestWalkNeedsItsColumns(t *testing.T) {
	path := sealedNight(t, 20)
	must(t, shell(t, path, `ALTER TABLE record ADD COLUMN remark TEXT`))
	r, err := OpenReadOnly(path)
	must(t, err)
	defer mustClose(t, r)
	if err := r.Walk(t.Context(), func(*Step) error { return nil }); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "remark") {
		t.Errorf("error is %v", err)
	}
}

// TestStructure names what was taken away, changed or added.
func TestStructure(t *testing.T) {
	path := sealedNight(t, 20)
	for _, c := range []struct {
		sql  string
		want string
	}{
		{`SELECT 1`, ""},
		{`VACUUM`, ""},
		{`ANALYZE`, ""},
		{`DROP TRIGGER record_no_update`, "trigger record_no_update is missing"},
		{`CREATE TRIGGER record_no_update BEFORE UPDATE ON record BEGIN SELECT 1; END`, "trigger record_no_update is not as it was made"},
		{`CREATE TABLE extra (a)`, "table extra was added"},
	} {
		must(t, shell(t, path, c.sql))
		r, err := OpenReadOnly(path)
		must(t, err)
		got, err := r.Structure(t.Context())
		must(t, err)
		mustClose(t, r)
		if text := strings.Join(got, "; "); !strings.HasSuffix(text, c.want) || c.want == "" && text != "" {
			t.Errorf("%s: %q, want %q", c.sql, text, c.want)
		}
	}
}

func BenchmarkWalk(b *testing.B) {
	const n = 20_000
	path := newPath(b)
	j := mustOpen(b, path)
	fill(b, j, n)
	mustClose(b, j)
	r, err := OpenReadOnly(path)
	must(b, err)
	defer mustClose(b, r)
	b.ReportAllocs()
	for b.Loop() {
		must(b, r.Walk(b.Context(), func(*Step) error { return nil }))
	}
	b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds(), "records/s")
}
