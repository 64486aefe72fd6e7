package dashboard

import (
	"context"
	"net/http"

	"github.com/sabot-table/sabot/pit/people"
)

// The roles.
const (
	Viewer     = people.Viewer
	Cashier    = people.Cashier
	Supervisor = people.Supervisor
	Technician = people.Technician
	Manager    = people.Manager
)

// People says who asks.
type People interface {
	// Who is who asks, without a name on a machine that asks nobody who they are; false is a stranger, who is led to
	// EnterPath. A page's stream watches: it is no sign that somebody is there. The context ends with the session, and
	// done is called when the request is over.
	Who(r *http.Request, watches bool) (who people.Person, during context.Context, done func(), known bool)
}

// Refuser is a People with a page that says, in the screen's language, that somebody may not see another.
type Refuser interface {
	Refuse(http.ResponseWriter, *http.Request)
}

// EnterPath is where strangers are led.
const EnterPath = "/enter"

type asking struct{}

// Who is who asks for a page of another part of the pit.
func Who(r *http.Request) people.Person { return who(r) }

// who is who asks.
func who(r *http.Request) people.Person {
	p, _ := r.Context().Value(asking{}).(people.Person)
	return p
}
