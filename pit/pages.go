package pit

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/web/site"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/figures"
	"github.com/sabot-table/sabot/table/profile"
)

// PagesOptions say what the pit's pages are like.
type PagesOptions struct {
	// Name is what the floor is called, and Language what its pages speak until a screen chooses another.
	Name     string
	Language display.Language
	// Houses are those by whose rules the kept rounds may have been played.
	Houses profile.Book
	// People says who asks; nil lets everybody on this machine do everything.
	People dashboard.People
	// Audit is the log of what people do; nil where nobody is asked who they are.
	Audit dashboard.Audit
	// Menu are the pages for what people may do about themselves and others; the odds come before them.
	Menu []dashboard.Link

	calls *calling // nil for a pit that calls nobody
}

// Pages are the pit's pages.
func (p *Pit) Pages(o PagesOptions) (*site.Site, error) {
	d, err := p.dashboard(o)
	if err != nil {
		return nil, err
	}
	return d.Handler(), nil
}

func (p *Pit) dashboard(o PagesOptions) (*dashboard.Dashboard, error) {
	sums, err := p.figuresPages(o)
	if err != nil {
		return nil, err
	}
	menu := append([]dashboard.Link{
		{Key: "word.past", Where: "/recall", Least: dashboard.Supervisor},
		{Key: "pit.odds", Where: figures.Root + "/odds", Least: dashboard.Manager},
	}, o.Menu...)
	if p.meters != nil {
		menu = append(menu, dashboard.Link{Key: "pit.jackpots", Where: "/jackpots", Least: dashboard.Supervisor})
	}
	all := dashboard.Options{
		Floor: attended{p.Floor, p.ear}, Past: rounds{p.Store, o.Houses}, Kept: p.Store.Kept, Rooms: p.Store,
		Ended: p.Store, Trays: p.Store, Jackpots: p.Store, Close: figures.Root + "/close", People: o.People,
		Audit: o.Audit,
		Name:  o.Name, Language: o.Language, Menu: menu, Log: p.log,
		Links: []dashboard.Link{
			{Key: "pit.figures", Where: figures.Root, Least: dashboard.Manager},
			{Key: "pit.figures-report", Where: figures.Root + "/report", Least: dashboard.Supervisor},
		}, Pages: sums,
	}
	if o.calls != nil {
		all.Push = o.calls
	}
	if p.Desk != nil {
		all.Commands = p.Desk
	}
	d, err := dashboard.New(all)
	if err != nil {
		return nil, err
	}
	if o.calls != nil {
		o.calls.say = d.Notice
	}
	return d, nil
}

// Menu is what people may do about themselves and others, at the door's pages.
func Menu() []dashboard.Link {
	return []dashboard.Link{
		{Key: "people.title", Where: "/people", Least: dashboard.Manager},
		{Key: "people.log-title", Where: "/log", Least: dashboard.Manager},
		{Key: "people.password", Where: "/password", Least: dashboard.Viewer},
		{Key: "people.leave", Where: "/leave", Least: dashboard.Viewer, Posts: true},
	}
}
