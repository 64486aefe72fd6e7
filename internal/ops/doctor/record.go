package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/table/journal"
)

const (
	// recent is how many of the journal's last records are looked at.
	recent = 5000
	// setBack is by how much the clock may be set back unnoticed: time servers correct so much.
	setBack = time.Second
	// manyStarts within an hour are too many.
	manyStarts = 4
)

// lookAtJournal reads the end of the journal: it remembers when the clock was set back, and how often the daemon was
// started.
func (x *exam) lookAtJournal() {
	if x.withoutConfig(health.AreaRecord, "all") {
		return
	}
	if x.config.Journal.KeyFile == "" || x.config.Journal.KeyUnmade() {
		x.wrong("journal-unsealed", "", "")
	}
	switch last, err := x.readJournal(); {
	case errors.Is(err, fs.ErrNotExist):
		x.untold("anything of past rounds, since there is no journal yet")
	case errors.Is(err, fs.ErrPermission):
		x.unseen(health.AreaRecord, "all", why(err))
		x.unseen(health.AreaClock, "whether it was set back", "needs the journal")
	case err != nil:
		x.wrong("journal-unreadable", err.Error(), "")
	default:
		last.tell(x)
	}
}

// ending is what the end of the journal tells.
type ending struct {
	record uint64
	at     time.Time
	// back is how far the clock was set back at most, and when.
	back   time.Duration
	backAt time.Time
	// starts are those of the last hour.
	starts int
}

func (x *exam) readJournal() (e ending, err error) {
	r, err := journal.OpenReadOnly(x.config.Journal.Path)
	if err != nil {
		return e, err
	}
	head, _, err := r.Head()
	from := uint64(1)
	if head > recent {
		from = head - recent
	}
	boot := uint64(0)
	for rec, wrong := range r.Records(from) {
		if wrong != nil {
			err = errors.Join(err, wrong)
			break
		}
		at := time.Unix(0, rec.At)
		if back := e.at.Sub(at); e.record > 0 && back > e.back {
			e.back, e.backAt = back, at
		}
		if rec.Boot != boot && boot != 0 && x.Now.Sub(at) < time.Hour {
			e.starts++
		}
		e.record, e.at, boot = rec.Seq, at, rec.Boot
	}
	return e, errors.Join(err, r.Close())
}

func (e *ending) tell(x *exam) {
	if e.back > setBack {
		x.wrong("clock-jumps", fmt.Sprintf("by %s, at what it then took for %s", e.back.Round(time.Second),
			inFull(e.backAt)), "")
	}
	if ahead := e.at.Sub(x.Now); e.record > 0 && ahead > setBack {
		x.wrong("clock-jumps", fmt.Sprintf("the last record is of %s, which is still to come", inFull(e.at)), "")
	}
	if e.starts >= manyStarts {
		x.wrong("restarts", fmt.Sprintf("%d times", e.starts), "")
	}
}

func inFull(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05 UTC") }
