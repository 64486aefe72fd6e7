package oddsheet

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/table/odds"
)

// titles are of the parts of a chart.
var titles = [...]string{odds.Hard: "hard", odds.Soft: "soft", odds.Pair: "pairs", odds.Points: "points: last card"}

// ChartText writes the chart for a terminal, and the first hands that are played otherwise than their cell.
func ChartText(to io.Writer, c *odds.Chart) error {
	var text strings.Builder
	for i, row := range c.Rows {
		if i == 0 || row.Kind != c.Rows[i-1].Kind {
			fmt.Fprintf(&text, "\n%-18s", titles[row.Kind])
			for _, bank := range c.Bank {
				fmt.Fprintf(&text, "%3s", bank)
			}
			text.WriteString("\n")
		}
		fmt.Fprintf(&text, "%17s ", row.Hand)
		for k := range row.Cells {
			fmt.Fprintf(&text, "%3s", odds.Letters(&row.Cells[k]))
		}
		text.WriteString("\n")
	}
	text.WriteString("\n")
	for _, m := range odds.Legend(c) {
		fmt.Fprintf(&text, "%s %s\n", m.Letter, m.Means)
	}
	if len(c.Exceptions) > 0 {
		text.WriteString("\nOther first hands of a total than most:\n")
		for _, x := range c.Exceptions {
			fmt.Fprintf(&text, "  %s against %s: %s, worth %s more\n", x.Hand, x.Bank, x.Call, percent(x.Gain))
		}
	}
	_, err := io.WriteString(to, text.String())
	return err
}

// ChartChanges lists the cells that two charts do not share.
func ChartChanges(to io.Writer, a, b *odds.Chart) error {
	var text strings.Builder
	was := map[string]string{}
	eachCell(a, func(name string, cell *odds.Cell) { was[name] = odds.Letters(cell) })
	eachCell(b, func(name string, cell *odds.Cell) {
		if is := odds.Letters(cell); was[name] != "" && was[name] != is {
			fmt.Fprintf(&text, "  %s: %s becomes %s\n", name, was[name], is)
		}
	})
	title := "\nCells that differ:\n"
	if text.Len() == 0 {
		title = "\nNo cell differs that both charts have.\n"
	}
	_, err := io.WriteString(to, title+text.String())
	return err
}

// eachCell yields each cell with where it is.
func eachCell(c *odds.Chart, yield func(name string, cell *odds.Cell)) {
	for _, row := range c.Rows {
		for k := range row.Cells {
			yield(fmt.Sprintf("%s %s against %s", kindNames[row.Kind], row.Hand, c.Bank[k]), &row.Cells[k])
		}
	}
}

// kindNames are the parts of a chart for programs.
var kindNames = [...]string{odds.Hard: "hard", odds.Soft: "soft", odds.Pair: "pairs", odds.Points: "points"}

// columns are those of a chart's CSV.
var columns = []string{"kind", "hand", "bank", "call", "worth", "cost", "best"}

// ChartCSV writes a line for each call of each cell: what it is worth, and what it costs if another is best.
func ChartCSV(to io.Writer, c *odds.Chart) error {
	return csv.NewWriter(to).WriteAll(append([][]string{columns}, csvOf(c)...))
}

// BothCSV writes the lines of two charts, each with its name before it.
func BothCSV(to io.Writer, nameA string, a *odds.Chart, nameB string, b *odds.Chart) error {
	lines := [][]string{append([]string{"rules"}, columns...)}
	for _, line := range csvOf(a) {
		lines = append(lines, append([]string{nameA}, line...))
	}
	for _, line := range csvOf(b) {
		lines = append(lines, append([]string{nameB}, line...))
	}
	return csv.NewWriter(to).WriteAll(lines)
}

func csvOf(c *odds.Chart) (lines [][]string) {
	for _, row := range c.Rows {
		for k := range row.Cells {
			cell := &row.Cells[k]
			for _, w := range cell.Worth {
				cost, _ := cell.Cost(w.Call)
				lines = append(lines, []string{
					kindNames[row.Kind], row.Hand, c.Bank[k], w.Call.String(), number(w.Mean), number(cost),
					strconv.FormatBool(w.Call == cell.Best),
				})
			}
		}
	}
	return lines
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', 6, 64) }

// CellText writes what each call is worth with one hand.
func CellText(to io.Writer, hand, bank string, c *odds.Cell) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s against %s\n", hand, bank)
	for _, w := range c.Worth {
		cost, _ := c.Cost(w.Call)
		note := "best"
		if w.Call != c.Best {
			note = "costs " + percent(cost)
		}
		fmt.Fprintf(&text, "  %-10s %+9.5f  %s\n", w.Call, w.Mean, note)
	}
	_, err := io.WriteString(to, text.String())
	return err
}
