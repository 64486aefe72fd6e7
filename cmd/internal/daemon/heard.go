package daemon

import (
	"log/slog"
	"time"

	"github.com/sabot-table/sabot/pit/publish"
)

// heardHead is the last head of the journal that the pit is known to have, as it stands
// in a file beside the journal: a journal that was put back does not reach to it.
type heardHead struct {
	ID     string    `json:"id"`
	Record uint64    `json:"record"`
	Hash   string    `json:"hash"`
	Event  uint64    `json:"event"`
	At     time.Time `json:"at"`
}

// heardKeeper writes it, on a goroutine of its own: neither a deal nor the pit waits for
// the disk.
type heardKeeper struct {
	file  keptFile[heardHead]
	heads chan publish.Heard // holds the newest
	log   *slog.Logger
}

// heardFile is the file beside the journal at path.
func heardFile(path string) keptFile[heardHead] {
	return keptFile[heardHead]{
		path:    path + ".heard",
		unread:  ", which says what the pit has heard of the journal, cannot be read",
		without: "it is written anew when the pit next hears of the table",
	}
}

func newHeardKeeper(path string, log *slog.Logger) *heardKeeper {
	return &heardKeeper{file: heardFile(path), heads: make(chan publish.Heard, 1), log: log}
}

// hear takes a head and does not wait; one that is not written yet is out of date.
func (k *heardKeeper) hear(h publish.Heard) {
	select {
	case <-k.heads:
	default:
	}
	k.heads <- h
}

// run writes until there are no more heads. Of a disk that takes none the log says so
// once, until it does again.
func (k *heardKeeper) run() {
	failed := false
	for h := range k.heads {
		err := k.file.keep(heardHead{ID: h.ID, Record: h.Record, Hash: h.Hash, Event: h.Event, At: time.Now().UTC()})
		if err != nil && !failed {
			k.log.Error("what the pit has heard of the journal could not be kept; look at the disk", "err", err)
		}
		failed = err != nil
	}
}

// remembered tells what the broker knew of the table before this connection.
func (d *Daemon) remembered(r publish.Remembered) {
	if r.Standing == publish.Ahead || r.Standing == publish.Differs {
		d.log.Error("the pit has heard more of this journal than the table has, or something else: it was put back or written anew; "+
			"stop, keep the journal as it is, and call the auditor",
			"record", r.Record, "hash", r.Hash, "event", r.Event, "heard_at", r.Time)
	}
}
