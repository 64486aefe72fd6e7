package host

import (
	"context"
	"encoding/hex"
	"fmt"
	"log/slog"
	"time"

	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// heardHead is the last head of the journal that the pit is known to have, as kept in a
// file next to the journal: a journal whose earlier state was restored does not reach it.
type heardHead struct {
	publish.Heard
	At time.Time `json:"at"`
}

// heardKeeper writes it, on its own goroutine: neither a deal nor the pit waits for the
// disk.
type heardKeeper struct {
	file  keptFile[heardHead]
	heads chan publish.Heard // holds the newest
	log   *slog.Logger
}

// heardFile is the file next to the journal at path.
func heardFile(path string) keptFile[heardHead] {
	return keptFile[heardHead]{
		path:    path + ".heard",
		unread:  ", which says what the pit has heard of the journal, cannot be read",
		without: "it is rewritten when the pit next hears of the table",
	}
}

func newHeardKeeper(path string, log *slog.Logger) *heardKeeper {
	return &heardKeeper{file: heardFile(path), heads: make(chan publish.Heard, 1), log: log}
}

// hear takes a head without waiting; it replaces one that is not written yet.
func (k *heardKeeper) hear(h publish.Heard) {
	select {
	case <-k.heads:
	default:
	}
	k.heads <- h
}

// run writes until there are no more heads. It logs a failing disk once, until the disk
// works again.
func (k *heardKeeper) run() {
	failed := false
	for h := range k.heads {
		err := k.file.keep(heardHead{h, time.Now().UTC()})
		if err != nil && !failed {
			k.log.Error("what the pit has heard of the journal could not be kept; look at the disk", "err", err)
		}
		failed = err != nil
	}
}

// loadHeard is the head that was last kept, zero if there is none.
func (d *Daemon) loadHeard() (journal.Heard, error) {
	file := heardFile(d.config.Journal.Path)
	kept, err := file.restore(d)
	if err != nil || kept == (heardHead{}) {
		return journal.Heard{}, err
	}
	heard, err := asHeard(kept.Heard)
	if err == nil {
		err = heard.Check()
	}
	if err != nil {
		return journal.Heard{}, file.putAside(d, err)
	}
	return heard, nil
}

// asHeard reads the head's hash.
func asHeard(h publish.Heard) (journal.Heard, error) {
	sum, err := hex.DecodeString(h.Hash)
	if err != nil || len(sum) != len(journal.Heard{}.Hash) {
		return journal.Heard{}, fmt.Errorf("the head of the journal that the pit has heard of has no hash: %q", h.Hash)
	}
	return journal.Heard{ID: h.ID, Record: h.Record, Hash: [32]byte(sum), Event: h.Event}, nil
}

// prove signs what the pit hears of the journal.
func (d *Daemon) prove(h publish.Heard) string {
	heard, err := asHeard(h)
	if err != nil {
		return "" // a head always has a hash
	}
	return hex.EncodeToString(d.kept.journal.Vouch(heard))
}

// proofOf reads a signature, nil if it is none.
func proofOf(text string) []byte {
	proof, err := hex.DecodeString(text)
	if err != nil {
		return nil
	}
	return proof
}

// remembered compares what the broker knew of the table before this connection with the
// journal. If the journal lacks it, or differs, the table is held, and numbers continue
// above it. A table with a key believes only its own signature: a broker could hold it
// with a lie.
func (d *Daemon) remembered(r publish.Remembered) {
	heard, err := asHeard(r.Heard)
	if err != nil {
		d.log.Warn("what the broker remembers of this table cannot be used, and counts for nothing: look at who may "+
			"write to its health",
			"err", err)
		return
	}
	found, err := d.kept.journal.Compare(heard)
	if err != nil {
		d.log.Error("the journal could not be compared with what the pit has heard of it: run sabot journal verify",
			"err", err)
		return
	}
	if found == "" {
		return
	}
	if own, sealed := d.kept.journal.Vouched(heard, proofOf(r.Proof)); sealed && !own {
		d.log.Error("THE BROKER REMEMBERS WHAT THIS TABLE HAS NOT SIGNED, which counts for nothing: unless the "+
			"journal's key was replaced or the table updated since, look at who may write to its health",
			"found", found, "journal", heard.ID, "record", heard.Record, "heard_at", r.Time)
		return
	}
	d.log.Error("THE JOURNAL IS NOT WHAT THE PIT HAS HEARD OF: the table is held until a supervisor decides; keep "+
		"the folder as it is",
		"found", found, "journal", heard.ID, "record", heard.Record, "hash", r.Hash,
		"event", heard.Event, "heard_at", r.Time)
	go func() {
		err := d.runner.Lift(context.Background(), heard.Record, heard.Event, runner.Doubt(vocab.StorageBehind, found))
		if err != nil {
			d.log.Warn("the table ended before it could be held: the next start compares again", "err", err)
		}
	}()
}
