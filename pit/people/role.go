package people

import (
	"context"
	"slices"

	"github.com/sabot-table/sabot/table/plaintext"
)

// Role is what a person may do. The zero value is not a role, and may do nothing.
type Role uint8

// The roles. They are not a ladder: a technician looks after the computers and sees no money,
// a supervisor looks after the rounds, and a manager may do what both may.
const (
	// Viewer may look at the floor and at each table as it is. A screen on the wall is one.
	Viewer Role = iota + 1
	// Cashier may also see the trays, say what the cage has sent and received, and close a gaming day: who counts.
	Cashier
	// Supervisor may also look at past rounds, and take care of alerts and tables.
	Supervisor
	// Technician may also see how the tables' computers do.
	Technician
	// Manager may also see the figures, decide who may enter, and read the log.
	Manager
)

var roleNames = plaintext.Enum[Role]{
	Viewer: "viewer", Cashier: "cashier", Supervisor: "supervisor", Technician: "technician",
	Manager: "manager",
}

// includes has for each role those whose rights it has besides its own.
var includes = [...][]Role{
	Viewer:     nil,
	Cashier:    {Viewer},
	Supervisor: {Viewer, Cashier},
	Technician: {Viewer},
	Manager:    {Viewer, Cashier, Supervisor, Technician},
}

// Roles are all roles, the one with the least rights first.
func Roles() []Role { return slices.Collect(roleNames.Every) }

// May reports whether a role may do what takes at least another.
func (r Role) May(least Role) bool {
	return roleNames.Has(r) && roleNames.Has(least) && (r == least || slices.Contains(includes[r], least))
}

// RoleOfAll is the role of a person at all sites now, none for somebody who may not enter, or is limited to some.
func RoleOfAll(ctx context.Context, kept Store, name string) (role Role, err error) {
	err = kept.ReadPeople(ctx, func(tx Tx) error {
		one, known, err := tx.Person(name)
		if known && one.Here() && !one.Sites.Limited() {
			role = one.Role
		}
		return err
	})
	return role, err
}

// String returns the role's name in configurations and commands; the zero value's is empty.
func (r Role) String() string { return roleNames.Name(r) }

// ParseRole reads a role's name.
func ParseRole(name string) (r Role, err error) {
	err = roleNames.Read(&r, []byte(name), "role")
	return r, err
}

// MarshalText writes the role's name.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what ParseRole does.
func (r *Role) UnmarshalText(text []byte) (err error) {
	*r, err = ParseRole(string(text))
	return err
}
