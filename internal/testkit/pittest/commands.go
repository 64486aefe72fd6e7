package pittest

import (
	"context"
	"errors"
	"sync"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Commands are those of a floor whose tables do what they are told, but for the last one of the room, which takes none.
// Its methods may be called from any goroutine.
type Commands struct {
	Floor *Floor
	// Trays are those that the tables' slips are of; nil where there are none.
	Trays *Trays

	mu sync.Mutex
	// refuses is why the tables do not do it, and fails why nothing is sent.
	refuses string
	fails   error
	// silent is closed once nobody waits any longer for tables that do not answer, which giveUp does; else it is nil.
	silent chan struct{}
	giveUp func()
	sent   []command.Command
}

// Answer says what tables answer from now on: "done", "silent", "away" without a broker, or why they refuse.
func (c *Commands) Answer(how string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.giveUp != nil {
		c.giveUp()
	}
	c.refuses, c.fails, c.silent = "", nil, nil
	switch how {
	case "done":
	case "silent":
		silent := make(chan struct{})
		c.silent, c.giveUp = silent, sync.OnceFunc(func() { close(silent) })
	case "away":
		c.fails = command.ErrNotSent
	default:
		c.refuses = how
	}
}

// GiveUp has nobody wait any longer for tables that are silent, nor for what is sent to them later.
func (c *Commands) GiveUp() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.giveUp != nil {
		c.giveUp()
	}
}

// Sent are the commands that were sent.
func (c *Commands) Sent() []command.Command {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent
}

// Takes says that all tables but the last take commands.
func (c *Commands) Takes(t topic.Table, _ string) bool { return t != Table(12) }

// Send does what a table is told.
func (c *Commands) Send(ctx context.Context, t topic.Table, one command.Command) (command.Result, error) {
	const id = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"
	c.mu.Lock()
	refuses, fails, silent := c.refuses, c.fails, c.silent
	if fails == nil {
		c.sent = append(c.sent, one)
	}
	c.mu.Unlock()
	switch {
	case fails != nil:
		return command.Result{}, fails
	case silent != nil:
		select {
		case <-silent:
		case <-ctx.Done():
		}
		return command.Result{}, &command.UnknownError{Table: t, ID: id, Why: errors.New("the table does not answer")}
	case refuses != "":
		return command.Result{ID: id, Became: command.Became{State: command.NotDone, Reason: refuses}}, nil
	}
	c.Floor.obey(t, one)
	c.slip(t, &one)
	return command.Result{ID: id, Became: command.Became{State: command.Done, Record: 6111}}, nil
}

// slip has a fill or a credit take a step.
func (c *Commands) slip(t topic.Table, one *command.Command) {
	steps := map[command.What]vocab.SlipStep{
		command.AskFill: vocab.SlipAsked, command.AskCredit: vocab.SlipAsked, command.SlipApproved: vocab.SlipApproved,
		command.SlipRefused: vocab.SlipRefused, command.SlipSent: vocab.SlipSent,
		command.SlipReceived: vocab.SlipReceived,
	}
	step := steps[one.What]
	if step == 0 || c.Trays == nil {
		return
	}
	of := vocab.InFill
	if one.What == command.AskCredit || one.Kind == command.KindCredit {
		of = vocab.InCredit
	}
	chips, _ := vocab.ParseChips(one.Chips)
	c.Trays.Step(t, of, vocab.Tray{Step: step, Slip: uint32(one.Slip), Chips: chips}, one.Person)
}

// obey lets a table do what it is told.
func (f *Floor) obey(t topic.Table, c command.Command) {
	f.mu.Lock()
	defer f.mu.Unlock()
	v := f.views[t]
	tile := &floor.Tile{}
	for i := range f.tiles {
		if f.tiles[i].Table == t {
			tile = &f.tiles[i]
		}
	}
	switch c.What {
	case command.OpenTable, command.CloseTable:
		v.Opening.Closed, v.Opening.By = c.What == command.CloseTable, c.Person
		tile.Standing = floor.Open
		if v.Opening.Closed {
			tile.Standing = floor.Closed
		}
	case command.Limits:
		v.Min, v.BoxMax, tile.Min, tile.BoxMax = c.Min, c.BoxMax, c.Min, c.BoxMax
	case command.Message:
		v.Alerts = append(v.Alerts[:len(v.Alerts):len(v.Alerts)],
			display.Alert{Code: irregularity.PitMessage, Times: 1, Standing: 1, Text: c.Text, Caller: c.Person})
	}
	f.views[t] = v
	f.change()
}
