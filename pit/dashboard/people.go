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

// Person is who asks.
type Person struct {
	// Name is "" on a machine that asks nobody who they are.
	Name string
	Role people.Role
}

// May says whether the person may do what takes at least a role.
func (p Person) May(least people.Role) bool { return p.Role.May(least) }

// People says who asks.
type People interface {
	// Who is who asks; false is a stranger, who is led to EnterPath. A page's stream watches: it is no sign that
	// somebody is there. The context ends with the session, and done is called when the request is over.
	Who(r *http.Request, watches bool) (who Person, during context.Context, done func(), known bool)
}

// Refuser is a People with a page that says, in the screen's language, that somebody may not see another.
type Refuser interface {
	Refuse(http.ResponseWriter, *http.Request)
}

// EnterPath is where strangers are led.
const EnterPath = "/enter"

type asking struct{}

// Who is who asks for a page of another part of the pit.
func Who(r *http.Request) Person { return who(r) }

// who is who asks.
func who(r *http.Request) Person {
	p, _ := r.Context().Value(asking{}).(Person)
	return p
}
