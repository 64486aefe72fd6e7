package settings

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/table/journal/disk"
)

// on is the store of a file on a disk that may be a simulated one.
func on(d disk.Disk, name string, now func() time.Time) *Store {
	return &Store{name: name, disk: d, now: now, dress: func(string) error { return nil }, regular: func(string) error {
		return nil
	}}
}

func replaced(t *testing.T, s *Store, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if err := s.Replace([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
}

func contents(t *testing.T, s *Store) string {
	t.Helper()
	text, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestHistory: what was there before each change is kept, numbered, and no more than so many of them.
func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sabot.yaml")
	s := At(path)
	s.now = func() time.Time { return time.Date(2026, 11, 23, 12, 30, 5, 0, time.UTC) } // a clock that stands still
	if text, err := s.Read(); text != nil || err != nil {
		t.Errorf("there is %q, %v before the first answer", text, err)
	}
	replaced(t, s, "one", "two", "two", "three")
	all, err := s.History()
	if err != nil || len(all) != 2 || all[0].Number != 2 || !all[0].Changed.Equal(s.now()) {
		t.Fatalf("the history is %v, %v", all, err)
	}
	for number, want := range map[uint64]string{1: "one", 2: "two"} {
		if _, text, err := s.Snapshot(number); string(text) != want || err != nil {
			t.Errorf("before change %d it was %q, %v", number, text, err)
		}
	}
	if _, err := os.Stat(path + ".0002.2026-11-23T123005Z"); err != nil {
		t.Error(err)
	}
	for i := range 2 * MostSnapshots {
		replaced(t, s, fmt.Sprint(i))
	}
	all, err = s.History()
	if err != nil || len(all) != MostSnapshots || all[0].Number != 2*MostSnapshots+2 {
		t.Errorf("%d snapshots are kept, the newest %d, %v", len(all), all[0].Number, err)
	}
	if _, _, err := s.Snapshot(1); err == nil || !strings.Contains(err.Error(), "sabot config history") {
		t.Errorf("the first is %v", err)
	}
}

// TestModesStay: the file has the permissions that it had, and so do its snapshots; what others left there is refused.
func TestModesStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sabot.yaml")
	s := At(path)
	replaced(t, s, "one")
	for _, mode := range []os.FileMode{0o640, 0o600, 0o644} {
		if info, err := os.Stat(path); err != nil || mode == 0o640 && info.Mode().Perm() != mode {
			t.Errorf("a first file has %v, %v", info.Mode(), err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		replaced(t, s, "with "+mode.String())
		all, err := s.History()
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{path, filepath.Join(filepath.Dir(path), all[0].name)} {
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != mode {
				t.Errorf("%s has %v, not %v, %v", file, info.Mode(), mode, err)
			}
		}
	}
	if err := os.Symlink("/etc/passwd", path+".0099.2026-11-23T123005Z"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Snapshot(99); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a link is read: %v", err)
	}
}

// TestPowerCut cuts the power before each operation of a change, in many ways: the file is then the old one or the new
// one, whole; if it is the new one, the old one is in the history; and the next change succeeds.
func TestPowerCut(t *testing.T) {
	before, after := strings.Repeat("before\n", 900), strings.Repeat("after\n", 1100)
	now := func() time.Time { return time.Unix(1_760_000_000, 0) }
	d := disktest.New(1)
	s := on(d, "sabot.yaml", now)
	for i := range MostSnapshots {
		replaced(t, s, fmt.Sprint("earlier ", i))
	}
	replaced(t, s, before)
	moments, news := 0, 0
	d.Watch(func(m *disktest.Moment) {
		for dice := range uint64(40) {
			left := m.PowerCut(dice)
			if dice == 0 {
				left = m.Kill()
			}
			moments++
			cut := on(left, "sabot.yaml", now)
			text, err := cut.Read()
			if err != nil {
				t.Fatalf("before %v of %s: %v", m.Op, m.Name, err)
			}
			switch {
			case string(text) == after:
				news++
				all, err := cut.History()
				if err != nil || len(all) == 0 {
					t.Fatalf("before %v of %s: no history: %v", m.Op, m.Name, err)
				}
				if _, was, err := cut.Snapshot(all[0].Number); string(was) != before || err != nil {
					t.Fatalf("before %v of %s: what was there is lost, %v:\n%s", m.Op, m.Name, err, m.Log())
				}
			case string(text) != before:
				t.Fatalf("before %v of %s: the file is %.40q:\n%s", m.Op, m.Name, text, m.Log())
			}
			if err := cut.Replace([]byte("next")); err != nil || contents(t, cut) != "next" {
				t.Fatalf("before %v of %s: the next change: %v", m.Op, m.Name, err)
			}
		}
	})
	replaced(t, s, after)
	d.Watch(nil)
	if moments < 300 || news == 0 {
		t.Errorf("the power was cut %d times, %d of them after the change", moments, news)
	}
	if final := d.PowerCut(1); contents(t, on(final, "sabot.yaml", now)) != after {
		t.Error("the change is not durable when it is said to be done")
	}
}

// TestFirstPowerCut: a first file is there whole, or not at all.
func TestFirstPowerCut(t *testing.T) {
	text := []byte(strings.Repeat("first\n", 900))
	d := disktest.New(1)
	now := func() time.Time { return time.Unix(1_760_000_000, 0) }
	d.Watch(func(m *disktest.Moment) {
		for dice := range uint64(40) {
			got, err := on(m.PowerCut(dice), "sabot.yaml", now).Read()
			if err != nil || got != nil && !bytes.Equal(got, text) {
				t.Fatalf("before %v of %s: %.40q, %v", m.Op, m.Name, got, err)
			}
		}
	})
	replaced(t, on(d, "sabot.yaml", now), string(text))
}
