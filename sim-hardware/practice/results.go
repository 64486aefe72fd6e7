package practice

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/sabot-table/sabot/internal/securefile"
)

// version is that of the file's form.
const version = 1

// The bounds of what is kept. Of more attempts of a trainee the oldest are dropped.
const (
	mostTrainees = 200
	mostAttempts = 5000
	mostName     = 30 // characters
	mostBytes    = 256 << 20
)

// Trainee is who practises, by the name that they typed, and what they have done, the oldest first.
type Trainee struct {
	Name     string    `json:"name"`
	Attempts []Attempt `json:"attempts"`
}

// kept is the file: everybody's results.
type kept struct {
	Version  int       `json:"version"`
	Trainees []Trainee `json:"trainees"`
}

// Results keep what trainees have done in one file. It is read for each question and replaced as a whole for each
// change, under a lock: two programs may have the same file, and a power cut leaves the old one or the new one.
type Results struct {
	// path is the file's, "" to keep nothing beyond the program's end.
	path string
	log  *slog.Logger
	// unkept are the results where there is no file.
	unkept kept
	// aside is where a damaged file was put, "" for none.
	aside string
	// turn is had by who looks at any of these, or at the file.
	turn chan struct{}
	now  func() time.Time
}

// OpenResults returns the results in a file, which need not exist yet. Without a path they are kept in memory.
func OpenResults(path string, log *slog.Logger) *Results {
	r := &Results{path: path, log: log, unkept: kept{Version: version}, turn: make(chan struct{}, 1), now: time.Now}
	r.turn <- struct{}{}
	return r
}

// Path is the file's, "" for none.
func (r *Results) Path() string { return r.path }

// SetAside is where a damaged file was put, "" if there was none.
func (r *Results) SetAside() string {
	<-r.turn
	defer func() { r.turn <- struct{}{} }()
	return r.aside
}

// NameFault says what is wrong with a name, nil for nothing.
func NameFault(name string) error {
	bad := func(c rune) bool { return !unicode.IsPrint(c) }
	switch n := utf8.RuneCountInString(name); {
	case !utf8.ValidString(name) || name != strings.TrimSpace(name) || strings.ContainsFunc(name, bad):
		return fmt.Errorf("the name %q has characters that cannot be shown, or spaces around it", name)
	case n == 0 || n > mostName:
		return fmt.Errorf("a name has 1 to %d characters; %q has %d", mostName, name, n)
	}
	return nil
}

// Trainees are all who have practised, in the order in which they began.
func (r *Results) Trainees() ([]Trainee, error) {
	var all []Trainee
	err := r.with(func(k *kept) (bool, error) {
		all = k.Trainees
		return false, nil
	})
	return all, err
}

// Of are the attempts of a trainee, the oldest first; none for one who has made none.
func (r *Results) Of(name string) ([]Attempt, error) {
	all, err := r.Trainees()
	for _, t := range all {
		if t.Name == name {
			return t.Attempts, err
		}
	}
	return nil, err
}

// Add keeps one more attempt of a trainee. It returns once the attempt is on the disk.
func (r *Results) Add(name string, a Attempt) error {
	if err := errors.Join(NameFault(name), a.fault()); err != nil {
		return err
	}
	return r.with(func(k *kept) (bool, error) {
		at := slices.IndexFunc(k.Trainees, func(t Trainee) bool { return t.Name == name })
		if at < 0 {
			if len(k.Trainees) >= mostTrainees {
				return false,
					fmt.Errorf("there are the results of %d trainees: delete those of somebody who no longer practises",
						mostTrainees)
			}
			at = len(k.Trainees)
			k.Trainees = append(k.Trainees, Trainee{Name: name})
		}
		t := &k.Trainees[at]
		t.Attempts = append(t.Attempts, a)
		t.Attempts = t.Attempts[max(0, len(t.Attempts)-mostAttempts):]
		return true, nil
	})
}

// Delete forgets a trainee.
func (r *Results) Delete(name string) error {
	return r.with(func(k *kept) (bool, error) {
		before := len(k.Trainees)
		k.Trainees = slices.DeleteFunc(k.Trainees, func(t Trainee) bool { return t.Name == name })
		return len(k.Trainees) < before, nil
	})
}

// with reads the results for do, and keeps them if do says that they have changed. Nobody else changes them meanwhile.
func (r *Results) with(do func(*kept) (changed bool, err error)) (err error) {
	<-r.turn
	defer func() { r.turn <- struct{}{} }()
	if r.path == "" {
		k := kept{Version: version, Trainees: slices.Clone(r.unkept.Trainees)}
		changed, err := do(&k)
		if changed && err == nil {
			r.unkept = k
		}
		return err
	}
	if err := os.MkdirAll(filepath.Dir(r.path), 0o700); err != nil {
		return fmt.Errorf("the folder for the results of practice: %w", err)
	}
	unlock, err := lock(r.path + ".lock")
	if err != nil {
		return fmt.Errorf("the results of practice: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	k, err := r.read()
	if err != nil {
		return err
	}
	changed, err := do(&k)
	if err != nil || !changed {
		return err
	}
	return r.write(k)
}

// errNewer is a file of a later program: nothing is wrong with it.
var errNewer = errors.New("a newer program wrote it: use that one, or another file")

// read reads the file. One that is damaged is set aside, and the results begin anew.
func (r *Results) read() (kept, error) {
	text, err := os.ReadFile(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return kept{Version: version}, nil
	}
	if err != nil {
		return kept{}, fmt.Errorf("the results of practice: %w", err)
	}
	k, err := parse(text)
	if err == nil {
		return k, nil
	}
	if errors.Is(err, errNewer) {
		return kept{}, fmt.Errorf("the results of practice in %s: %w", r.path, err)
	}
	aside := r.path + ".damaged-" + r.now().UTC().Format("20060102T150405.000")
	if err := os.Rename(r.path, aside); err != nil {
		return kept{}, fmt.Errorf("setting aside the damaged results of practice: %w", err)
	}
	r.aside = aside
	r.log.Error("the results of practice are damaged: the file was set aside, and new results begun; give it to "+
		"whoever looks after this machine",
		"file", r.path, "aside", aside, "err", err)
	return kept{Version: version}, nil
}

// parse reads a file strictly.
func parse(text []byte) (k kept, err error) {
	if len(text) > mostBytes {
		return k, fmt.Errorf("it has %d bytes", len(text))
	}
	var form struct{ Version int }
	if err := json.Unmarshal(text, &form); err == nil && form.Version > version {
		return k, fmt.Errorf("it has version %d: %w", form.Version, errNewer)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&k); err != nil {
		return k, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return k, errors.New("something follows the results")
	}
	return k, k.fault()
}

// fault says what is wrong with what was read.
func (k *kept) fault() error {
	if k.Version != version {
		return fmt.Errorf("it has version %d", k.Version)
	}
	names := map[string]bool{}
	for _, t := range k.Trainees {
		if names[t.Name] {
			return fmt.Errorf("%q has two entries", t.Name)
		}
		names[t.Name] = true
		if err := NameFault(t.Name); err != nil {
			return err
		}
		for i, a := range t.Attempts {
			if err := a.fault(); err != nil {
				return fmt.Errorf("%s, attempt %d: %w", t.Name, i+1, err)
			}
		}
	}
	return nil
}

// fault says what is wrong with an attempt.
func (a *Attempt) fault() error {
	switch {
	case !kindNames.Has(a.Kind):
		return errors.New("it is of no kind")
	case a.House == "" || a.About == "" || a.At.IsZero():
		return errors.New("house, topic or time is missing")
	case a.Level < 1 || a.Level > Levels || a.Took < 0:
		return fmt.Errorf("level %d and %d ms cannot be", a.Level, a.Took)
	case a.Right && len(a.Mistakes) > 0:
		return errors.New("it is right, and has mistakes")
	}
	return nil
}

// write replaces the file, and returns once the new one is on the disk.
func (r *Results) write(k kept) error {
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	if err := securefile.Replace(r.path, append(text, '\n')); err != nil {
		return fmt.Errorf("the results of practice were not kept: %w", err)
	}
	return nil
}

// lock waits for a file's lock, and returns what gives it back. The system gives back that of a program that ends.
func lock(path string) (unlock func() error, err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	held, err := securefile.WaitLock(file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return held.Close, nil
}
