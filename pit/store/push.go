package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/sabot-table/sabot/pit/notify"
)

var _ notify.Store = (*Store)(nil)

// Subscriptions are the browsers that are called, the first to be added first.
func (s *Store) Subscriptions(ctx context.Context) (list []notify.Subscription, err error) {
	defer about(&err, "read which browsers are called")
	return rowsAs(ctx, s.read, func(s scan) (b notify.Subscription, err error) {
		var added int64
		err = s(&b.Endpoint, &b.P256dh, &b.Auth, &b.Person, &b.Language, &b.Key, &added)
		b.Added = time.Unix(0, added)
		return b, err
	}, `SELECT endpoint, p256dh, auth, person, language, key, added FROM push_browser ORDER BY added, endpoint`)
}

// PutSubscription adds a browser, or takes the place of what was known of it. The oldest of its person's are dropped
// but so many.
func (s *Store) PutSubscription(ctx context.Context, b notify.Subscription, most int) (err error) {
	defer about(&err, "keep that a browser is called")
	return s.Change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx,
			`INSERT INTO push_browser (endpoint, p256dh, auth, person, language, key, added) VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (endpoint) DO UPDATE SET p256dh = excluded.p256dh, auth = excluded.auth, person = excluded.person,
				language = excluded.language, key = excluded.key, added = excluded.added`,
			b.Endpoint, b.P256dh, b.Auth, b.Person, b.Language, b.Key, b.Added.UnixNano()); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM push_browser WHERE person = $1 AND endpoint NOT IN
			(SELECT endpoint FROM push_browser WHERE person = $1 ORDER BY added DESC, endpoint LIMIT $2)`, b.Person, most)
		return err
	})
}

// DropSubscription forgets a browser; one that does not exist is not an error.
func (s *Store) DropSubscription(ctx context.Context, endpoint string) (err error) {
	defer about(&err, "forget a browser that was called")
	return s.Change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM push_browser WHERE endpoint = $1`, endpoint)
		return err
	})
}
