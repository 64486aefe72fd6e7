package publish

import (
	"context"
	"errors"

	"github.com/sabot-table/sabot/pit/transport"
)

// dialer makes connections to one broker.
type dialer struct {
	*transport.Dialer
	config *Config
}

// newDialer fills in the config and checks it.
func newDialer(config *Config) (dialer, error) {
	config.fill()
	if err := config.validate(); err != nil {
		return dialer{}, err
	}
	d, err := transport.New(config.transport())
	return dialer{d, config}, err
}

// connect makes a new client and returns the link over it; a nil will means none.
func (d dialer) connect(ctx context.Context, will *transport.Will) (*link, error) {
	conn, err := d.Connect(ctx, will)
	if err != nil {
		return nil, err
	}
	return newLink(conn, d.config.Window), nil
}

// connectToAny tries each broker of the list once.
func (d dialer) connectToAny(ctx context.Context) (*link, error) {
	for {
		link, err := d.connect(ctx, nil)
		if err == nil || ctx.Err() != nil || !d.Next() {
			return link, err
		}
	}
}

// explain adds to an error what to do about it.
func (d dialer) explain(err error) error {
	if _, silent := errors.AsType[silentError](err); silent {
		return err
	}
	return d.Explain(err)
}
