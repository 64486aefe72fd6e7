package web

import (
	"strconv"

	"github.com/sabot-table/sabot/display"
)

// others are the wagers beside the hands, each kind under its name. A box with one
// bettor needs no names: its rows carry the wagers'.
func (r renderer) others(v display.View, b display.Box, lines []display.Line) []groupModel {
	if alone(b, lines) {
		return r.named(v, lines)
	}
	piles := r.language.Piles(lines)
	groups := r.made.groups.take(len(piles))
	for i, p := range piles {
		groups[i] = groupModel{Name: p.Name, Rows: r.guests(v, p)}
	}
	return groups
}

// alone says whether all that lies beside the hands is the box's one bettor's.
func alone(b display.Box, lines []display.Line) bool {
	for _, l := range lines {
		if len(b.Bettors) != 1 || l.Bettor != b.Bettors[0].Name {
			return false
		}
	}
	return len(lines) > 0
}

// named names the rows by their wagers, and says what a side bet won with.
func (r renderer) named(v display.View, lines []display.Line) []groupModel {
	var g groupModel
	for _, l := range lines {
		g.Rows = append(g.Rows, rowModel{
			Kind: kindOf(l), Name: r.language.WagerName(l), Word: r.how(l),
			Amount: r.language.Chips(l, v.Digits),
		})
	}
	return []groupModel{g}
}

// how says that a side bet's chips were moved, or what it won with.
func (r renderer) how(l display.Line) string {
	if l.Moved {
		return r.language.Verdict(l)
	}
	return r.language.WonWith(l)
}

// guests names the rows of a pile by their bettors.
func (r renderer) guests(v display.View, p display.Pile) []rowModel {
	rows := r.made.rows.take(len(p.Lines))
	for i, l := range p.Lines {
		rows[i] = rowModel{Kind: kindOf(l), Name: l.Bettor, Amount: r.language.Chips(l, v.Digits)}
		if l.Moved {
			rows[i].Word = r.language.Verdict(l)
		}
	}
	return rows
}

// fewer is the same as others in fewer rows, for a box that has too many: stakes
// that need no name any more are counted together, in the row of their wager.
func (r renderer) fewer(v display.View, lines []display.Line) []groupModel {
	var groups []groupModel
	for _, p := range r.language.Piles(lines) {
		together := r.language.Together(p)
		g := groupModel{Name: p.Name, Rows: r.guests(v, together)}
		if n := len(p.Lines); len(together.Lines) == 1 && n > 1 {
			g.Rows[0].Name = p.Name + " ×" + strconv.Itoa(n)
			g.Name = ""
		}
		groups = append(groups, g)
	}
	return groups
}

// room is how many rows of text a box has room for. Without cards it is more.
func room(b display.Box) int {
	if len(b.Hands) == 0 {
		return 19
	}
	return 12
}

// height counts a box's rows of text, one above the other.
func height(m boxModel) int {
	n := 0
	for _, h := range m.Hands {
		n += rowsOf(h.Rows)
	}
	if len(m.Hands) > 1 {
		n = (n + 1) / 2 // hands stand side by side
	}
	for _, g := range m.Others {
		n += rowsOf(g.Rows)
		if g.Name != "" {
			n += linesOf(g.Name, 18)
			continue
		}
		for _, one := range g.Rows {
			n += linesOf(one.Name, 11) - 1
		}
	}
	return n
}

func rowsOf(rows []rowModel) int {
	n := len(rows)
	for _, r := range rows {
		if r.Word != "" {
			n++
		}
	}
	return n
}

// linesOf estimates how many lines a wager's name takes in a narrow box, where so
// many letters stand on each.
func linesOf(name string, wide int) int {
	return 1 + (display.Columns(name)-1)/wide
}
