package host

import (
	"context"
	"errors"
	"log/slog"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// mostWaiting is how many notices may wait for the journal. Who is at the table changes a
// few times an hour; tries of a PIN are limited.
const mostWaiting = 1024

// notices are what does not concern a round, on their way to the record. They are recorded in order, once the table
// runs.
type notices struct {
	waiting chan *vocab.Input
	often   *site.Bursts[note]
	submit  func(ctx context.Context, in vocab.Input) error
	log     *slog.Logger
}

// newNotices has notices put in by submit, which says runner.ErrStopped of one that is too late.
func newNotices(log *slog.Logger, submit func(ctx context.Context, in vocab.Input) error) *notices {
	n := &notices{waiting: make(chan *vocab.Input, mostWaiting), submit: submit, log: log}
	n.often = site.NewBursts(site.BurstsOptions[note]{
		Window: noteWindow, Longest: noteLongest, Most: mostNotes, Other: moreNotes, Again: n.again,
	})
	return n
}

// add puts something on record, and does not wait.
func (n *notices) add(in vocab.Input) {
	in.ShowTexts() // it is not refused: a name in it may be one that somebody tried
	select {
	case n.waiting <- &in:
	default:
		n.tooLate(&in, "too many notices wait to be recorded")
	}
}

func (n *notices) tooLate(in *vocab.Input, why string) {
	n.log.Error("this is only in the log, and not in the journal", "why", why, "code", in.Code, "by", in.By)
}

// run puts waiting notices on record, until ctx ends. It logs those that are too late.
func (n *notices) run(ctx context.Context) error {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case in := <-n.waiting:
			err := n.submit(ctx, *in)
			switch {
			case err == nil:
			case errors.Is(err, runner.ErrStopped) || ctx.Err() != nil:
				n.tooLate(in, "the table ends")
			default:
				return err
			}
		}
	}
	n.often.Flush()
	for {
		select {
		case in := <-n.waiting:
			n.tooLate(in, "the table ends")
		default:
			return nil
		}
	}
}

// record puts on record something that does not concern a round.
func (d *Daemon) record(in vocab.Input) { d.notices.add(in) }

// putOnRecord puts a notice in at the table.
func (d *Daemon) putOnRecord(ctx context.Context, in vocab.Input) error {
	_, err := d.runner.Submit(ctx, in)
	return err
}

// inputOf is a notice as it goes on record: a dealer's name, or a note.
func inputOf(n authority.Notice) vocab.Input {
	switch n.What {
	case authority.DealerIn:
		in := vocab.Input{Kind: vocab.InDealer, By: n.Who}
		in.Dealer.Proof, in.Dealer.Relieves = n.Proof, n.Relieves
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
	if known, _ := d.kept.restored.Table.Dealer(); known != shift.Dealer {
		in := vocab.Input{Kind: vocab.InDealer, By: shift.Dealer}
		in.Dealer.Proof = shift.Proof
		d.record(from(vocab.FromProgram, "", in))
	}
}
