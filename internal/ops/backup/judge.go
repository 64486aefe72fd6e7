package backup

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
)

// judge audits the journal, and compares it with what the pit has heard.
func (r *restore) judge(ctx context.Context) error {
	asked := r.ask(ctx)
	g := r.done.Generation
	report, err := r.place.audit(ctx, &g, audit.Options{
		Book: r.Houses, Key: r.Key, Noted: r.Noted, Heard: r.heard,
		Progress: r.Progress,
	})
	if err != nil {
		return fmt.Errorf("the journal of generation %d cannot be read: %w", g.Number, err)
	}
	r.done.Audit = report
	if said := r.done.Journal; said != g.Journal {
		return fmt.Errorf("generation %d says that its journal ends with record %d (hash %.8s), and it ends with "+
			"record %d (hash %.8s): take another generation",
			g.Number, said.Record, said.Hash, g.Journal.Record, g.Journal.Hash)
	}
	return errors.Join(r.sound(), r.compare(asked))
}

// theirs are the kinds of faults that say what others know of the journal; the others are its own.
func theirs(kind audit.Kind) bool { return kind == audit.Head || kind == audit.Behind }

// sound refuses a journal with faults of its own.
func (r *restore) sound() error {
	own := 0
	var first string
	for _, f := range r.done.Audit.Faults {
		if !theirs(f.Kind) {
			if own++; own == 1 {
				first = f.What
			}
		}
	}
	if own == 0 || r.Despite {
		return nil
	}
	return fmt.Errorf("the audit finds %d faults in the journal of generation %d, the first: %s; take an older "+
		"generation, or say --despite-faults if the table's own journal had them",
		own, r.done.Number, first)
}

// asked is what came of asking the pit.
type asked struct {
	// none says that the table has no pit, and not that it was not asked.
	none, not bool
	// unproven says that the table's key has not signed the answer.
	unproven bool
	err      error
}

// ask asks the pit's broker what it has heard of the table, and takes what the backup knows where it cannot be asked.
func (r *restore) ask(ctx context.Context) asked {
	r.heard = r.done.Heard.heard()
	if r.CheckOnly {
		return asked{not: true}
	}
	if r.config.MQTT.Broker == "" {
		return asked{none: true}
	}
	remembered, err := r.recall(ctx)
	if err != nil {
		return asked{err: err}
	}
	head := Head{ID: remembered.ID, Record: remembered.Record, Hash: remembered.Hash, Event: remembered.Event}
	if !digits32().MatchString(head.ID) || !digits64().MatchString(head.Hash) {
		return asked{err: errors.New("what the broker keeps of the table cannot be read")}
	}
	told := head.heard()
	if h := r.heard; h.ID != told.ID || told.Record >= h.Record {
		r.heard = told
	}
	proof, _ := hex.DecodeString(remembered.Proof)
	return asked{unproven: r.done.Key != nil && !journal.VouchedBy(r.done.Key, told, proof)}
}

// recall asks with the table's own password and authorities, which are not on this machine yet.
func (r *restore) recall(ctx context.Context) (m publish.Remembered, err error) {
	var authorities string
	if text := r.texts["mqtt.ca_file"]; r.config.MQTT.CAFile != "" && text != nil {
		f, err := os.CreateTemp("", "sabot-restore-")
		if err != nil {
			return m, err
		}
		authorities = f.Name()
		defer func() { err = errors.Join(err, os.Remove(authorities)) }()
		_, err = f.Write(text)
		if err = errors.Join(err, f.Close()); err != nil {
			return m, err
		}
	}
	password := strings.TrimSuffix(strings.TrimSuffix(string(r.texts["mqtt.password_file"]), "\n"), "\r")
	return r.Ask(ctx, r.config, password, authorities)
}

// heard is the head as a journal takes it; zero for none.
func (h *Head) heard() journal.Heard {
	if h == nil {
		return journal.Heard{}
	}
	hash, _ := hex.DecodeString(h.Hash) // check has read it
	return journal.Heard{ID: h.ID, Record: h.Record, Hash: [32]byte(hash), Event: h.Event}
}

// compare refuses a journal that is older than what the pit has heard, or may be.
func (r *restore) compare(a asked) error {
	var found []string
	for _, f := range r.done.Audit.Faults {
		if theirs(f.Kind) {
			found = append(found, f.What)
		}
	}
	head := r.done.Journal
	switch {
	case len(found) > 0:
		r.done.Behind = true
		r.done.Pit = strings.Join(found, "; ")
		if r.heard.ID == head.ID && r.heard.Record > head.Record {
			r.done.Pit = fmt.Sprintf("the pit has heard up to record %d, and the backup ends with record %d: %d "+
				"records are missing", r.heard.Record, head.Record, r.heard.Record-head.Record)
		}
		if a.unproven {
			r.done.Pit += " (the table's key has not signed what the broker says: look at who may write to the " +
				"table's health)"
		}
	case a.not:
		r.done.Pit = "the pit was not asked"
	case a.none:
		r.done.Pit = "the table has no pit, which could have heard of more"
	case a.err != nil && r.Noted.Seq == 0:
		r.done.Behind = true
		r.done.Pit = fmt.Sprintf("the pit could not be asked what it has heard: %v", a.err)
	case a.err != nil:
		r.done.Pit = fmt.Sprintf("the pit could not be asked; record %d, which was noted, is in the backup",
			r.Noted.Seq)
	default:
		r.done.Pit = fmt.Sprintf("the pit has heard up to record %d, which is in the backup", r.heard.Record)
	}
	if !r.done.Behind || r.Although {
		return nil
	}
	if len(found) == 0 {
		return fmt.Errorf("nothing was restored: %s; give --noted and the last record that the pit's page of the "+
			"table shows, or say --although-the-pit-may-have-more: then a supervisor has to decide at the table if "+
			"the pit has", r.done.Pit)
	}
	return fmt.Errorf("nothing was restored: %s; take a newer backup, or say --although-the-pit-may-have-more: then "+
		"numbers continue above those that the pit has heard of, and a supervisor has to decide at the table",
		r.done.Pit)
}
