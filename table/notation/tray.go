package notation

import (
	"strconv"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/vocab"
)

// inPlaceOf stands between the chips that go out in a change and those that come in.
const inPlaceOf = "for"

func (digits Digits) appendTray(dst []byte, in *vocab.Input) []byte {
	t := in.InTray()
	switch in.Kind {
	case vocab.InCount:
		return appendNamed(digits.appendChips(appendWords(dst, t.Count.String()), t.Chips),
			vocab.Dealer.String(), t.Dealer)
	case vocab.InFill, vocab.InCredit:
		if dst = appendWords(dst, t.Step.String()); t.Slip != 0 {
			dst = appendWords(dst, strconv.FormatUint(uint64(t.Slip), 10))
		}
		return digits.appendChips(dst, t.Chips)
	case vocab.InChange:
		return digits.appendChips(appendWords(digits.appendChips(dst, t.Chips), inPlaceOf), t.For)
	case vocab.InDrop:
		return dst
	}
	return appendWords(dst, digits.Amount(in.Amount))
}

func (digits Digits) appendChips(dst []byte, list []vocab.Chips) []byte {
	for _, c := range list {
		dst = appendWords(dst, digits.Amount(c.Value)+"x"+strconv.FormatInt(c.Pieces, 10))
	}
	return dst
}

// trayParts are what must be in the tray, what the last round has added to it, who has dealt since it was counted, and
// the slips under way.
func (digits Digits) trayParts(y *table.Tray) (parts []string) {
	if y.IsZero() {
		return nil
	}
	p := part("tray")
	p.flag("counted", y.Known)
	p.count("must", y.Must)
	p.count("since", int64(y.Since.Since))
	for _, one := range intervalCounts(&y.Since) {
		p.count(one.name, int64(*one.n))
	}
	p.count("slip", int64(y.Slip))
	p.count("cash", y.Cash)
	parts = append(parts, string(p))
	if r := y.Round; r != (table.Turn{}) {
		p = part("turn")
		p.flag("unknown", r.Unknown)
		p.flag("corrected", r.Corrected)
		p.count("won", r.Won)
		p.count("accepted", int64(r.Accepted))
		p.count("large", int64(r.Large))
		parts = append(parts, string(p))
	}
	if len(y.Since.Dealers) > 0 {
		p = part("dealt")
		p.say(y.Since.Dealers...)
		parts = append(parts, string(p))
	}
	for i := range y.Slips {
		s := &y.Slips[i]
		p = part("slip")
		p.say(strconv.FormatUint(uint64(s.Number), 10), s.Step.String())
		p.flag(vocab.InCredit.String(), s.Credit)
		p = part(appendNamed(appendNamed(digits.appendChips(p, s.Chips), "by", s.By), "currency", s.Currency))
		parts = append(parts, string(p))
	}
	return parts
}

// intervalCounts are what is counted of an interval.
func intervalCounts(s *vocab.Interval) []counted {
	return []counted{
		{"rounds", &s.Rounds},
		{"unknown", &s.Unknown},
		{"corrected", &s.Corrected},
		{"accepted", &s.Accepted},
		{"adjusted", &s.Adjusted},
		{"large", &s.Large},
	}
}

// counted is a number with its name.
type counted struct {
	name string
	n    *int
}
