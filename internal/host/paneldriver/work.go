package paneldriver

import (
	"context"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/device/keys"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// patience is how old a press may be when its turn comes. An older one was meant for a
// table that the dealer no longer sees, and must be pressed again.
const patience = time.Second

// last is the last key that a contact was pressed for, whether it was taken, and when it was pressed.
type last struct {
	key   panel.Key
	taken bool
	at    time.Time
}

// work puts in the presses and what the boxes' sensors see, one after the other.
func (d *Desk) work(ctx context.Context) {
	lasts := make([]last, len(d.o.Contacts))
	for ctx.Err() == nil {
		_, changed := d.o.Table.Look()
		for p, waits := d.dequeue(); waits; p, waits = d.dequeue() {
			d.takePress(ctx, p, lasts)
		}
		d.mark(ctx)
		select {
		case <-d.news:
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// takePress puts a press in.
func (d *Desk) takePress(ctx context.Context, p pressed, lasts []last) {
	if p.does != 0 {
		if !p.refused {
			d.try(ctx, p.does, p)
		}
		return
	}
	contact := d.o.Contacts[p.Key]
	if p.Kind == keys.Contradiction {
		first := last{key: d.o.Contacts[p.Other].Short}
		if p.Given {
			first = lasts[p.Other]
		}
		if p.at.Before(first.at) {
			p.at = first.at // the board's clock was read a hair later for the one than for the other
		}
		d.sound(panel.Irregular)
		d.o.Contradiction(ctx, Contradiction{First: first.key, Second: contact.Short, Taken: first.taken, At: p.at})
		return
	}
	key := contact.Short
	if p.Kind == keys.Long {
		key = contact.Long
	}
	lasts[p.Key] = last{key: key, at: p.at}
	if p.refused {
		return
	}
	lasts[p.Key].taken = d.try(ctx, key, p)
}

// try puts in what a key means, and reports whether it was taken; the dealer hears if not.
func (d *Desk) try(ctx context.Context, key panel.Key, p pressed) bool {
	why := d.press(ctx, key, p)
	if why != "" {
		d.refuse(why, key.String())
	}
	return why == ""
}

// press puts in what a key means now, and returns why it was not taken, "" if it was.
func (d *Desk) press(ctx context.Context, key panel.Key, p pressed) (why string) {
	view, _ := d.o.Table.Look()
	switch {
	case time.Since(p.heard) > patience:
		return "the table was too slow: press it again"
	case view.Held != nil && view.Held.Code == irregularity.StorageFailing:
		return "nothing can be recorded"
	}
	in, err := panel.Input(view, key)
	if err != nil {
		return err.Error()
	}
	return d.putInput(ctx, in, p.at)
}

// putInput puts an input in.
func (d *Desk) putInput(ctx context.Context, in vocab.Input, at time.Time) (why string) {
	reason, err := d.o.Table.Press(ctx, in, at)
	switch {
	case err != nil && ctx.Err() != nil:
		return "" // the table has ended, and the press with it
	case err != nil:
		return err.Error()
	}
	return reason.String()
}

// mark puts in what the boxes' sensors see, until nothing has changed.
func (d *Desk) mark(ctx context.Context) {
	for {
		view, _ := d.o.Table.Look()
		in, changed := d.next(view)
		if !changed {
			return
		}
		if why := d.putInput(ctx, in, time.Now()); why != "" {
			d.refuse(why, fmt.Sprintf("box %d", in.Box))
		}
	}
}

func (d *Desk) next(view display.View) (vocab.Input, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.boxes.Next(view)
}
