package audit

import (
	"bytes"
	"fmt"
	"slices"

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
	// round are the cards of the round, by the numbers by which corrections name them. A card
	// that was not read has its name as soon as somebody identifies it.
	round []card.Card
}

// see counts the cards that left the shoe, and those that somebody named afterwards.
func (c *cards) see(a *auditor, rec *journal.Record, in *vocab.Input) {
	switch in.Kind {
	case vocab.InCard:
		c.round = append(c.round, in.Card)
		c.count(a, rec, in.Card)
	case vocab.InCorrect:
		c.corrected(a, rec, in)
	case vocab.InResolve:
		c.identified(rec, in)
		if in.With == irregularity.Reload {
			c.counts = [256]uint16{}
		}
		c.count(a, rec, in.Card)
	case vocab.InSetup:
		c.of = in.Rules
		c.counts = [256]uint16{}
	case vocab.InShoe:
		if in.Shoe.Event == vocab.ShoeLoaded {
			c.counts = [256]uint16{}
		}
	case vocab.InOpen:
		// A shuffler has the cards of the last round back.
		if c.of != nil && c.of.Cards.Source == rules.Shuffler {
			c.counts = [256]uint16{}
		}
	}
}

// lying are the cards that lie open when a round is opened: they have its first numbers.
func (c *cards) lying(open []card.Card) { c.round = append(c.round[:0], open...) }

// identified gives an unread card its name, or a card that was lost its number.
func (c *cards) identified(rec *journal.Record, in *vocab.Input) {
	at := slices.Index(c.round, card.Unread)
	switch {
	case in.With != irregularity.Identify || bytes.Contains(rec.Outputs, []byte(`"out":"rejected"`)):
	case bytes.Contains(rec.Outputs, []byte(`"code":"unread-card"`)) && at >= 0:
		c.round[at] = in.Card
	default:
		c.round = append(c.round, in.Card)
	}
}

// corrected follows what a correction says of the cards.
func (c *cards) corrected(a *auditor, rec *journal.Record, in *vocab.Input) {
	if bytes.Contains(rec.Outputs, []byte(`"out":"rejected"`)) {
		return
	}
	switch in.Correct.What {
	case vocab.Rename:
		c.rename(a, rec, in)
	case vocab.Came:
		at := len(c.round)
		if in.Correct.Nth > 0 {
			at = min(at, in.Correct.Nth-1)
		}
		c.round = slices.Insert(c.round, at, in.Card)
		c.count(a, rec, in.Card)
	case vocab.TakeBack:
		c.forget(rec)
	case vocab.Refill:
		c.counts = [256]uint16{}
	}
}

// forget counts a card no more that was added by hand and is taken back.
func (c *cards) forget(rec *journal.Record) {
	first, _, _ := bytes.Cut(rec.Outputs, []byte("\n"))
	for at := len(c.round) - 1; at >= 0; at-- {
		if one := c.round[at]; bytes.Contains(first, []byte(`"in":"correct","card":"`+one.String()+`"`)) {
			c.round = slices.Delete(c.round, at, at+1)
			if c.counts[one] > 0 {
				c.counts[one]--
			}
			return
		}
	}
}

// rename counts a card that somebody had named wrongly by its right name.
func (c *cards) rename(a *auditor, rec *journal.Record, in *vocab.Input) {
	if in.Correct.Nth < 1 || in.Correct.Nth > len(c.round) {
		return
	}
	was := &c.round[in.Correct.Nth-1]
	if c.counts[*was] > 0 {
		c.counts[*was]--
	}
	*was = in.Card
	c.count(a, rec, in.Card)
}

func (c *cards) count(a *auditor, rec *journal.Record, one card.Card) {
	if c.of == nil || !one.Ranked() && one != card.Joker {
		return
	}
	c.counts[one]++
	most := c.of.Cards.Of(one)
	if int(c.counts[one]) != most+1 || flagged(rec.Outputs) {
		return
	}
	a.remark(ForeignCard, rec, fmt.Sprintf("the card %s came for the %dth time, and the shoe can hold %d of it: "+
		"a foreign card, a card read wrongly, or a shoe that was loaded without a word", one, c.counts[one], most))
}

// flagged says that the table saw it itself.
func flagged(outputs []byte) bool { return bytes.Contains(outputs, []byte(`"code":"foreign-`)) }
