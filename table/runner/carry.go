package runner

import (
	"encoding/json"
	"strconv"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Checkpoint is what the record of an input carries for the next start, nil for most: the
// table as an accepted set-up, or the end of a round, left it. outs are the input's
// outputs.
func Checkpoint(t *table.Table, in vocab.InputKind, outs []vocab.Output) []byte {
	c := Checkpoints{text: make([]byte, 0, usualCarry)}
	return c.Of(t, in, outs)
}

// usualCarry is the room for the checkpoint of nearly each round, in bytes.
const usualCarry = 1024

// Checkpoints writes one checkpoint after the other into the same memory.
type Checkpoints struct {
	carry table.Carry
	text  []byte
}

// Of is what Checkpoint returns, until the next call.
func (c *Checkpoints) Of(t *table.Table, in vocab.InputKind, outs []vocab.Output) []byte {
	if in != vocab.InSetup && !finishes(outs) || !t.Settled() || t.Rejected() != 0 {
		return nil
	}
	t.CarryOver(&c.carry)
	c.text = appendCarry(c.text[:0], &c.carry)
	return c.text
}

// appendCarry writes what a table carries as encoding/json does, in a tenth of its time: a table does it once a round,
// and an audit once for each round of years. What few rounds have is left to encoding/json.
func appendCarry(b []byte, c *table.Carry) []byte {
	f := fields(append(b, '{'))
	f.kept(&c.Kept)
	f.seldom("alerts", c.Alerts, len(c.Alerts) == 0)
	f.text("dealer", c.Dealer)
	f.text("shift", c.Shift)
	f.seldom("counts", c.Counts, len(c.Counts) == 0)
	f.seldom("held", c.Held, len(c.Held) == 0)
	f.seldom("opening", &c.Opening, c.Opening == table.Opening{})
	f.seldom("limits", c.Announced, c.Announced == nil)
	f.seldom("unloaded", c.Unloaded, c.Unloaded == nil)
	f.seldom("burn", &c.Burning, c.Burning == rules.Burn{})
	if c.OneMore {
		f.truth("one_more", true)
	}
	f.sequence(&c.Order)
	if c.Adjusted != 0 {
		f.order("adjusted", c.Adjusted)
	}
	f.seldom("tray", &c.Tray, c.Tray.IsZero())
	if c.Last != nil {
		f.last(c.Last)
	}
	return append(f, '}')
}

// fields is an object of JSON that is being written.
type fields []byte

// name begins a field.
func (f *fields) name(name string) {
	if b := *f; b[len(b)-1] != '{' {
		*f = append(b, ',')
	}
	*f = append(append(append(*f, '"'), name...), '"', ':')
}

// text writes a text that is not empty.
func (f *fields) text(name, text string) {
	switch {
	case text == "":
	case plain(text):
		f.name(name)
		*f = append(append(append(*f, '"'), text...), '"')
	default:
		f.seldom(name, text, false)
	}
}

// plain says whether encoding/json writes a text as it is.
func plain(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ', c > '~', c == '"', c == '\\', c == '<', c == '>', c == '&':
			return false
		}
	}
	return true
}

// number writes a number that is not 0.
func (f *fields) number(name string, n int64) {
	if n != 0 {
		f.amount(name, n)
	}
}

// amount writes a number, 0 as well.
func (f *fields) amount(name string, n int64) {
	f.name(name)
	*f = strconv.AppendInt(*f, n, 10)
}

// order writes the number of a round or record.
func (f *fields) order(name string, n uint64) {
	f.name(name)
	*f = strconv.AppendUint(*f, n, 10)
}

func (f *fields) truth(name string, is bool) {
	f.name(name)
	*f = strconv.AppendBool(*f, is)
}

// seldom writes what few rounds have, unless there is none of it.
func (f *fields) seldom(name string, value any, none bool) {
	if none {
		return
	}
	f.name(name)
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // a plain value always encodes
	}
	*f = append(*f, text...)
}

func (f *fields) kept(k *table.Kept) {
	f.order("round", k.Round)
	f.cards("waiting", k.Waiting)
	f.name("shoe")
	*f = append(*f, '{')
	f.truth("Offline", k.Shoe.Offline)
	f.truth("CutCard", k.Shoe.CutCard)
	f.text("maker", k.Shoe.Maker)
	f.text("serial", k.Shoe.Serial)
	f.text("firmware", k.Shoe.Firmware)
	f.text("packs", k.Shoe.Packs)
	f.text("by", k.Shoe.By)
	*f = append(*f, '}')
	if !k.Seen.IsZero() {
		f.name("seen")
		b, _ := k.Seen.AppendText(append(*f, '"'))
		*f = append(b, '"')
	}
	f.number("jackpot", k.Jackpot)
	if k.Alone {
		f.truth("alone", true)
	}
	f.seldom("lines", k.Lines, len(k.Lines) == 0)
}

// sequence writes the order in which a shoe deals.
func (f *fields) sequence(s *table.Sequence) {
	if *s == (table.Sequence{}) {
		return
	}
	f.name("order")
	*f = append(*f, '{')
	f.first("first", s.First)
	f.first("before", s.Before)
	f.text("last", s.Last.String())
	f.number("run", int64(s.Run))
	if s.Told {
		f.truth("told", true)
	}
	*f = append(*f, '}')
}

func (f *fields) first(name string, c table.FirstCards) {
	if !c.IsZero() {
		f.name(name)
		b, _ := c.AppendText(append(*f, '"'))
		*f = append(b, '"')
	}
}

func (f *fields) cards(name string, list []card.Card) {
	if len(list) == 0 {
		return
	}
	f.name(name)
	b := append(*f, '[')
	for i, c := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), c.String()...), '"')
	}
	*f = append(b, ']')
}

func (f *fields) last(l *table.Last) {
	f.name("last")
	*f = append(*f, `{"before":{`...)
	f.kept(&l.Before)
	*f = append(*f, `},"in":[`...)
	for i := range l.Inputs {
		if i > 0 {
			*f = append(*f, ',')
		}
		*f = append(*f, '{')
		f.carried(&l.Inputs[i])
		*f = append(*f, '}')
	}
	*f = append(*f, ']', '}')
}

// carried writes an input of the last round. Most are cards, calls, stakes, or nothing but their name.
func (f *fields) carried(c *table.Carried) {
	f.names("cards", c.Cards)
	f.names("calls", c.Calls)
	if c.In == "" {
		return
	}
	f.text("in", c.In)
	f.text("card", c.Card.String())
	f.text("call", c.Call)
	f.text("shoe", c.Shoe)
	f.number("missing", int64(c.Missing))
	f.text("code", c.Code)
	f.seldom("named", c.Named, c.Named == nil)
	f.text("storage", c.Storage)
	f.number("box", int64(c.Box))
	f.text("bettor", c.Bettor)
	f.seldom("bettors", c.Bettors, c.Bettors == nil)
	f.text("wager", c.Wager)
	f.number("hand", int64(c.Hand))
	f.text("why", c.Why.String())
	if c.Amount != nil {
		f.amount("amount", *c.Amount)
	}
	f.number("seat", int64(c.Seat))
	f.text("player", c.Player)
	f.text("what", c.What.String())
	f.number("nth", int64(c.Nth))
	f.text("to", c.To.String())
	f.text("outcome", c.Outcome.String())
	f.text("with", c.With.String())
	f.text("by", c.By)
	if c.Dealer {
		f.truth("dealer", true)
	}
	f.text("because", c.Because)
	f.text("hole", c.Hole.String())
}

// names writes names that stand in one text.
func (f *fields) names(name string, list []byte) {
	if len(list) > 0 {
		f.name(name)
		*f = append(append(append(*f, '"'), list...), '"')
	}
}
