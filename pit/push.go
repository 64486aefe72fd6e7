package pit

import (
	"context"
	"fmt"

	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/notify"
	"github.com/sabot-table/sabot/pit/people"
)

// calling calls people on their browsers, in the words of the pages.
type calling struct {
	*notify.Pusher
	say func(language string, a *floor.Alert) notify.Text
}

// pushKey is the kind of key by which push services know the pit.
var pushKey = securefile.KeyKind{Make: "sabot-pit", User: "sabot-pit", Kept: "browsers are called with it"}

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
	all.Pusher, err = notify.New(notify.Options{
		Floor: p.Floor, Store: p.Store, Turn: p.turn(), Key: key, Contact: c.Alerts.PushContact,
		Allowed: c.Alerts.PushServices,
		Role: func(ctx context.Context, name string) (people.Role, error) {
			return people.RoleOfAll(ctx, p.Store, name)
		},
		Say: func(language string, a *floor.Alert) notify.Text { return all.say(language, a) }, Log: p.log,
	})
	return all, err
}
