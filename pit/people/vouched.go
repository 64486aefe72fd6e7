package people

import (
	"context"
	"time"

	"github.com/sabot-table/sabot/table/authority"
)

// Vouched is somebody for whom a provider of identities vouches.
type Vouched struct {
	// Subject is the provider's issuer and the person's name there, apart by a space. It
	// stays, while names may change.
	Subject, Name string
	// Role is that of the person's groups, 0 for none, and Sites are those to which they are limited.
	Role  Role
	Sites Sites
}

// EnterVouched lets somebody in for whom a provider vouches. Who is new becomes a person of
// the pit; who has another role than before, or other sites, has them from now on, and other sessions end. The
// error is a *Refusal, or says why the store could not be read or written.
func (p *People) EnterVouched(ctx context.Context, v Vouched, a Attempt) (in Admitted, err error) {
	err = p.change(ctx, func(w *work) error {
		one, there, err := w.PersonBySubject(v.Subject)
		if err != nil {
			return err
		}
		if !there {
			if one, w.refused, err = w.newcomer(v); err != nil {
				return err
			}
		}
		if w.refused == nil {
			w.refused = hindrance(one, v)
		}
		if w.refused != nil {
			if err := w.endAll(one.Name, ID{}); err != nil {
				return err
			}
			return w.note(Actor{Name: one.Name, From: a.From}, Refused, v.Name, string(w.refused.Why))
		}
		if err := w.becomes(one, v, a.From, !there); err != nil {
			return err
		}
		one.Role, one.Sites = v.Role, v.Sites
		in, err = w.admit(one, a, time.Now(), true)
		return err
	})
	return in, err
}

// newcomer is a person whom the pit does not know yet.
func (w *work) newcomer(v Vouched) (Person, *Refusal, error) {
	if authority.CheckName(v.Name) != nil {
		return Person{}, &Refusal{Why: WhyBadName}, nil
	}
	if _, taken, err := w.Person(v.Name); err != nil || taken {
		return Person{}, &Refusal{Why: WhyNameTaken}, err
	}
	if like, err := w.like(v.Name); err != nil || like {
		return Person{}, &Refusal{Why: WhyNameTaken}, err
	}
	return Person{Name: v.Name, Subject: v.Subject, Added: now()}, nil, nil
}

// hindrance is why a person may not enter for whom a provider vouches.
func hindrance(one Person, v Vouched) *Refusal {
	switch {
	case !one.Here():
		return &Refusal{Why: WhyRemoved}
	case !roleNames.Has(v.Role):
		return &Refusal{Why: WhyNoRole}
	}
	return nil
}

// becomes gives a person the role and the sites that their groups have.
func (w *work) becomes(one Person, v Vouched, from string, added bool) error {
	before := one
	if before.Role == v.Role && before.Sites == v.Sites {
		return nil
	}
	one.Role, one.Sites = v.Role, v.Sites
	if err := w.PutPerson(one); err != nil {
		return err
	}
	by := Actor{From: from}
	if added {
		return w.note(by, PersonAdded, one.Name, v.Role.String())
	}
	var err error
	if before.Role != v.Role {
		err = w.note(by, RoleChanged, one.Name, before.Role.String()+" → "+v.Role.String())
	}
	if err == nil && before.Sites != v.Sites {
		err = w.note(by, SitesChanged, one.Name, before.Sites.String()+" → "+v.Sites.String())
	}
	if err != nil {
		return err
	}
	return w.endAll(one.Name, ID{})
}

// VouchFailed puts on record why a provider's answer let nobody in.
func (p *People) VouchFailed(ctx context.Context, from, why string) error {
	return p.Note(ctx, Actor{From: from}, Refused, "", string(WhyProvider)+": "+why)
}
