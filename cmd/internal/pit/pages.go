package pit

import (
	"net/http"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/dashboard"
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
	// Menu are the pages for what people may do about themselves and others.
	Menu []dashboard.Link
}

// Pages are the pit's pages.
func (p *Pit) Pages(o PagesOptions) (http.Handler, error) {
	past := kept{p.Store, o.Houses}
	d, err := dashboard.New(dashboard.Options{
		Floor: p.Floor, Past: past, Kept: p.news.of, Rooms: past, People: o.People, Name: o.Name, Language: o.Language, Menu: o.Menu, Log: p.log,
	})
	if err != nil {
		return nil, err
	}
	return d.Handler(), nil
}
