package doctor

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/securefile"
)

// lookAtComputer judges disk, card, supply, clock and certificate by the daemon's own rules: it may not run, or may be
// forbidden to look.
func (x *exam) lookAtComputer() {
	where := health.Where{Sys: x.at("sys"), Journal: x.at("/")}
	if x.config != nil {
		where.Journal, where.Backup = x.config.Journal.Path, x.at(health.BackupSettings)
	}
	state := health.Look(where)
	x.lookAtBackup(&state)
	f := health.Facts{Now: x.Now, SetUp: true, ShoeUp: true, Computer: state}
	if !x.withoutConfig(health.AreaDisk, "how full it is") {
		f.FreeMin = uint64(x.config.Journal.FreeMin)
		if state.DiskFree == nil {
			x.unseen(health.AreaDisk, "how full it is", why(statError(where.Journal)))
		} else if state.JournalBytes == nil {
			x.unseen(health.AreaDisk, "how fast it fills", why(readError(where.Journal)))
		}
	}
	if !x.withoutConfig(health.AreaPage, "its certificate") && x.config.Web.CertFile != "" {
		leaf, err := firstCertificate(x.config.Web.CertFile)
		if err != nil {
			x.unseen(health.AreaPage, "its certificate", why(err))
		} else {
			f.Computer.Certificate = &leaf.NotAfter
		}
	}
	for _, r := range health.Judge(f).Reasons {
		if !x.page.Holds(r.Code) { // the daemon has said it, with what it knows
			x.note(r)
		}
	}
	x.page.Untold = append(x.page.Untold, state.Untold()...)
}

// lookAtBackup looks whether anybody backs the table up. What may not be read is left out of the state, which then
// proves nothing.
func (x *exam) lookAtBackup(state *health.Computer) {
	b := state.Backup
	switch {
	case x.withoutConfig(health.AreaBackup, "when the last was made"):
	case errors.Is(b.Unread, fs.ErrPermission):
		x.unseen(health.AreaBackup, "when the last was made", why(b.Unread))
		state.Backup = nil
	case b.Unread == nil && !b.Wanted && !b.Fresh(x.Now):
		x.wrong("backup-none", b.Last(x.Now), "")
	}
}

func statError(path string) error {
	if _, err := os.Stat(path); err != nil {
		return err
	}
	return fmt.Errorf("the system does not tell of %s", path)
}

func readError(path string) error {
	if _, err := os.ReadDir(path); err != nil {
		return err
	}
	return fmt.Errorf("some files in %s cannot be seen", path)
}

const (
	// slowWrite is how long a write to the disk may take, in seconds: a bucket of the daemon's histogram. A good card
	// takes a twentieth of it.
	slowWrite = .1
	// slowShare of all writes may take longer: a card puts its blocks in order now and then.
	slowShare = .02
	// enoughWrites tell something.
	enoughWrites = 20
)

// lookAtDisk judges how fast the disk is: by what the daemon has measured or, without it, by a few writes.
func (x *exam) lookAtDisk() {
	over, all, mean := x.series.Above("sabot_journal_sync_seconds", slowWrite)
	if all < enoughWrites {
		if x.withoutConfig(health.AreaDisk, "how fast it is") {
			return
		}
		var err error
		if over, all, mean, err = writeTo(filepath.Dir(x.config.Journal.Path)); err != nil {
			x.unseen(health.AreaDisk, "how fast it is", why(err))
			return
		}
	}
	if float64(over) > slowShare*float64(all) {
		x.wrong("disk-slow", fmt.Sprintf("%d of %d writes took more than %.0f ms, one takes %.0f ms on average", over,
			all, slowWrite*1000, mean*1000), "")
	}
}

// writeTo measures as many writes as tell something, to a file that is gone afterwards. It ends early on a very slow
// disk.
func writeTo(folder string) (over, all uint64, mean float64, err error) {
	f, err := os.CreateTemp(folder, ".sabot-doctor-*")
	if err != nil {
		return 0, 0, 0, err
	}
	defer f.Close()
	if err := os.Remove(f.Name()); err != nil {
		return 0, 0, 0, err
	}
	block, total := make([]byte, 4096), time.Duration(0)
	const enough = 5 * time.Second
	for all < enoughWrites && total < enough {
		began := time.Now()
		if _, err := f.Write(block); err != nil {
			return 0, 0, 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, 0, 0, err
		}
		took := time.Since(began)
		if all++; took.Seconds() > slowWrite {
			over++
		}
		total += took
	}
	return over, all, total.Seconds() / float64(all), nil
}

// certificates reads all of a PEM file.
func certificates(file string) (list []*x509.Certificate, err error) {
	text, err := securefile.Read(file, mostText)
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if c, err := x509.ParseCertificate(block.Bytes); err == nil {
			list = append(list, c)
		}
	}
	return list, err
}
