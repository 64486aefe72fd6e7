package paneldriver

import (
	"context"
	"slices"
	"time"

	"github.com/sabot-table/sabot/device/keys"
	"github.com/sabot-table/sabot/display/panel"
)

// Missing are lines of a panel that cannot be used, for one reason.
type Missing struct {
	// Lines are named as in the configuration: card, supervisor, box 3, green.
	Lines []string
	Err   error
}

// steady is how long lines must be there until it is said that they are back: a loose plug is one loss.
const steady = 3 * time.Second

// heed tells the panel's owner which lines are missing, until ctx ends.
func (d *Desk) heed(ctx context.Context) {
	var said []Missing
	var back <-chan time.Time // when fewer lines have been missing for long enough
	for ctx.Err() == nil {
		now, changed := d.o.Board.Missing()
		is := d.named(now)
		switch {
		case same(is, said):
			back = nil
		case !within(is, said):
			d.say(&said, is, now)
			back = nil
		case back == nil:
			back = time.After(steady)
		}
		select {
		case <-changed:
		case <-back:
			now, _ = d.o.Board.Missing()
			d.say(&said, d.named(now), now)
			back = nil
		case <-ctx.Done():
		}
	}
}

// say tells the panel's owner what is missing now, and the dealer if it is more than before.
func (d *Desk) say(said *[]Missing, is []Missing, now []keys.Missing) {
	d.mute.Store(slices.ContainsFunc(now, func(m keys.Missing) bool { return len(m.Contacts) > 0 }))
	if !within(is, *said) {
		d.sound(panel.Irregular)
	}
	*said = is
	d.o.Missing(is)
}

// named says which lines these are.
func (d *Desk) named(list []keys.Missing) (all []Missing) {
	for _, m := range list {
		one := Missing{Err: m.Err}
		for _, i := range m.Contacts {
			one.Lines = append(one.Lines, d.o.Contacts[i].String())
		}
		for _, i := range m.Outputs {
			one.Lines = append(one.Lines, d.o.Signals[i].String())
		}
		all = append(all, one)
	}
	return all
}

// same says whether the same lines are missing for the same reasons.
func same(a, b []Missing) bool {
	return slices.EqualFunc(a, b, func(x, y Missing) bool {
		return slices.Equal(x.Lines, y.Lines) && x.Err.Error() == y.Err.Error()
	})
}

// within says whether all lines that are missing were so before, for whatever reason.
func within(is, before []Missing) bool {
	for _, m := range is {
		for _, line := range m.Lines {
			if !slices.ContainsFunc(before, func(b Missing) bool { return slices.Contains(b.Lines, line) }) {
				return false
			}
		}
	}
	return true
}
