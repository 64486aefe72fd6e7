package totals

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"time"

	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/recall"
	"github.com/sabot-table/sabot/table/transcript"
)

// firstStep is how many records the search for the beginning of a shift goes back at first; each
// further step is twice as long.
const firstStep = 4096

// Begin returns a count of the gaming day that began at a moment, and of the present dealer's
// shift. It has counted nothing yet, and goes on after a record between two rounds before both. Of
// what is older it reads some thirty records, however much there is.
func Begin(j recall.Records, rules *recall.Recall, start time.Time) (*Count, error) {
	head, _, err := j.Head()
	if err != nil {
		return nil, err
	}
	seq, err := before(j, head, start)
	if err != nil {
		return nil, err
	}
	at, err := stand(j, seq)
	if away := (*journal.AwayError)(nil); errors.As(err, &away) {
		at, err = firstAfter(j, away.Last)
	}
	if err != nil {
		return nil, err
	}
	present, err := stand(j, head)
	if err != nil {
		return nil, err
	}
	for step := uint64(firstStep); at.seq > 0 && present.carry.Dealer != "" &&
		at.carry.People == present.carry.People; step *= 2 {
		earlier, err := stand(j, at.seq-min(at.seq, step))
		if away := (*journal.AwayError)(nil); errors.As(err, &away) {
			break // the shift is older than what the journal's folder has
		}
		if err != nil {
			return nil, err
		}
		at = earlier
	}
	c := &Count{
		rules: rules, lines: transcript.NewParser(nil), start: start, day: newPeriod(start, dealing{}),
		dealers: map[dealing]*period{}, changed: true,
	}
	if err := c.resume(j, at); err != nil {
		return nil, err
	}
	if c.at.After(start) {
		c.day.since = c.at // what is older is not in the journal's folder
	}
	return c, nil
}

// firstAfter is the first place between two rounds after a record.
func firstAfter(j recall.Records, seq uint64) (standing, error) {
	for rec, err := range j.Records(seq + 1) {
		if err != nil || rec.Checkpoint == rec.Seq {
			return asStanding(rec, err)
		}
	}
	return standing{}, nil
}

// before is the last record before a moment, 0 for none. Where the clock was put back, it is one
// of them.
func before(j recall.Records, head uint64, moment time.Time) (seq uint64, err error) {
	n := sort.Search(int(head), func(i int) bool {
		rec, failed := one(j, uint64(i)+1)
		if away := (*journal.AwayError)(nil); errors.As(failed, &away) {
			return false // it is older than all that are there
		}
		if failed != nil {
			err = failed
		}
		return !time.Unix(0, rec.At).Before(moment)
	})
	return uint64(n), err
}

// one reads the first record from a number on; a zero one if there is none.
func one(j recall.Records, from uint64) (journal.Record, error) {
	for rec, err := range j.Records(from) {
		return rec, err
	}
	return journal.Record{}, nil
}

// standing is a place between two rounds: the record that ended one or set the table up, and what
// was carried from there. Its zero value is the journal's beginning.
type standing struct {
	seq   uint64
	rec   journal.Record
	carry table.Carry
}

// stand is the last place between two rounds up to a record.
func stand(j recall.Records, seq uint64) (standing, error) {
	rec, err := one(j, max(seq, 1))
	if err != nil || seq == 0 || rec.Checkpoint == 0 {
		return standing{}, err
	}
	if rec.Seq != rec.Checkpoint {
		if rec, err = one(j, rec.Checkpoint); err != nil {
			return standing{}, err
		}
	}
	if len(rec.Carry) == 0 {
		return standing{}, nil // it was before numbers that were left out
	}
	return asStanding(rec, nil)
}

// asStanding is the place after a record that has a carry.
func asStanding(rec journal.Record, err error) (standing, error) {
	at := standing{seq: rec.Seq, rec: rec}
	if err == nil {
		err = json.Unmarshal(rec.Carry, &at.carry)
	}
	if err != nil {
		return standing{}, fmt.Errorf("record %d: %w", rec.Seq, err)
	}
	return at, nil
}

// resume makes the count continue from a place.
func (c *Count) resume(j recall.Records, at standing) error {
	people := at.carry.People
	c.fold = tally.Resume(tally.Kept{Round: at.carry.Round, Dealer: people.Dealer, Shift: people.Shift})
	if at.seq == 0 {
		return nil
	}
	setUp, err := j.SetUp(at.rec.Setup)
	if err != nil {
		return err
	}
	if err := c.Record(&journal.Record{
		Entry:      journal.Entry{Input: setUp, At: at.rec.At},
		FirstEvent: 1,
	}); err != nil {
		return err
	}
	c.present = dealing{people.Dealer, people.Shift}
	c.record, c.event, c.at = at.seq, at.rec.FirstEvent-1, time.Unix(0, at.rec.At)
	for range at.rec.Lines() {
		c.event++
	}
	if people.Dealer != "" {
		c.shift = newPeriod(c.at, c.present) // or earlier, which the journal does not have any more
	}
	return nil
}
