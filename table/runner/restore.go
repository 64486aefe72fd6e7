package runner

import (
	"bytes"
	"encoding/json"
	"iter"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// Records is what a table is restored from. Every error is a read error.
type Records interface {
	// Checkpoint returns the last record with a carry, and the setup in force there; seq
	// is 0 if there is none.
	Checkpoint() (seq uint64, carry, setup []byte, err error)
	// Records yields the records from a number on.
	Records(from uint64) iter.Seq2[journal.Record, error]
	// Rules returns the text of rules that were played, by their fingerprint in
	// hexadecimal, or nil if the journal does not have it.
	Rules(fingerprint string) ([]byte, error)
}

// Restored is a table as the journal leaves it.
type Restored struct {
	Table *table.Table
	// Setup is the last setup that was put in; nil for a new journal, or if its rules are
	// not known.
	Setup *rules.Setup
	// Replayed counts the inputs of the open round that were replayed.
	Replayed int
	// Differs is the first record that this program cannot replay as it was recorded, nil
	// if there is none. The table is then as close to the record as possible, and must be
	// held: see Doubts.
	Differs *DiffersError
}

// Restore brings a table to where the journal's last record left it: the last
// checkpoint, and every input since. The open round is played by the rules whose text
// the journal has, whatever the book has under the house's name today.
//
// configured are the rules that the table is to play. Except for their limits, they
// replace those of the journal if these are no longer known.
//
// Restored.Differs reports an answer other than the recorded one, since money depends on
// it, and anything else that keeps the round from being replayed. A supervisor has decided
// what came before a difference that is already on record, so that is no longer compared.
// The error is one of reading the journal.
func Restore(from Records, book profile.Book, configured *rules.Rules) (Restored, error) {
	r := newRestoring(from, book, configured)
	next, err := r.resume()
	if err != nil {
		return Restored{}, err
	}
	for rec, err := range from.Records(next) {
		if err != nil {
			return Restored{}, err
		}
		if err := r.play(&rec); err != nil {
			return Restored{}, err
		}
	}
	if r.Differs != nil {
		r.align()
	}
	return r.Restored, nil
}

// restoring is a table that is being restored.
type restoring struct {
	Restored
	from       Records
	book       profile.Book
	configured *rules.Rules
	parser     *transcript.Parser
	// unknown is why the rules of the set-up in force cannot be played, nil if they can.
	// It has no consequence before a round is opened.
	unknown *DiffersError
	// round is the highest number of a round on record.
	round uint64
	now   []byte
}

func newRestoring(from Records, book profile.Book, configured *rules.Rules) *restoring {
	r := &restoring{from: from, book: book, configured: configured, parser: transcript.NewParser(nil)}
	r.parser.AnyHouse = true // findRules finds the rules of a set-up
	r.Table = &table.Table{}
	return r
}

// resume begins with the last checkpoint, and returns the number of the record after it.
func (r *restoring) resume() (next uint64, err error) {
	seq, carry, setup, err := r.from.Checkpoint()
	if err != nil || seq == 0 {
		return 1, err
	}
	by := r.standIn()
	in, wrong := r.parser.Parse(setup, seq)
	if wrong != nil {
		r.unknown = unknownInput(seq, wrong)
	} else if r.unknown, err = r.findRules(&in); err != nil {
		return 0, err
	}
	if r.unknown == nil {
		by, r.Setup = in.Rules, in.Setup
	}
	var c table.Carry
	if wrong := json.Unmarshal(carry, &c); wrong != nil {
		r.differs(unreadCarry(seq, wrong))
		if c, err = r.bareCarry(seq, by); err != nil {
			return 0, err
		}
	}
	r.Table, r.round = table.Resume(by, c), c.Round
	return seq + 1, nil
}

// bareCarry is what remains of a checkpoint that cannot be read: the round's number.
func (r *restoring) bareCarry(seq uint64, by *rules.Rules) (table.Carry, error) {
	for rec, err := range r.from.Records(seq) {
		return bare(rec.Round, by), err
	}
	return bare(0, by), nil
}

// bare is a table of which only the last round's number is known.
func bare(round uint64, by *rules.Rules) table.Carry {
	return table.Carry{Kept: table.Kept{Round: round, Jackpot: by.Meter.Seed}}
}

// findRules gives a set-up its rules: those of the book, or those whose text the journal
// has. If there are neither, it uses the configured ones, and unknown says why. The error
// is one of reading the journal.
func (r *restoring) findRules(in *vocab.Input) (unknown *DiffersError, err error) {
	book := r.book
	if house := book[in.Setup.House]; in.Setup.Profile != "" &&
		(house == nil || house.Fingerprint != in.Setup.Profile) {
		text, err := r.from.Rules(in.Setup.Profile)
		if err != nil {
			return nil, err
		}
		if text != nil {
			kept, wrong := profile.FromText(text)
			if wrong != nil {
				in.Rules = r.standIn()
				return unknownRules(in, wrong), nil
			}
			book = book.With(kept)
		}
	}
	var wrong error
	if in.Rules, wrong = book.Set(*in.Setup); wrong != nil {
		in.Rules = r.standIn()
		return unknownRules(in, wrong), nil
	}
	return nil, nil
}

// standIn are the configured rules without their limits: a stake that was taken by unknown
// rules must not be refused, since it must be returned.
func (r *restoring) standIn() *rules.Rules {
	by := *r.configured
	by.Table.Min, by.Table.BoxMax, by.Table.Unit = 1, money.Max, 1
	by.Profile.Table.Step, by.Profile.Table.Bettors = nil, nil
	return &by
}

// play puts a record's input in again, if possible. The error is one of reading the
// journal.
func (r *restoring) play(rec *journal.Record) error {
	r.Replayed++
	defer func() { r.round = max(r.round, rec.Round) }()
	in, wrong := r.parser.Parse(rec.Input, rec.Seq)
	if wrong != nil {
		r.differs(unknownInput(rec.Seq, wrong))
		return nil
	}
	if in.Kind == vocab.InSetup {
		return r.setUp(rec, &in)
	}
	if in.Kind == vocab.InStorage && in.Storage == vocab.StorageDiffers {
		r.decided()
	}
	r.step(rec, &in)
	return nil
}

// setUp puts a set-up in again.
func (r *restoring) setUp(rec *journal.Record, in *vocab.Input) error {
	unknown, err := r.findRules(in)
	if err != nil {
		return err
	}
	r.step(rec, in)
	if r.Table.Rejected() != 0 {
		return nil
	}
	if r.unknown, r.Setup = unknown, in.Setup; unknown != nil {
		r.Setup = nil
	}
	return nil
}

// decided handles the record of an earlier difference: what came before it was reported,
// and a supervisor decides on it.
func (r *restoring) decided() {
	r.Differs, r.unknown = nil, nil
	r.align()
}

// step puts an input in, and compares what follows with what was recorded.
func (r *restoring) step(rec *journal.Record, in *vocab.Input) {
	outs := r.Table.Step(in)
	r.now = answer(r.now[:0], outs)
	switch {
	case r.unknown != nil && r.Table.Phase() != vocab.Idle:
		r.differs(r.unknown)
	case !bytes.Equal(r.now, rec.Outputs) && !bytes.Equal(transcript.AppendEarlier(nil, outs), rec.Outputs):
		r.differs(otherAnswer(rec, r.now))
	}
}

// differs keeps the first difference.
func (r *restoring) differs(d *DiffersError) {
	if r.Differs == nil {
		r.Differs = d
	}
}

// align replaces a table that has not reached the round on record: no round number may be
// used twice.
func (r *restoring) align() {
	t := r.Table
	switch {
	case t.Round() >= r.round:
	case t.Rules() == nil:
		r.Table = table.Resume(r.configured, bare(r.round, r.configured))
	default:
		c := t.Carry()
		c.Round = r.round
		r.Table = table.Resume(t.Rules(), c)
	}
}

func answer(dst []byte, outs []vocab.Output) []byte {
	for i := range outs {
		dst = append(transcript.AppendOutput(dst, &outs[i]), '\n')
	}
	return dst
}

// finishes reports whether outputs end a round. It copies none of them: an audit asks for each record.
func finishes(outs []vocab.Output) bool {
	for i := range outs {
		if outs[i].Kind == vocab.Finished {
			return true
		}
	}
	return false
}
