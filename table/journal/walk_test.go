package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
)

// faults walks a journal, and returns each fault on its own line, and after them how many
// records and seals there were.
func faults(t testing.TB, r *Reader) (text string, records, sealed int) {
	t.Helper()
	var b strings.Builder
	must(t, r.Walk(t.Context(), func(s *Step) error {
		if s.Fault != nil {
			fmt.Fprintln(&b, s.Fault)
		}
		if s.Record != nil {
			records++
		}
		if s.Seal != nil {
			sealed++
		}
		return nil
	}))
	return b.String(), records, sealed
}

// sealedNight makes a journal of n records, each tenth of which ends a round.
func sealedNight(t testing.TB, n int) *disktest.Disk {
	t.Helper()
	d := disktest.New(1)
	j := openOn(t, d, Options{Key: testKey})
	for i := 1; i <= n; i += 10 {
		var round []Entry
		for k := range 9 {
			e := cardEntry(i + k)
			e.Input = fmt.Appendf(nil, `{"in":"card","n":%d}`, i+k)
			round = append(round, e)
		}
		mustAppend(t, j, append(round, carrying(cardEntry(i+9), "{}"))...)
		if i%100 == 91 {
			mustClose(t, j)
			j = openOn(t, d, Options{Key: testKey})
		}
	}
	mustClose(t, j)
	return d
}

// TestWalkGoesOn: a walk reports every fault once, and continues after it; Verify reports the
// first.
func TestWalkGoesOn(t *testing.T) {
	const first, second, third = "part-000001.jsonl", "part-000002.jsonl", "part-000003.jsonl"
	line := func(n int) string { return fmt.Sprintf(`{"in":"card","n":%d}`, n) }
	frameOf := func(b []byte, n int) (from, to int) {
		from = bytes.Index(b, []byte(line(n)))
		f, err := cutFrame(b[from:])
		must(t, err)
		return from, from + len(f.text)
	}
	swap := func(from, to string) func([]byte) []byte {
		return func(b []byte) []byte {
			if !bytes.Contains(b, []byte(from)) {
				t.Fatalf("there is no %s", from)
			}
			return bytes.Replace(b, []byte(from), []byte(to), 1)
		}
	}
	for _, c := range []struct {
		name    string
		part    string
		how     func(b []byte) []byte
		want    []string // what each line holds
		records int
		seals   int
	}{
		{"nothing", first, func(b []byte) []byte { return b }, nil, 320, 36},
		{"an input", first, swap(line(47), line(48)), []string{"record 47 or what"}, 320, 36},
		{
			"a time", first, swap(`{"record":47,"event":141,"at":1`, `{"record":47,"event":141,"at":2`),
			[]string{"record 47 or what"},
			320, 36,
		},
		{"a position", second, swap(`"shoe":[7,147]`, `"shoe":[7,148]`), []string{"record 147 or what"}, 320, 36},
		{
			"a number", first, swap(`{"record":47,`, `{"record":46,`),
			[]string{"record 47 or what", "record 47 is missing"},
			320, 36,
		},
		{"no JSON", first, swap(`{"record":47,`, `{"recorD":47,`), []string{"record 47 or what"}, 319, 36},
		{"no JSON, and an input after it", first, func(b []byte) []byte {
			return swap(line(67), line(68))(swap(`{"record":47,`, `{"recorD":47,`)(b))
		}, []string{"record 47 or what", "record 67 or what"}, 319, 36},
		{"a record taken out", first, func(b []byte) []byte {
			from, to := frameOf(b, 47)
			return append(b[:from], b[to:]...)
		}, []string{"record 47 is missing", "record 92 or what", "does not end with what part 2 repeats"}, 320, 36},
		{"some taken out", first, func(b []byte) []byte {
			from, _ := frameOf(b, 43)
			_, to := frameOf(b, 46)
			return append(b[:from], b[to:]...)
		}, []string{
			"record 43 is missing, and so are the 3", "record 95 or what",
			"does not end with what part 2 repeats",
		}, 320, 36},
		{"two swapped", first, func(b []byte) []byte {
			x, y := frameOf(b, 47)
			_, z := frameOf(b, 48)
			return append(append(append(bytes.Clone(b[:x]), b[y:z]...), b[x:y]...), b[z:]...)
		}, []string{"record 47 is missing", "record 49 or what", "record 48"}, 320, 36},
		{"a hash", first, func(b []byte) []byte {
			_, to := frameOf(b, 47)
			copy(b[to-20:], "0000")
			return b
		}, []string{"record 47 or what", "record 48 or what"}, 320, 36},
		{"a seal", first, swap(`{"seal":50,"at":1`, `{"seal":50,"at":2`), []string{"record 51 or what"}, 320, 35},
		{"a spoilt piece", first, func(b []byte) []byte {
			from, _ := frameOf(b, 47)
			to := bytes.Index(b, []byte(`{"seal":50,`)) + 20
			copy(b[from-10:to], strings.Repeat("spoilt", 1000))
			return b
		}, []string{"record 46 or what"}, 315, 35},
		{"the end cut off", second, func(b []byte) []byte {
			from, _ := frameOf(b, 175)
			return b[:from]
		}, []string{"cannot be read: part-000002.jsonl"}, 304, 34},
		{"the middle of a line", second, func(b []byte) []byte {
			return b[:bytes.Index(b, []byte(`{"record":144,`))+20]
		}, []string{"cannot be read: part-000002.jsonl"}, 273, 31},
		{
			"appended", second, func(b []byte) []byte { return append(b, "more"...) },
			[]string{"record 200 is the last of part 2, to whose file"},
			320, 36,
		},
		{
			"a header", third, swap(`"round":6`, `"round":7`),
			[]string{"is in part 3, which is not what was written"},
			320, 36,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sealedNight(t, 320)
			b, err := d.Hands().Read(c.part)
			must(t, err)
			must(t, d.Hands().Replace(c.part, c.how(b)))
			text, records, seals := faults(t, readOn(t, d))
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
			if err := readOn(t, d).Verify(t.Context(), nil); (err == nil) != (len(c.want) == 0) || err != nil &&
				!errors.Is(err, ErrDamaged) {
				t.Errorf("the check says %v", err)
			}
		})
	}
}

// TestWalkIsOneMoment: what is written during a walk does not disturb it.
func TestWalkIsOneMoment(t *testing.T) {
	d := disktest.New(1)
	j := openOn(t, d, Options{PartMost: 50_000})
	fill(t, j, 5000)
	seen := 0
	must(t, readOn(t, d).Walk(t.Context(), func(s *Step) error {
		if s.Fault != nil {
			return s.Fault
		}
		if s.Record == nil {
			return nil
		}
		if seen++; seen%500 == 0 {
			mustAppend(t, j, cardEntry(seen))
		}
		return nil
	}))
	if seen < 5000 {
		t.Errorf("%d records, want 5000", seen)
	}
}

// TestWalkStops on request.
func TestWalkStops(t *testing.T) {
	j := openOn(t, disktest.New(1), Options{})
	fill(t, j, 5000)
	enough := errors.New("enough")
	n := 0
	err := j.Walk(t.Context(), func(*Step) error {
		if n++; n == 101 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || n != 101 {
		t.Errorf("%v after %d steps", err, n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = j.Walk(ctx, func(*Step) error {
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a walk whose context ends: %v", err)
	}
	if err := j.Verify(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a check whose context has ended: %v", err)
	}
}

// TestWalkStopsAnywhere: also in what a header repeats of a part that was removed.
func TestWalkStopsAnywhere(t *testing.T) {
	d, written := disktest.New(1), func() {}
	j := openOn(t, d, Options{Synced: func(time.Duration) { written() }})
	mustAppend(t, j, cardEntry(1))
	written = func() {
		written = func() {}
		must(t, d.Hands().Delete(partName(1)))
		d.Plan(disktest.Fault{Op: disktest.Create, Err: syscall.EIO}) // so that it cannot be restored
	}
	mustAppend(t, j, cardEntry(2))
	steps, repeated := 0, false
	must(t, j.Walk(t.Context(), func(s *Step) error {
		steps++
		repeated = repeated || s.Part == 2 && s.Record != nil && s.Record.Seq == 2
		return nil
	}))
	if !repeated {
		t.Error("nothing of the part that was removed is repeated")
	}
	enough := errors.New("enough")
	for stop := 1; stop <= steps; stop++ {
		n := 0
		err := j.Walk(t.Context(), func(*Step) error {
			if n++; n == stop {
				return enough
			}
			return nil
		})
		if !errors.Is(err, enough) || n != stop {
			t.Errorf("it was told to stop at step %d: %v after %d", stop, err, n)
		}
	}
}

func TestVerifyReportsProgress(t *testing.T) {
	j := openOn(t, disktest.New(1), Options{})
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

func BenchmarkWalk(b *testing.B) {
	const n = 20_000
	j := openOn(b, disktest.New(1), Options{})
	fill(b, j, n)
	b.ReportAllocs()
	for b.Loop() {
		must(b, j.Walk(b.Context(), func(*Step) error { return nil }))
	}
	b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds(), "records/s")
}
