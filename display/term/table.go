package term

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/vocab"
)

// The columns of a hand's line: mark and number, cards, total, word, then chips.
const (
	cardsAt = 7
	totalAt = cardsAt + 15
	wordAt  = totalAt + 8
	chipsAt = wordAt + 11
	nameMax = 12
	dueMark = "► "
	noMark  = "  "
	// movesMark is before a hand with chips that are to be moved, whatever is due.
	movesMark = "± "
	stopMark  = "!! "
)

func (s Screen) lines(v display.View) []string {
	s.Language = s.Language.In(v.House)
	top := painter{screen: s}
	s.header(&top, v)
	s.prompt(&top, v)
	s.bank(&top, v)
	top.rule()

	body := painter{screen: s}
	at := s.boxes(&body, v)
	all := append(top.out, s.window(body.out, at, s.Height-len(top.out))...)
	return all[:min(len(all), s.Height)]
}

func (s Screen) header(p *painter, v display.View) {
	shoe := "● " + s.word("shoe")
	switch {
	case !v.Shoe.Online:
		shoe = "✕ " + s.word("shoe-offline")
	case v.Shoe.Alarm != "":
		shoe = "▲ " + s.word("shoe-alarm") + ": " + safe(s.Language.Told(display.LabelAlarm, v.Shoe.Alarm))
	case v.Shoe.CutCard:
		shoe = "▬ " + s.word("cut-card")
	}
	if cards := s.Language.CardsLeft(v.Shoe); cards != "" {
		shoe = cards + "  " + shoe
	}
	left := fmt.Sprintf("%s  %s  %s", safe(v.Table), safe(v.House), s.Language.RoundName(v.Round))
	if v.Currency != "" {
		left += "  " + s.Language.Limits(v.Min, v.BoxMax, v.Digits, v.Currency)
	}
	room := s.Width - columns(shoe) - 2
	if room < 20 { // a long alarm gets a line of its own
		p.line("", plain, left)
		p.line("", plain, shoe)
	} else {
		p.line("", plain, pad(cut(left, room), room)+"  "+shoe)
	}
	p.rule()
}

func (s Screen) prompt(p *painter, v display.View) {
	step := display.Prompt(v)
	mark, st := dueMark, bold
	if step.Stop {
		mark, st = stopMark, stopped
	}
	head := s.Language.Say(step.Headline)
	if v.Held != nil && v.Held.Card != card.None {
		head += "  [" + face(v.Held.Card) + "]"
	}
	p.line(mark, st, head)
	var more []string
	if note := s.Language.Say(step.Note); note != "" {
		more = append(more, "✕ "+note)
	}
	for _, m := range []display.Message{step.Open, step.Detail, display.FloorSays(v), display.PitSays(v)} {
		if said := s.Language.Say(m); said != "" {
			more = append(more, said)
		}
	}
	p.line("  ", plain, safe(strings.Join(more, "  ")))
}

func (s Screen) bank(p *painter, v display.View) {
	mark, st := noMark, plain
	if v.Bank.Active || v.Due.To == vocab.ToBank {
		mark, st = dueMark, due
	}
	items := []string{}
	if v.Jackpot > 0 {
		items = append(items, s.word("jackpot")+" "+s.Language.Money(v.Jackpot, v.Digits))
	}
	if len(v.Aside) > 0 {
		items = append(items, s.word("aside")+": "+faces(v.Aside))
	}
	if v.Sums != nil {
		for _, sum := range []struct {
			name   string
			amount int64
		}{{"staked", v.Sums.Staked}, {"returned", v.Sums.Returned}, {"won", v.Sums.Won}} {
			items = append(items, s.word(sum.name)+" "+s.Language.Money(sum.amount, v.Digits))
		}
	}
	head := s.handHead(mark+s.word("bank"), v, v.Bank, s.Language.Named(display.LabelDone, v.Bank.Done))
	p.items(st, head, items)
}

// boxes draws the played boxes and names the free ones. It returns the line that must be
// visible: that of the hand that is due, or of the next box to pay.
func (s Screen) boxes(p *painter, v display.View) (at int) {
	var free []string
	next := nextToPay(v)
	for _, b := range v.Boxes {
		if len(b.Bettors) == 0 && len(b.Hands) == 0 && len(b.Payouts) == 0 && len(b.Line) == 0 {
			free = append(free, strconv.Itoa(b.Number))
			continue
		}
		before := len(p.out)
		if n := s.box(p, v, b); display.DueBox(v, b) || b.Number == next {
			at = before + n
		}
	}
	if len(free) > 0 {
		p.line(noMark, plain, s.word("free")+": "+strings.Join(free, " "))
	}
	return at
}

// nextToPay returns the first box that waits for its payment, 0 if none does.
func nextToPay(v display.View) int {
	if v.Phase != vocab.Payment {
		return 0
	}
	for _, b := range v.Boxes {
		if !b.Paid && len(b.Payouts) > 0 {
			return b.Number
		}
	}
	return 0
}

// box draws one box and returns how far below its first line the due hand is.
func (s Screen) box(p *painter, v display.View, b display.Box) (dueAt int) {
	lines := display.Lines(b)
	first := len(p.out)
	if len(b.Hands) == 0 {
		p.items(plain, pad(s.number(v, b, 0), cardsAt), s.chips(v, display.OnHand(lines, 0), false))
	}
	for i, h := range b.Hands {
		st := plain
		if h.Active {
			st, dueAt = due, len(p.out)-first
		}
		on := display.OnHand(lines, i+1)
		word := s.Language.Common(on)
		common := word != ""
		if !common {
			word = s.Language.Named(display.LabelDone, h.Done)
		}
		p.items(st, s.handHead(s.number(v, b, i+1), v, h, word), s.chips(v, on, common))
	}
	rest := s.beside(v, display.Beside(lines, len(b.Hands)))
	if foot := s.Language.Foot(v, b); foot != "" {
		rest = append(rest, "["+foot+"]")
	}
	for _, on := range s.Language.OnTheLine(v, b) {
		rest = append(rest, "["+safe(on)+"]")
	}
	if len(rest) > 0 {
		p.items(plain, strings.Repeat(" ", cardsAt), rest)
	}
	return dueAt
}

// number returns a box's mark and number, and the hand's if there are several.
func (s Screen) number(v display.View, b display.Box, hand int) string {
	isDue := display.DueBox(v, b)
	n := strconv.Itoa(b.Number)
	if len(b.Hands) > 1 {
		n += "." + strconv.Itoa(hand)
		isDue = b.Hands[hand-1].Active
	}
	now, asked := display.Asked(v)
	switch {
	case isDue:
		return dueMark + n
	case asked && now.On(b.Number) && max(hand, 1) == max(now.Hand, 1):
		return movesMark + n
	}
	return noMark + n
}

func (s Screen) handHead(name string, v display.View, h display.Hand, word string) string {
	total := ""
	if len(h.Cards) > 0 {
		total = strconv.Itoa(h.Total)
	}
	switch {
	case total == "":
	case v.Game == display.BlackJames && h.Total == 1:
		total += " " + s.word("pt")
	case v.Game == display.BlackJames:
		total += " " + s.word("pts")
	case h.Soft && h.Done != vocab.DoneBlackJack:
		total += " " + s.word("soft")
	}
	head := pad(name, cardsAt) + pad(faces(h.Cards), totalAt-cardsAt-1) + " "
	return head + pad(total, wordAt-totalAt-1) + " " + pad(word, chipsAt-wordAt-1) + " "
}

// chips writes main wagers, each with its verdict unless the hand's line has it.
func (s Screen) chips(v display.View, lines []display.Line, common bool) []string {
	items := make([]string, 0, len(lines))
	for _, l := range lines {
		it := name(l) + " " + s.Language.Chips(l, v.Digits)
		if word := s.Language.Verdict(l); word != "" && !common {
			it += " " + word
		}
		items = append(items, it)
	}
	return items
}

// name returns the bettor's name, short enough to leave room for the amount after it.
func name(l display.Line) string { return cut(safe(l.Bettor), nameMax) }

// beside writes what lies next to the hands, wager by wager.
func (s Screen) beside(v display.View, lines []display.Line) []string {
	items := make([]string, 0, len(lines))
	for _, p := range s.Language.Piles(lines) {
		head := p.Name + ": "
		for _, l := range p.Lines {
			it := head + name(l) + " " + s.Language.Chips(l, v.Digits)
			if l.Moved {
				it += " " + s.Language.Verdict(l)
			}
			items = append(items, it)
			head = ""
		}
	}
	return items
}

// window cuts a body that is too high around the line that matters, and says how many lines
// are hidden.
func (s Screen) window(body []string, at, room int) []string {
	if len(body) <= room {
		return body
	}
	room = max(room-1, 1)
	from := min(max(at-room/2, 0), len(body)-room)
	shown := body[from : from+room : from+room]
	hidden := fmt.Sprintf("  ↑ %d  ↓ %d  %s", from, len(body)-from-room, s.word("higher"))
	return append(shown, cut(hidden, s.Width))
}

func faces(cards []card.Card) string {
	names := make([]string, len(cards))
	for i, c := range cards {
		names[i] = face(c)
	}
	return strings.Join(names, " ")
}

// face writes a card in two columns: "T♥", the Joker "★J", an unread card "??".
func face(c card.Card) string {
	switch {
	case c == card.Joker:
		return "★J"
	case !c.Ranked():
		return c.String()
	}
	return c.String()[:1] + string([]rune("♠♥♦♣")[c.Suit()])
}
