package pit

import (
	"context"
	"net/http"

	"github.com/sabot-table/sabot/pit/dashboard"
)

var (
	_ dashboard.People  = (*Entrance)(nil)
	_ dashboard.Audit   = (*Entrance)(nil)
	_ dashboard.Refuser = (*Entrance)(nil)
)

// Who tells the dashboard who asks.
func (e *Entrance) Who(r *http.Request, watches bool) (who dashboard.Person, during context.Context, done func(),
	known bool,
) {
	present, during, done, known := e.Door.Who(r, watches)
	if !known {
		return who, nil, nil, false
	}
	return dashboard.Person{Name: present.Person.Name, Role: present.Person.Role}, during, done, true
}

// Refuse says that somebody's role is not enough for a page.
func (e *Entrance) Refuse(w http.ResponseWriter, r *http.Request) { e.Door.Refuse(w, r) }

// Note writes down for the dashboard what somebody is about to do.
func (e *Entrance) Note(r *http.Request, about, detail string) error {
	return e.Door.Note(r, about, detail)
}

// Outcome writes down how it ended.
func (e *Entrance) Outcome(r *http.Request, detail string) { e.Door.Outcome(r, detail) }

// Menu is what people may do about themselves and others, at the door's pages.
func Menu() []dashboard.Link {
	return []dashboard.Link{
		{Key: "people.title", Where: "/people", Least: dashboard.Manager},
		{Key: "people.log-title", Where: "/log", Least: dashboard.Manager},
		{Key: "people.password", Where: "/password", Least: dashboard.Viewer},
		{Key: "people.leave", Where: "/leave", Least: dashboard.Viewer, Posts: true},
	}
}
