package host

import (
	"context"
	"errors"

	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// mostWaiting is how many notices may wait for the journal. Who is at the table changes a
// few times an hour; tries of a PIN are limited.
const mostWaiting = 1024

// record puts on record something that does not concern a round. It does not wait: the
// notices are recorded in order, once the table runs.
func (d *Daemon) record(in vocab.Input) {
	in.ShowTexts() // it is not refused: a name in it may be one that somebody tried
	select {
	case d.unrecorded <- in:
	default:
		d.notOnRecord(in, "too many notices wait to be recorded")
	}
}

func (d *Daemon) notOnRecord(in vocab.Input, why string) {
	d.log.Error("this is only in the log, and not in the journal", "why", why, "code", in.Code, "by", in.By)
}

// keepRecord puts waiting notices on record, until ctx ends. It logs those that are too
// late.
func (d *Daemon) keepRecord(ctx context.Context) error {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case in := <-d.unrecorded:
			_, err := d.runner.Submit(ctx, in)
			switch {
			case err == nil:
			case errors.Is(err, runner.ErrStopped) || ctx.Err() != nil:
				d.notOnRecord(in, "the table ends")
			default:
				return err
			}
		}
	}
	d.notes.Flush()
	for {
		select {
		case in := <-d.unrecorded:
			d.notOnRecord(in, "the table ends")
		default:
			return nil
		}
	}
}

// inputOf is a notice as it goes on record: a dealer's name, or a note.
func inputOf(n authority.Notice) vocab.Input {
	switch n.What {
	case authority.DealerIn:
		in := vocab.Input{Kind: vocab.InDealer, By: n.Who}
		in.Alter(vocab.Change{Proof: n.Proof, Relieves: n.Relieves})
		return in
	case authority.DealerOut:
		return vocab.Input{Kind: vocab.InDealer}
	}
	in := vocab.Input{Kind: vocab.InNote, Code: string(n.What), By: n.Who}
	if n.Why != "" {
		in.Code += " " + string(n.Why)
	}
	return in
}

// recallDealer tells a table that does not know it who deals, as with a new journal.
func (d *Daemon) recallDealer() {
	shift := d.Shift()
	if known, _ := d.restored.Table.Dealer(); known != shift.Dealer {
		in := vocab.Input{Kind: vocab.InDealer, By: shift.Dealer}
		in.Alter(vocab.Change{Proof: shift.Proof})
		d.record(from(vocab.FromProgram, "", in))
	}
}
