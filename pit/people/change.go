package people

import (
	"context"
	"slices"
	"time"

	"github.com/sabot-table/sabot/internal/alike"
	"github.com/sabot-table/sabot/table/authority"
)

// All returns all people by name, and how many sessions each has; also those who were removed.
func (p *People) All(ctx context.Context) (all []Person, sessions map[string][]Session, err error) {
	sessions = map[string][]Session{}
	err = p.o.Store.ReadPeople(ctx, func(tx Tx) (err error) {
		if all, err = tx.Persons(); err != nil {
			return err
		}
		now := time.Now()
		for _, one := range all {
			open, err := tx.Sessions(one.Name)
			if err != nil {
				return err
			}
			over := func(s Session) bool {
				_, in, e := p.present(tx, s.ID, now)
				err = e
				return !in
			}
			if open = slices.DeleteFunc(open, over); err != nil {
				return err
			}
			sessions[one.Name] = open
		}
		return nil
	})
	return all, sessions, err
}

// Add adds a person, who enters with password, or, if that is "", with the starting password
// that Add returns, and then chooses one. Sites may be left out for all.
func (p *People) Add(ctx context.Context, by Actor, name string, role Role, password string, sites ...Sites) (
	start string, err error,
) {
	if authority.CheckName(name) != nil {
		return "", ErrName
	}
	if !roleNames.Has(role) {
		return "", ErrRole
	}
	one := Person{Name: name, Role: role, Added: now()}
	detail := role.String()
	for _, s := range sites {
		if one.Sites = s; s.Limited() {
			detail += ", " + s.String()
		}
	}
	if start, err = one.give(password); err != nil {
		return "", err
	}
	return start, p.decide(ctx, by, func(w *work) error {
		if _, there, err := w.Person(name); err != nil || there {
			return orElse(err, ErrThere)
		}
		if like, err := w.like(name); err != nil || like {
			return orElse(err, ErrAlike)
		}
		if err := w.PutPerson(one); err != nil {
			return err
		}
		return w.note(by, PersonAdded, name, detail)
	})
}

// like reports whether a name would be taken for one that somebody has, or had.
func (w *work) like(name string) (bool, error) {
	all, err := w.Persons()
	if err != nil {
		return false, err
	}
	var names alike.Names
	for _, one := range all {
		names.Add(one.Name)
	}
	return names.Like(name) != "", nil
}

// decide makes a change that takes a manager.
func (p *People) decide(ctx context.Context, by Actor, what func(*work) error) error {
	return p.change(ctx, func(w *work) error {
		if err := p.may(w, by); err != nil {
			return err
		}
		return what(w)
	})
}

// give gives a person a password, or a starting one where it is "".
func (one *Person) give(password string) (start string, err error) {
	one.StartUntil = time.Time{}
	if password == "" {
		start = startingPassword()
		password, one.StartUntil = start, now().Add(startFor)
	} else if err := CheckPassword(one.Name, password); err != nil {
		return "", err
	}
	one.Password = authority.NewHash(password).String()
	return start, nil
}

// SetRole gives a person another role, and ends their sessions.
func (p *People) SetRole(ctx context.Context, by Actor, name string, role Role) error {
	if !roleNames.Has(role) {
		return ErrRole
	}
	return p.amend(ctx, by, name, func(w *work, one *Person) error {
		switch {
		case one.Subject != "":
			return ErrProvider
		case one.Role == role:
			return ErrNoNeed
		}
		detail := one.Role.String() + " → " + role.String()
		one.Role = role
		return w.note(by, RoleChanged, name, detail)
	})
}

// Reset gives a person password, or, if that is "", a starting password, which it returns; it
// ends their sessions, and the pauses of their wrong tries.
func (p *People) Reset(ctx context.Context, by Actor, name, password string) (start string, err error) {
	given := Person{Name: name}
	if start, err = given.give(password); err != nil {
		return "", err
	}
	return start, p.amend(ctx, by, name, func(w *work, one *Person) error {
		if one.Subject != "" {
			return ErrProvider
		}
		one.Password, one.StartUntil = given.Password, given.StartUntil
		if err := w.ForgetBrowsers(name, 0); err != nil {
			return err
		}
		if err := w.endPauses(name); err != nil {
			return err
		}
		return w.note(by, PasswordReset, name, "")
	})
}

// Remove takes a person's right to enter, and ends their sessions. The name stays theirs.
func (p *People) Remove(ctx context.Context, by Actor, name string) error {
	return p.amend(ctx, by, name, func(w *work, one *Person) error {
		one.Removed = now()
		if err := w.ForgetBrowsers(name, 0); err != nil {
			return err
		}
		return w.note(by, PersonRemoved, name, "")
	})
}

// amend changes a person who is there, other than the one who does it, and ends their sessions.
func (p *People) amend(ctx context.Context, by Actor, name string, what func(*work, *Person) error) error {
	if by.Name == name {
		return ErrYourself
	}
	return p.decide(ctx, by, func(w *work) error {
		one, there, err := w.Person(name)
		switch {
		case err != nil || !there:
			return orElse(err, ErrNobody)
		case !one.Here():
			return ErrRemoved
		}
		if err := what(w, &one); err != nil {
			return err
		}
		if err := w.PutPerson(one); err != nil {
			return err
		}
		return w.endAll(name, ID{})
	})
}

// Restore lets a person in again who was removed, with a role; one with a password gets a
// starting password, which it returns.
func (p *People) Restore(ctx context.Context, by Actor, name string, role Role) (start string, err error) {
	if !roleNames.Has(role) {
		return "", ErrRole
	}
	given := Person{Name: name}
	if start, err = given.give(""); err != nil {
		return "", err
	}
	err = p.decide(ctx, by, func(w *work) error {
		one, there, err := w.Person(name)
		switch {
		case err != nil || !there:
			return orElse(err, ErrNobody)
		case one.Here():
			return ErrNoNeed
		}
		one.Removed, one.Role = time.Time{}, role
		if one.Subject == "" {
			one.Password, one.StartUntil = given.Password, given.StartUntil
		} else {
			start = ""
		}
		if err := w.PutPerson(one); err != nil {
			return err
		}
		return w.note(by, PersonRestored, name, role.String())
	})
	if err != nil {
		return "", err
	}
	return start, nil
}

// EndPause ends the pauses of all who try a person's name.
func (p *People) EndPause(ctx context.Context, by Actor, name string) error {
	return p.decide(ctx, by, func(w *work) error {
		if _, there, err := w.Person(name); err != nil || !there {
			return orElse(err, ErrNobody)
		}
		if err := w.endPauses(name); err != nil {
			return err
		}
		return w.note(by, PauseEnded, name, "")
	})
}

// endPauses forgets the wrong tries of a name, but for those from known browsers.
func (w *work) endPauses(name string) error {
	if err := w.ForgetTries(pairKey(name)); err != nil {
		return err
	}
	return w.PutTries(nameKey(name), Tries{})
}

// Choose gives a person in a session the password that they choose. The one that they have must
// be right. Their other sessions end.
func (p *People) Choose(ctx context.Context, who Present, had, password string) error {
	name := who.Person.Name
	if who.Person.Subject != "" {
		return ErrProvider
	}
	if err := CheckPassword(name, password); err != nil {
		return err
	}
	if had == password {
		return ErrPasswordSame
	}
	free, err := p.slot(ctx, true)
	if err != nil {
		return err
	}
	defer free()
	a := Attempt{Name: name, From: who.Session.From}
	all := p.counters(name, a.From, true, who.Session.ID)
	one, err := p.try(ctx, a, all)
	if err != nil {
		return err
	}
	if !one.matches(had) {
		return p.noteWrong(ctx, a, one, all)
	}
	hash := authority.NewHash(password).String()
	return p.change(ctx, func(w *work) error {
		now, in, err := p.present(w, who.Session.ID, time.Now())
		if err != nil || !in || now.Person.Password != one.Password {
			return orElse(err, ErrNoSession)
		}
		now.Person.Password, now.Person.StartUntil = hash, time.Time{}
		if err := w.PutPerson(now.Person); err != nil {
			return err
		}
		if err := takeBack(w, all); err != nil {
			return err
		}
		if err := w.endAll(name, who.Session.ID); err != nil {
			return err
		}
		return w.note(who.Actor(), PasswordChanged, name, "")
	})
}

// orElse is the first of two errors.
func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

func now() time.Time { return time.Now().UTC().Round(0) }
