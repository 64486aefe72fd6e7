package people

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"
)

// What is a thing that was done, by a name that stays. Other parts of the pit have their own.
type What string

// What this package writes into the log.
const (
	Entered         What = "entered"
	Left            What = "left"
	WrongPassword   What = "wrong-password"
	Paused          What = "paused"
	TriedInPause    What = "tried-in-pause"
	Refused         What = "refused"
	PasswordChanged What = "password-changed"
	PersonAdded     What = "person-added"
	RoleChanged     What = "role-changed"
	SitesChanged    What = "sites-changed"
	PasswordReset   What = "password-reset"
	PersonRemoved   What = "person-removed"
	PersonRestored  What = "person-restored"
	PauseEnded      What = "pause-ended"
	// Acted is a change that somebody made on another of the pit's pages, about which it was.
	Acted What = "acted"
)

// Whats are all of these.
func Whats() []What {
	return []What{
		Entered, Left, WrongPassword, Paused, TriedInPause, Refused, PasswordChanged, PersonAdded, RoleChanged,
		SitesChanged, PasswordReset, PersonRemoved, PersonRestored, PauseEnded, Acted,
	}
}

// Actor is who does something, and from where. One without a name is a command on the pit's
// own computer.
type Actor struct {
	Name, From string
	// Session is in which they do it, zero for a command: what takes a role is done only while the session lasts.
	Session ID
}

// mostDetail is how many bytes of an entry's texts are kept.
const mostDetail = 1000

// Note writes what somebody did into the log. It returns once that is durable: what is to be
// on record is noted before it is done.
func (p *People) Note(ctx context.Context, by Actor, what What, about, detail string) error {
	return p.change(ctx, func(w *work) error { return w.note(by, what, about, detail) })
}

// Log returns entries of the log, the newest first.
func (p *People) Log(ctx context.Context, q Query) (entries []Entry, err error) {
	if q.Most < 1 {
		return nil, errors.New("people: reading the log needs Most")
	}
	err = p.o.Store.ReadPeople(ctx, func(tx Tx) (err error) {
		entries, err = tx.Notes(q)
		return err
	})
	return entries, err
}

func (w *work) note(by Actor, what What, about, detail string) error {
	return w.Note(Entry{
		At: time.Now().UTC().Round(0), Who: by.Name, From: short(by.From), What: what,
		About: short(about), Detail: short(detail),
	})
}

// short cuts a text that is too long for the log, between two characters.
func short(text string) string {
	if len(text) <= mostDetail {
		return text
	}
	text = text[:mostDetail]
	for !utf8.ValidString(text) && text != "" {
		text = text[:len(text)-1]
	}
	return text + "…"
}
