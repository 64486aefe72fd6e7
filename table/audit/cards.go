package audit

import (
	"bytes"
	"fmt"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// cards counts each card against what the shoe can hold. That one came too often is no
// fault of the journal, but an auditor wants to know.
type cards struct {
	counts [256]uint16
	of     *rules.Rules
}

// see counts the cards that left the shoe, and those that somebody named afterwards.
func (c *cards) see(a *auditor, rec *journal.Record, in *vocab.Input) {
	switch in.Kind {
	case vocab.InCard:
		c.count(a, rec, in.Card)
	case vocab.InResolve:
		if in.With == irregularity.Reload {
			c.counts = [256]uint16{}
		}
		c.count(a, rec, in.Card)
	case vocab.InSetup:
		c.of = in.Rules
		c.counts = [256]uint16{}
	case vocab.InShoe:
		if in.Shoe == vocab.ShoeLoaded {
			c.counts = [256]uint16{}
		}
	case vocab.InOpen:
		// A shuffler has the cards of the last round back.
		if c.of != nil && c.of.Cards.Source == rules.Shuffler {
			c.counts = [256]uint16{}
		}
	}
}

func (c *cards) count(a *auditor, rec *journal.Record, one card.Card) {
	if c.of == nil || !one.Ranked() && one != card.Joker {
		return
	}
	c.counts[one]++
	most := c.of.Cards.Decks
	if one == card.Joker {
		most = c.of.Cards.Jokers
	}
	if int(c.counts[one]) != most+1 || flagged(rec.Outputs) {
		return
	}
	a.remark(ForeignCard, rec, fmt.Sprintf("the card %s came for the %dth time, and the shoe can hold %d of it: "+
		"a foreign card, a card read wrongly, or a shoe that was loaded without a word", one, c.counts[one], most))
}

// flagged says that the table saw it itself.
func flagged(outputs []byte) bool { return bytes.Contains(outputs, []byte(`"code":"foreign-`)) }
