package journal

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
)

// tamper changes records behind the journal's back: it takes the guards away,
// runs SQL and puts them up again.
func tamper(t testing.TB, path string, statements ...string) {
	t.Helper()
	_, guards, _ := strings.Cut(firstSchema, "CREATE TRIGGER record_no_update")
	drop := []string{
		`DROP TRIGGER record_no_update`, `DROP TRIGGER record_no_delete`, `DROP TRIGGER record_in_order`,
		`DROP TRIGGER boot_in_order`,
	}
	must(t, shell(t, path, append(append(drop, statements...), "CREATE TRIGGER record_no_update"+guards)...))
}

func wantBroken(t testing.TB, err error, seq uint64) {
	t.Helper()
	broken, ok := errors.AsType[*BrokenError](err)
	if !ok || broken.Seq != seq || !errors.Is(err, ErrDamaged) {
		t.Errorf("error is %v, want record %d broken", err, seq)
	}
}

// sound stands for no record that is broken.
const sound = math.MaxUint64

// TestVerifyFinds tampers with the middle of a journal while it is open, and looks at
// it then, through SQLite, and when it is closed, in the file's own pages.
func TestVerifyFinds(t *testing.T) {
	for _, c := range []struct {
		name string
		sql  []string
		want uint64
	}{
		{"nothing", []string{`SELECT 1`}, sound},
		{"input changed", []string{`UPDATE record SET input = replace(input, 'TH', '2H') WHERE seq = 300`}, 300},
		{"output changed", []string{`UPDATE record SET outputs = replace(outputs, '17', '18') WHERE seq = 300`}, 300},
		{"output hidden behind NUL", []string{`UPDATE record SET outputs = outputs || char(0) || 'more' WHERE seq = 300`}, 300},
		{"time changed", []string{`UPDATE record SET at = at - 1 WHERE seq = 300`}, 300},
		{"round changed", []string{`UPDATE record SET round = -round WHERE seq = 300`}, 300},
		{"boot changed", []string{`UPDATE record SET boot = 2 WHERE seq = 300`}, 300},
		{"boot went back", []string{`UPDATE record SET boot = 0 WHERE seq = 300`}, 300},
		{"shoe changed", []string{`UPDATE record SET shoe_boot = 8 WHERE seq = 300`}, 300},
		{"shoe wrapped", []string{`UPDATE record SET shoe_seq = shoe_seq + 4294967296 WHERE seq = 300`}, 300},
		{"event changed", []string{`UPDATE record SET first_event = first_event + 1 WHERE seq = 300`}, 300},
		{"setup changed", []string{`UPDATE record SET setup = 7 WHERE seq = 300`}, 300},
		{"shoe's record changed", []string{`UPDATE record SET shoe = 7 WHERE seq = 300`}, 300},
		{"checkpoint changed", []string{`UPDATE record SET checkpoint = 7 WHERE seq = 300`}, 300},
		{"rules changed", []string{`UPDATE record SET rules = zeroblob(32) WHERE seq = 300`}, 300},
		{"rules taken away", []string{`UPDATE record SET rules = x'' WHERE seq = 300`}, 300},
		{"carry added", []string{`UPDATE record SET carry = x'00' WHERE seq = 300`}, 300},
		{"hash changed", []string{`UPDATE record SET hash = randomblob(32) WHERE seq = 300`}, 300},
		{"removed", []string{`DELETE FROM record WHERE seq = 300`}, 300},
		{"first removed", []string{`DELETE FROM record WHERE seq = 1`}, 1},
		{"moved up", []string{`DELETE FROM record WHERE seq = 300`, `UPDATE record SET seq = 300 WHERE seq = 301`}, 300},
		{"put in", []string{
			`UPDATE record SET seq = -seq - 1 WHERE seq >= 300`,
			`UPDATE record SET seq = -seq WHERE seq < 0`,
			`INSERT INTO record SELECT 300, boot, at, round, shoe_boot, shoe_seq, first_event, setup, shoe, checkpoint, rules, input, outputs, carry, hash
			   FROM record WHERE seq = 299`,
		}, 300},
		{"swapped", []string{
			`UPDATE record SET seq = -1 WHERE seq = 300`,
			`UPDATE record SET seq = 300 WHERE seq = 310`,
			`UPDATE record SET seq = 310 WHERE seq = -1`,
		}, 300},
		{"number negative", []string{`UPDATE record SET seq = -1 WHERE seq = 300`}, 0},
		{"other journal", []string{
			`DROP TRIGGER meta_no_update`,
			`UPDATE meta SET value = '00112233445566778899aabbccddeeff' WHERE key = 'id'`,
		}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := newPath(t)
			j := mustOpen(t, path)
			fill(t, j, 320)
			tamper(t, path, c.sql...)
			wantVerified(t, path, c.want)
			mustClose(t, j)
			wantVerified(t, path, c.want)
		})
	}
}

// wantVerified opens a journal to read, and wants Verify to find a record broken.
func wantVerified(t *testing.T, path string, seq uint64) {
	t.Helper()
	r, err := OpenReadOnly(path)
	must(t, err)
	defer mustClose(t, r)
	err = r.Verify(t.Context(), nil)
	if seq == sound {
		must(t, err)
		return
	}
	wantBroken(t, err, seq)
}

// TestSameContentUnderOneHash swaps two fields of a record: a hash over fields
// that are merely joined would not see it.
func TestSameContentUnderOneHash(t *testing.T) {
	path := newPath(t)
	j := mustOpen(t, path)
	mustAppend(t, j, keyEntry("ab", "c"), keyEntry("d"))
	tamper(t, path, `UPDATE record SET input = 'a', outputs = 'b' || outputs WHERE seq = 1`)
	wantBroken(t, j.Verify(t.Context(), nil), 1)
}

// TestSpoiltPage overwrites a page in the middle of the file, where Open does not
// look.
func TestSpoiltPage(t *testing.T) {
	path := newPath(t)
	j := mustOpen(t, path)
	fill(t, j, tailLength+1000)
	mustClose(t, j)
	scribble(t, path, 20*4096, strings.Repeat("spoilt", 600))
	j = mustOpen(t, path)
	err := j.Verify(t.Context(), nil)
	if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "record ") {
		t.Errorf("error is %v", err)
	}
}

func TestVerifyReportsProgress(t *testing.T) {
	j := mustOpen(t, newPath(t))
	const n = 2*progressStep + 10
	fill(t, j, n)
	var seen []uint64
	must(t, j.Verify(t.Context(), func(done, total uint64) {
		if total != n {
			t.Errorf("total is %d, want %d", total, n)
		}
		seen = append(seen, done)
	}))
	if len(seen) != 3 || seen[0] != progressStep || seen[1] != 2*progressStep || seen[2] != n {
		t.Errorf("progress was %v", seen)
	}
}

func TestVerifyStops(t *testing.T) {
	j := mustOpen(t, newPath(t))
	fill(t, j, 10)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := j.Verify(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

// TestGuards tries with a SQLite shell what only tampering can do.
func TestGuards(t *testing.T) {
	path := newPath(t)
	j := openSealed(t, path)
	defer mustClose(t, j)
	mustAppend(t, j, evening...)
	const again = `SELECT 3, boot, at, round, shoe_boot, shoe_seq, first_event, setup, shoe, checkpoint, rules, input, outputs, carry, hash FROM record WHERE seq = 4`
	for _, sql := range []string{
		`UPDATE record SET at = 0`,
		`DELETE FROM record WHERE seq = 1`,
		`DELETE FROM record`,
		`REPLACE INTO record ` + again,
		`INSERT INTO record ` + strings.Replace(again, "3", "9", 1),
		`UPDATE boot SET program = ''`,
		`DELETE FROM boot`,
		`REPLACE INTO boot VALUES (1, '', 1)`,
		`UPDATE meta SET value = ''`,
		`DELETE FROM meta`,
		`UPDATE seal SET at = 0`,
		`DELETE FROM seal`,
		`REPLACE INTO seal SELECT * FROM seal`,
		`INSERT INTO seal SELECT 9, hash, at, key, signature FROM seal`,
	} {
		err := shell(t, path, sql)
		if err == nil || !strings.Contains(err.Error(), "the journal ") {
			t.Errorf("%s: %v", sql, err)
		}
	}
	must(t, j.Verify(t.Context(), nil))
}
