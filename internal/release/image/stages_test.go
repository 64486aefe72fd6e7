package image

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// work is three stages, each of which adds its name to a file, twice, and can be broken off between the two; the second
// goes on where it was.
type work struct {
	t       *testing.T
	folder  string
	of      [3]string
	breakAt string
	did     string
}

var errBroken = errors.New("broken off")

func (w *work) run() error {
	w.did = ""
	s := stages{folder: w.folder, told: func(string) {}}
	for n, name := range []string{"a", "b", "c"} {
		file := filepath.Join(w.folder, "of-"+name)
		s.all = append(s.all, stage{
			name: name, of: w.of[n], leaves: []string{"of-" + name}, goesOn: name == "b",
			make: func() error {
				for _, half := range []string{"1", "2"} {
					text, _ := os.ReadFile(file) // none yet
					if part := name + half; !strings.Contains(string(text), part) {
						w.did += part
						if err := os.WriteFile(file, append(text, part...), 0o600); err != nil {
							return err
						}
					}
					if w.breakAt == name+half {
						return errBroken
					}
				}
				return nil
			},
		})
	}
	return s.run()
}

// TestStages: what was broken off goes on where it was, and nothing is used that was made from something else.
func TestStages(t *testing.T) {
	for _, c := range []struct {
		breakAt string
		// changed is the stage, from 1, that is to be made from something else then; 0 for none.
		changed int
		did     string
	}{
		{"", 0, ""},
		{"a1", 0, "a1a2b1b2c1c2"},
		{"a2", 0, "a1a2b1b2c1c2"},
		{"b1", 0, "b2c1c2"},
		{"b2", 0, "c1c2"},
		{"c1", 0, "c1c2"},
		{"", 1, "a1a2b1b2c1c2"},
		{"", 2, "b1b2c1c2"},
		{"", 3, "c1c2"},
		{"b1", 1, "a1a2b1b2c1c2"},
		{"b1", 2, "b1b2c1c2"},
		{"b1", 3, "b2c1c2"},
		{"c1", 2, "b1b2c1c2"},
	} {
		w := &work{t: t, folder: t.TempDir(), of: [3]string{"x", "y", "z"}, breakAt: c.breakAt}
		if err := w.run(); (c.breakAt != "") != errors.Is(err, errBroken) {
			t.Fatalf("%+v: %v", c, err)
		}
		if w.breakAt = ""; c.changed > 0 {
			w.of[c.changed-1] = "else"
		}
		if err := w.run(); err != nil || w.did != c.did {
			t.Errorf("broken off at %q, stage %d changed: it does %q, %v, not %q", c.breakAt, c.changed, w.did,
				err, c.did)
		}
		if err := w.run(); err != nil || w.did != "" {
			t.Errorf("broken off at %q: once it is done it does %q again, %v", c.breakAt, w.did, err)
		}
	}
}

// TestBrokenOffAgain: a stage that is broken off after it was to be made from something else, and is to be made from
// the first again, takes nothing over from that.
func TestBrokenOffAgain(t *testing.T) {
	w := &work{t: t, folder: t.TempDir(), of: [3]string{"x", "y", "z"}}
	for _, step := range []struct{ of, breakAt, did string }{
		{"y", "", "a1a2b1b2c1c2"}, {"else", "b1", "b1"}, {"y", "b1", "b1"}, {"y", "", "b2c1c2"},
	} {
		w.of[1], w.breakAt = step.of, step.breakAt
		if err := w.run(); (step.breakAt != "") != errors.Is(err, errBroken) || w.did != step.did {
			t.Errorf("%+v: it does %q, %v", step, w.did, err)
		}
	}
}
