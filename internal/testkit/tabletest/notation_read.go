package tabletest

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/notation"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Position makes a table from a line that notation.AppendPosition wrote, with the houses of
// book. What the line says about the round on the table must follow from the round's
// inputs; parts of it may be left out. The error says where the line is wrong, as an
// *NotationError, or that its house or its round cannot be played.
func Position(line string, book profile.Book) (*table.Table, error) {
	words, err := split(line)
	if err != nil {
		return nil, err
	}
	r := &reading{book: book, digits: money.Digits("")}
	said := map[string][]string{}
	for _, words := range partsOf(words) {
		name := words[0].text
		if slices.Contains(derived, name) {
			said[name] = append(said[name], again(words))
			continue
		}
		if err := r.part(words); err != nil {
			return nil, err
		}
	}
	if !r.ruled {
		return nil,
			errors.New(`the line does not say what is played: it begins with "rules", the house and its currency, or with "no rules"`)
	}
	t, err := table.Place(r.rules, r.position)
	if err != nil {
		return nil, err
	}
	return t, follows(t, said)
}

// derived are the parts that follow from the other parts.
var derived = []string{"round", "bank", "box", "sums"}

// follows checks what a line says about the round against what its inputs lead to.
func follows(t *table.Table, said map[string][]string) error {
	words, err := split(string(notation.AppendPosition(nil, t)))
	if err != nil {
		return err
	}
	lead := map[string][]string{}
	for _, words := range partsOf(words) {
		lead[words[0].text] = append(lead[words[0].text], again(words))
	}
	for _, name := range derived {
		if said[name] != nil && !slices.Equal(said[name], lead[name]) {
			return errors.New("the line says " + strconv.Quote(strings.Join(said[name], " | ")) +
				", but its inputs lead to " + strconv.Quote(strings.Join(lead[name], " | ")))
		}
	}
	return nil
}

// again joins words, each in quotation marks where it needs them.
func again(words []word) string {
	all := make([]string, len(words))
	for i, w := range words {
		if all[i] = w.text; strings.ContainsAny(w.text, " \t\"") {
			all[i] = strconv.Quote(w.text)
		}
	}
	return strings.Join(all, " ")
}

// partsOf splits the words of a line into parts. A part has at least one word.
func partsOf(words []word) (parts [][]word) {
	for len(words) > 0 {
		end := slices.IndexFunc(words, func(w word) bool { return w.end && w.text == "|" })
		if end < 0 {
			end = len(words)
		}
		if end > 0 {
			parts = append(parts, words[:end])
		}
		words = words[min(end+1, len(words)):]
	}
	return parts
}

// shortest is how many digits of a fingerprint distinguish one house's rules from another's.
const shortest = 12

// reading is a position whose line is being read.
type reading struct {
	book     profile.Book
	rules    *rules.Rules
	ruled    bool
	digits   int
	position table.Position
}

func (r *reading) part(words []word) error {
	if words[0].text == "in" {
		inputs, err := inputsOf(words[1:], r.digits)
		r.position.Inputs = inputs
		return err
	}
	read, ok := readParts[words[0].text]
	if !ok {
		return words[0].wrongWord("%q is not a part of a position", words[0].text)
	}
	a := &args{verb: words[0], rest: words[1:], digits: r.digits}
	read(r, a)
	if a.err == nil && len(a.rest) > 0 {
		a.fail(a.rest[0], "%s does not take %q", a.verb.text, a.rest[0].text)
	}
	return a.err
}

var readParts = map[string]func(r *reading, a *args){
	"rules":  (*reading).setUp,
	"no":     func(r *reading, a *args) { r.ruled = a.flag("rules") },
	"kept":   func(r *reading, a *args) { readKept(a, &r.position.Kept) },
	"before": func(r *reading, a *args) { readKept(a, &r.position.Before) },
	"aside": func(r *reading, a *args) {
		for len(a.rest) > 0 {
			r.position.Aside = append(r.position.Aside, a.card())
		}
	},
	"dealer": (*reading).people, "alert": (*reading).alert, "held": (*reading).held,
	"behind": (*reading).behind, "last": (*reading).last,
	"table": (*reading).opening, "configured": (*reading).configured, "unloaded": (*reading).unloaded,
	"burn": (*reading).burn, "one-more": (*reading).oneMore,
	"order": func(r *reading, a *args) { r.position.Order = a.order() },
	"tray":  (*reading).tray, "turn": (*reading).turn, "dealt": (*reading).dealt, "slip": (*reading).slip,
	"adjusted": func(r *reading, a *args) { r.position.Adjusted = uint64(max(0, a.count("by"))) },
}

// setUp finds the rules: the house's from the book, with the limits of the line.
func (r *reading) setUp(a *args) {
	house := a.next("a house")
	currency := a.text("a currency")
	r.digits = money.Digits(currency)
	a.digits = r.digits
	s := rules.Setup{
		House: house.text, Currency: currency, Calls: a.given("call"),
		Min: a.money("min"), BoxMax: a.money("box_max"), Unit: a.money("unit"), Jackpot: a.money("jackpot"),
		Decks: a.count("decks"), Boxes: a.count("boxes"),
	}
	profile := a.given("profile")
	if apart := a.given("keys_apart"); apart == "0" {
		s.KeysApart = -1 // never, where a house's own value is left out
	} else if n, err := strconv.Atoi(apart); err == nil {
		s.KeysApart = n
	} else if apart != "" {
		a.fail(a.verb, "keys_apart=%s is not a number", apart)
	}
	if a.err != nil {
		return
	}
	set, err := r.book.Set(s)
	switch {
	case err != nil:
		a.fail(house, "%v", err)
		return
	case len(profile) < shortest || !strings.HasPrefix(set.Fingerprint, profile):
		a.fail(house,
			"the rules of %s have the fingerprint %.*s, but the line needs %q: read it with the house's profile of "+
				"that time", house.text, shortest, set.Fingerprint, profile)
	}
	r.rules, r.ruled = set, true
}

func readKept(a *args, k *table.Kept) {
	k.Round = uint64(a.count("round"))
	k.Waiting = a.cards("waiting")
	k.Shoe.Offline, k.Shoe.CutCard = a.flag("offline"), a.flag("cut-card")
	k.Shoe.ShoeIdentity = table.ShoeIdentity{
		Maker: a.given("maker"), Serial: a.given("serial"), Firmware: a.given("firmware"), Packs: a.given("packs"),
		By: a.given("by"),
	}
	k.Jackpot, k.Alone = a.money("jackpot"), a.flag("alone")
	k.Lines = a.lines()
	k.Seen = a.seen()
}

// lines reads for whom chips lie on the lines of boxes.
func (a *args) lines() (list []table.OnLine) {
	for said := a.given("line"); said != "" && a.err == nil; said = a.given("line") {
		l, err := table.ReadOnLine(said)
		if err != nil {
			a.fail(a.verb, "%v", err)
		}
		list = append(list, l)
	}
	return list
}

// seen reads the cards that have left the shoe.
func (a *args) seen() (c table.CardCounts) {
	if seen := a.given("seen"); seen != "" && a.err == nil {
		if err := c.UnmarshalText([]byte(strings.ReplaceAll(seen, ",", " "))); err != nil {
			a.fail(a.verb, "%v", err)
		}
	}
	return c
}

func (r *reading) opening(a *args) {
	event := named(a, "what was done with the table", vocab.ParseTableEvent)
	r.position.Opening = table.Opening{
		Closed: event == vocab.TableClosed, Dealer: a.given("dealer"), By: a.given("by"), At: a.moment("at"),
	}
}

func (r *reading) configured(a *args) {
	r.position.Configured = table.Limits{Min: a.money("min"), BoxMax: a.money("box_max")}
}

func (r *reading) unloaded(a *args) {
	r.position.Unloaded = &table.Unloaded{
		CutCard: a.flag("cut-card"), Packs: a.given("packs"), By: a.given("by"), Burning: a.burning(), Order: a.order(),
		Seen: a.seen(),
	}
}

func (r *reading) burn(a *args) { r.position.Burning = a.burning() }

func (r *reading) oneMore(*args) { r.position.OneMore = true }

// order reads the order in which a shoe has dealt.
func (a *args) order() table.Sequence {
	s := table.Sequence{First: a.first("first"), Before: a.first("previous"), Run: int(a.signed("run"))}
	if cards := a.cards("latest"); len(cards) == 1 {
		s.Last = cards[0]
	}
	s.Told = a.flag("told")
	return s
}

// first reads the first cards of a shoe.
func (a *args) first(name string) (f table.FirstCards) {
	if cards := a.given(name); cards != "" && a.err == nil {
		if err := f.UnmarshalText([]byte(strings.ReplaceAll(cards, ",", " "))); err != nil {
			a.fail(a.verb, "%v", err)
		}
	}
	return f
}

// burning reads what is left to be burnt.
func (a *args) burning() (b rules.Burn) {
	if cards := a.given("cards"); cards != "" && a.err == nil {
		if err := b.UnmarshalText([]byte(cards)); err != nil {
			a.fail(a.verb, "%v", err)
		}
	}
	return b
}

func (r *reading) people(a *args) {
	r.position.Dealer, r.position.Shift = a.given("name"), a.given("shift")
	for len(a.rest) > 0 {
		w := a.next("")
		name, text, _ := strings.Cut(w.text, "=")
		code, ok := irregularity.ParseCode(name)
		n, err := strconv.ParseUint(text, 10, 32)
		if !ok || err != nil {
			a.fail(w, "%q is not an irregularity and how often it came", w.text)
			return
		}
		r.position.Counts = append(r.position.Counts, table.CodeCount{Code: code, Count: uint32(n)})
	}
}

func (r *reading) alert(a *args) {
	r.position.Alerts = append(r.position.Alerts, table.Alert{
		Code: named(a, "an irregularity", irregularity.ParseCode), Round: uint64(a.count("round")),
		Raised: a.moment("raised"), Times: a.count("times"), Standing: a.count("standing"),
		Cleared: a.moment("cleared"), With: choice(a, a.given("with")), By: a.given("by"),
		Acknowledged: a.moment("acknowledged"), AcknowledgedBy: a.given("acknowledged_by"),
		Wants: floorReason(a, a.given("reason")), Caller: a.given("caller"), Text: a.given("text"),
	})
}

func (r *reading) held(a *args) {
	i := table.Irregularity{
		Code: named(a, "an irregularity", irregularity.ParseCode), Missing: a.count("missing"), Box: a.count("box"),
		Bettor: a.given("bettor"), Owed: int64(a.count("due")), Given: a.signed("paid"),
		Alarm: a.given("alarm"), Found: a.given("found"), By: a.given("by"), Because: a.given("because"),
	}
	if cards := a.cards("card"); len(cards) == 1 {
		i.Card = cards[0]
	}
	if name := a.given("wager"); name != "" {
		i.Wager = vocab.ParseWager(name)
		_ = i.Why.UnmarshalText([]byte(a.given("why"))) // what cannot be read is as good as missing
		i.Hand, i.Won = uint8(a.count("hand")), int64(a.count("won"))
	}
	var choices []irregularity.Choice
	for name := range strings.FieldsFuncSeq(a.given("choices"), func(r rune) bool { return r == ',' }) {
		choices = append(choices, choice(a, name))
	}
	i.Choices = irregularity.Of(choices...)
	r.position.Held = append(r.position.Held, i)
}

// choice reads a choice, even one that no person makes; "" is none.
func choice(a *args, name string) irregularity.Choice {
	for c := range irregularity.EveryChoice {
		if c.String() == name {
			return c
		}
	}
	if name != "" {
		a.fail(a.verb, "%q is not a choice", name)
	}
	return 0
}

func (r *reading) behind(a *args) {
	for len(a.rest) > 0 {
		one := table.Arrival{}
		if text, gap := strings.CutPrefix(a.rest[0].text, "gap="); gap {
			a.rest[0].text, one.Gap = text, true
			one.Missing = a.number("how many cards are missing")
		} else {
			one.Card = a.card()
		}
		r.position.Behind = append(r.position.Behind, one)
	}
}

func (r *reading) last(a *args) {
	p := &r.position
	p.Unrecorded, p.PressedAt = a.flag("unrecorded"), a.moment("at")
	known := true
	if name := a.given("rejected"); name != "" {
		p.Rejected, known = vocab.ParseReason(name)
	}
	if name := a.given("pressed"); name != "" && known {
		p.Pressed, known = vocab.ParseCall(name)
	}
	if !known {
		a.fail(a.verb, "it names an unknown reason for a rejection, or an unknown call")
	}
}

// count reads a named number, or 0 if it is missing.
func (a *args) count(name string) int {
	text := a.given(name)
	if text == "" || a.err != nil {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		a.fail(a.verb, "%s=%s is not a number", name, text)
	}
	return n
}

// signed reads a named number that may be below zero: somebody may say that so much was paid.
func (a *args) signed(name string) int64 {
	text := a.given(name)
	if text == "" || a.err != nil {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		a.fail(a.verb, "%s=%s is not a number", name, text)
	}
	return n
}

// money reads a named amount, or 0 if it is missing.
func (a *args) money(name string) int64 {
	text := a.given(name)
	if text == "" || a.err != nil {
		return 0
	}
	n, err := money.Parse(text, a.digits)
	if err != nil {
		a.fail(a.verb, "%s: %v", name, err)
	}
	return n
}

// moment reads a named time, or 0 if it is missing.
func (a *args) moment(name string) int64 {
	text := a.given(name)
	if text == "" || a.err != nil {
		return 0
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		a.fail(a.verb, "%s=%s is not a time: write it as 2006-01-02T15:04:05Z", name, text)
	}
	return at.UnixNano()
}

// cards reads a named list of cards.
func (a *args) cards(name string) (list []card.Card) {
	for text := range strings.FieldsFuncSeq(a.given(name), func(r rune) bool { return r == ',' }) {
		c, err := card.Parse(text)
		if err != nil {
			a.fail(a.verb, "%v", err)
		}
		list = append(list, c)
	}
	return list
}

// floorReason reads what the floor is called for; "" is nothing that was said.
func floorReason(a *args, name string) vocab.FloorReason {
	reason, ok := vocab.ParseFloorReason(name)
	if name != "" && !ok {
		a.fail(a.verb, "%q is not a reason to call the floor", name)
	}
	return reason
}
