package oddsheet

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"github.com/sabot-table/sabot/table/odds"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("odds").Funcs(template.FuncMap{
	"letters": func(c odds.Cell) string { return odds.Letters(&c) },
	"percent": percent,
	"how":     func(w odds.Wager) string { return How(&w) },
	"title":   func(k odds.Kind) string { return titles[k] },
	"next":    next,
	"cost": func(c odds.Cell, w odds.CallWorth) string {
		cost, _ := c.Cost(w.Call)
		return percent(cost)
	},
}).Parse(pageText))

// next is what the next best call costs, "" where only one is allowed.
func next(c odds.Cell) string {
	least, any := 0.0, false
	for _, w := range c.Worth {
		if cost, _ := c.Cost(w.Call); w.Call != c.Best && (!any || cost < least) {
			least, any = cost, true
		}
	}
	if !any {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*least)
}

// Page is a sheet with its chart.
type Page struct {
	*Sheet
	Chart *odds.Chart
}

// Legend are the marks of the chart.
func (p Page) Legend() []odds.Mark { return odds.Legend(p.Chart) }

// HTML writes sheets and charts as a page of its own. Its colours differ in brightness, and each cell has its letter:
// it can be read without telling colours apart, and printed.
func HTML(to io.Writer, pages ...Page) error { return page.Execute(to, pages) }
