package transcript

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
)

// line builds one JSON object.
type line struct{ b []byte }

func (l *line) key(name string) {
	if last := l.b[len(l.b)-1]; last != '{' {
		l.b = append(l.b, ',')
	}
	l.b = append(l.b, '"')
	l.b = append(l.b, name...)
	l.b = append(l.b, '"', ':')
}

// name writes a text that needs no escaping.
func (l *line) name(key, s string) {
	l.key(key)
	l.b = append(l.b, '"')
	l.b = append(l.b, s...)
	l.b = append(l.b, '"')
}

func (l *line) text(key, s string) {
	l.key(key)
	l.b = appendQuoted(l.b, s)
}

// given writes a text, if there is one.
func (l *line) given(key, s string) {
	if s != "" {
		l.text(key, s)
	}
}

func (l *line) number(key string, n int64) {
	l.key(key)
	l.b = strconv.AppendInt(l.b, n, 10)
}

func (l *line) truth(key string, v bool) {
	l.key(key)
	l.b = strconv.AppendBool(l.b, v)
}

func (l *line) cards(key string, cards []card.Card) {
	l.key(key)
	l.b = append(l.b, '[')
	for i, c := range cards {
		if i > 0 {
			l.b = append(l.b, ',')
		}
		l.b = append(l.b, '"')
		l.b = append(l.b, c.String()...)
		l.b = append(l.b, '"')
	}
	l.b = append(l.b, ']')
}

// appendQuoted writes a JSON string. Bytes that are no UTF-8 become U+FFFD: the
// parser lets none in.
func appendQuoted(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

// AppendInput writes an input as its line, without a newline.
func AppendInput(dst []byte, in *table.Input) []byte {
	l := line{append(dst, '{')}
	l.name("in", in.Kind.String())
	if in.Time != 0 {
		l.key("t")
		l.b = append(l.b, '"')
		l.b = time.Unix(0, in.Time).UTC().AppendFormat(l.b, time.RFC3339Nano)
		l.b = append(l.b, '"')
	}
	switch in.Kind {
	case table.InSetup:
		l.setup(in)
	case table.InShoe:
		l.shoe(in)
	case table.InStake:
		l.stake(in)
	case table.InCard:
		l.name("card", in.Card.String())
	case table.InCall:
		l.call(in)
	case table.InResolve:
		l.resolve(in)
	case table.InAcknowledge:
		l.name("code", in.Irregularity.String())
		l.text("by", in.By)
	case table.InDealer:
		l.text("name", in.By)
		l.given("shift", in.Shift)
	case table.InNote:
		l.text("code", in.Code)
		l.given("by", in.By)
	case table.InStorage:
		l.name("event", in.Storage.String())
	case table.InPaid:
		if in.Box != 0 {
			l.number("box", int64(in.Box))
		}
		if in.Stated {
			l.number("amount", in.Amount)
		}
	}
	return append(l.b, '}')
}

func (l *line) setup(in *table.Input) {
	s := in.Setup
	l.text("house", s.House)
	l.given("currency", s.Currency)
	for _, f := range [...]struct {
		key string
		n   int64
	}{
		{"min", s.Min},
		{"box_max", s.BoxMax},
		{"unit", s.Unit},
		{"decks", int64(s.Decks)},
		{"boxes", int64(s.Boxes)},
	} {
		if f.n != 0 {
			l.number(f.key, f.n)
		}
	}
	l.given("call", s.Calls)
	if s.Jackpot != 0 {
		l.number("jackpot", s.Jackpot)
	}
	if s.KeysApart != 0 {
		l.number("keys_apart", int64(s.KeysApart))
	}
	l.given("profile", s.Profile)
}

func (l *line) shoe(in *table.Input) {
	l.name("event", in.Shoe.String())
	if in.Shoe == table.ShoeGap {
		l.number("missing", int64(in.Missing))
	}
	l.given("code", in.Code)
}

func (l *line) stake(in *table.Input) {
	l.number("box", int64(in.Box))
	l.text("bettor", in.Bettor)
	l.name("wager", in.Wager.String())
	if in.Stated {
		l.number("amount", in.Amount)
	}
	if in.Seat != table.SeatDefault {
		l.truth("seated", in.Seat == table.Seated)
	}
	l.given("player", in.Player)
}

func (l *line) call(in *table.Input) {
	l.name("call", in.Call.String())
	needs := callShape(in.Call).required
	if needs.has(fBox) {
		l.number("box", int64(in.Box))
	}
	if needs.has(fBettor) {
		l.text("bettor", in.Bettor)
	}
	if in.Stated && in.Call == table.CallInsurance {
		l.number("amount", in.Amount)
	}
	if in.Bettors != nil {
		l.key("bettors")
		l.b = append(l.b, '[')
		for i, name := range in.Bettors {
			if i > 0 {
				l.b = append(l.b, ',')
			}
			l.b = appendQuoted(l.b, name)
		}
		l.b = append(l.b, ']')
	}
}

func (l *line) resolve(in *table.Input) {
	l.name("with", in.With.String())
	l.given("by", in.By)
	if in.Card != card.None {
		l.name("card", in.Card.String())
	}
	if in.Role == table.Dealer {
		l.name("role", in.Role.String())
	}
	l.given("reason", in.Because)
}

// AppendOutput writes an output as its line, without a newline.
func AppendOutput(dst []byte, out *table.Output) []byte {
	l := line{append(dst, '{')}
	l.name("out", out.Kind.String())
	switch out.Kind {
	case table.Opened, table.Finished:
		l.number("round", int64(out.Round))
	case table.Rejected:
		l.name("reason", out.Reason.String())
		l.number("line", int64(out.Line))
	case table.Dealt:
		l.dealt(out)
	case table.DueChanged:
		l.due(out)
	case table.HandDone:
		l.hand(out)
		l.name("why", out.Done.String())
	case table.Irregular:
		l.irregular(out)
	case table.Resolved:
		l.name("code", out.Code.String())
		l.name("with", out.With.String())
		l.text("by", out.By)
		l.given("reason", out.Because)
	case table.Acknowledged:
		l.name("code", out.Code.String())
		l.text("by", out.By)
	case table.DealerChanged:
		l.text("name", out.By)
		l.given("shift", out.Shift)
	case table.Undone:
		l.undone(out)
	case table.Settled, table.Bonus:
		l.settled(out)
	case table.RoundDecided:
		l.round(out)
	}
	return append(l.b, '}')
}

func (l *line) hand(out *table.Output) {
	l.number("box", int64(out.Box))
	l.number("hand", int64(out.Hand))
}

func (l *line) dealt(out *table.Output) {
	l.name("card", out.Card.String())
	l.name("to", out.To.String())
	if out.Box != 0 {
		l.number("box", int64(out.Box))
	}
	if out.Hand != 0 {
		l.number("hand", int64(out.Hand))
	}
	switch {
	case out.To == table.ToAside:
	case out.Points:
		l.number("points", int64(out.Total))
	default:
		l.number("total", int64(out.Total))
		l.truth("soft", out.Soft)
	}
}

func (l *line) due(out *table.Output) {
	l.name("to", out.To.String())
	if out.Box != 0 {
		l.hand(out)
	}
	if out.To != table.ToCall {
		return
	}
	l.calls("allowed", out.Allowed)
}

func (l *line) calls(key string, calls table.Calls) {
	l.key(key)
	l.b = append(l.b, '[')
	for c := range calls.All {
		l.item(c.String())
	}
	l.b = append(l.b, ']')
}

// item writes one name of a list.
func (l *line) item(name string) {
	if last := l.b[len(l.b)-1]; last != '[' {
		l.b = append(l.b, ',')
	}
	l.b = append(l.b, '"')
	l.b = append(l.b, name...)
	l.b = append(l.b, '"')
}

func (l *line) irregular(out *table.Output) {
	l.name("code", out.Code.String())
	if out.Card != card.None {
		l.name("card", out.Card.String())
	}
	if out.Box != 0 {
		l.number("box", int64(out.Box))
	}
	if out.Missing != 0 {
		l.number("missing", int64(out.Missing))
	}
	l.given("alarm", out.Alarm)
	if out.Allowed != 0 {
		l.calls("calls", out.Allowed)
	}
	l.key("choices")
	l.b = append(l.b, '[')
	for c := range out.Choices.All {
		l.item(c.String())
	}
	l.b = append(l.b, ']')
}

func (l *line) undone(out *table.Output) {
	l.name("in", out.Input.String())
	if out.Call != 0 {
		l.name("call", out.Call.String())
	}
	if out.Box != 0 {
		l.number("box", int64(out.Box))
	}
	if out.Hand != 0 {
		l.number("hand", int64(out.Hand))
	}
	l.given("bettor", out.Bettor)
	l.state("was", out.Was)
	l.state("now", out.Now)
}

// state writes what is due as an object of its own.
func (l *line) state(key string, due table.Due) {
	l.key(key)
	l.b = append(l.b, '{')
	l.name("to", due.To.String())
	if due.Box != 0 {
		l.number("box", int64(due.Box))
		l.number("hand", int64(due.Hand))
	}
	l.b = append(l.b, '}')
}

func (l *line) settled(out *table.Output) {
	l.number("box", int64(out.Box))
	l.text("bettor", out.Bettor)
	l.name("wager", out.Wager.String())
	if out.Hand != 0 {
		l.number("hand", int64(out.Hand))
	}
	if out.Kind == table.Settled {
		l.name("outcome", out.Outcome.String())
	}
	l.name("why", out.Why.String())
	l.amount("stake", out.Stake, out.Unstated)
	if out.Kind == table.Settled {
		l.amount("returned", out.Returned, out.Unstated)
	}
	l.amount("won", out.Won, out.Unstated)
	if out.Rounded {
		l.truth("rounded", true)
	}
	if out.Unstated && out.Odds.Den != 0 {
		l.key("ratio")
		l.b = append(l.b, '"')
		l.b = strconv.AppendInt(l.b, out.Odds.Num, 10)
		l.b = append(l.b, ':')
		l.b = strconv.AppendInt(l.b, out.Odds.Den, 10)
		l.b = append(l.b, '"')
	}
	if out.Unstated && out.Times > 1 {
		l.number("times", int64(out.Times))
	}
}

// amount writes an amount, null where nobody knows it.
func (l *line) amount(key string, n int64, unknown bool) {
	if unknown {
		l.key(key)
		l.b = append(l.b, "null"...)
		return
	}
	l.number(key, n)
}

func (l *line) round(out *table.Output) {
	l.number("round", int64(out.Round))
	l.cards("bank", out.Bank)
	l.number("bank_total", int64(out.Total))
	l.amount("staked", out.Sums.Staked, out.Sums.Unstated)
	l.amount("returned", out.Sums.Returned, out.Sums.Unstated)
	l.amount("won", out.Sums.Won, out.Sums.Unstated)
}
