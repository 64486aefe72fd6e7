package odds

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"sync"
)

//go:embed sheet.html
var pageText string

// pageTemplate is read when the first page is asked for: most programs that work out odds write none.
var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("odds").Funcs(template.FuncMap{
		"letters": func(c Cell) string { return Letters(&c) },
		"percent": percentText,
		"how":     func(w Wager) string { return w.HowFound() },
		"title":   func(k Kind) string { return kindTitles[k] },
		"next":    nextCost,
		"cost": func(c Cell, w CallWorth) string {
			cost, _ := c.Cost(w.Call)
			return percentText(cost)
		},
	}).Parse(pageText))
})

// nextCost is what the next best call costs, "" where only one is allowed.
func nextCost(c Cell) string {
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
	Chart *Chart
}

// Legend are the marks of the chart.
func (p Page) Legend() []Mark { return Legend(p.Chart) }

// HTML writes sheets and charts as a page of its own. Its colours differ in brightness, and each cell has its letter:
// it can be read without telling colours apart, and printed.
func HTML(to io.Writer, pages ...Page) error { return pageTemplate().Execute(to, pages) }
