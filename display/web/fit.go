package web

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sabot-table/sabot/display"
)

// How large a box's text is: as large as its room allows. It is measured in rem, in which every landscape screen has
// the same size; display.css has the same figures.
//
// A style sheet cannot do this. It knows how large a box is, but not whether what is in it fits; and where nothing
// fits, something else is put on the box: fewer rows, a bettor's share without its chips. A script could, but only
// after the first picture, and a screen would see the text jump with each card.

// textSize is one size of a box's text: amounts, the words beside them, and the least height
// that its cards keep.
type textSize struct{ money, name, cards float64 }

// steps are the sizes of the classes in fits; the first that fits is taken.
var steps = []textSize{
	{1.7, 1.1, 4}, {1.7, 1.05, 2.4}, {1.5, 1, 2.4}, {1.3, 1, 2.2}, {1.15, .95, 2.2}, {1, .85, 2.2}, {.9, .8, 2.2},
}

var fits = [...]string{" fit0", " fit1", " fit2", " fit3", " fit4", " fit5", " fit6"}

// Widths of narrow bold letters, in parts of their size.
const digitWide, letterWide = .47, .43

// A bettor's share on a box (pay.css): its least height, which is 44 px on the smallest screen; its least width; the
// size of its amount, of its name, and of the chips below.
const shareHigh, shareWide, shareMoney, shareName, shareChips = 3.5, 6.2, 1.35, .95, .9

// lineText is the size of what is said of the chips on a box's line.
const lineText = 1.05

// numberHigh is how high a box's number is.
const numberHigh = 1.75

// shareParts is the text of the wagers beside shares, which say what they are made of.
var shareParts = textSize{money: .95, name: .8}

// room is what a box has within its frame and below its number.
type room struct {
	wide, high float64
	columns    int // of hands
	// tight: the cards of a single hand lie beside their total.
	tight bool
}

// roomOf is a box's room among the others. A box that is split is wider.
func roomOf(v display.View, i int) room {
	const all, gap, frame = 62.4, .35, .95
	divided := false
	for _, b := range v.Boxes {
		divided = divided || len(b.Hands) > 1
	}
	sum := 0.0
	for _, b := range v.Boxes {
		sum += share(v, b, divided)
	}
	b, n := v.Boxes[i], len(v.Boxes)
	p := room{
		wide: (all-gap*float64(n-1))*share(v, b, divided)/sum - frame, high: 21 - float64(arc(i, n))/4,
		columns: 1,
	}
	if v.Held != nil {
		p.high -= 5.5
	}
	switch hands := len(b.Hands); {
	case hands > 4:
		p.columns = columns(hands)
	case hands > 1:
		p.columns = 2
	}
	return p
}

// share is how much of the table's width a box takes, in parts of a usual one.
func share(v display.View, b display.Box, divided bool) float64 {
	switch hands := len(b.Hands); {
	case hands > 4:
		return map[int]float64{3: 2.7, 4: 3.3, 5: 4}[columns(hands)]
	case hands > 1 && display.DueBox(v, b):
		return 2.9
	case hands > 1:
		return 1.9
	case divided && len(b.Bettors)+len(b.Sides)+len(b.Payouts) == 0:
		return .6
	}
	return 1
}

// fit is the class of the largest text that fits, "" where none does.
func (p room) fit(m boxModel) string { return p.fitTo(m, len(steps)) }

// fitTo tries so many of the sizes.
func (p room) fitTo(m boxModel, most int) string {
	for i, s := range steps[:most] {
		if p.height(m, s) <= p.high {
			return fits[i]
		}
	}
	return ""
}

// height is how high a box's content is with text of a size.
func (p room) height(m boxModel, s textSize) float64 {
	high := 0.0
	for at := 0; at < len(m.Hands); at += p.columns {
		row := 0.0
		for _, h := range m.Hands[at:min(at+p.columns, len(m.Hands))] {
			row = max(row, p.handHeight(h, s))
		}
		high += row + .25
	}
	high += p.othersHigh(m, s)
	high += p.sharesHigh(m.Shares)
	if len(m.Chips.Stacks) > 0 {
		high += 1.3*lines(chipsWide(m.Chips), p.wide) + .2
	}
	if m.Foot.Text+m.Foot.Before != "" {
		high += s.money*1.05*lines(wideOf(m.Foot.Before+m.Foot.After, .6*s.money)+amountWide(m.Foot, s),
			p.wide-.5) + .45
	}
	for _, on := range m.Line {
		high += 1.05*lineText*lines(wideOf(on, lineText), p.wide-.2) + .15
	}
	return high
}

// othersHigh is how high the wagers beside the hands are.
func (p room) othersHigh(m boxModel, s textSize) float64 {
	if len(m.Shares) > 0 {
		s = shareParts
	}
	high := 0.0
	for _, g := range m.Others {
		high += .4
		if g.Name != "" {
			high += .95 * lines(wideOf(g.Name, .875), p.wide)
		}
		high += p.rowsHeight(g.Rows, s, p.wide, g.Name == "")
	}
	return high
}

// sharesHigh is how high shares are, side by side where there is the room.
func (p room) sharesHigh(all []shareModel) float64 {
	const gap = .2
	columns := max(1, min(len(all), int((p.wide+gap)/(shareWide+gap))))
	wide := (p.wide-gap*float64(columns-1))/float64(columns) - .75
	high := 0.0
	for row := range slices.Chunk(all, columns) {
		most := shareHigh
		for i := range row {
			most = max(most, row[i].high(wide))
		}
		high += most + gap
	}
	return high
}

// high is how high a share is within a width. A name that is too long is shortened, but keeps some letters.
func (m *shareModel) high(wide float64) float64 {
	money := textSize{money: shareMoney}
	high := 1.05*shareMoney + .5
	if amountWide(m.First.Amount, money)+min(wideOf(m.Name, shareName), 2*shareName)+.2 > wide {
		high += 1.05 * shareName
	}
	if m.Small {
		more := chipsWide(m.Chips)
		for _, one := range m.More {
			more += amountWide(one.Amount, textSize{money: shareChips}) + .3
		}
		high += 1.3 * lines(more, wide)
	}
	return high
}

// chipsWide is how wide an amount in chips is, in one line.
func chipsWide(m chipsModel) float64 {
	wide := 0.0
	for _, s := range m.Stacks {
		wide += wideOf(strconv.FormatInt(s.Count, 10)+"×", shareChips) + wideOf(s.Text, shareChips) + .85
	}
	if m.Rest.Text != "" {
		wide += amountWide(m.Rest, textSize{money: shareChips}) + .3
	}
	return wide
}

func (p room) handHeight(h handModel, s textSize) float64 {
	wide := p.wide
	if p.columns > 1 {
		wide = wide/float64(p.columns) - .9
	}
	high := p.rowsHeight(h.Rows, s, wide, false)
	switch {
	case len(h.Cards) == 0:
	case p.tight && p.columns == 1:
		high += 2.7
	default:
		total := 1.75
		if p.columns > 1 {
			total = 1.4
		}
		word := wideOf(h.Word, 1.15) + wideOf(h.Unit, 1.1)
		high += s.cards + 1.1*total
		if word > 0 && word+1.3*total+.3 > wide {
			high += 1.05
		}
	}
	return high
}

// rowsHeight is how high rows are. Where names may take several lines they do; else they
// are shortened, and move above their amount where nothing of them would be left.
func (p room) rowsHeight(rows []rowModel, s textSize, wide float64, long bool) float64 {
	high := 0.0
	for _, r := range rows {
		left := wide - .3 - amountWide(r.Amount, s)
		switch name := wideOf(r.Name, s.name); {
		case long && left > wideOf(longest(r.Name), s.name):
			high += max(s.money, s.name*lines(name*1.15, left)) * 1.05
		case p.tight && p.columns > 1:
			high += 1.05 * s.money
		case long, left < 2.2*s.name:
			high += 1.05 * (s.money + s.name*lines(name, wide))
		default:
			high += 1.05 * s.money
		}
		if r.Word != "" {
			high += .9 * s.name * lines(wideOf(r.Word, .85*s.name), wide)
		}
	}
	return high
}

func amountWide(a amountModel, s textSize) float64 {
	return digitWide * s.money * (float64(utf8.RuneCountInString(a.Text)) + .5*float64(len(a.Nil)))
}

func wideOf(text string, size float64) float64 {
	return letterWide * size * float64(display.Columns(text)) * 1.05
}

func longest(text string) string {
	most := ""
	for word := range strings.FieldsSeq(text) {
		if len(word) > len(most) {
			most = word
		}
	}
	return most
}

func lines(wide, within float64) float64 { return max(1, math.Ceil(wide/within)) }
