package pit

import (
	"context"
	"fmt"

	"github.com/sabot-table/sabot/internal/keyfile"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/push"
	"github.com/sabot-table/sabot/pit/store"
)

// calling calls people on their browsers, in the words of the pages.
type calling struct {
	*push.Pusher
	say func(language string, a *floor.Alert) push.Text
}

// pushKey is the kind of key by which push services know the pit.
var pushKey = keyfile.Kind{Make: "sabot-pit", User: "sabot-pit", Kept: "browsers are called with it"}

// openPush gets ready to call browsers, nil for a pit that calls none.
func openPush(c Config, p *Pit) (*calling, error) {
	if len(c.Alerts.PushServices) == 0 {
		return nil, nil
	}
	key, err := pushKey.OrNewP256(c.pushKeyFile())
	if err != nil {
		return nil, fmt.Errorf("the pit's key for calling browsers: %w; or move it away, and a new one is made", err)
	}
	all := &calling{}
	all.Pusher, err = push.New(push.Options{
		Floor: p.Floor, Store: browsers{p.Store}, Key: key, Contact: c.Alerts.PushContact,
		Allowed: c.Alerts.PushServices,
		Role:    roleOf(p.Store), Includes: includes, Log: p.log,
		Say: func(language string, a *floor.Alert) push.Text { return all.say(language, a) },
	})
	return all, err
}

// roleOf says what a person may do now, "" for somebody who may not enter.
func roleOf(kept people.Store) func(context.Context, string) (floor.Role, error) {
	return func(ctx context.Context, name string) (role floor.Role, err error) {
		err = kept.ReadPeople(ctx, func(tx people.Tx) error {
			one, known, err := tx.Person(name)
			if known && one.Here() {
				role = floor.Role(one.Role.String())
			}
			return err
		})
		return role, err
	}
}

// includes says whether a role may do what another does.
func includes(own, other floor.Role) bool {
	has, err := people.ParseRole(string(own))
	if err != nil {
		return false
	}
	least, err := people.ParseRole(string(other))
	return err == nil && has.May(least)
}

// browsers is the store as the calls use it.
type browsers struct{ *store.Store }

func (b browsers) Subscriptions(ctx context.Context) ([]push.Subscription, error) {
	kept, err := b.Browsers(ctx)
	list := make([]push.Subscription, len(kept))
	for i, one := range kept {
		list[i] = push.Subscription(one)
	}
	return list, err
}

func (b browsers) PutSubscription(ctx context.Context, s push.Subscription, most int) error {
	return b.PutBrowser(ctx, store.Browser(s), most)
}

func (b browsers) DropSubscription(ctx context.Context, endpoint string) error {
	return b.DropBrowser(ctx, endpoint)
}
