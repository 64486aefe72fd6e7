package host

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"time"

	"github.com/sabot-table/sabot/internal/ops/update"
	"github.com/sabot-table/sabot/table/vocab"
)

// WithUpdates is an Option for a table that is updated by root's part, whose folder it is: what came of updates goes on
// record.
func WithUpdates(folder string) Option { return func(d *Daemon) { d.given.updates = folder } }

// updatesEvery is how often the daemon looks whether an update has come to an end: it may end after the table has
// started.
const updatesEvery = 20 * time.Second

// recordUpdates puts on record what came of updates, each once, until ctx ends.
func (d *Daemon) recordUpdates(ctx context.Context) {
	if d.given.updates == "" {
		return
	}
	said := ""
	for {
		err := d.recordNewUpdates(ctx)
		switch {
		case err == nil || ctx.Err() != nil:
			said = ""
		case err.Error() != said:
			said = err.Error()
			d.log.Error("what came of updates could not be put on record: it is tried again; look at the disk",
				"err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(updatesEvery):
		}
	}
}

// recordNewUpdates records the notes that are not on record yet. Which are is kept by their names, beside the journal
// that has them.
func (d *Daemon) recordNewUpdates(ctx context.Context) error {
	notes, err := update.Notes(d.given.updates)
	if os.IsNotExist(err) || len(notes) == 0 {
		return err
	}
	file := keptFile[onRecord]{
		path:    d.config.Journal.Path + ".updates",
		unread:  ", which says what is on record of updates, cannot be read",
		without: "what is known of updates then goes on record again",
	}
	was, err := file.restore(d)
	if err != nil {
		return err
	}
	now := onRecord{Names: was.of(notes)}
	for _, n := range notes {
		if slices.Contains(now.Names, n.Name()) {
			continue
		}
		in := from(vocab.FromProgram, "", vocab.Input{Kind: vocab.InNote, Code: n.Words(), By: n.Who})
		in.ShowTexts()
		if was.Pending != n.Name() || !d.hasNote(was.Since, in) {
			now.Pending = n.Name()
			now.Since, _ = d.kept.journal.Next()
			if err := file.keep(now); err != nil {
				return err
			}
			if _, err := d.runner.Submit(ctx, in); err != nil {
				return err
			}
		}
		now.Names, now.Pending, now.Since = append(now.Names, n.Name()), "", 0
		if err := file.keep(now); err != nil {
			return err
		}
	}
	return nil
}

// hasNote looks for a note in the journal, from a record on. What cannot be read counts as not there: a note is better
// on record twice than never.
func (d *Daemon) hasNote(since uint64, note vocab.Input) bool {
	for rec, err := range d.kept.journal.Records(since) {
		var in struct {
			Kind string `json:"in"`
			Code string `json:"code"`
			By   string `json:"by"`
		}
		if err != nil || json.Unmarshal(rec.Input, &in) != nil {
			return false
		}
		if in.Kind == vocab.InNote.String() && in.Code == note.Code && in.By == note.By {
			return true
		}
	}
	return false
}

// onRecord is which notes of updates are on record.
type onRecord struct {
	Names []string `json:"names"`
	// Pending names the note that is being recorded, Since is the first record that can have it: after a kill the
	// journal says whether it does.
	Pending string `json:"pending,omitempty"`
	Since   uint64 `json:"since,omitempty"`
	// counted is the number of the last note on record, which is all that earlier versions kept.
	counted uint64
}

// UnmarshalJSON also reads what earlier versions kept.
func (o *onRecord) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &o.counted) == nil {
		return nil
	}
	type plain onRecord
	return json.Unmarshal(text, (*plain)(o))
}

// of names those of the notes that are on record. A number that no note has is from another folder: one that was there
// before the table came onto a new card.
func (o *onRecord) of(notes []update.Note) (names []string) {
	most := notes[len(notes)-1].N
	for _, n := range notes {
		if slices.Contains(o.Names, n.Name()) || n.ID == "" && n.N <= o.counted && o.counted <= most {
			names = append(names, n.Name())
		}
	}
	return names
}
