// Package backupstatus remembers beside a table's journal when the table was last backed up, and what came of the last
// try, so that somebody is told before the copy is needed. No backup has this file: on a new card none was made yet.
package backupstatus

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/sabot-table/sabot/internal/securefile"
)

const (
	// End ends the file's name, after the journal's path.
	End = ".backup"
	// Settings is the file that says where the backup's service copies a table to.
	Settings = "/etc/default/sabot-backup"
	// most is more than the file has, in bytes, and mostWhy more than is kept of a reason.
	most, mostWhy = 64 << 10, 2 << 10
)

// Mark is what is remembered.
type Mark struct {
	// SetUp says that there were Settings when a backup was last made or tried.
	SetUp  bool    `json:"set_up,omitempty"`
	Good   *Good   `json:"good,omitempty"`
	Failed *Failed `json:"failed,omitempty"`
}

// Good is the last backup that was read back, and in whose journal the audit found no fault.
type Good struct {
	At         time.Time `json:"at"`
	To         string    `json:"to"`
	Generation uint64    `json:"generation"`
}

// Failed is a try since then that has failed.
type Failed struct {
	At  time.Time `json:"at"`
	Why string    `json:"why"`
}

// State is how the backups of a table do.
type State struct {
	Mark
	// Wanted says that backups are to be made by themselves: there are Settings, or there were.
	Wanted bool
	// Gone says that there were Settings, and are none now.
	Gone bool
	// Unread is why the mark cannot be read.
	Unread error
}

// Look says how the backups of the table with a journal do. settings is where Settings is.
func Look(journal, settings string) (s State) {
	s.Mark, s.Unread = read(journal + End)
	s.Gone = s.SetUp && !there(settings)
	s.Wanted = s.SetUp || there(settings)
	return s
}

func there(settings string) bool {
	_, err := os.Stat(settings)
	return err == nil
}

func read(path string) (m Mark, err error) {
	text, err := securefile.Read(path, most)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return Mark{}, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// Made notes a backup. Nothing before it matters any longer.
func Made(journal string, g Good) error {
	return Mark{SetUp: there(Settings), Good: &g}.write(journal)
}

// Fails notes that a backup has failed, and why. What was made before stays.
func Fails(journal string, at time.Time, why error) error {
	m, err := read(journal + End)
	if err != nil {
		m = Mark{} // whoever looks is told the truth again, that none is known
	}
	text := why.Error()
	m.SetUp, m.Failed = there(Settings), &Failed{At: at, Why: text[:min(len(text), mostWhy)]}
	return m.write(journal)
}

// write replaces the file. It belongs to whoever runs the table, who has to read it, also where root makes a backup.
func (m Mark) write(journal string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	path := journal + End
	if err := securefile.Replace(path, append(text, '\n')); err != nil {
		return fmt.Errorf("that cannot be noted for the table's health: %w", err)
	}
	return securefile.HandOver(journal, func(user, group int) error { return os.Lchown(path, user, group) })
}

// Forget removes the mark: it is of another journal.
func Forget(journal string) error {
	if err := os.Remove(journal + End); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Enough is how old the last good backup may be: the service makes one each day, and one may fail.
const Enough = 48 * time.Hour

// ahead is by how much the clock may have been put back since a backup.
const ahead = time.Hour

// Fresh says that the last good backup is not too old. One that is still to come by the clock proves nothing.
func (s State) Fresh(now time.Time) bool {
	return s.Good != nil && now.Sub(s.Good.At) <= Enough && s.Good.At.Sub(now) <= ahead
}

// Late says what is wrong with the last backup, "" if nothing is, or none is wanted.
func (s State) Late(now time.Time) string {
	if s.Unread == nil && (!s.Wanted || s.Fresh(now)) {
		return ""
	}
	return s.Last(now)
}

// None is what Last says where no backup was made, and no other word of it.
const None = "none was made yet"

// Last says in words when the last good backup was made, and what went wrong since.
func (s State) Last(now time.Time) string {
	text := None
	switch {
	case s.Unread != nil:
		return "when the last was made cannot be read: " + s.Unread.Error()
	case s.Good != nil && s.Good.At.Sub(now) > ahead:
		text = fmt.Sprintf("the last is of %s, which is still to come by the clock", said(s.Good.At))
	case s.Good != nil:
		text = fmt.Sprintf("the last is of %s, on %s", said(s.Good.At), s.Good.To)
	}
	if s.Failed != nil {
		text += fmt.Sprintf("; the try of %s: %s", said(s.Failed.At), s.Failed.Why)
	}
	if s.Gone {
		text += "; " + Settings + ", which said where to, is gone"
	}
	return text
}

func said(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }
