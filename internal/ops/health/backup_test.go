package health

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

var backupDay = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// TestBackupIsLate: a table that is to be backed up has a good backup of the last two days, or it is said what it has
// instead.
func TestBackupIsLate(t *testing.T) {
	good := func(ago time.Duration) *GoodBackup {
		return &GoodBackup{At: backupDay.Add(-ago), To: "/media/stick", Generation: 4}
	}
	failed := &FailedBackup{At: backupDay.Add(-time.Hour), Why: "no space left"}
	for name, c := range map[string]struct {
		s    Backups
		want string
	}{
		"not wanted":      {Backups{}, ""},
		"not wanted, old": {Backups{BackupMark: BackupMark{Good: good(1000 * time.Hour)}}, ""},
		"none":            {Backups{Wanted: true}, "none was made yet"},
		"none, and failed": {
			Backups{Wanted: true, BackupMark: BackupMark{Failed: failed}},
			"none was made yet; the try of 2026-11-23 11:00 UTC: no space left",
		},
		"of today": {Backups{Wanted: true, BackupMark: BackupMark{Good: good(5 * time.Hour)}}, ""},
		"one has failed": {
			Backups{Wanted: true, BackupMark: BackupMark{Good: good(47 * time.Hour), Failed: failed}}, "",
		},
		"too old": {
			Backups{Wanted: true, BackupMark: BackupMark{Good: good(49 * time.Hour)}},
			"the last is of 2026-11-21 11:00 UTC, on /media/stick",
		},
		"too old, and why": {
			Backups{Wanted: true, BackupMark: BackupMark{Good: good(49 * time.Hour), Failed: failed}},
			"on /media/stick; the try of 2026-11-23 11:00 UTC: no space left",
		},
		"still to come": {
			Backups{Wanted: true, BackupMark: BackupMark{Good: good(-2 * time.Hour)}},
			"which is still to come by the clock",
		},
		"unread": {Backups{Unread: errors.New("it is torn")}, "when the last was made cannot be read: it is torn"},
	} {
		got := c.s.Late(backupDay)
		if !strings.HasSuffix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: it says %q", name, got)
		}
	}
}

// TestBackupIsRemembered: what is noted is read again; a failure leaves the good one, a good one clears the failure,
// and only whoever runs the table reads it.
func TestBackupIsRemembered(t *testing.T) {
	journal, settings := filepath.Join(t.TempDir(), "journal"), filepath.Join(t.TempDir(), "sabot-backup")
	look := func() Backups { return LookAtBackups(journal, settings) }
	if s := look(); s.Good != nil || s.Failed != nil || s.Wanted || s.Unread != nil {
		t.Errorf("of nothing it says %+v", s)
	}
	note := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	note(BackupFails(journal, backupDay, errors.New(strings.Repeat("x", mostBackups))))
	if s := look(); s.Good != nil || len(s.Failed.Why) != mostBackupWhy {
		t.Errorf("of a failure it says %+v", s)
	}
	note(BackupMade(journal, GoodBackup{At: backupDay, To: "/media/stick", Generation: 7}))
	if s := look(); s.Failed != nil || s.Good.Generation != 7 || !s.Fresh(backupDay) {
		t.Errorf("of a backup it says %+v", s)
	}
	note(BackupFails(journal, backupDay, errors.New("no stick")))
	if s := look(); s.Good == nil || s.Failed.Why != "no stick" {
		t.Errorf("of both it says %+v", s)
	}
	if info, err := os.Stat(journal + BackupEnd); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
	note(os.WriteFile(settings, nil, 0o600))
	if !look().Wanted {
		t.Error("with the service's settings no backup is wanted")
	}
	note(ForgetBackups(journal))
	note(ForgetBackups(journal))
	if s := look(); s.Good != nil || s.Failed != nil {
		t.Errorf("of what is forgotten it says %+v", s)
	}
}

// TestBackupSettingsGone: what was set up and is not any longer is still wanted.
func TestBackupSettingsGone(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	if err := (BackupMark{SetUp: true, Good: &GoodBackup{At: backupDay}}).write(journal); err != nil {
		t.Fatal(err)
	}
	if s := LookAtBackups(journal, filepath.Join(t.TempDir(), "gone")); !s.Wanted ||
		!strings.HasSuffix(s.Late(backupDay.Add(BackupEnough+time.Second)), "which said where to, is gone") {
		t.Errorf("it says %+v", s)
	}
}

// TestBackupUnread: what is no mark is said to be none, nothing waits for it, and the next backup replaces it.
func TestBackupUnread(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"torn":   func(path string) error { return os.WriteFile(path, []byte(`{"good":`), 0o600) },
		"a pipe": func(path string) error { return syscall.Mkfifo(path, 0o600) },
	} {
		journal := filepath.Join(t.TempDir(), "journal")
		if err := put(journal + BackupEnd); err != nil {
			t.Fatal(err)
		}
		if s := LookAtBackups(journal, "/nowhere"); s.Unread == nil || s.Late(backupDay) == "" {
			t.Errorf("%s is read as %+v", name, s)
		}
		if err := BackupFails(journal, backupDay, errors.New("no stick")); err != nil {
			t.Fatal(err)
		}
		if s := LookAtBackups(journal, "/nowhere"); s.Unread != nil || s.Failed == nil {
			t.Errorf("%s: after that it is read as %+v", name, s)
		}
	}
}
