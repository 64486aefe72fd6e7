package notify

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/people"
)

// addressee is a browser and the role of who uses it.
type addressee struct {
	Subscription
	role people.Role
}

// called says whether a browser is called for a role: those of that role are, and where there is none, those whose role
// includes it, so that nobody is called in vain.
func (a addressee) called(called floor.Role, all []addressee) bool {
	role, err := people.ParseRole(string(called))
	if err != nil {
		return false
	}
	if slices.ContainsFunc(all, func(one addressee) bool { return one.role == role }) {
		return a.role == role
	}
	return a.role.May(role)
}

// longestLook is how long the store may take: what was known before calls people, too.
const longestLook = 2 * time.Second

// look reads who is to be called. While the store is down they are the same as before.
func (p *Pusher) look(ctx context.Context) []addressee {
	ctx, stop := context.WithTimeout(ctx, longestLook)
	defer stop()
	p.mu.Lock()
	p.looks++
	nth := p.looks
	p.mu.Unlock()
	known, err := p.read(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.options.Log.Warn("pit: the people to call cannot be read; the pit calls the same as before", "error", err)
		return slices.Clone(p.known)
	}
	if nth > p.noted {
		p.known, p.noted = slices.DeleteFunc(known, func(a addressee) bool { return p.ended[a.Endpoint] >= nth }), nth
		maps.DeleteFunc(p.ended, func(_ string, last int) bool { return last < nth })
	}
	return slices.Clone(p.known)
}

func (p *Pusher) read(ctx context.Context) (known []addressee, err error) {
	all, err := p.options.Store.Subscriptions(ctx)
	if err != nil {
		return nil, err
	}
	roles := map[string]people.Role{}
	for _, s := range all {
		role, asked := roles[s.Person]
		if !asked {
			if role, err = p.options.Role(ctx, s.Person); err != nil {
				return nil, err
			}
			roles[s.Person] = role
		}
		switch {
		case role == 0, s.Key != p.public, p.options.Allowed.Allow(s.Endpoint) != nil:
			// Nobody who may be called, or nobody whom this pit can call.
			if err := p.options.Store.DropSubscription(ctx, s.Endpoint); err != nil {
				return nil, err
			}
		default:
			known = append(known, addressee{s, role})
		}
	}
	return known, nil
}
