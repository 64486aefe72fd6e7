package login

import (
	"embed"
	"net/http"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/people"
)

//go:embed templates/*.html
var templates embed.FS

//go:embed assets/*.css assets/*.js
var assets embed.FS

var pages = site.ParseTemplates(templates, "templates/*")

var (
	drawEnter    = site.Compile[enterModel](pages, "enter.html")
	drawPassword = site.Compile[passwordModel](pages, "password.html")
	drawPeople   = site.Compile[peopleModel](pages, "people.html")
	drawLog      = site.Compile[logModel](pages, "log.html")
	drawRefused  = site.Compile[refusedModel](pages, "refused.html")
)

// files are the door's, beside those that it shares with the table's pages.
var files = site.NewFiles(assets, templates).Beside(web.Build(), web.Asset)

// build names the pages' assets: their addresses carry it, so a browser may keep them.
var build = files.Build()

// pageModel is what every page of the door has.
type pageModel struct {
	Build, Lang, Title string
	// Who looks, and their role; "" where nobody has entered.
	Who, Role string
	Manager   bool
	// Here is the page's path.
	Here      string
	Languages []site.Offer
}

func (d *Door) page(r *http.Request, l display.Language, title string) pageModel {
	m := pageModel{Build: build, Lang: l.Tag(), Title: l.With(title), Here: r.URL.Path}
	if who := asked(r).who; who != nil && !who.MustChoose() {
		m.Who, m.Role, m.Manager = who.Person.Name, roleName(l, who.Person.Role), who.Person.Role.May(people.Manager)
	}
	at, _ := d.menu.Called(l.Code())
	m.Languages = d.menu.Offers(at, r.URL.Query())
	return m
}

func roleName(l display.Language, role people.Role) string {
	return l.With("people.role-" + role.String())
}

// when writes a moment as the house's clock shows it.
func (d *Door) when(l display.Language, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(d.o.Zone).Format(l.With("time.date") + " 15:04")
}

// speaking is the language of a screen: the one that it has chosen, else the pit's.
func (d *Door) speaking(r *http.Request) display.Language { return d.menu.Speaks(r) }

type refusedModel struct {
	Page pageModel
	Text string
}

// Refuse says that somebody's role is not enough: on a page to who looks, else as JSON.
func (d *Door) Refuse(w http.ResponseWriter, r *http.Request) {
	d.refuse(w, r, http.StatusForbidden, "people.may-not")
}

// refuse answers with a text in the same way.
func (d *Door) refuse(w http.ResponseWriter, r *http.Request, status int, key string) {
	l := d.speaking(r)
	if r.Method != http.MethodGet {
		site.Answer(w, status, answer{Error: l.With(key)})
		return
	}
	m := &refusedModel{d.page(r, l, "people.refused-title"), l.With(key)}
	site.Send(w, status, site.HTML, drawRefused(nil, l, m))
}
