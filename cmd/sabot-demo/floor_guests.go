//go:build !onetable

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/people/login"
)

// guestPassword is that of all who may log in to the floor's page: everything on it is invented.
const guestPassword = "everything simulated"

// byDemo is who adds them, in the pit's log.
var byDemo = people.Actor{Name: "sabot-demo"}

// guest is the name by which each role can be tried.
func guest(role people.Role) string { return "demo-" + role.String() }

// guests are the names of all, for people to read.
func guests() string {
	var names []string
	for _, role := range people.Roles() {
		names = append(names, guest(role))
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// addGuests lets somebody in for each role, so that each can be tried.
func (p *floorPit) addGuests(ctx context.Context) error {
	for _, role := range people.Roles() {
		_, err := p.people.Add(ctx, byDemo, guest(role), role, guestPassword)
		if err != nil && !errors.Is(err, people.ErrThere) {
			return fmt.Errorf("adding %s to the people of the floor's page: %w", guest(role), err)
		}
	}
	return nil
}

// strangers is who does, in the log, what somebody does who has not logged in. Nobody can have this name.
const strangers = "not logged in"

// openDoor is a door that lets in those who have not logged in, too: the page can be reached from this machine alone.
type openDoor struct{ *login.Door }

// Who is who has logged in; whoever has not may do everything, and is asked for a name.
func (d openDoor) Who(r *http.Request, watches bool) (people.Person, context.Context, func(), bool) {
	if who, during, done, known := d.Door.Who(r, watches); known {
		return who, during, done, true
	}
	return people.Person{Role: dashboard.Manager}, r.Context(), func() {}, true
}
