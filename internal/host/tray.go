package host

import (
	"cmp"
	"context"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// atTray puts in what is of the tray: a count, an approval, a refusal, the drop box and what is taken back in the name
// of a supervisor who is proven for it, all else in that of whoever is there.
func (d *Daemon) atTray(ctx context.Context, in vocab.Input, still func(*table.Table) bool) (runner.Answer, error) {
	if in.Role = vocab.Dealer; bySupervisor(&in) {
		in.Role = vocab.Supervisor
		if err := d.vouch(ctx, &in, in.Role); err != nil {
			return runner.Answer{}, err
		}
	} else {
		in.By = d.present(ctx)
	}
	in.By = cmp.Or(in.By, in.Role.String()) // somebody does it, though nobody has said who
	if in.Kind == vocab.InCount {
		y := in.InTray()
		y.Dealer = cmp.Or(d.Shift().Dealer, vocab.Dealer.String())
		in.Tray = &y
	}
	return d.runner.SubmitIf(ctx, in, still)
}

// bySupervisor reports whether an input of the tray takes a supervisor.
func bySupervisor(in *vocab.Input) bool {
	switch in.InTray().Step {
	case vocab.SlipApproved, vocab.SlipRefused:
		return true
	}
	return in.Kind == vocab.InCount || in.Kind == vocab.InDrop || in.Amount < 0
}
