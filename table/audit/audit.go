package audit

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/table/audit/witness"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// Options say by what a journal is checked.
type Options struct {
	// Book is the houses that a journal may name.
	Book profile.Book
	// Houses are houses' own rules, several of one name where they were changed: a
	// set-up takes those whose fingerprint it names.
	Houses []*profile.House
	// Key is the public half of the table's key, as the auditor has it; nil to take
	// the one that the journal names.
	Key ed25519.PublicKey
	// AuditKeys are those of the table, with which the codes of its lines are checked; none to leave them unchecked.
	AuditKeys []journal.AuditKey
	// Noted is the number and hash of a record, noted elsewhere while it was the last;
	// zero for none.
	Noted Note
	// Heard is the last head that the pit is known to have; zero for none.
	Heard journal.Heard
	// Witness is what the pit knows of the table; nil to leave that out.
	Witness *witness.Export
	// EverySeal checks the signature of every seal, and not only of one in so many: each
	// vouches for those before it.
	EverySeal bool
	// Version is the program that checks, as boots name theirs; "" not to compare.
	Version string
	// Progress, if not nil, is called now and then with how many records are done.
	Progress func(done, total uint64)
}

// Note is a record's number and hash.
type Note struct {
	Seq  uint64
	Hash [32]byte
}

// progressStep is how many records lie between two reports of the progress.
const progressStep = 4096

// Run checks a journal as it is at this moment; the table may go on meanwhile. The
// error is that of a journal that cannot be read at all; whatever else is wrong is in
// the report.
func Run(ctx context.Context, j *journal.Reader, o Options) (*Report, error) {
	a := newAuditor(j, o)
	j.CheckCodes(o.AuditKeys)
	if err := j.Walk(ctx, a.step); err != nil {
		return nil, err
	}
	a.end()
	return a.report, nil
}

// auditor is an audit under way.
type auditor struct {
	o      Options
	report *Report
	reader *journal.Reader
	total  uint64

	boots  boots
	clock  clock
	shoe   shoe
	cards  cards
	replay replay
	seals  seals
	codes  codes
	gone   gone
	pit    witnessed
	// hash and round are the last record's.
	hash  [32]byte
	round uint64
	heads []head
	// former is the journal in whose place this one was begun, nil for none.
	former *journal.Former
	aside  aside
}

func newAuditor(j *journal.Reader, o Options) *auditor {
	a := &auditor{o: o, reader: j, report: &Report{Path: j.Path(), ID: j.ID()}, heads: o.heads()}
	a.replay.begin(a)
	a.pit.begin(a)
	if total, _, err := j.Head(); err == nil {
		a.total = total // for the progress alone: what is wrong is told by the walk
	}
	return a
}

// step takes a step of the walk through the journal.
func (a *auditor) step(s *journal.Step) error {
	a.codes.step(a, s)
	a.pit.step(a, s)
	if s.Fault != nil {
		a.broken(s)
	}
	switch {
	case s.Header != nil:
		a.header(s.Header)
	case s.Seal != nil:
		a.seals.seal(a, s.Seal)
	case s.Record != nil:
		a.see(s.Record)
	case s.Rules != nil:
		a.replay.learn(a, s.Rules)
	case s.Accepted != nil && s.Fault == nil:
		a.accepted(s.Accepted)
	case s.Away != nil && s.Fault == nil:
		a.gone.note(a, s)
	case s.Fault != nil:
		a.lost()
	}
	if !s.More {
		a.seals.written(a)
	}
	return nil
}

// header takes the beginning of a part.
func (a *auditor) header(h *journal.Header) {
	a.report.Parts++
	a.boots.header(a, h)
	a.seals.header(a, h)
	a.replay.header(h)
	a.aside.header(h)
	if h.Former != nil {
		a.former = h.Former
		a.shoe.lost() // its numbers go on from those in the other journal
		a.began(h)
	}
	if h.Above != nil {
		a.fault(Behind, nil,
			fmt.Sprintf("when part %d was begun the journal lacked what the pit had heard of, up to record %d: its "+
				"end was cut off before", h.Part, h.Above[0]))
	}
	if h.Lost != "" {
		a.fault(Missing, nil, fmt.Sprintf("before part %d: %s", h.Part, h.Lost))
	}
}

// see takes a record.
func (a *auditor) see(rec *journal.Record) {
	a.report.Records++
	if rec.Seq%progressStep == 0 && a.o.Progress != nil {
		a.o.Progress(rec.Seq, max(a.total, rec.Seq))
	}
	a.clock.see(a, rec)
	a.shoe.see(a, rec)
	a.replay.see(a, rec)
	a.seals.record(rec)
	a.report.Head, a.hash, a.round = rec.Seq, rec.Hash, rec.Round
	for i := range a.heads {
		a.heads[i].see(a, rec)
	}
}

// broken reports what the walk found wrong with a record, or in the place of one.
func (a *auditor) broken(s *journal.Step) {
	a.seals.broken(a)
	f := a.finding(Missing, nil, s.Fault.Error())
	broken, ok := errors.AsType[*journal.BrokenError](s.Fault)
	switch {
	case ok && broken.Gone:
		f.Record, f.Round = broken.Seq, a.round
		if s.Record != nil {
			a.lost()
		}
	case s.Record != nil:
		f = a.finding(Chain, s.Record, s.Fault.Error())
	case ok:
		f.Kind, f.Record, f.Round = Chain, broken.Seq, a.round
	}
	if ok && broken.Forged {
		f.Kind = Code
	}
	if away, ok := errors.AsType[*journal.AwayError](s.Fault); ok && away.To != "" {
		f.Kind = Away
		a.report.Away = append(a.report.Away, away.Part)
		a.gone.parts = append(a.gone.parts, away.Part)
		a.replay.partGone(true)
		a.report.remark(f)
		return
	}
	if s.Record == nil && f.Kind == Missing {
		a.replay.partGone(false)
	}
	a.report.fault(f)
}

// lost notes that records are missing or cannot be read: what follows is not compared
// with what was before.
func (a *auditor) lost() {
	a.boots.lost = true
	a.shoe.lost()
	a.replay.lose()
}

// fault reports a fault of a record, nil for none.
func (a *auditor) fault(kind Kind, rec *journal.Record, what string) *Finding {
	return a.report.fault(a.finding(kind, rec, what))
}

func (a *auditor) remark(kind Kind, rec *journal.Record, what string) {
	a.report.remark(a.finding(kind, rec, what))
}

func (a *auditor) finding(kind Kind, rec *journal.Record, what string) *Finding {
	f := &Finding{Kind: kind, What: what}
	if rec != nil {
		f.Round, f.Record, f.Boot, f.At = rec.Round, rec.Seq, rec.Boot, moment(rec.At)
		f.Program = a.boots.program(rec.Boot)
	}
	return f
}

func moment(at int64) time.Time { return time.Unix(0, at).UTC() }

// end checks what can only be said of the whole.
func (a *auditor) end() {
	for i := range a.heads {
		a.heads[i].end(a)
	}
	a.report.Hash = hex.EncodeToString(a.hash[:])
	a.replay.end(a)
	a.clock.end(a)
	a.seals.end(a)
	a.codes.end(a)
	a.gone.end(a)
	a.aside.end(a)
	a.pit.end(a)
	a.report.sort()
	if a.o.Progress != nil {
		a.o.Progress(a.report.Records, a.report.Records)
	}
}
