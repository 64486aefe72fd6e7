package notation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// AppendPosition writes a table's position in one line, from which tabletest.Position makes an
// equal table. What lies on the table comes first; it follows from the rest.
func AppendPosition(dst []byte, t *table.Table) []byte {
	p, digits := t.Position(), DigitsOf(t)
	parts := append([]string{digits.rulesPart(t.Rules())}, digits.picture(t)...)
	parts = append(parts, digits.known(&p)...)
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return append(dst, strings.Join(parts, " | ")...)
}

// part is one part of the line; it begins with its name.
type part []byte

func (p *part) say(words ...string)      { *p = appendWords(*p, words...) }
func (p *part) named(name, value string) { *p = appendNamed(*p, name, value) }

// written adds text that needs no quotation marks.
func (p *part) written(format string, values ...any) {
	*p = fmt.Appendf(append(*p, ' '), format, values...)
}

// count adds a number, unless it is 0.
func (p *part) count(name string, n int64) {
	if n != 0 {
		p.written("%s=%d", name, n)
	}
}

// moment adds a time, unless it is unknown.
func (p *part) moment(name string, at int64) {
	if at != 0 {
		p.written("%s=%s", name, time.Unix(0, at).UTC().Format(time.RFC3339Nano))
	}
}

// flag adds a word if set.
func (p *part) flag(word string, set bool) {
	if set {
		p.say(word)
	}
}

// shortest is how many digits of a fingerprint distinguish one house's rules from another's.
const shortest = 12

// rulesPart says what is played: the house, the values that a set-up can change, and the
// fingerprint of the rules.
func (digits Digits) rulesPart(r *rules.Rules) string {
	if r == nil {
		return "no rules"
	}
	p := part("rules")
	p.say(r.House, r.Table.Currency)
	for _, limit := range []struct {
		name   string
		amount int64
	}{{"min", r.Table.Min}, {"box_max", r.Table.BoxMax}, {"unit", r.Table.Unit}, {"jackpot", r.Meter.Seed}} {
		if limit.amount != 0 {
			p.written("%s=%s", limit.name, digits.Amount(limit.amount))
		}
	}
	p.written("decks=%d boxes=%d call=%s keys_apart=%d profile=%.*s", r.Cards.Decks, r.Table.Boxes, r.Play.Calls,
		r.Play.KeysApart, shortest, r.Fingerprint)
	return string(p)
}

// known are the parts from which tabletest.Position makes a table.
func (digits Digits) known(p *table.Position) []string {
	parts := []string{digits.keptPart("kept", &p.Kept), cardsPart("aside", p.Aside), peoplePart(p)}
	for _, a := range p.Alerts {
		parts = append(parts, alertPart(&a))
	}
	for _, i := range p.Held {
		parts = append(parts, heldPart(&i))
	}
	parts = append(parts, behindPart(p.Behind), pressPart(p), openingPart(&p.Opening),
		digits.configuredPart(p.Configured), unloadedPart(p.Unloaded), burningPart(p.Burning), oneMorePart(p.OneMore),
		orderPart(p.Order), adjustedPart(p.Adjusted))
	parts = append(parts, digits.trayParts(&p.Tray)...)
	if len(p.Inputs) > 0 {
		parts = append(parts, digits.keptPart("before", &p.Before),
			string(AppendInputs([]byte("in "), p.Inputs, int(digits))))
	}
	return parts
}

func (digits Digits) keptPart(name string, k *table.Kept) string {
	p := part(name)
	p.count("round", int64(k.Round))
	if len(k.Waiting) > 0 {
		p.named("waiting", joined(k.Waiting))
	}
	p.flag("offline", k.Shoe.Offline)
	p.flag("cut-card", k.Shoe.CutCard)
	p.named("maker", k.Shoe.Maker)
	p.named("serial", k.Shoe.Serial)
	p.named("firmware", k.Shoe.Firmware)
	p.named("packs", k.Shoe.Packs)
	p.named("by", k.Shoe.By)
	if k.Jackpot != 0 {
		p.written("jackpot=%s", digits.Amount(k.Jackpot))
	}
	p.flag("alone", k.Alone)
	for _, l := range k.Lines {
		p.named("line", l.String())
	}
	p.seen(k.Seen)
	if string(p) == name && name == "kept" {
		return ""
	}
	return string(p)
}

func cardsPart[T fmt.Stringer](name string, list []T) string {
	if len(list) == 0 {
		return ""
	}
	p := part(name)
	for _, one := range list {
		p.say(one.String())
	}
	return string(p)
}

func joined[T fmt.Stringer](list []T) string {
	names := make([]string, len(list))
	for i, one := range list {
		names[i] = one.String()
	}
	return strings.Join(names, ",")
}

func peoplePart(p *table.Position) string {
	d := part("dealer")
	d.named("name", p.Dealer)
	d.named("shift", p.Shift)
	for _, one := range p.Counts {
		d.written("%s=%d", one.Code, one.Count)
	}
	if string(d) == "dealer" {
		return ""
	}
	return string(d)
}

func alertPart(a *table.Alert) string {
	p := part("alert")
	p.say(a.Code.String())
	p.count("round", int64(a.Round))
	p.moment("raised", a.Raised)
	p.count("times", int64(a.Times))
	p.count("standing", int64(a.Standing))
	p.moment("cleared", a.Cleared)
	if a.With != 0 {
		p.named("with", a.With.String())
	}
	p.named("by", a.By)
	p.moment("acknowledged", a.Acknowledged)
	p.named("acknowledged_by", a.AcknowledgedBy)
	p.named("reason", a.Wants.String())
	p.named("caller", a.Caller)
	p.named("text", a.Text)
	return string(p)
}

func heldPart(i *table.Irregularity) string {
	p := part("held")
	p.say(i.Code.String())
	if i.Card != 0 {
		p.named("card", i.Card.String())
	}
	p.count("missing", int64(i.Missing))
	p.count("box", int64(i.Box))
	p.named("bettor", i.Bettor)
	p.count("due", i.Owed)
	p.count("paid", i.Given)
	p.named("wager", i.Wager.String())
	p.count("hand", int64(i.Hand))
	p.named("why", i.Why.String())
	p.count("won", i.Won)
	p.named("alarm", i.Alarm)
	p.named("found", i.Found)
	p.named("by", i.By)
	p.named("because", i.Because)
	var choices []string
	for c := range i.Choices.All {
		choices = append(choices, c.String())
	}
	p.named("choices", strings.Join(choices, ","))
	return string(p)
}

func behindPart(list []table.Arrival) string {
	if len(list) == 0 {
		return ""
	}
	p := part("behind")
	for _, a := range list {
		if a.Gap {
			p.written("gap=%d", a.Missing)
		} else {
			p.say(a.Card.String())
		}
	}
	return string(p)
}

// pressPart is what the next key press depends on besides the round.
func pressPart(p *table.Position) string {
	d := part("last")
	d.flag("unrecorded", p.Unrecorded)
	if p.Rejected != 0 {
		d.named("rejected", p.Rejected.String())
	}
	if p.Pressed != 0 {
		d.named("pressed", p.Pressed.String())
		d.moment("at", p.PressedAt)
	}
	if string(d) == "last" {
		return ""
	}
	return string(d)
}

// openingPart says whether the table is open, if anybody has said so.
func openingPart(o *table.Opening) string {
	if *o == (table.Opening{}) {
		return ""
	}
	p := part("table")
	if o.Closed {
		p.say(vocab.TableClosed.String())
	} else {
		p.say(vocab.TableOpened.String())
	}
	p.named("dealer", o.Dealer)
	p.named("by", o.By)
	p.moment("at", o.At)
	return string(p)
}

// configuredPart is what the configuration wanted last of limits that were changed.
func (digits Digits) configuredPart(l table.Limits) string {
	if l == (table.Limits{}) {
		return ""
	}
	p := part("configured")
	p.named("min", digits.Amount(l.Min))
	p.named("box_max", digits.Amount(l.BoxMax))
	return string(p)
}

// unloadedPart is what the loading of the shoe can be taken back to.
func unloadedPart(u *table.Unloaded) string {
	if u == nil {
		return ""
	}
	p := part("unloaded")
	p.flag("cut-card", u.CutCard)
	p.named("packs", u.Packs)
	p.named("by", u.By)
	p.burning(u.Burning)
	p.order(u.Order)
	p.seen(u.Seen)
	return string(p)
}

// burningPart is what is left to be burnt before the next round.
func burningPart(b rules.Burn) string {
	if b.Cards == 0 {
		return ""
	}
	p := part("burn")
	p.burning(b)
	return string(p)
}

// oneMorePart is that a supervisor lets the next round be dealt.
func oneMorePart(may bool) string {
	if !may {
		return ""
	}
	return "one-more"
}

// orderPart is the order in which the shoe deals.
func orderPart(s table.Sequence) string {
	if s == (table.Sequence{}) {
		return ""
	}
	p := part("order")
	p.order(s)
	return string(p)
}

func (p *part) order(s table.Sequence) {
	for _, one := range []struct {
		name  string
		cards table.FirstCards
	}{{"first", s.First}, {"previous", s.Before}} {
		if text, _ := one.cards.MarshalText(); len(text) > 0 { // it never fails
			p.written("%s=%s", one.name, strings.ReplaceAll(string(text), " ", ","))
		}
	}
	if s.Last != 0 {
		p.named("latest", s.Last.String())
	}
	p.count("run", int64(s.Run))
	p.flag("told", s.Told)
}

func (p *part) burning(b rules.Burn) {
	if b.Cards > 0 {
		p.named("cards", b.String())
	}
}

// adjustedPart is which input adjusted a past round last.
func adjustedPart(by uint64) string {
	if by == 0 {
		return ""
	}
	p := part("adjusted")
	p.count("by", int64(by))
	return string(p)
}

// seen adds the cards that have left the shoe.
func (p *part) seen(c table.CardCounts) {
	if text, _ := c.MarshalText(); len(text) > 0 { // it never fails
		p.written("seen=%s", strings.ReplaceAll(string(text), " ", ","))
	}
}

// picture is what lies on the table, for the reader: it follows from what is known.
func (digits Digits) picture(t *table.Table) []string {
	if t.Rules() == nil {
		return nil
	}
	round := part("round")
	round.say(strconv.FormatUint(t.Round(), 10), t.Phase().String())
	if due := t.Due(); due.To != vocab.ToNothing {
		round.say("due", due.To.String())
		if due.Box > 0 {
			round.written("%d/%d", due.Box, due.Hand)
		}
		for c := range due.Allowed.All {
			round.say(c.String())
		}
	}
	parts := []string{string(round)}
	if bank := t.Bank(); len(bank.Cards) > 0 {
		p := part("bank")
		p.hand(&bank)
		parts = append(parts, string(p))
	}
	for n := 1; n <= t.Boxes(); n++ {
		if len(t.Bettors(n)) > 0 {
			parts = append(parts, digits.boxPart(t, n))
		}
	}
	if s := t.Sums(); s.Staked+s.Returned+s.Won > 0 && !s.Unstated {
		p := part("sums")
		p.written("staked=%s returned=%s won=%s", digits.Amount(s.Staked),
			digits.Amount(s.Returned),
			digits.Amount(s.Won))
		parts = append(parts, string(p))
	}
	return parts
}

func (digits Digits) boxPart(t *table.Table, n int) string {
	p := part("box")
	p.say(strconv.Itoa(n))
	p.flag("paid", t.Paid(n))
	var stakes []string
	for _, b := range t.Bettors(n) {
		stakes = append(stakes, digits.stakeWords(b.Name, "", b.Stake, !b.Seated))
		if b.Insured != 0 {
			stakes = append(stakes, digits.stakeWords(b.Name, vocab.WagerInsurance.String(), b.Insured, false))
		}
	}
	for _, s := range t.Sides(n) {
		stakes = append(stakes, digits.stakeWords(s.Bettor, s.Bet.String(), s.Amount, false))
	}
	p = append(p, strings.Join(stakes, ",")...)
	for h := 1; h <= t.Hands(n); h++ {
		hand := t.Hand(n, h)
		p.say(":")
		p.hand(&hand)
	}
	return string(p)
}

func (digits Digits) stakeWords(bettor, wager string, amount int64, standing bool) string {
	var p part
	p.say(bettor)
	if wager != "" {
		p.say(wager)
	}
	if amount == vocab.Unstated {
		p.say(unstated)
	} else {
		p.say(digits.Amount(amount))
	}
	p.flag("standing", standing)
	return string(p)
}

func (p *part) hand(h *table.Hand) {
	for _, c := range h.Cards {
		p.say(c.String())
	}
	if len(h.Cards) > 0 {
		p.written("=%d", h.Total)
	}
	if h.Done != 0 {
		p.say(h.Done.String())
	}
}
