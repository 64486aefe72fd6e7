package odds

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// kindTitles are of the parts of a chart.
var kindTitles = [...]string{Hard: "hard", Soft: "soft", Pair: "pairs", Points: "points: last card"}

// Text writes the chart for a terminal, and the first hands that are played otherwise than their cell.
func (c *Chart) Text(to io.Writer) error {
	var text strings.Builder
	for i, row := range c.Rows {
		if i == 0 || row.Kind != c.Rows[i-1].Kind {
			fmt.Fprintf(&text, "\n%-18s", kindTitles[row.Kind])
			for _, bank := range c.Bank {
				fmt.Fprintf(&text, "%3s", bank)
			}
			text.WriteString("\n")
		}
		fmt.Fprintf(&text, "%17s ", row.Hand)
		for k := range row.Cells {
			fmt.Fprintf(&text, "%3s", Letters(&row.Cells[k]))
		}
		text.WriteString("\n")
	}
	text.WriteString("\n")
	for _, m := range Legend(c) {
		fmt.Fprintf(&text, "%s %s\n", m.Letter, m.Means)
	}
	if len(c.Exceptions) > 0 {
		text.WriteString("\nOther first hands of a total than most:\n")
		for _, x := range c.Exceptions {
			fmt.Fprintf(&text, "  %s against %s: %s, worth %s more\n", x.Hand, x.Bank, x.Call, percentText(x.Gain))
		}
	}
	_, err := io.WriteString(to, text.String())
	return err
}

// Changes lists the cells that another chart does not share.
func (c *Chart) Changes(to io.Writer, other *Chart) error {
	var text strings.Builder
	was := map[string]string{}
	c.eachCell(func(name string, cell *Cell) { was[name] = Letters(cell) })
	other.eachCell(func(name string, cell *Cell) {
		if is := Letters(cell); was[name] != "" && was[name] != is {
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
func (c *Chart) eachCell(yield func(name string, cell *Cell)) {
	for _, row := range c.Rows {
		for k := range row.Cells {
			yield(fmt.Sprintf("%s %s against %s", kindNames[row.Kind], row.Hand, c.Bank[k]), &row.Cells[k])
		}
	}
}

// kindNames are the parts of a chart for programs.
var kindNames = [...]string{Hard: "hard", Soft: "soft", Pair: "pairs", Points: "points"}

// csvColumns are those of a chart's CSV.
var csvColumns = []string{"kind", "hand", "bank", "call", "worth", "cost", "best"}

// CSV writes a line for each call of each cell: what it is worth, and what it costs if another is best.
func (c *Chart) CSV(to io.Writer) error {
	return csv.NewWriter(to).WriteAll(append([][]string{csvColumns}, csvOf(c)...))
}

// ChartsCSV writes the lines of two charts, each with its name before it.
func ChartsCSV(to io.Writer, nameA string, a *Chart, nameB string, b *Chart) error {
	lines := [][]string{append([]string{"rules"}, csvColumns...)}
	for _, line := range csvOf(a) {
		lines = append(lines, append([]string{nameA}, line...))
	}
	for _, line := range csvOf(b) {
		lines = append(lines, append([]string{nameB}, line...))
	}
	return csv.NewWriter(to).WriteAll(lines)
}

func csvOf(c *Chart) (lines [][]string) {
	for _, row := range c.Rows {
		for k := range row.Cells {
			cell := &row.Cells[k]
			for _, w := range cell.Worth {
				cost, _ := cell.Cost(w.Call)
				lines = append(lines, []string{
					kindNames[row.Kind], row.Hand, c.Bank[k], w.Call.String(), sixDigits(w.Mean), sixDigits(cost),
					strconv.FormatBool(w.Call == cell.Best),
				})
			}
		}
	}
	return lines
}

func sixDigits(x float64) string { return strconv.FormatFloat(x, 'f', 6, 64) }

// Text writes what each call is worth with one hand.
func (c *Cell) Text(to io.Writer, hand, bank string) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s against %s\n", hand, bank)
	for _, w := range c.Worth {
		cost, _ := c.Cost(w.Call)
		note := "best"
		if w.Call != c.Best {
			note = "costs " + percentText(cost)
		}
		fmt.Fprintf(&text, "  %-10s %+9.5f  %s\n", w.Call, w.Mean, note)
	}
	_, err := io.WriteString(to, text.String())
	return err
}
