package web

import (
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/vocab"
)

// boxModel is one box: its hands with the main wagers on them, then the other
// wagers by their kind, then what is to be paid in all.
type boxModel struct {
	Number int
	Class  string
	Active bool
	// Moves says that chips on it are to be moved now, whatever is due.
	Moves bool
	// Spoken says that what holds the round is about this box.
	Spoken bool
	Hands  []handModel
	Others []groupModel
	// Shares are its bettors in the payment, where they are several, and Chips what a single one gets.
	Shares []shareModel
	Chips  chipsModel
	Foot   amountModel
	// Line says what lies on the box's line, and what is done with it.
	Line []string
	Paid bool
	// Does is what a touch of the box takes at once, nil where it asks first or takes nothing.
	Does *doesModel
	// Touch is what a touch of the box does, nil for nothing.
	Touch *keyModel
	// Tray is what may be staked on it, and Sides its side bets on a table where nobody
	// enters amounts.
	Tray  *trayModel
	Sides []wagerModel
	// fit are the classes of its text's size.
	fit string
}

type handModel struct {
	Cards row
	// Open says that a card lies open, which is the hand's if it draws: Laid has both.
	Open   bool
	Laid   laid
	Total  int
	Unit   string
	Word   string
	Kind   string
	Active bool
	// Spoken says that what holds the round is about this hand.
	Spoken bool
	Rows   []rowModel
}

// groupModel are the wagers of one kind; Name is empty where the rows name it.
type groupModel struct {
	Name string
	Rows []rowModel
}

// rowModel is one bettor's chips. Word is said only where the group has no
// common one.
type rowModel struct {
	Kind, Name, Word string
	Amount           amountModel
	Holder           bool
	// Stake names the stake's key in the tray, "" once the bets are closed.
	Stake string
}

func (r renderer) box(v display.View, i int) boxModel {
	b := v.Boxes[i]
	lines := display.Lines(b)
	m := boxModel{
		Number: b.Number, Active: display.DueBox(v, b), Moves: display.MovesOn(v, b), Paid: b.Paid, Foot: r.foot(v, b),
		Line:  r.language.OnTheLine(v, b),
		Hands: r.made.hands.take(max(1, len(b.Hands))),
	}
	if len(b.Hands) == 0 {
		m.Hands[0].Rows = r.rows(v, display.OnHand(lines, 0), "")
		m.Hands[0].lay(v.Waiting.At(b.Number, 1))
	}
	spoken := display.SpokenOf(v)
	m.Spoken = spoken.Box == b.Number
	for n, h := range b.Hands {
		m.Hands[n] = r.hand(v, h, display.OnHand(lines, n+1))
		m.Hands[n].Spoken = m.Spoken && spoken.Hand == n+1
		m.Hands[n].lay(v.Waiting.At(b.Number, n+1))
	}
	beside, at := display.Beside(lines, len(b.Hands)), roomOf(v, i)
	m.Tray, m.Sides = r.tray(v, b), r.sides(v, b)
	at.high -= 6.3 * float64(len(m.Sides))
	m.Others = r.others(v, b, beside)
	each := touch.EachOn(v, &b)
	if !r.layShares(v, beside, &b, each, &m, at) && !r.layChips(v, each, &m, at) {
		r.makeFit(v, beside, &m, at)
	}
	if k, ok := touch.OnBox(v, b); ok && r.hands {
		key := r.key(k)
		m.Touch, m.Does = &key, r.does(v, k)
		if key.Again = r.again(v, k); k.Lays {
			key.Lays = strings.Trim(key.Put, "[]")
		}
	}
	if m.Sides != nil && alone(b, beside) {
		m.Others = nil // the keys say it
	}
	m.Class = classes(m, arc(i, len(v.Boxes)), len(lines) == 0)
	return m
}

// tightly is the class of a box whose cards lie beside their total.
const tightly = " tight"

// makeFit finds the largest text that fits, if need be with less on the box.
func (r renderer) makeFit(v display.View, beside []display.Line, m *boxModel, at room) {
	if m.fit = at.fit(*m); m.fit == "" {
		m.Others = r.fewer(v, beside)
		m.fit = at.fit(*m)
	}
	if m.fit == "" {
		at.tight = true
		m.fit = tightly + at.fit(*m)
	}
}

// foot is what a box gets in all.
func (r renderer) foot(v display.View, b display.Box) amountModel {
	text := r.language.Foot(v, b)
	if won, byOdds := display.ToPay(b); won == 0 && !byOdds && b.Before == nil {
		m := written(text, v.Digits)
		m.Quiet = true
		return m
	}
	if sum, again := display.FootSum(v, b); again {
		return within(text, r.language.Money(sum, v.Digits), v.Digits)
	}
	return written(text, v.Digits)
}

// doesModel is what a touch of a box takes at once, and for how much, "" where it has no
// amount.
type doesModel struct{ What, Amount string }

func (r renderer) does(v display.View, k touch.Key) *doesModel {
	if k.Does.Key == "" {
		return nil
	}
	return &doesModel{What: r.language.Say(k.Does), Amount: r.amount(v, k.Amount)}
}

func (r renderer) hand(v display.View, h display.Hand, lines []display.Line) handModel {
	m := handModel{
		Cards: h.Cards, Total: h.Total, Unit: r.unit(v, h), Active: h.Active,
		Word: r.language.Named(display.LabelDone, h.Done),
	}
	common := r.language.Common(lines)
	if common != "" {
		m.Word, m.Kind = common, kindOf(lines[0])
	}
	m.Rows = r.rows(v, lines, common)
	return m
}

// lay lays the cards beside the hand that lie open for it.
func (m *handModel) lay(open []card.Card) {
	m.Open = len(open) > 0
	m.Laid = laid{m.Cards, open}
}

func (r renderer) rows(v display.View, lines []display.Line, common string) []rowModel {
	rows := r.made.rows.take(len(lines))
	for i, l := range lines {
		rows[i] = rowModel{
			Kind: kindOf(l), Name: l.Bettor, Holder: l.Holder,
			Amount: written(r.language.Chips(l, v.Digits), v.Digits),
		}
		if common == "" {
			rows[i].Word = r.language.Verdict(l)
		}
		if v.Phase == vocab.Bets {
			rows[i].Stake = l.Bettor + "/" + l.Wager.String()
		}
	}
	return rows
}

// movedKind is the class of chips that were moved.
const movedKind = " moved"

// kindOf is a line's class: chips that were moved are told apart.
func kindOf(l display.Line) string {
	if l.Moved {
		return kind(l.Move) + movedKind
	}
	return kind(l.Move)
}

// kind is the move's class in the style sheet.
func kind(m display.Move) string {
	return [...]string{
		display.Open: "open", display.Pay: "pay", display.Take: "take",
		display.Leave: "leave", display.Return: "back",
	}[m]
}

// arc is how far a box sinks below the middle of the half-round, in eighths.
func arc(i, n int) int {
	if n < 2 {
		return 0
	}
	off := 2*i - (n - 1)
	return 8 * off * off / ((n - 1) * (n - 1))
}

// classes says how a box is laid out: its place on the arc, how many hands stand
// side by side, and how large its text is.
func classes(m boxModel, arc int, empty bool) string {
	c := "box arc" + strconv.Itoa(arc)
	switch {
	case empty:
		return c + " empty"
	case len(m.Hands) > 4:
		c += " many cols" + strconv.Itoa(columns(len(m.Hands)))
	case len(m.Hands) > 1:
		c += " split"
	}
	if m.Active {
		c += " active"
	}
	if m.Moves {
		c += " moves"
	}
	if m.Spoken {
		c += " spoken"
	}
	if m.Paid {
		c += " settled"
	}
	return c + m.fit
}

// columns is how many of a box's hands stand side by side: more of them than rows,
// since the screen is wide.
func columns(hands int) int {
	switch {
	case hands <= 6:
		return 3
	case hands <= 8:
		return 4
	}
	return 5
}
