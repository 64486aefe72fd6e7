package runner

import (
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/vocab"
)

// configured is what the configuration puts in at a start: the setup, or the limits alone,
// and that the table is closed.
type configured struct{ setup, limits, closes bool }

// configuredAt compares the configuration with the table as it was restored. Limits that a
// supervisor has announced stay in force until the configuration's own change.
func configuredAt(o *Options) (c configured) {
	t := o.Table
	switch {
	case o.Last == nil || o.Last.WithoutLimits() != o.Setup.WithoutLimits():
		c.setup = true
	case t.Configured() != limitsOf(o):
		c.limits = true
	}
	c.closes = o.Closed && t.Phase() == vocab.Idle && t.Opening() == (table.Opening{})
	return c
}

func limitsOf(o *Options) table.Limits {
	return table.Limits{Min: o.Rules.Table.Min, BoxMax: o.Rules.Table.BoxMax}
}

// take makes the inputs, once.
func (c *configured) take(o *Options) (items []item) {
	put := func(in vocab.Input) {
		in.Origin = byConfiguration
		items = append(items, item{in: in, done: unheard})
	}
	if c.setup {
		put(vocab.Input{Kind: vocab.InSetup, Setup: o.Setup, Rules: o.Rules})
	}
	if c.limits {
		in, to := vocab.Input{Kind: vocab.InLimits}, limitsOf(o)
		in.Limits = vocab.LimitsChange{Min: to.Min, BoxMax: to.BoxMax}
		put(in)
	}
	if c.closes {
		put(vocab.Input{Kind: vocab.InTable, Table: vocab.TableChange{Event: vocab.TableClosed}})
	}
	*c = configured{}
	return items
}
