package lcd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/vocab"
)

// debt is what remains to be paid on a box.
type debt struct {
	box  display.Box
	sum  int64
	odds bool // more is to be paid by odds, since the stake is not known
}

func (d *drawing) debts() []debt {
	var all []debt
	for _, b := range d.view.Boxes {
		sum, odds := display.ToPay(b)
		if !b.Paid && (sum > 0 || odds) {
			all = append(all, debt{b, sum, odds})
		}
	}
	return all
}

// payment is what the dealer pays out: in total, and box by box.
func (d *drawing) payment() [Rows]string {
	debts, line := d.debts(), d.onLine(display.LayOnLine, display.TakeFromLine, display.FromLine)
	d.add(d.outcome(debts))
	switch {
	case len(debts) > 0:
		d.addOwed(debts, line)
	case d.void():
		d.add(d.word("void"))
	default:
		d.add(d.word("nothing"))
	}
	d.add(line, d.word("press-paid"))
	return d.done()
}

// addOwed adds what is to be paid, and the next bettor where no row is his, and leaves room for the chips on the lines.
// It drops the sum rather than the next bettor, and that rather than a box.
func (d *drawing) addOwed(debts []debt, line string) {
	below := 0
	if line != "" {
		below = 1
	}
	next := d.next(debts)
	rows, all := d.owed(debts, d.room()-below-len(next))
	if !all {
		d.rows = nil
		rows, all = d.owed(debts, d.room()-below-len(next))
	}
	if !all {
		next = nil
		rows, _ = d.owed(debts, d.room()-below)
	}
	d.add(append(rows, next...)...)
}

// next is the bettor whom the panel's key pays alone, where boxes have several and not each has a row.
func (d *drawing) next(debts []debt) []string {
	b, share, paying := display.NextShare(d.view)
	if rows := len(d.byGuest(debts)); !paying || rows == len(debts) || rows <= d.room() {
		return nil
	}
	for _, g := range d.guestsOf(b) {
		if g.name == share.Bettor {
			return []string{">" + d.guestRow(b, g, Columns-1)}
		}
	}
	return nil
}

// outcome is the bank's result, and the sum over all boxes.
func (d *drawing) outcome(debts []debt) string {
	all := debt{}
	for _, one := range debts {
		all.sum += one.sum
		all.odds = all.odds || one.odds
	}
	pay := ""
	switch {
	case all.sum > 0:
		pay = d.word("pay") + " " + d.figure(all)
	case all.odds:
		pay = d.word("pay") + " " + d.word("by-odds")
	}
	bank := d.word("bank") + " " + d.bankEnded()
	if width(bank)+1+width(pay) > Columns {
		return pay
	}
	return apart(bank, pay, Columns)
}

func (d *drawing) bankEnded() string {
	if d.view.Bank.Done == vocab.DoneBust {
		return d.language.roomy.Named(display.LabelDone, vocab.DoneBust)
	}
	return d.total(d.view.Bank)
}

func (d *drawing) void() bool {
	for _, b := range d.view.Boxes {
		for _, p := range b.Payouts {
			if p.Outcome == vocab.Void {
				return true
			}
		}
	}
	return false
}

// figure writes a debt: a plus at its end says that more is to be paid by odds.
func (d *drawing) figure(one debt) string {
	if one.sum > 0 && one.odds {
		return d.amount(one.sum) + "+"
	}
	if one.sum > 0 {
		return d.amount(one.sum)
	}
	if only := paying(one.box); len(only) == 1 {
		return d.chips(only[0])
	}
	return d.word("odds")
}

// figureMost is the longest figure that leaves room for some characters of a name.
const figureMost = 13

// inFull writes a debt with all its odds, if there is room for them.
func (d *drawing) inFull(one debt, odds []string) string {
	if one.sum > 0 {
		odds = append([]string{d.amount(one.sum)}, odds...)
	}
	if full := strings.Join(odds, "+"); width(full) <= figureMost {
		return full
	}
	return d.figure(one)
}

func paying(b display.Box) (lines []display.Line) {
	for _, line := range display.Lines(b) {
		if line.Move == display.Pay && !line.Moved {
			lines = append(lines, line)
		}
	}
	return lines
}

// chips writes what a line pays: "30.00", or "3:2x2" where the stake is not known.
func (d *drawing) chips(line display.Line) string {
	text := strings.TrimPrefix(d.language.roomy.Chips(line, d.view.Digits), line.Move.Sign())
	return strings.ReplaceAll(plain(text), " ", "")
}

// owed writes debts in a few rows, in the roomiest form that fits: guest by guest, box by
// box, in two columns, in three columns without decimals if all are zero, or one after
// another. If there are too many, the end counts those that are left out.
func (d *drawing) owed(debts []debt, room int) (rows []string, all bool) {
	if rows := d.byGuest(debts); len(rows) <= room {
		return rows, true
	}
	if rows := d.byBox(debts); len(rows) <= room {
		return rows, true
	}
	cells := d.cells(debts)
	if rows, fit := inColumns(cells, 2, room); fit {
		return rows, true
	}
	if rows, fit := inColumns(d.rounded(cells), 3, room); fit {
		return rows, true
	}
	return inTurn(cells, room)
}

func (d *drawing) cells(debts []debt) []string {
	cells := make([]string, len(debts))
	for i, one := range debts {
		cells[i] = fmt.Sprintf("%d=%s", one.box.Number, d.figure(one))
	}
	return cells
}

// byGuest writes a row for each guest who is paid on a box.
func (d *drawing) byGuest(debts []debt) (rows []string) {
	for _, one := range debts {
		for _, g := range d.guestsOf(one.box) {
			rows = append(rows, d.guestRow(one.box, g, Columns))
		}
	}
	return rows
}

func (d *drawing) guestRow(b display.Box, g guest, columns int) string {
	return apart(fmt.Sprintf("%d %s", b.Number, plain(g.name)), d.inFull(debt{b, g.sum, len(g.odds) > 0}, g.odds),
		columns)
}

func (d *drawing) byBox(debts []debt) (rows []string) {
	for _, one := range debts {
		var odds []string
		for _, g := range d.guestsOf(one.box) {
			odds = append(odds, g.odds...)
		}
		rows = append(rows, apart(fmt.Sprintf("%s %d", d.word("box"), one.box.Number), d.inFull(one, odds), Columns))
	}
	return rows
}

// guest is a bettor who is paid on a box.
type guest struct {
	name string
	sum  int64
	odds []string
}

func (d *drawing) guestsOf(b display.Box) (all []guest) {
	for _, line := range paying(b) {
		at := slices.IndexFunc(all, func(g guest) bool { return g.name == line.Bettor })
		if at < 0 {
			at, all = len(all), append(all, guest{name: line.Bettor})
		}
		if line.Amount == display.Unstated {
			all[at].odds = append(all[at].odds, d.chips(line))
		} else {
			all[at].sum += line.Amount
		}
	}
	return all
}

// rounded leaves out the decimals, if they are zero in all cells.
func (d *drawing) rounded(cells []string) []string {
	point := d.language.roomy.Label("number", "point")
	zeros := point + strings.Repeat("0", d.view.Digits)
	if d.view.Digits == 0 {
		return cells
	}
	short := make([]string, len(cells))
	for i, cell := range cells {
		if strings.Contains(strings.ReplaceAll(cell, zeros, ""), point) {
			return cells
		}
		short[i] = strings.ReplaceAll(cell, zeros, "")
	}
	return short
}

// inColumns arranges cells in columns, row by row; fit says that there was room for all.
func inColumns(cells []string, columns, room int) (rows []string, fit bool) {
	step := (Columns + 1) / columns
	for i, cell := range cells {
		at := i % columns * step
		if width(cell) > min(step-1, Columns-at) {
			return nil, false
		}
		if at == 0 {
			rows = append(rows, "")
		}
		row := &rows[len(rows)-1]
		*row = fmt.Sprintf("%-*s%s", at, *row, cell)
	}
	return rows, len(rows) <= room
}

// inTurn writes cells one after another, as many as there is room for.
func inTurn(cells []string, room int) (rows []string, all bool) {
	for shown := len(cells); shown > 0; shown-- {
		text := strings.Join(cells[:shown], " ")
		if left := len(cells) - shown; left > 0 {
			text += fmt.Sprintf(" +%d", left)
		}
		if rows, whole := wrap(text, room); whole {
			return rows, shown == len(cells)
		}
	}
	return nil, false
}

// pending writes wagers that are won while the round continues, for as many boxes as fit
// into a row.
func (d *drawing) pending() string {
	debts := d.debts()
	if len(debts) == 0 {
		return ""
	}
	cells := d.cells(debts)
	cells[0] = d.word("pay") + fixed + cells[0]
	rows, _ := inTurn(cells, 1)
	return first(rows)
}
