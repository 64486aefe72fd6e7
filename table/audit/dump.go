package audit

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/plaintext"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// Dump writes all records of a round, each with its input and with what was recorded to
// follow. It is played again from the checkpoint before it, and where something else
// follows the lines begin with - as they were recorded and with + as they should be. A record
// that does not fit its hash is written, too, and marked.
func Dump(ctx context.Context, j *journal.Reader, o Options, round uint64, w io.Writer) error {
	j.Lenient()
	first, err := j.FirstOf(round)
	if err != nil {
		return err
	}
	d := dump{out: bufio.NewWriter(w), parser: transcript.NewParser(o.Book), o: o, round: round}
	if first != 0 {
		err = d.records(ctx, j, first)
	}
	if err := errors.Join(err, d.out.Flush()); err != nil {
		return err
	}
	if !d.found {
		return fmt.Errorf("the journal %s has no round %d", j.Path(), round)
	}
	return nil
}

// dump is a dump under way.
type dump struct {
	out    *bufio.Writer // keeps its first error for Flush
	parser *transcript.Parser
	o      Options
	round  uint64
	tab    *table.Table // nil where it cannot be played
	found  bool
}

func (d *dump) records(ctx context.Context, j *journal.Reader, first uint64) error {
	if err := d.resume(j, first); err != nil {
		return err
	}
	for rec, err := range j.Records(first) {
		if err != nil {
			return err
		}
		if rec.Round > d.round {
			return ctx.Err()
		}
		d.found = d.found || rec.Round == d.round
		d.record(&rec)
	}
	return ctx.Err()
}

// resume begins at the last checkpoint before a record, and plays up to that.
func (d *dump) resume(j *journal.Reader, first uint64) error {
	d.tab = &table.Table{}
	start, err := one(j, first)
	if err != nil {
		return err
	}
	from := start.Checkpoint
	if from == first && first > 1 { // the checkpoint is its own: the one before it
		before, err := one(j, first-1)
		if err != nil {
			return err
		}
		from = before.Checkpoint
	}
	if from == 0 || from == first {
		return nil
	}
	if err := d.checkpoint(j, from); err != nil {
		return err
	}
	for rec, err := range j.Records(from + 1) {
		if err != nil || rec.Seq >= first {
			return err
		}
		d.play(&rec)
	}
	return nil
}

// checkpoint makes the table as a record carries it.
func (d *dump) checkpoint(j *journal.Reader, from uint64) error {
	at, err := one(j, from)
	if err != nil {
		return err
	}
	setup := journal.Record{Seq: at.Setup}
	if setup.Input, err = j.SetUp(at.Setup); err != nil {
		return err
	}
	in, ok := d.parse(&setup)
	var carry table.Carry
	if !ok || in.Rules == nil || json.Unmarshal(at.Carry, &carry) != nil {
		d.tab = nil
		return nil
	}
	d.tab = table.Resume(in.Rules, carry)
	return nil
}

// one reads a single record.
func one(j *journal.Reader, seq uint64) (journal.Record, error) {
	for rec, err := range j.Records(seq) {
		return rec, err
	}
	return journal.Record{}, fmt.Errorf("record %d of the journal %s is missing", seq, j.Path())
}

// parse reads an input, with the houses' own rules where it needs them.
func (d *dump) parse(rec *journal.Record) (vocab.Input, bool) {
	in, err := d.parser.Parse(rec.Input, rec.Seq)
	for i := 0; err != nil && i < len(d.o.Houses); i++ {
		d.parser.Book = d.o.Book.With(d.o.Houses[i])
		in, err = d.parser.Parse(rec.Input, rec.Seq)
		d.parser.Book = d.o.Book
	}
	return in, err == nil
}

// play gives what follows from a record, false where that cannot be said.
func (d *dump) play(rec *journal.Record) ([]byte, bool) {
	in, ok := d.parse(rec)
	if !ok || d.tab == nil {
		return nil, false
	}
	outs := d.tab.Step(&in)
	var lines []byte
	for i := range outs {
		lines = append(transcript.AppendOutput(lines, &outs[i]), '\n')
	}
	return lines, true
}

func (d *dump) record(rec *journal.Record) {
	fmt.Fprintf(d.out, "record %d, %s, start %d", rec.Seq, stamp(moment(rec.At)), rec.Boot)
	if rec.ShoeBoot != 0 || rec.ShoeSeq != 0 {
		fmt.Fprintf(d.out, ", shoe %08x/%d", rec.ShoeBoot, rec.ShoeSeq)
	}
	if rec.Unfit {
		fmt.Fprint(d.out, ", DOES NOT FIT ITS HASH: it, or what comes right before it, was changed")
	}
	fmt.Fprintf(d.out, "\n  > %s\n", plaintext.Visible(string(rec.Input)))
	should, played := d.play(rec)
	switch {
	case !played:
		d.lines("?", rec.Outputs)
	case bytes.Equal(should, rec.Outputs):
		d.lines(" ", rec.Outputs)
	default:
		d.lines("-", rec.Outputs)
		d.lines("+", should)
	}
}

func (d *dump) lines(mark string, lines []byte) {
	for line := range bytes.Lines(lines) {
		fmt.Fprintf(d.out, "  %s %s\n", mark, plaintext.Visible(string(bytes.TrimSuffix(line, []byte{'\n'}))))
	}
}
