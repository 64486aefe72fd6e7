// Package computer says how the table's computer does: its disk, its card, its temperature, its power and its clock, as
// far as the system tells.
package computer

import (
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/ops/backupstatus"
)

// Where is where to look.
type Where struct {
	// Journal is the folder whose disk it is.
	Journal string
	// Sys is where the kernel tells of its devices; /sys on a real computer.
	Sys string
	// Backup is where the settings of the backup's service are; backupstatus.Settings on a real computer, "" not to
	// look.
	Backup string
}

// State is how the computer does. What the system does not tell is nil.
type State struct {
	// DiskFree is the room that is left on the journal's disk, DiskSize that disk's size, in bytes.
	DiskFree, DiskSize *uint64
	// JournalBytes is the size of the journal's files.
	JournalBytes *uint64
	// JournalDay is how many bytes the journal's parts have that were written to in the last 24 hours.
	JournalDay *uint64
	// Celsius is the highest temperature that the sensors tell, in whole degrees.
	Celsius *uint64
	// Power is nil on a computer that does not watch its supply.
	Power *Power
	// Wear is nil where no card or eMMC tells it.
	Wear *Wear
	// Synchronized says whether the clock follows another, such as a time server.
	Synchronized *bool
	// Certificate is when the certificate of the table's page ends; Look does not know it.
	Certificate *time.Time
	// Backup is how the table's backups do.
	Backup *backupstatus.State
}

// DaysLeft is how many days the disk lasts if each is like the last 24 hours; false if that is not known, or nothing
// was written.
func (s State) DaysLeft() (days float64, known bool) {
	if s.DiskFree == nil || s.JournalDay == nil || *s.JournalDay == 0 {
		return 0, false
	}
	return float64(*s.DiskFree) / float64(*s.JournalDay), true
}

// Look finds out how the computer does now. It waits for the disk, which may hang.
func Look(at Where) State {
	var s State
	s.DiskFree, s.DiskSize = room(at.Journal)
	s.JournalBytes, s.JournalDay = sizeOf(at.Journal, time.Now().Add(-24*time.Hour))
	s.Celsius, s.Power, s.Wear, s.Synchronized = hottest(at.Sys), power(at.Sys), wear(at.Sys), clock()
	if at.Backup != "" {
		b := backupstatus.Look(at.Journal, at.Backup)
		s.Backup = &b
	}
	return s
}

// sizeOf is the size of the files in a journal's folder, and of those of its parts that were written since a moment;
// nil if they cannot be seen. A part that was packed meanwhile was written before.
func sizeOf(folder string, since time.Time) (all, day *uint64) {
	var size, written uint64
	err := filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return nil // a part that has just gone is no part of it
		}
		n := uint64(max(info.Size(), 0))
		size += n
		if strings.HasSuffix(entry.Name(), ".jsonl") && info.ModTime().After(since) {
			written += n
		}
		return nil
	})
	if err != nil {
		return nil, nil
	}
	return &size, &written
}
