package web

import (
	"context"
	"errors"
	"net/http"
)

// Role is what a screen may do. Each may do all that those before it may.
type Role uint8

// The roles. Nobody is who has no session; a display on this machine alone asks for
// none, and takes every request as a Supervisor's.
const (
	Nobody Role = iota + 1
	// Guest may look at what the house announces to its guests, and at nothing else.
	Guest
	// View may look at the table as it is now.
	View
	// Dealer may also put in what a dealer does, look at past rounds, and sign in.
	Dealer
	// Supervisor may also enter a supervisor's PIN, which is still asked for.
	Supervisor
	// Own is the role of rows alone: they are for a Supervisor's screen that is one of the table's own.
	Own
)

var roleNames = [...]string{
	Nobody: "nobody", Guest: "guest", View: "view", Dealer: "dealer", Supervisor: "supervisor", Own: "own",
}

func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return ""
}

var errNoRole = errors.New("write guest, view, dealer or supervisor")

// ParseRole reads a role that a screen may have.
func ParseRole(name string) (Role, error) {
	for r := Guest; r <= Supervisor; r++ {
		if roleNames[r] == name {
			return r, nil
		}
	}
	return 0, errNoRole
}

// MarshalText writes the role's name.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what ParseRole does.
func (r *Role) UnmarshalText(text []byte) (err error) {
	*r, err = ParseRole(string(text))
	return err
}

type roleKey struct{}

// roleOf is what the screen that asks may do: a page that it is shown has no keys
// that it may not press. Where nobody has to enter, everybody may do everything.
func roleOf(r *http.Request) Role {
	if role, asked := r.Context().Value(roleKey{}).(Role); asked {
		return role
	}
	return Supervisor
}

func withRole(ctx context.Context, role Role) context.Context {
	return context.WithValue(ctx, roleKey{}, role)
}
