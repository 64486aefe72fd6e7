package dashboard

import (
	"embed"
	"slices"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/people"
)

//go:embed templates/*.html
var templates embed.FS

var pages = site.ParseTemplates(templates, "templates/*")

var (
	drawPage     = site.Compile[pageModel](pages, "page.html")
	drawFloor    = site.Compile[floorModel](pages, "floor-main")
	drawTable    = site.Compile[tableModel](pages, "table-main")
	drawAlerts   = site.Compile[alertsModel](pages, "alerts-main")
	drawEnded    = site.Compile[endedModel](pages, "ended-main")
	drawFleet    = site.Compile[fleetModel](pages, "fleet-main")
	drawTrays    = site.Compile[traysModel](pages, "trays-main")
	drawJackpots = site.Compile[jackpotsModel](pages, "jackpots-main")
	drawGroup    = site.Compile[groupModel](pages, "group-main")
	drawRounds   = site.Compile[roundsModel](pages, "rounds-main")
)

// renderer turns what is known into pages, in one language.
type renderer struct {
	language display.Language
	// languages may be chosen, and at is where this one stands.
	languages site.Menu
	at        int
	// zone is that of the house's clock.
	zone *time.Location
}

// say says a text.
func (r renderer) say(key string) string { return r.language.With(key) }

// with says a text with values in it, by their names.
func (r renderer) with(key string, pairs ...string) string { return r.language.With(key, pairs...) }

// drawn names the build and the language. A page loads itself again when it is sent sections of another.
func (r renderer) drawn() string { return build + "-" + r.language.Tag() }

// pageModel is a whole document.
type pageModel struct {
	Build, Drawn, Lang, Title, Page, Stream string
	// Zone is the house's time zone, by which the page shows times as the pit does; "" for that of the screen.
	Zone string
	// Shapes are those of cards and chips, on a page that has a felt.
	Shapes    site.MarkupText
	Main      site.MarkupText
	Languages []site.Offer
	// Who is who looks, "" where nobody is asked.
	Who, Role string
	Menu      []linkModel
	// Asks says that whoever does something must say their name.
	Asks bool
	// Push is the key with which this browser may ask to be called, "" where it cannot.
	Push string
	// Trays has the dialogs of the trays' page.
	Trays bool
	// Orders are the dialogs for what may be told to the table.
	Orders []orderModel
}

// topModel is the head of every page: where to go, the gravest alert, and what is down.
type topModel struct {
	Drawn string
	Title string
	// Links lead to the other pages.
	Links []linkModel
	// Away are the parts without which what is shown is old.
	Away []awayModel
	// Worst is the alert that comes first, nil while nothing is wrong; More says how many others there are.
	Worst *alertModel
	More  string
	Calm  string
}

type linkModel struct {
	Name, Where string
	Here, Posts bool
	// Count is how many alerts are open, or how many slips wait for who looks, "" for none; Calls says so in words, of
	// what is no alarm.
	Count, Calls string
}

type awayModel struct{ Text, Since, Clock string }

// looked is what a page is drawn from: for one person, at one time.
type looked struct {
	who  people.Person
	page kind
	// table is whose page it is, if it is a table's.
	table tableKey
	query query
}

// clock writes a time of the day, and short with its date if it was another day.
func (r renderer) clock(t time.Time) string { return r.clocked(t, "15:04:05") }

// minute is clock without seconds.
func (r renderer) minute(t time.Time) string { return r.clocked(t, "15:04") }

func (r renderer) clocked(t time.Time, today string) string {
	if t.IsZero() {
		return ""
	}
	t = t.In(r.zone)
	if now := time.Now().In(r.zone); t.YearDay() != now.YearDay() || t.Year() != now.Year() {
		return t.Format(r.say("time.date") + " 15:04")
	}
	return t.Format(today)
}

// zoneName is the name of the house's time zone, "" where the machine's own is not known by one.
func (r renderer) zoneName() string {
	if r.zone == time.Local {
		return ""
	}
	return r.zone.String()
}

// stamp writes a time for the page's script.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// top is the head of a page.
func (d *Dashboard) top(r renderer, at looked, alerts []floor.Alert) topModel {
	m := topModel{Drawn: r.drawn(), Title: d.options.Name}
	open := len(alerts)
	for i := range alerts {
		a := &alerts[i]
		if key := awayKeys[a.Code]; key != "" && a.Standing > 0 {
			m.Away = append(m.Away, awayModel{Text: r.say(key), Since: stamp(a.Raised), Clock: r.clock(a.Raised)})
		}
	}
	m.Links = append(m.Links,
		linkModel{Name: r.say("pit.floor"), Where: "/", Here: at.page == pageFloor},
		linkModel{Name: r.say("pit.alerts"), Where: "/alerts", Here: at.page == pageAlerts, Count: number(open)})
	if d.options.Group != nil {
		m.Links = append(m.Links, linkModel{Name: r.say("pit.group"), Where: "/group", Here: at.page == pageGroup})
	}
	if at.who.May(Technician) {
		m.Links = append(m.Links, linkModel{Name: r.say("fleet.title"), Where: "/fleet", Here: at.page == pageFleet})
	}
	if d.options.Trays != nil && at.who.May(Cashier) {
		m.Links = append(m.Links, r.traysLink(d.waiting(at.who), at.page == pageTrays))
	}
	m.Links = append(m.Links, r.links(d.options.Links, at.who)...)
	if open > 0 {
		one := d.alert(r, at.who, &alerts[0])
		m.Worst = &one
		if open > 1 {
			m.More = r.language.Count("pit-more", open-1)
		}
	} else {
		m.Calm = r.say("pit.calm")
	}
	return m
}

// traysLink leads to the trays, of whose slips so many wait for who looks. Its label begins with what it shows, so that
// who speaks to the page may say what they see.
func (r renderer) traysLink(waiting int, here bool) linkModel {
	m := linkModel{Name: r.say("trays.title"), Where: "/trays", Here: here, Count: number(waiting)}
	if waiting > 0 {
		m.Calls = m.Name + " " + m.Count + ": " + r.say("trays.wait-for-you")
	}
	return m
}

// menu is what somebody may do about themselves and others: a stranger, nothing but what is for strangers.
func (r renderer) menu(all []Link, who people.Person) []linkModel {
	stranger := who.Name == ""
	return r.links(slices.DeleteFunc(slices.Clone(all), func(l Link) bool { return l.Strangers != stranger }), who)
}

// links are those that somebody may follow.
func (r renderer) links(all []Link, who people.Person) (may []linkModel) {
	for _, l := range all {
		if who.May(l.Least) {
			may = append(may, linkModel{Name: r.say(l.Key), Where: l.Where, Posts: l.Posts})
		}
	}
	return may
}

// awayKeys are the texts of the alerts without whose end what is shown is old.
var awayKeys = map[string]string{floor.BrokerLost: "pit.broker-away", floor.StoreFailing: "pit.store-away"}

var shapes = site.MarkupText(web.Shapes())
