package pit

import (
	"slices"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/figures"
	"github.com/sabot-table/sabot/pit/people"
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
	all, err := p.pagesFor(o, "")
	if err != nil {
		return nil, err
	}
	all.Within = func(sites people.Sites) (dashboard.Options, error) { return p.pagesFor(o, sites) }
	d, err := dashboard.New(all)
	if err != nil {
		return nil, err
	}
	if o.calls != nil {
		o.calls.say = d.Notice
	}
	return d, nil
}

// pagesFor are the pages for somebody who is limited to sites, or to none. What is of all sites together has no page
// for the former: how the room is arranged, jackpots of several tables, who has signed; and nobody calls them.
func (p *Pit) pagesFor(o PagesOptions, sites people.Sites) (all dashboard.Options, err error) {
	limited, whole := sites.Limited(), rounds{p.Store, o.Houses}
	var of kept = whole
	all = dashboard.Options{
		Floor: attended{p.Floor, p.ear}, Kept: p.Store.Kept, Close: figures.Root + "/close", People: o.People,
		Audit: o.Audit, Name: o.Name, Language: o.Language, Zone: p.Store.Day().Zone,
		Menu: p.menu(o, limited), Log: p.log,
		Links: []dashboard.Link{
			{Key: "pit.figures", Where: figures.Root, Least: dashboard.Manager},
			{Key: "pit.figures-report", Where: figures.Root + "/report", Least: dashboard.Supervisor},
		},
	}
	if p.Desk != nil {
		all.Commands = p.Desk
	}
	if limited {
		of = storeWithin{whole, sites}
		all.Floor = floorWithin{attended{p.Floor, p.ear}, sites}
		if p.Desk != nil {
			all.Commands = deskWithin{p.Desk, sites}
		}
	} else {
		all.Rooms, all.Jackpots = p.Store, p.Store
		if o.calls != nil {
			all.Push = o.calls
		}
	}
	all.Past, all.Ended, all.Trays = of, of, of
	if p.config.Sites != nil {
		all.Group = group{p, of, sites}
	}
	all.Pages, err = p.figuresPages(o, of, limited)
	return all, err
}

// menu is what is seldom asked for, and what people may do about themselves and others.
func (p *Pit) menu(o PagesOptions, limited bool) []dashboard.Link {
	all := append([]dashboard.Link{
		{Key: "word.past", Where: "/recall", Least: dashboard.Supervisor},
		{Key: "pit.odds", Where: figures.Root + "/odds", Least: dashboard.Manager},
	}, o.Menu...)
	if p.meters != nil {
		all = append(all, dashboard.Link{
			Key: "pit.jackpots", Where: "/jackpots", Least: dashboard.Supervisor, Whole: true,
		})
	}
	return slices.DeleteFunc(all, func(l dashboard.Link) bool { return limited && l.Whole })
}

// Menu is what people may do about themselves and others, at the door's pages.
func Menu() []dashboard.Link {
	return []dashboard.Link{
		{Key: "people.title", Where: "/people", Least: dashboard.Manager, Whole: true},
		{Key: "people.log-title", Where: "/log", Least: dashboard.Manager, Whole: true},
		{Key: "people.password", Where: "/password", Least: dashboard.Viewer},
		{Key: "people.leave", Where: "/leave", Least: dashboard.Viewer, Posts: true},
	}
}
