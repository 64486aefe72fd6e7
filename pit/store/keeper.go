package store

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// keeper is what the writer knows of a table.
type keeper struct {
	table    topic.Table
	place    int64
	current  int64 // the journal that the table writes now, 0 for none
	journals map[string]*kept
	epoch    int64 // of the table's part when this was read
}

// kept is what is kept of a journal.
type kept struct {
	id     int64
	name   string
	head   uint64
	hash   []byte
	headAt int64
	// closed is the last record of a stretch that gets no more; open is the stretch after it.
	closed uint64
	open   packing
	// fold counts; state is what it knew after stateAt.
	counter
	state   string
	stateAt uint64
	// boot is the start of the record head.
	boot uint64
	// hashes are those of the last records that this program has kept, each in the place of its number; hashed is the
	// first of them.
	hashes [remembered][32]byte
	hashed uint64
	// told is the last record of which the table has told the hash, 0 for none, and toldAt when it told one last.
	told     uint64
	toldHash []byte
	toldAt   int64
	// ahead are the heads that it has told before the records came, unless they are many.
	ahead     []toldHead
	manyAhead bool
	// said is what the last start said last, nil where that was not asked for.
	said *said
	// was is the head in the database.
	was uint64
}

// remembered is of how many records the writer remembers the hashes: a table tells the hash of one that has just come.
const remembered = 32

// mostJournals is how many journals of a table are remembered.
const mostJournals = 8

// counter folds records into figures.
type counter struct {
	fold   *tally.Fold
	lines  *transcript.Parser
	houses houses
	outs   []vocab.Output
	// unread is the first record of which this version cannot read everything, 0 for none.
	unread uint64
}

// houses finds the rules of set-ups.
type houses struct {
	// text returns the text of rules by their fingerprint, nil if nobody has it.
	text func(fingerprint string) ([]byte, error)
}

// rules are those that a set-up makes, nil where they are not known; newer says that they are of a newer version.
func (h *houses) rules(s *rules.Setup) (set *rules.Rules, newer bool, err error) {
	book := profile.Built()
	if house := book[s.House]; s.Profile != "" && (house == nil || house.Fingerprint != s.Profile) {
		text, err := h.text(s.Profile)
		if err != nil || text == nil {
			return nil, false, err
		}
		house, err := profile.FromText(text)
		if err != nil {
			return nil, true, nil
		}
		book = book.With(house)
	}
	if set, err = book.Set(*s); err != nil {
		return nil, false, nil // the table refused it, too
	}
	return set, false, nil
}

// count folds a record.
func (c *counter) count(rec *journal.Record) (tally.Step, error) {
	if c.lines == nil {
		c.lines = transcript.NewParser(nil)
	}
	in, reads := c.lines.ReadInput(rec.Input) // of what it does not know, nothing follows
	if in.Kind == vocab.InSetup && in.Setup != nil {
		set, newer, err := c.houses.rules(in.Setup)
		if err != nil {
			return tally.Step{}, err
		}
		in.Rules, reads = set, reads && !newer
	}
	c.outs = c.outs[:0]
	for line := range rec.Lines() {
		out, known := c.lines.ReadOutput(line)
		reads = reads && known
		c.outs = append(c.outs, out)
	}
	if !reads {
		c.cannotRead(rec.Seq)
	}
	one := tally.Record{Seq: rec.Seq, At: time.Unix(0, rec.At), In: &in, Outs: c.outs}
	if len(rec.Rules) > 0 {
		one.Rules = fmt.Sprintf("%x", rec.Rules)
	}
	return c.fold.Record(one), nil
}

// passOver continues after records that are missing: the round under way cannot be counted. The
// set-up and the rules are those in force after them.
func (c *counter) passOver(setUp []byte, rules string) error {
	state, _ := c.fold.Kept()
	state.Ended, state.Last = nil, nil // nobody knows how long after it the next round was opened
	state.Rules = cmp.Or(rules, state.Rules)
	c.fold = tally.Resume(state)
	if len(setUp) == 0 {
		return nil
	}
	_, err := c.count(&journal.Record{Entry: journal.Entry{Input: setUp}})
	return err
}

// keeper finds or makes what is known of a table.
func (w *writer) keeper(table topic.Table) (*keeper, error) {
	epoch, err := w.fence(table)
	if err != nil {
		delete(w.keepers, table.String())
		return nil, err
	}
	if k := w.keepers[table.String()]; k != nil && k.epoch == epoch {
		if len(k.journals) > mostJournals { // a table has one, and after a while another one
			maps.DeleteFunc(k.journals, func(_ string, j *kept) bool { return !w.touched[j] })
		}
		return k, nil
	}
	k := &keeper{table: table, journals: map[string]*kept{}, epoch: epoch}
	known, err := w.row(`SELECT id, coalesce(journal, 0) FROM place WHERE site = $1 AND name = $2`,
		[]any{table.Site(), table.Name()}, []any{&k.place, &k.current})
	if err == nil && !known {
		k.place, err = w.number("place", "site, name, pruned", table.Site(), table.Name(), 0)
	}
	if err != nil {
		return nil, err
	}
	w.keepers[table.String()] = k
	if err := w.readAgain(k); err != nil {
		delete(w.keepers, table.String())
		return nil, err
	}
	return k, nil
}

// journal finds what is kept of a journal of the table, nil if nothing is.
func (w *writer) journal(k *keeper, name string) (*kept, error) {
	if j := k.journals[name]; j != nil {
		return j, nil
	}
	j := &kept{name: name}
	known, err := w.row(`SELECT id, head, hash, head_at, closed, kept, kept_at, unread FROM journal WHERE place = $1 AND name = $2`, []any{k.place, name},
		[]any{&j.id, &j.head, &j.hash, &j.headAt, &j.closed, &j.state, &j.stateAt, &j.unread})
	if err != nil || !known {
		return nil, err
	}
	j.was = j.head
	j.houses.text = w.rulesText
	if err = w.resume(j); err == nil {
		err = w.wasTold(k, j)
	}
	if err != nil {
		return nil, fmt.Errorf("journal %s of table %s: %w", name, k.table, err)
	}
	k.journals[name] = j
	return j, nil
}

// knows notes what the fold knows after a record, from which it may be resumed: between two rounds.
func (j *kept) knows(after uint64) error {
	state, between := j.fold.Kept()
	if !between {
		return nil
	}
	text, err := json.Marshal(state)
	if err == nil {
		j.state, j.stateAt = string(text), after
	}
	return err
}

// resume brings the fold to the last record, and what is noted of it as far as it goes.
func (w *writer) resume(j *kept) error {
	var err error
	if j.fold, err = resumed(j.state); err != nil {
		return err
	}
	if _, err := w.row(`SELECT boot FROM boot WHERE journal = $1 ORDER BY first DESC LIMIT 1`, []any{j.id},
		[]any{&j.boot}); err != nil {
		return err
	}
	gaps, err := gapsOf(w.ctx, w.after(), j.id)
	if err != nil {
		return err
	}
	for rec, err := range w.store.records(w.ctx, w.after(), j.id, min(j.stateAt, j.closed)+1) {
		if err != nil {
			return err
		}
		if rec.Seq > j.closed {
			j.open.add(rec.text)
		}
		if rec.Seq > j.stateAt {
			if gaps, err = j.goOn(gaps, &rec.Record); err != nil {
				return err
			}
		}
	}
	return nil
}

// goOn counts a record that is kept, after those of the gaps that are before it. It returns the other gaps.
func (j *kept) goOn(gaps []gapRow, rec *journal.Record) ([]gapRow, error) {
	left, err := j.passGaps(gaps, j.stateAt, rec.Seq)
	if err != nil {
		return nil, err
	}
	if len(left) < len(gaps) {
		err = j.knows(rec.Seq - 1)
	}
	step, wrong := j.count(rec)
	if err = cmp.Or(err, wrong); err == nil && (step.Ended != nil || step.SetUp) {
		err = j.knows(rec.Seq)
	}
	return left, err
}

// resumed is a fold that continues from what one knew.
func resumed(state string) (*tally.Fold, error) {
	var kept tally.Kept
	if err := json.Unmarshal([]byte(state), &kept); err != nil {
		return nil, fmt.Errorf("what the tally knew cannot be read: %w", err)
	}
	return tally.Resume(kept), nil
}

// begin begins to keep a journal.
func (w *writer) begin(k *keeper, b *Batch) (*kept, error) {
	id, err := w.next("journal")
	if err != nil {
		return nil, err
	}
	j := &kept{id: id, name: b.Journal, state: "{}"}
	j.fold, j.houses.text = tally.Resume(tally.Kept{}), w.rulesText
	former := []byte{}
	if b.Former != nil {
		if former, err = json.Marshal(b.Former); err != nil {
			return nil, err
		}
	}
	err = w.exec(`INSERT INTO journal (id, place, name, former, head, hash, head_at, closed, kept, kept_at, pruned, before) VALUES ($1, $2, $3, $4, 0, $5, 0, 0, $6, 0, 0, $6)`,
		id, k.place, b.Journal, string(former), []byte{}, j.state)
	if err == nil {
		err = w.tellTwice(k, b.Journal)
	}
	if err == nil {
		err = w.wasTold(k, j)
	}
	if err != nil {
		return nil, err
	}
	k.journals[b.Journal] = j
	return j, nil
}

// tellTwice says that a journal is kept of another table, too: nobody can tell whether that has another name now, or
// whether both go on in it, each by itself.
func (w *writer) tellTwice(k *keeper, name string) error {
	var site, other string
	known, err := w.row(`SELECT p.site, p.name FROM journal j JOIN place p ON p.id = j.place
		WHERE j.name = $1 AND p.id <> $2 ORDER BY j.id DESC LIMIT 1`, []any{name, k.place}, []any{&site, &other})
	if known {
		w.store.log.Warn("A TABLE'S JOURNAL IS KEPT OF ANOTHER TABLE ALREADY, AND ITS ROUNDS COUNT AT BOTH: the table "+
			"has another name, or its disk is a copy of the other's", "table", k.table, "other", site+"/"+other,
			"journal", name)
	}
	return err
}

// rulesText is the text of rules, nil if nobody has sent it.
func (w *writer) rulesText(fingerprint string) ([]byte, error) {
	return rulesText(w.ctx, w.after(), fingerprint)
}
