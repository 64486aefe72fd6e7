package secondbook

import (
	"fmt"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// bigWin is what a supervisor has to say of a line; the zero bigWin is nothing.
type bigWin uint8

const (
	asked     bigWin = 1 + iota // the table is held for it
	confirmed                   // it was, and somebody has confirmed it
)

// isBig reports whether a supervisor has to confirm what a line has won.
func (b *Book) isBig(l *line) bool {
	from := b.rules.BigWin
	return from != nil && l.gets() && !l.unstated && l.won >= int64(from.From)
}

// bigWin follows a big win until somebody has confirmed it, or a correction has made it another.
func (p *page) bigWin(out *vocab.Output) error {
	if out.Code != irregularity.BigWin {
		return nil
	}
	whose := fmt.Sprintf("%s, %s, %s", place{out.Box, out.Hand}, out.Bettor, out.Wager)
	var l *line
	switch {
	case out.Kind == vocab.Irregular:
		if l = p.lineOfWin(out, 0); l == nil && p.again { // it has come about in another way, and is looked at again
			l = p.lineOfWin(out, confirmed)
		}
		if l == nil {
			return fmt.Errorf("%s: a supervisor is asked for a win that is not there", whose)
		}
		l.big = asked
	case out.With == irregularity.Accept:
		if l = p.lineOfWin(out, asked); l == nil {
			return fmt.Errorf("%s: a win is confirmed, and nobody was asked for it", whose)
		}
		l.big = confirmed
	}
	if l != nil && l.won != out.Won {
		return fmt.Errorf("%s: a supervisor is asked for a win of %s, and it is %s", whose, amount(out.Won),
			amount(l.won))
	}
	return nil
}

// lineOfWin finds the line of a win of which so much is said.
func (p *page) lineOfWin(out *vocab.Output, said bigWin) *line {
	for i := range p.lines {
		if l := &p.lines[i]; l.isOf(out) && l.big == said && l.gets() {
			return l
		}
	}
	return nil
}

// stillBig: what was said of a line before a correction still holds if the line is told again as it was.
func (p *page) stillBig(was []line) {
	p.again = true
	for k := range was {
		if was[k].big == 0 {
			continue
		}
		for i := range p.lines {
			if l := &p.lines[i]; l.big == 0 && l.same(&was[k]) && l.why == was[k].why && l.won == was[k].won {
				l.big, was[k].big = was[k].big, 0
				break
			}
		}
	}
}

// bigWins: a supervisor is asked for every big win and for no other, and nothing is paid meanwhile.
func (b *Book) bigWins(in *vocab.Input) error {
	for i := range b.page.lines {
		l := &b.page.lines[i]
		switch big := b.isBig(l); {
		case big && l.big == 0:
			return fmt.Errorf("%s, %s, %s: %s are won, and no supervisor is asked to confirm that", l.place, l.name,
				l.wager, amount(l.won))
		case !big && l.big != 0:
			return fmt.Errorf("%s, %s, %s: a supervisor is asked for a win of %s, which is none that the house holds",
				l.place, l.name, l.wager, amount(l.won))
		case l.big == asked && in.Kind == vocab.InPaid:
			return fmt.Errorf("%s, %s, %s: something is paid before a supervisor has confirmed that %s are won",
				l.place, l.name, l.wager, amount(l.won))
		}
	}
	return nil
}
