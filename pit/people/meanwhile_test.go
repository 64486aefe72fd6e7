package people_test

import (
	"context"
	"errors"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/pit/people"
)

// interrupted is a store of which somebody else is quicker: what they do is done before the next change.
type interrupted struct {
	people.Store
	first func()
}

func (s *interrupted) ChangePeople(ctx context.Context, change func(people.Tx) error) error {
	if first := s.first; first != nil {
		s.first = nil
		first()
	}
	return s.Store.ChangePeople(ctx, change)
}

// TestAttackDecidedMeanwhile: a manager who was asked for their session, and loses it or their role before the change
// is made, changes nothing any more.
func TestAttackDecidedMeanwhile(t *testing.T) {
	ends := map[string]func(p *people.People, token string) error{
		"removed": func(p *people.People, _ string) error { return p.Remove(t.Context(), console, "anna") },
		"another role": func(p *people.People, _ string) error {
			return p.SetRole(t.Context(), console, "anna", people.Viewer)
		},
		"another password": func(p *people.People, _ string) error {
			_, err := p.Reset(t.Context(), console, "anna", "")
			return err
		},
		"signed out": func(p *people.People, token string) error { return p.Leave(t.Context(), token, here) },
	}
	changes := map[string]func(p *people.People, by people.Actor) error{
		"add": func(p *people.People, by people.Actor) error {
			_, err := p.Add(t.Context(), by, "mallory", people.Manager, annas)
			return err
		},
		"role": func(p *people.People, by people.Actor) error {
			return p.SetRole(t.Context(), by, "bert", people.Manager)
		},
		"reset": func(p *people.People, by people.Actor) error {
			_, err := p.Reset(t.Context(), by, "bert", annas+annas)
			return err
		},
		"remove": func(p *people.People, by people.Actor) error { return p.Remove(t.Context(), by, "bert") },
		"restore": func(p *people.People, by people.Actor) error {
			_, err := p.Restore(t.Context(), by, "carl", people.Manager)
			return err
		},
		"let in": func(p *people.People, by people.Actor) error { return p.EndPause(t.Context(), by, "bert") },
	}
	f := open(t)
	f.add("bert", people.Viewer)
	f.add("carl", people.Viewer)
	f.did(f.Remove(t.Context(), console, "carl"))
	in := f.anna()
	tries, through := 0, 0
	for end, ends := range ends {
		for what, change := range changes {
			store := &interrupted{Store: f.store.Copy()} // each time these people, and anna's session
			p, err := people.New(people.Options{Store: store})
			if err != nil {
				t.Fatal(err)
			}
			who, known, err := p.Session(t.Context(), in.Token, false)
			if err != nil || !known {
				t.Fatal(err)
			}
			store.first = func() {
				if err := ends(p, in.Token); err != nil {
					t.Fatal(err)
				}
			}
			tries++
			if err := change(p, who.Actor()); !errors.Is(err, people.ErrNoSession) {
				through++
				t.Errorf("%s by a manager who was %s meanwhile: %v", what, end, err)
			}
		}
	}
	attack.Report(t, "pit: changes of people by who was a manager when asking", tries, through)
}
