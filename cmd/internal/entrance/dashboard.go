package entrance

import (
	"context"
	"net/http"

	"github.com/sabot-table/sabot/pit/dashboard"
)

var _ dashboard.People = (*Entrance)(nil)

// Who tells the dashboard who asks.
func (e *Entrance) Who(r *http.Request, watches bool) (who dashboard.Person, during context.Context, done func(), known bool) {
	present, during, done, known := e.Door.Who(r, watches)
	if !known {
		return who, nil, nil, false
	}
	return dashboard.Person{Name: present.Person.Name, Role: dashboard.Role(present.Person.Role.String())}, during, done, true
}

// Links are the ways from the dashboard to the door's pages.
func Links() []dashboard.Link {
	return []dashboard.Link{
		{Key: "people.title", Where: "/people", Least: dashboard.Manager},
		{Key: "people.log-title", Where: "/log", Least: dashboard.Manager},
		{Key: "people.account", Where: "/password", Least: dashboard.Viewer},
	}
}
