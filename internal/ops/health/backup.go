package health

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
	// BackupEnd ends the file's name, after the journal's path.
	BackupEnd = ".backup"
	// BackupSettings is the file that says where the backup's service copies a table to.
	BackupSettings = "/etc/default/sabot-backup"
	// mostBackups is more than the file has, in bytes, and mostBackupWhy more than is kept of a reason.
	mostBackups, mostBackupWhy = 64 << 10, 2 << 10
)

// BackupMark is what is remembered beside a table's journal: when the table was last backed up, and what came of the
// last try, so that somebody is told before the copy is needed. No backup has this file: on a new card none was made
// yet.
type BackupMark struct {
	// SetUp says that there were BackupSettings when a backup was last made or tried.
	SetUp  bool          `json:"set_up,omitempty"`
	Good   *GoodBackup   `json:"good,omitempty"`
	Failed *FailedBackup `json:"failed,omitempty"`
}

// GoodBackup is the last backup that was read back, and in whose journal the audit found no fault.
type GoodBackup struct {
	At         time.Time `json:"at"`
	To         string    `json:"to"`
	Generation uint64    `json:"generation"`
}

// FailedBackup is a try since then that has failed.
type FailedBackup struct {
	At  time.Time `json:"at"`
	Why string    `json:"why"`
}

// Backups are how the backups of a table do.
type Backups struct {
	BackupMark
	// Wanted says that backups are to be made by themselves: there are BackupSettings, or there were.
	Wanted bool
	// Gone says that there were BackupSettings, and are none now.
	Gone bool
	// Unread is why the mark cannot be read.
	Unread error
}

// LookAtBackups says how the backups of the table with a journal do. settings is where BackupSettings is.
func LookAtBackups(journal, settings string) (s Backups) {
	s.BackupMark, s.Unread = readBackups(journal + BackupEnd)
	s.Gone = s.SetUp && !thereIs(settings)
	s.Wanted = s.SetUp || thereIs(settings)
	return s
}

func thereIs(settings string) bool {
	_, err := os.Stat(settings)
	return err == nil
}

func readBackups(path string) (m BackupMark, err error) {
	text, err := securefile.Read(path, mostBackups)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return BackupMark{}, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// BackupMade notes a backup. Nothing before it matters any longer.
func BackupMade(journal string, g GoodBackup) error {
	return BackupMark{SetUp: thereIs(BackupSettings), Good: &g}.write(journal)
}

// BackupFails notes that a backup has failed, and why. What was made before stays.
func BackupFails(journal string, at time.Time, why error) error {
	m, err := readBackups(journal + BackupEnd)
	if err != nil {
		m = BackupMark{} // whoever looks is told the truth again, that none is known
	}
	text := why.Error()
	m.SetUp, m.Failed = thereIs(BackupSettings), &FailedBackup{At: at, Why: text[:min(len(text), mostBackupWhy)]}
	return m.write(journal)
}

// write replaces the file. It belongs to whoever runs the table, who has to read it, also where root makes a backup.
func (m BackupMark) write(journal string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	path := journal + BackupEnd
	if err := securefile.Replace(path, append(text, '\n')); err != nil {
		return fmt.Errorf("that cannot be noted for the table's health: %w", err)
	}
	return securefile.HandOver(journal, func(user, group int) error { return os.Lchown(path, user, group) })
}

// ForgetBackups removes the mark: it is of another journal.
func ForgetBackups(journal string) error {
	if err := os.Remove(journal + BackupEnd); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// BackupEnough is how old the last good backup may be: the service makes one each day, and one may fail.
const BackupEnough = 48 * time.Hour

// ahead is by how much the clock may have been put back since a backup.
const ahead = time.Hour

// Fresh says that the last good backup is not too old. One that is still to come by the clock proves nothing.
func (s Backups) Fresh(now time.Time) bool {
	return s.Good != nil && now.Sub(s.Good.At) <= BackupEnough && s.Good.At.Sub(now) <= ahead
}

// Late says what is wrong with the last backup, "" if nothing is, or none is wanted.
func (s Backups) Late(now time.Time) string {
	if s.Unread == nil && (!s.Wanted || s.Fresh(now)) {
		return ""
	}
	return s.Last(now)
}

// NoBackup is what Last says where no backup was made, and no other word of it.
const NoBackup = "none was made yet"

// Last says in words when the last good backup was made, and what went wrong since.
func (s Backups) Last(now time.Time) string {
	text := NoBackup
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
		text += "; " + BackupSettings + ", which said where to, is gone"
	}
	return text
}

func said(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }
