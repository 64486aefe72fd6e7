package display

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Corrects is what a supervisor may correct in the round while something holds it.
type Corrects struct {
	Cards []Laid
	Keys  []Pressed
}

// Laid is a card of the round, by its number, and where it lies.
type Laid struct {
	Nth       int
	Card      card.Card
	To        vocab.To
	Box, Hand int
}

// Pressed is a key press of the round that stands, by its number.
type Pressed struct {
	Nth int
	// Box and Hand are whose call it was, 0 for nobody's, and Bettor who took it, "" for the
	// whole hand.
	Box, Hand int
	Bettor    string
	Press     Press
	// What was corrected, 0 if it is no correction.
	What vocab.Correction
	// With is how something was put right, 0 if it is no such decision.
	With irregularity.Choice
}

// Difference is a wager that was decided before a correction, and is so no longer, or
// otherwise: Was is what the bettor got of it, and Now what they get.
type Difference struct {
	Box, Hand int
	Bettor    string
	Wager     vocab.Wager
	Was, Now  int64
	// Open says that it is not decided any more, Unknown that nobody knows the amounts.
	Open, Unknown bool
	// Paid was paid on it; where Due, More is still to be paid, below zero to be taken.
	Due        bool
	Paid, More int64
}

// differenceOf is what a line says of a wager.
func differenceOf(out *vocab.Output) Difference {
	return Difference{
		Box: int(out.Box), Hand: int(out.Hand), Bettor: out.Bettor, Wager: out.Wager, Was: out.Difference.Before,
		Now:  out.Difference.After,
		Open: !out.Difference.HasAfter, Unknown: out.Unstated, Due: out.Difference.HasMore, Paid: out.Difference.Paid,
		More: out.Difference.More,
	}
}

func corrects(t *table.Table) *Corrects {
	c := &Corrects{}
	for _, l := range t.Laid() {
		if l.Nth > 0 {
			c.Cards = append(c.Cards, Laid{l.Nth, l.Card, l.To, int(l.Box), int(l.Hand)})
		}
	}
	for _, l := range t.Lying() {
		c.Cards = append(c.Cards, Laid{Nth: l.Nth, Card: l.Card, To: l.To})
	}
	for _, k := range t.Keys() {
		p := Pressed{
			Nth: k.Nth, Box: int(k.OnBox), Hand: int(k.OnHand), Bettor: k.Bettor, Press: Press{k.Kind, k.Call},
			What: k.Correct.What, With: k.With,
		}
		if k.Box != 0 {
			p.Box, p.Hand = k.Box, 0
		}
		c.Keys = append(c.Keys, p)
	}
	return c
}

func differences(t *table.Table) (list []Difference) {
	for _, d := range t.Differences() {
		list = append(list, Difference{
			Box: int(d.Box), Hand: int(d.Hand), Bettor: d.Bettor, Wager: d.Wager,
			Open: d.Open, Unknown: d.Unknown, Due: !d.Open, Paid: d.Paid, More: d.More,
		})
	}
	return list
}

// Trial is what would come of a correction.
type Trial struct {
	Was, Now View
	// Refused says why it would be refused, nil if it would be taken.
	Refused *vocab.Output
	// Stops are the irregularities that it would lead to.
	Stops []vocab.Output
	// Differences are those of this correction alone.
	Differences []Difference
	// Corrected is what is told of it.
	Corrected vocab.Output
}

// Try finds out what would come of a correction at a table, which does not change.
func Try(t *table.Table, in vocab.Input) (Trial, error) {
	after, outs, err := t.Try(in)
	if err != nil {
		return Trial{}, err
	}
	trial := Trial{Was: From(t, "", 0), Now: From(after, "", 0)}
	trial.Was.Corrects, trial.Now.Corrects = corrects(t), corrects(after)
	for i := range outs {
		switch out := &outs[i]; out.Kind {
		case vocab.Rejected:
			trial.Refused = out
		case vocab.Corrected:
			trial.Corrected = *out
		case vocab.Irregular:
			if out.Code != irregularity.HeldByHand {
				trial.Stops = append(trial.Stops, *out)
			}
		case vocab.Difference:
			trial.Differences = append(trial.Differences, differenceOf(out))
		}
	}
	return trial, nil
}

// Place names where a card lies on a table.
func (l Language) Place(v View, to vocab.To, box, hand int) string {
	switch to {
	case vocab.ToBank:
		return l.Label(LabelWord, "bank")
	case vocab.ToAside:
		return l.Label(LabelWord, "aside")
	case vocab.ToNothing:
		return l.text("correct.lies-open")
	}
	return l.where(box, among(v, box, hand))
}

// among is a hand's number where its box has several, else 0.
func among(v View, box, hand int) int {
	if handsOn(v, box) > 1 {
		return hand
	}
	return 0
}

// KeyPressed says which key was pressed.
func (l Language) KeyPressed(p Pressed) string {
	switch p.Press.Kind {
	case vocab.InCall:
		return join(l.Named(LabelCall, p.Press.Call), p.Bettor)
	case vocab.InResolve:
		return l.Named(LabelChoice, p.With)
	case vocab.InCorrect:
		return l.text("correct." + p.What.String())
	}
	return l.text("key." + p.Press.Kind.String())
}

// Changes says what a correction would change, or why it is not possible.
func (l Language) Changes(t Trial) []string {
	if t.Refused != nil {
		return []string{l.impossible(t.Refused, t.Was)}
	}
	list := slices.Concat(l.dies(t), l.stakesChange(t), l.cardsChange(t), l.totalsChange(t))
	for _, d := range t.Differences {
		list = append(list, l.Difference(d, t.Now))
	}
	if t.Now.Shoe.CutCard && !t.Was.Shoe.CutCard {
		list = append(list, l.fill("change.shoe"))
	}
	if t.Corrected.Trouble != nil && t.Corrected.Corrected.What == vocab.Refill {
		list = append(list, l.text("effect.reload"))
	}
	for i := range t.Stops {
		list = append(list, l.fill("held.stop", text("what", l.wrong(&t.Stops[i]))))
	}
	if due := nextDue(t.Now); due.Key != "" && t.Was.Due.To != t.Now.Due.To || t.Was.Due.Box != t.Now.Due.Box ||
		t.Was.Due.Hand != t.Now.Due.Hand {
		list = append(list, l.fill("change.next", text("what", l.Say(due))))
	}
	return list
}

// nextDue is what the prompt would say if nothing held the round.
func nextDue(v View) Message {
	v.Held = nil
	return Prompt(v).Headline
}

// impossible says why a correction is refused, and what it is that does not follow.
func (l Language) impossible(out *vocab.Output, v View) string {
	why := l.Named(LabelRejected, out.Reason)
	if out.Cause == 0 {
		return l.fill("correct.refused", text("why", why))
	}
	what := l.Named(LabelInput, out.Input)
	switch {
	case out.Input == vocab.InCall:
		what = l.Named(LabelCall, out.Call)
	case out.Card != card.None:
		what = l.Say(CardName(out.Card))
	}
	place := l.Label(LabelWord, "bank")
	if out.Box != 0 {
		place = l.where(int(out.Box), among(v, int(out.Box), int(out.Hand)))
	}
	return l.fill("correct.follows", text("where", place), text("what", what),
		text("why", l.Named(LabelRejected, out.Cause)))
}

// lies are the stakes on a table, by whose they are.
func (l Language) lies(v View) (list []stakeSaid) {
	for _, b := range v.Boxes {
		add := func(bettor string, wager vocab.Wager, amount int64) {
			if amount == 0 {
				return
			}
			said := stakeSaid{where: l.onWager(b.Number, 0, bettor, wager), amount: "–"}
			if amount != Unstated {
				said.amount = l.Price(amount, v.Digits, v.Currency)
			}
			list = append(list, said)
		}
		for _, one := range b.Bettors {
			add(one.Name, vocab.WagerMain, one.Stake)
			add(one.Name, vocab.WagerInsurance, one.Insurance)
		}
		for _, s := range b.Sides {
			add(s.Bettor, s.Wager, s.Stake)
		}
	}
	return list
}

// stakeSaid is a stake in words.
type stakeSaid struct{ where, amount string }

// stakesChange are the stakes that would be others.
func (l Language) stakesChange(t Trial) (list []string) {
	was, now := l.lies(t.Was), l.lies(t.Now)
	amount := func(all []stakeSaid, where string) string {
		at := slices.IndexFunc(all, func(s stakeSaid) bool { return s.where == where })
		if at < 0 {
			return l.Price(0, t.Was.Digits, t.Was.Currency)
		}
		return all[at].amount
	}
	for _, s := range was {
		if is := amount(now, s.where); is != s.amount {
			list = append(list, l.fill("change.instead", text("where", s.where), text("now", is),
				text("was", s.amount)))
		}
	}
	for _, s := range now {
		if !slices.ContainsFunc(was, func(one stakeSaid) bool { return one.where == s.where }) {
			list = append(list, l.fill("change.instead", text("where", s.where), text("now", s.amount),
				text("was", amount(was, s.where))))
		}
	}
	return list
}

// dies is what would be dead.
func (l Language) dies(t Trial) []string {
	out := &t.Corrected
	key := "change.dead"
	switch {
	case out.Trouble == nil || out.Corrected.What != vocab.Dead:
		return nil
	case out.Outcome == vocab.Lose:
		key = "change.dead-taken"
	}
	wager := out.Wager
	if wager == "" {
		wager = vocab.WagerMain // which is not named
	}
	return []string{l.fill(key, text("where", l.onWager(int(out.Box), int(out.Hand), out.Bettor, wager)))}
}

// onWager names a bettor's wager on a hand, 0 where that is the box's only one. Whoever is called as his box is not
// named again.
func (l Language) onWager(box, hand int, bettor string, wager vocab.Wager) string {
	where := l.where(box, hand)
	if bettor != "" && bettor != strconv.Itoa(box) {
		where += ", " + bettor
	}
	if wager != vocab.WagerMain {
		where += ", " + l.Named(LabelWager, wager)
	}
	return where
}

// cardsChange are the cards that would be others, or lie elsewhere.
func (l Language) cardsChange(t Trial) (list []string) {
	added := 0
	if out := &t.Corrected; out.Trouble != nil && out.Corrected.What == vocab.Came {
		added = int(out.Corrected.Nth)
		list = l.added(t)
	}
	for _, was := range t.Was.Corrects.Cards {
		if added > 0 && was.Nth >= added {
			was.Nth++
		}
		at := slices.IndexFunc(t.Now.Corrects.Cards, func(now Laid) bool { return now.Nth == was.Nth })
		if at < 0 {
			continue // what becomes of it is told as what stops the round
		}
		now := t.Now.Corrects.Cards[at]
		place := l.Place(t.Now, now.To, now.Box, now.Hand)
		switch {
		case now.Card != was.Card:
			list = append(list, l.fill("change.instead", text("where", place), text("now", l.Say(CardName(now.Card))),
				text("was", l.Say(CardName(was.Card)))))
		case now != was:
			list = append(list, l.fill("change.instead", text("where", l.Say(CardName(now.Card))), text("now", place),
				text("was", l.Place(t.Was, was.To, was.Box, was.Hand))))
		}
	}
	return list
}

// added is the card that would be added, where it would lie.
func (l Language) added(t Trial) (list []string) {
	nth := int(t.Corrected.Corrected.Nth)
	if nth == 0 {
		for _, was := range t.Was.Corrects.Cards {
			nth = max(nth, was.Nth)
		}
		nth++
	}
	for _, one := range t.Now.Corrects.Cards {
		if one.Nth == nth && one.Card == t.Corrected.Card {
			place := l.Place(t.Now, one.To, one.Box, one.Hand)
			list = append(list, l.fill("change.add", text("where", place), text("card", l.Say(CardName(one.Card)))))
		}
	}
	return list
}

// totalsChange are the hands that would count something else.
func (l Language) totalsChange(t Trial) (list []string) {
	add := func(place string, was, now Hand) {
		if was.Total != now.Total || was.Done != now.Done {
			list = append(list, l.fill("change.instead", text("where", place), text("now", l.counts(now)),
				text("was", l.counts(was))))
		}
	}
	add(l.Label(LabelWord, "bank"), t.Was.Bank, t.Now.Bank)
	for i, now := range t.Now.Boxes {
		was := t.Was.Boxes[i]
		for h := range min(len(now.Hands), len(was.Hands)) {
			add(l.where(now.Number, among(t.Now, now.Number, h+1)), was.Hands[h], now.Hands[h])
		}
	}
	return list
}

// counts is what a hand counts, and why it is done.
func (l Language) counts(h Hand) string {
	total := strconv.Itoa(h.Total)
	if h.Done == 0 {
		return total
	}
	return total + " (" + l.Named(LabelDone, h.Done) + ")"
}

// Difference says what is to be put right of what was paid or taken.
func (l Language) Difference(d Difference, v View) string {
	d.Hand = among(v, d.Box, d.Hand)
	return l.difference(d, func(amount int64) string { return l.Price(amount, v.Digits, v.Currency) })
}

func (l Language) difference(d Difference, money func(int64) string) string {
	where := l.onWager(d.Box, d.Hand, d.Bettor, d.Wager)
	switch {
	case d.Unknown:
		return l.fill("change.unknown", text("where", where))
	case d.Due:
		return l.putRight(d, where, money)
	case d.Open && d.Paid > 0:
		return l.fill("change.open", text("where", where), text("paid", money(d.Paid)))
	case d.Open && d.Was == 0:
		return l.fill("change.taken", text("where", where))
	case d.Open:
		return l.fill("change.undecided", text("where", where))
	}
	return l.fill("change.gets", text("where", where), text("now", money(d.Now)), text("was", money(d.Was)))
}

// putRight says which chips are to be moved.
func (l Language) putRight(d Difference, where string, money func(int64) string) string {
	args := []Arg{text("where", where), text("sum", money(max(d.More, -d.More))), text("paid", money(d.Paid))}
	switch {
	case d.More == 0:
		return l.fill("change.right", args[0])
	case d.More > 0 && d.Paid > 0:
		return l.fill("change.more", args...)
	case d.More > 0:
		return l.fill("change.pay", args[:2]...)
	case d.Paid > 0:
		return l.fill("change.back", args...)
	}
	return l.fill("change.take", args[:2]...)
}

// DifferencesSaid says all that corrections have changed of what was paid, "" for nothing.
func (l Language) DifferencesSaid(v View) string {
	var said []string
	for _, d := range v.Differences {
		said = append(said, l.Difference(d, v))
	}
	return strings.Join(said, " · ")
}
