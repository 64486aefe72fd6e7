package doctor

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/terminal"
)

// Write writes the page for a terminal: what is wrong first.
func (p *Page) Write(to io.Writer) error {
	var b strings.Builder
	name := "a table"
	if p.Table != "" {
		name = fmt.Sprintf("table %s/%s", p.Site, p.Table)
	}
	fmt.Fprintf(&b, "%s, %s, sabot %s\n", name, p.At.Format("2006-01-02 15:04 UTC"), p.Version)
	for _, w := range slices.Concat(p.Wrong, p.Advice) {
		fmt.Fprintf(&b, "\n%-7s%s: %s\n", labels[w.Severity], w.Code, terminal.OneLine(w.Meaning))
		if w.What != "" {
			fmt.Fprintf(&b, "  found  %s\n", terminal.OneLine(w.What))
		}
		if w.Since != nil {
			fmt.Fprintf(&b, "  since  %s\n", inFull(*w.Since))
		}
		fmt.Fprintf(&b, "  do     %s\n", terminal.OneLine(w.Do))
	}
	b.WriteByte('\n')
	for _, why := range p.reasons() {
		var list []string
		for _, u := range p.Unseen {
			if u.Why == why {
				list = append(list, fmt.Sprintf("%s (%s)", u.Area, terminal.OneLine(u.What)))
			}
		}
		fmt.Fprintf(&b, "not seen   %s: %s\n", strings.Join(list, ", "), terminal.OneLine(why))
	}
	if len(p.Untold) > 0 {
		fmt.Fprintf(&b, "not told   by this computer: %s\n", strings.Join(p.Untold, "; "))
	}
	if len(p.Right) > 0 {
		fmt.Fprintf(&b, "right      %s\n", strings.Join(words(p.Right), ", "))
	}
	fmt.Fprintln(&b, p.sum())
	_, err := io.WriteString(to, b.String())
	return err
}

// labels begin what is said of each severity.
var labels = map[health.Severity]string{health.Stops: "STOPS", health.Degrades: "WRONG", health.Advises: "ADVICE"}

// reasons are why something could not be seen, each once.
func (p *Page) reasons() (list []string) {
	for _, u := range p.Unseen {
		if !slices.Contains(list, u.Why) {
			list = append(list, u.Why)
		}
	}
	return list
}

// sum is the page in one line.
func (p *Page) sum() string {
	text := "nothing is wrong"
	switch n := len(p.Wrong); {
	case n == 1:
		text = "1 thing is wrong"
	case n > 1:
		text = fmt.Sprintf("%d things are wrong", n)
	}
	if n := len(p.Advice); n > 0 {
		text += fmt.Sprintf(", %d advised", n)
	}
	if n := len(p.Unseen); n > 0 {
		text += fmt.Sprintf(", %d could not be seen", n)
	}
	return text
}

func words(list []health.Area) []string {
	all := make([]string, len(list))
	for i, a := range list {
		all[i] = string(a)
	}
	return all
}
