package practice

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

func attempt(n int) Attempt {
	return Attempt{
		At:    time.Date(2026, 11, 22, 14, 0, n, 0, time.UTC),
		ID:    ID{House: "baden", Kind: Bank, Level: 1, Seed: uint64(n), Topic: "bank/james-none"},
		About: "bank/james-draws", Given: Draw, Right: n%2 == 0, Took: int64(n) * 100,
	}
}

// resultsIn are results in a new folder, and what they log.
func resultsIn(t *testing.T) (*Results, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	return OpenResults(filepath.Join(t.TempDir(), "of", "practice.json"), slog.New(slog.NewTextHandler(&log, nil))),
		&log
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestKept: what a trainee has done is there after a restart, and can be deleted.
func TestKept(t *testing.T) {
	r, log := resultsIn(t)
	for n := range 3 {
		must(t, r.Add("Anna", attempt(n)))
	}
	must(t, r.Add("Zoë 张", attempt(9)))
	again := OpenResults(r.Path(), slog.New(slog.NewTextHandler(log, nil)))
	all, err := again.Trainees()
	must(t, err)
	want := []Trainee{{"Anna", []Attempt{attempt(0), attempt(1), attempt(2)}}, {"Zoë 张", []Attempt{attempt(9)}}}
	if !reflect.DeepEqual(all, want) {
		t.Errorf("kept is %+v", all)
	}
	must(t, again.Delete("Anna"))
	must(t, again.Delete("Anna"))
	if of, err := r.Of("Anna"); err != nil || of != nil {
		t.Errorf("deleted is %v, %v", of, err)
	}
	if text, err := os.ReadFile(r.Path()); err != nil || strings.Contains(string(text), "Anna") {
		t.Errorf("the name is still in the file: %s, %v", text, err)
	}
	if log.Len() > 0 {
		t.Errorf("the log says %s", log)
	}
}

// TestWithoutAFile: the results last as long as the program.
func TestWithoutAFile(t *testing.T) {
	r := OpenResults("", slog.New(slog.DiscardHandler))
	must(t, r.Add("Anna", attempt(1)))
	if of, err := r.Of("Anna"); err != nil || len(of) != 1 {
		t.Errorf("%v, %v", of, err)
	}
	must(t, r.Delete("Anna"))
	if all, err := r.Trainees(); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
}

// TestDamaged: a file that is not as it was written is set aside whole, loudly, and new results are begun.
func TestDamaged(t *testing.T) {
	r, _ := resultsIn(t)
	must(t, r.Add("Anna", attempt(1)))
	good, err := os.ReadFile(r.Path())
	must(t, err)
	edit := func(old, now string) []byte { return bytes.Replace(good, []byte(old), []byte(now), 1) }
	for what, text := range map[string][]byte{
		"half of it":       good[:len(good)/2],
		"nothing":          {},
		"zeros":            make([]byte, 300),
		"more":             append(bytes.Clone(good), "{}"...),
		"an older version": edit(`"version":1`, `"version":0`),
		"an unknown field": edit(`"house"`, `"hous"`),
		"an unknown kind":  edit(`"bank"`, `"wine"`),
		"no time":          edit(`"at":"2026-11-22T14:00:01Z"`, `"at":"0001-01-01T00:00:00Z"`),
		"level 9":          edit(`"level":1`, `"level":9`),
		"no name":          edit(`"Anna"`, `""`),
		"two of a name":    edit(`"trainees":[`, `"trainees":[{"name":"Anna","attempts":[]},`),
		"a right mistake":  edit(`"right":false`, `"right":true,"mistakes":["wrong-way"]`),
	} {
		r, log := resultsIn(t)
		must(t, os.MkdirAll(filepath.Dir(r.Path()), 0o700))
		must(t, os.WriteFile(r.Path(), text, 0o600))
		if of, err := r.Of("Anna"); err != nil || len(of) != 0 {
			t.Errorf("%s: %v, %v", what, of, err)
		}
		must(t, r.Add("Ben", attempt(2)))
		aside, err := filepath.Glob(r.Path() + ".damaged-*")
		must(t, err)
		if len(aside) != 1 {
			t.Fatalf("%s: set aside are %v", what, aside)
		}
		if was, err := os.ReadFile(aside[0]); err != nil || !bytes.Equal(was, text) {
			t.Errorf("%s: what was set aside is %q, %v", what, was, err)
		}
		if !strings.Contains(log.String(), "ERROR") || !strings.Contains(log.String(), aside[0]) {
			t.Errorf("%s: the log says %s", what, log)
		}
	}
}

// TestNewer: the file of a newer program stays as it is, and the error says what to do.
func TestNewer(t *testing.T) {
	r, _ := resultsIn(t)
	must(t, os.MkdirAll(filepath.Dir(r.Path()), 0o700))
	const text = `{"version":2,"people":{}}`
	must(t, os.WriteFile(r.Path(), []byte(text), 0o600))
	if err := r.Add("Anna", attempt(1)); err == nil || !strings.Contains(err.Error(), "newer program") {
		t.Errorf("got %v", err)
	}
	if now, err := os.ReadFile(r.Path()); err != nil || string(now) != text {
		t.Errorf("the file is %s, %v", now, err)
	}
}

// TestTwoWriters: several programs with the same file lose nothing.
func TestTwoWriters(t *testing.T) {
	first, log := resultsIn(t)
	const each = 20
	var all sync.WaitGroup
	for who := range 4 {
		r := first
		if who%2 == 1 {
			r = OpenResults(first.Path(), first.log)
		}
		all.Go(func() {
			for n := range each {
				if err := r.Add(fmt.Sprintf("trainee %d", who%3), attempt(n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	kept, err := first.Trainees()
	must(t, err)
	sum := 0
	for _, one := range kept {
		sum += len(one.Attempts)
	}
	if len(kept) != 3 || sum != 4*each || log.Len() > 0 {
		t.Errorf("%d trainees have %d attempts: %s", len(kept), sum, log)
	}
}

// TestNames: what cannot be shown is no name.
func TestNames(t *testing.T) {
	r, _ := resultsIn(t)
	for _, name := range []string{
		"", " Anna", "Anna ", "a\nb", "a\x00", "\xff", "a\u202eb",
		strings.Repeat("x", mostName+1),
	} {
		if err := r.Add(name, attempt(1)); err == nil {
			t.Errorf("%q is a name", name)
		}
	}
	for _, name := range []string{"A", "D’Ambrosio", "李雷", strings.Repeat("ü", mostName)} {
		must(t, r.Add(name, attempt(1)))
	}
}

// TestOldestAreDropped once there are more attempts than are kept.
func TestOldestAreDropped(t *testing.T) {
	r := OpenResults("", slog.New(slog.DiscardHandler))
	for n := range mostAttempts + 2 {
		must(t, r.Add("Anna", attempt(n)))
	}
	if of, err := r.Of("Anna"); err != nil || len(of) != mostAttempts || of[0].Seed != 2 {
		t.Errorf("%d are kept, the first with seed %d: %v", len(of), of[0].Seed, err)
	}
}

// TestScores: medians, days and what is weak.
func TestScores(t *testing.T) {
	var done []Attempt
	for n, right := range []bool{true, false, true, true, false} {
		a := attempt(n)
		a.Right = right
		a.At = a.At.AddDate(0, 0, n/3)
		if n == 4 {
			a.About = "bank/james-none"
		}
		done = append(done, a)
	}
	if s := ScoreOf(done); s != (Score{5, 3, 200 * time.Millisecond}) || s.Percent() != 60 {
		t.Errorf("%+v", s)
	}
	if s := ScoreOf(done[:4]); s.Median != 150*time.Millisecond {
		t.Errorf("the median of four is %s", s.Median)
	}
	if s := ScoreOf(nil); s.Percent() != 0 || s.Median != 0 {
		t.Errorf("nothing is %+v", s)
	}
	want := []Day{{"2026-11-22", ScoreOf(done[:3])}, {"2026-11-23", ScoreOf(done[3:])}}
	if days := Days(done, time.UTC); !reflect.DeepEqual(days, want) {
		t.Errorf("%+v", days)
	}
	all := Reports(done)
	if len(all) != 1 || !reflect.DeepEqual(all[0].Weak, []Weak{{"bank/james-none", 1, 1}}) {
		t.Errorf("%+v", all)
	}
	if w := weak(done[:3]); !reflect.DeepEqual(w, []Weak{{"bank/james-draws", 3, 1}}) {
		t.Errorf("right once since is weak, too: %+v", w)
	}
}
