package replica

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/totals"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
	"github.com/sabot-table/sabot/table/vocab"
)

// LiveSource is where records are kept, and by what a table's are understood.
type LiveSource struct {
	// Records opens what is kept of a journal of a table; nil where nothing is.
	Records func(ctx context.Context, table topic.Table, journal string) (recall.Records, error)
	// Houses supply the limits that a set-up leaves to its house.
	Houses profile.Book
	// DayOf is when the gaming day began to which a moment belongs.
	DayOf func(time.Time) time.Time
}

// mostWaiting limits the messages, and mostBytes the room for their records, that wait for what lies before them.
const (
	mostWaiting = 64
	mostBytes   = 1 << 20
	// liveFarBehind is how many records may be missing from what is kept when it is counted.
	liveFarBehind = 1000
)

// Table is one table by its records. It is for one goroutine.
type Table struct {
	source LiveSource
	table  topic.Table

	known   known
	recall  *recall.Recall
	dealing *recall.Dealing // nil while it is not known how the table stands
	journal string
	boot    uint64
	at      uint64 // the last record that was dealt
	hash    [32]byte
	// dealt are the hashes of the last records that were, each in the place of its number.
	dealt [mostWaiting][32]byte

	head topic.Head // the table's last record, as it was heard
	// looked says that what is kept was looked at.
	looked bool
	waits  []topic.Records
	bytes  int

	count *totals.Count
	// hides says that a text in what was dealt may hide something, and unsure that nobody has looked.
	hides, unsure bool

	news bool
	seen []floor.Seen
}

// NewTable follows a table of which nothing was heard yet.
func NewTable(table topic.Table, source LiveSource) *Table {
	return &Table{table: table, source: source}
}

// known is what is kept of a journal, and what was heard that may not be kept yet.
type known struct {
	kept  // nil where nothing is kept
	rules map[string][]byte
	setUp topic.SetUp
}

type kept interface{ recall.Records }

// Rules is the text of rules.
func (k *known) Rules(fingerprint string) ([]byte, error) {
	if text := k.rules[fingerprint]; text != nil || k.kept == nil {
		return text, nil
	}
	return k.kept.Rules(fingerprint)
}

// SetUp is the input of a set-up.
func (k *known) SetUp(seq uint64) ([]byte, error) {
	if k.setUp.Record == seq || k.kept == nil {
		return k.setUp.Input, nil
	}
	return k.kept.SetUp(seq)
}

// Head notes the table's last record, as its health says it.
func (t *Table) Head(head topic.Head) { t.head = head }

// Hear takes records that the table says. streamed are those that it says by itself, as they come about.
func (t *Table) Hear(r topic.Records, streamed bool) {
	if streamed || t.head.ID == "" {
		t.head = r.Head
	}
	switch {
	case r.Gap == nil && len(r.Records) > 0 && t.goesOn(&r):
		if t.deal(&r); streamed && r.Last() == r.Head.Record { // whatever waits is none of its records
			t.waits, t.bytes = nil, 0
		}
	case !streamed: // of an earlier time, but for the last: they are read once they are kept
		if t.remember(&r); r.Last() == r.Head.Record && (r.Journal != t.journal || r.Last() > t.at) {
			t.look(&r)
			t.waited()
		}
	case t.copied(&r):
	default:
		t.wait(r)
	}
}

// goesOn says whether records go on where the table stands.
func (t *Table) goesOn(r *topic.Records) bool {
	if r.After > t.at || r.Last() <= t.at || t.dealing == nil && r.After > 0 {
		return false
	}
	switch {
	case r.Journal != t.journal:
		return t.journal == "" && r.After == 0
	case r.After == t.at:
		return true
	}
	rec, err := journal.ParseRecord(r.Frame(int(t.at - r.After - 1)))
	return err == nil && rec.Hash == t.hash
}

// copied says whether records are a copy of what was dealt: of an earlier state that was restored, others have their
// numbers.
func (t *Table) copied(r *topic.Records) bool {
	if r.Journal != t.journal || r.Boot != t.boot || r.Last() > t.at {
		return false
	}
	if len(r.Records) == 0 || t.at-r.Last() >= mostWaiting {
		return true
	}
	rec, err := journal.ParseRecord(r.Frame(len(r.Records) - 1))
	had := t.dealt[rec.Seq%mostWaiting]
	return err != nil || had == rec.Hash || had == [32]byte{}
}

// look begins with the last checkpoint of a journal's last records, without all that lies before them.
func (t *Table) look(r *topic.Records) {
	for i := len(r.Records) - 1; i >= 0; i-- {
		rec, err := journal.ParseRecord(r.Frame(i))
		if err != nil || len(rec.Carry) == 0 {
			continue
		}
		if at := int(rec.Setup) - int(rec.Seq) + i; at >= 0 {
			t.known.setUp = topic.SetUp{Record: rec.Setup, Input: r.Records[at][0]}
		}
		t.recall = recall.New(&t.known, t.source.Houses)
		dealing, err := t.recall.DealFrom(&rec)
		if err != nil {
			return // it is read once it is kept
		}
		t.stands(dealing, r.Journal, rec.Seq)
		t.hash, t.boot = rec.Hash, r.Boot
		rest := *r
		rest.Records = r.Records[i+1:]
		rest.After = rec.Seq
		t.deal(&rest)
		return
	}
}

// wait has records wait for what lies before them. What was lost is read once it is kept.
func (t *Table) wait(r topic.Records) {
	size := 0
	for _, lines := range r.Records {
		for _, line := range lines {
			size += len(line)
		}
	}
	if len(t.waits) >= mostWaiting || t.bytes+size > mostBytes {
		t.waits, t.bytes = nil, 0
	}
	t.waits, t.bytes = append(t.waits, r), t.bytes+size
}

// Behind says whether the table has records that were not dealt.
func (t *Table) Behind() bool {
	return len(t.waits) > 0 || t.head.ID != "" && (t.head.ID != t.journal || t.head.Record > t.at)
}

// CatchUp deals what is kept, as far as the table has it.
func (t *Table) CatchUp(ctx context.Context) error {
	id, to := t.head.ID, t.head.Record
	if len(t.waits) > 0 {
		id, to = t.waits[0].Journal, t.waits[0].After
	}
	kept, err := t.source.Records(ctx, t.table, id)
	if err != nil {
		return err
	}
	had := uint64(0)
	if kept != nil {
		if had, _, err = kept.Head(); err != nil {
			return err
		}
	}
	switch {
	case len(t.waits) > 0 && had < to:
		return nil // the rest comes
	case len(t.waits) == 0 && (had == 0 || id == t.journal && had <= t.at || had < to && t.looked):
		t.looked = true
		return nil
	case len(t.waits) == 0: // at first what was kept is better than nothing
		to = min(to, had)
	}
	t.looked = true
	if err := t.begin(id, kept, to); err != nil {
		return err
	}
	t.waited()
	return nil
}

// Kept has the table stand as it is kept, if that is not older than a moment, until something is heard of it.
func (t *Table) Kept(ctx context.Context, since time.Time) error {
	kept, err := t.source.Records(ctx, t.table, "")
	if err != nil || kept == nil || t.head.ID != "" {
		return err
	}
	had, _, err := kept.Head()
	if err != nil || had == 0 {
		return err
	}
	for rec, err := range kept.Records(had) {
		if err != nil || time.Unix(0, rec.At).Before(since) {
			return err
		}
		break
	}
	return t.begin(kept.ID(), kept, had)
}

// waited takes what has waited, as far as it goes on now.
func (t *Table) waited() {
	waits := t.waits
	t.waits, t.bytes = nil, 0
	for _, r := range waits {
		t.Hear(r, true)
	}
}

// begin has the table stand as its own program has it that begins after a record.
func (t *Table) begin(id string, kept recall.Records, to uint64) error {
	t.known.kept = kept
	t.recall = recall.New(&t.known, t.source.Houses)
	dealing, err := t.recall.Deal(to)
	if err != nil {
		return fmt.Errorf("the table %s after record %d of journal %s: %w", t.table, to, id, err)
	}
	t.stands(dealing, id, to)
	t.known.kept = kept
	if kept == nil {
		return nil
	}
	for rec, err := range kept.Records(max(to, 1)) {
		if err == nil && rec.Seq == to {
			t.hash, t.boot = rec.Hash, rec.Boot
		}
		return err
	}
	return nil
}

// stands has the table stand otherwise, after a record.
func (t *Table) stands(dealing *recall.Dealing, id string, at uint64) {
	if id != t.journal || at < t.at {
		t.count = nil
	}
	if id != t.journal {
		t.known.kept = nil
	}
	t.dealing, t.journal, t.at, t.hash, t.boot, t.news, t.unsure = dealing, id, at, [32]byte{}, 0, true, true
	t.dealt = [mostWaiting][32]byte{}
}

// remember keeps what records say of the rules, and of the set-up in force.
func (t *Table) remember(r *topic.Records) {
	if r.SetUp != nil {
		t.known.setUp = *r.SetUp
	}
	if len(r.Rules) == 0 {
		return
	}
	t.known.rules = map[string][]byte{}
	for fingerprint, text := range r.Rules {
		t.known.rules[fingerprint] = []byte(text)
	}
}

// deal deals on with records.
func (t *Table) deal(r *topic.Records) {
	t.remember(r)
	if t.dealing == nil {
		t.recall = recall.New(&t.known, t.source.Houses)
		t.dealing, _ = t.recall.Deal(0)
		t.journal = r.Journal
	}
	for i := range r.Records {
		rec, err := journal.ParseRecord(r.Frame(i))
		if err != nil || rec.Seq <= t.at {
			continue // of one that cannot be read, the store says so
		}
		rec.Boot = r.Boot
		t.next(&rec)
	}
	t.boot, t.news = r.Boot, true
}

func (t *Table) next(rec *journal.Record) {
	t.unsure = t.unsure || t.dealing.Differs() != nil // it may go on from what the record carries
	outs := t.dealing.Next(rec)
	plain, err := topic.Plainly(rec.Input)
	t.hides = t.hides || err != nil || len(plain) > 0 && &plain[0] != &rec.Input[0]
	t.at, t.hash = rec.Seq, rec.Hash
	t.dealt[rec.Seq%mostWaiting] = rec.Hash
	if rec.Setup == rec.Seq {
		t.known.setUp = topic.SetUp{Record: rec.Seq, Input: bytes.Clone(rec.Input)}
	}
	for i := range outs {
		if out := &outs[i]; out.Kind == vocab.Acknowledged {
			t.seen = append(t.seen, floor.Seen{Code: out.Code.String(), By: out.By, At: time.Unix(0, rec.At)})
		}
	}
	t.seen = t.seen[max(0, len(t.seen)-mostWaiting):]
	if t.count != nil && t.count.Last()+1 == rec.Seq && t.count.Record(rec) != nil {
		t.count = nil // it is counted anew
	}
}

// Count counts so many kept records at most, for the totals at a moment, and says whether there are more.
func (t *Table) Count(ctx context.Context, now time.Time, most int) (more bool, err error) {
	start := t.source.DayOf(now)
	if t.count != nil && t.count.Start().Equal(start) && t.count.Last() >= t.at {
		return false, nil // nothing is read
	}
	if t.dealing != nil && t.known.kept == nil { // it was heard from its first record on
		t.known.kept, err = t.source.Records(ctx, t.table, t.journal)
	}
	if t.dealing == nil || t.known.kept == nil || err != nil {
		return false, err
	}
	if had, _, err := t.known.Head(); err != nil || had+liveFarBehind < t.at {
		return false, err // it is being copied
	}
	if t.count == nil || !t.count.Start().Equal(start) {
		if t.count, err = totals.Begin(&t.known, t.recall, start); err != nil {
			t.count = nil
			return false, err
		}
		t.news = true
	}
	if t.count.Last() >= t.at {
		return false, nil
	}
	for rec, err := range t.known.Records(t.count.Last() + 1) {
		if err == nil {
			err = t.count.Record(&rec)
		}
		if err != nil {
			t.count = nil
			return false, err
		}
		if most--; most <= 0 || t.count.Last() >= t.at {
			break
		}
	}
	t.news = t.news || t.count.Last() >= t.at
	return most <= 0, nil
}

// News is how the table stands, where that is another than at the last call; nil where it is not.
func (t *Table) News() *floor.Dealt {
	if !t.news || t.dealing == nil {
		return nil
	}
	d := &floor.Dealt{Behind: t.Behind() || t.head.ID == "", Seen: t.seen}
	t.news, t.seen = false, nil
	if d.Unread = t.dealing.Differs() != nil; !d.Unread {
		d.View, d.Unread = t.view()
	}
	if t.count != nil && t.count.Last() >= t.at && !d.Behind {
		if sums, changed := t.count.News(); changed {
			sums.Site, sums.Table, sums.Boot = t.table.Site(), t.table.Name(), t.boot
			d.Totals = &sums
		}
	}
	return d
}

// view is what the table's dealer sees, as far as the pit gets it. Tables pass on names that guests gave: its texts
// show nothing but themselves.
func (t *Table) view() (v display.View, unread bool) {
	v = display.From(t.dealing.Table(), t.table.Name(), t.at)
	v.Public()
	if !t.hides && !t.unsure {
		return v, false
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // a View is plain data and always encodes
	}
	plain, err := topic.Plainly(text)
	t.hides, t.unsure = err != nil || &plain[0] != &text[0], false
	if !t.hides {
		return v, false
	}
	v = display.View{}
	return v, cmp.Or(err, json.Unmarshal(plain, &v)) != nil
}
