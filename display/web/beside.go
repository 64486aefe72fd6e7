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
			Amount: written(r.language.Chips(l, v.Digits), v.Digits),
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
		rows[i] = rowModel{Kind: kindOf(l), Name: l.Bettor, Amount: written(r.language.Chips(l, v.Digits), v.Digits)}
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
