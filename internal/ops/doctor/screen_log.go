package doctor

import (
	"log/slog"
	"net/http"
	"strings"

	"github.com/sabot-table/sabot/internal/site"
)

// mostShown is how many lines of the log a page shows; all that are kept are in the copy of it. mostSought is how long
// what is looked for may be, in bytes.
const mostShown, mostSought = 200, 200

// shownLine is a line of the log as the page shows it.
type shownLine struct {
	At    string `json:"at"`
	Level string `json:"level"`
	Text  string `json:"text"`
}

// levels are those from which on lines are shown.
var levels = []string{"DEBUG", "INFO", "WARN", "ERROR"}

// log answers the last lines of a level and above that have a text. What is looked for is looked for in what is shown:
// nobody finds a secret out by asking for it.
func (p *screen) log(w http.ResponseWriter, r *http.Request) {
	var level slog.Level
	query := r.URL.Query()
	text := query.Get("text")
	if level.UnmarshalText([]byte(query.Get("level"))) != nil || len(text) > mostSought {
		site.Answer(w, http.StatusBadRequest, answer{Error: "write ?level= with one of " + strings.Join(levels, ", ") +
			", and a short &text="})
		return
	}
	clean, a := p.Source().Cleaner(), answer{}
	for _, one := range p.Ring.Lines(level) {
		if one.Text = clean(one.Text); !one.Has(text) {
			continue
		}
		a.Lines = append(a.Lines, shownLine{one.At.UTC().Format("2006-01-02 15:04:05"), one.Level.String(), one.Text})
		if len(a.Lines) == mostShown {
			break
		}
	}
	site.Answer(w, http.StatusOK, a)
}
