package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

// recent is how many alerts that are over the floor remembers from before a start.
const recent = 500

// KeepAlerts keeps alerts as they are now.
func (s *Store) KeepAlerts(ctx context.Context, alerts []floor.Alert) (err error) {
	defer about(&err, "keep the floor's alerts")
	return s.Change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if s.nodes != nil { // another node may keep the same ones
			if _, err := tx.ExecContext(ctx, takeAlone); err != nil {
				return err
			}
		}
		for i := range alerts {
			a := &alerts[i]
			text, err := json.Marshal(a)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx,
				`INSERT INTO alert (id, tile, code, raised, over, text) VALUES ($1, $2, $3, $4, $5, $6)
				ON CONFLICT (id) DO UPDATE SET raised = excluded.raised, over = excluded.over, text = excluded.text`,
				a.ID, tile(a.Table), a.Code, a.Raised.UnixNano(), nanos(a.Over), string(text)); err != nil {
				return err
			}
			if err := s.tellNodes(ctx, tx, a.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// tile names a table as topic.Table writes it, "" for the pit itself.
func tile(t topic.Table) string {
	if t == (topic.Table{}) {
		return ""
	}
	return t.String()
}

// OpenAlerts are those that are open, and the last ones that are over.
func (s *Store) OpenAlerts(ctx context.Context) ([]floor.Alert, error) {
	open, err := s.alerts(ctx, `WHERE over = 0`)
	if err != nil {
		return nil, err
	}
	over, err := s.alerts(ctx, `WHERE over > 0 ORDER BY over DESC LIMIT $1`, recent)
	return append(open, over...), err
}

// AlertQuery is which past alerts are looked for. What is zero is not asked for.
type AlertQuery struct {
	// Table is where; OfPit asks for those of the pit itself.
	Table topic.Table
	OfPit bool
	// Sites are those of whose tables they are, or they are of the pit itself; none for all.
	Sites []string
	Code  string
	// From and To are when it came first: from the one, and before the other.
	From, To time.Time
	// Skip is how many are skipped, and Limit how many are returned at most.
	Skip, Limit int
}

// AlertHistory finds alerts that are over, the latest first.
func (s *Store) AlertHistory(ctx context.Context, q AlertQuery) ([]floor.Alert, error) {
	f := &filter{and: []string{"over > 0"}}
	f.addIf(q.Table != (topic.Table{}) || q.OfPit, "tile = ?", tile(q.Table))
	if len(q.Sites) > 0 {
		of, args := []string{"tile = ''"}, []any(nil)
		for _, site := range q.Sites {
			of = append(of, fmt.Sprintf("substr(tile, 1, %d) = ?", len(site)+1))
			args = append(args, site+"/")
		}
		f.add("("+strings.Join(of, " OR ")+")", args...)
	}
	f.addIf(q.Code != "", "code = ?", q.Code)
	f.addIf(!q.From.IsZero(), "raised >= ?", q.From.UnixNano())
	f.addIf(!q.To.IsZero(), "raised < ?", q.To.UnixNano())
	return s.alerts(ctx, fmt.Sprintf(`%s ORDER BY raised DESC, id DESC LIMIT %d OFFSET %d`, f.where(), q.Limit, q.Skip),
		f.args...)
}

func (s *Store) alerts(ctx context.Context, which string, args ...any) (list []floor.Alert, err error) {
	defer about(&err, "read the floor's alerts")
	return rowsAs(ctx, s.read, func(s scan) (a floor.Alert, err error) {
		var id, text string
		if err = s(&id, &text); err == nil {
			if err = json.Unmarshal([]byte(text), &a); err != nil {
				err = fmt.Errorf("the alert %s in the database: %w", id, err)
			}
		}
		return a, err
	}, `SELECT id, text FROM alert `+which, args...)
}

// alertChannel is where nodes tell each other which alerts they have kept.
const alertChannel = "sabot_alert"

// tellNodes tells other nodes of an alert; "" is a word of a person.
func (s *Store) tellNodes(ctx context.Context, tx *sql.Tx, id string) error {
	if s.nodes == nil {
		return nil
	}
	_, err := tx.ExecContext(ctx, `SELECT pg_notify('`+alertChannel+`', $1)`, id)
	return err
}

// Say keeps what people have said of alerts that another node keeps, until that has heard it.
func (n *Nodes) Say(ctx context.Context, words []floor.Word) error {
	return n.store.Change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, w := range words {
			if _, err := tx.ExecContext(ctx,
				`INSERT INTO alert_word (alert, at, what, who, note) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
				w.Alert, w.At.UnixNano(), string(w.What), w.By, w.Note); err != nil {
				return err
			}
		}
		return n.store.tellNodes(ctx, tx, "")
	})
}

// Heard forgets words once the alerts are kept that say the same.
func (n *Nodes) Heard(ctx context.Context, words []floor.Word) error {
	return n.store.Change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, w := range words {
			if _, err := tx.ExecContext(ctx,
				`DELETE FROM alert_word WHERE alert = $1 AND at = $2 AND what = $3 AND who = $4`,
				w.Alert, w.At.UnixNano(), string(w.What), w.By); err != nil {
				return err
			}
		}
		return nil
	})
}

// words passes on what people have said that no node has kept yet.
func (s *share) words(ctx context.Context) error {
	rows, err := s.conn.Query(ctx, `SELECT alert, at, what, who, note FROM alert_word ORDER BY at, alert`)
	if err != nil {
		return err
	}
	words, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (w floor.Word, err error) {
		var at int64
		err = row.Scan(&w.Alert, &at, &w.What, &w.By, &w.Note)
		w.At = time.Unix(0, at)
		return w, err
	})
	if err == nil && len(words) > 0 {
		s.to.Words(words)
	}
	return err
}

// allAlerts passes on all that may have changed while nothing was heard.
func (s *share) allAlerts(ctx context.Context) error {
	return s.pass(ctx, `SELECT text FROM alert WHERE over = 0
		UNION ALL (SELECT text FROM alert WHERE over > 0 ORDER BY over DESC LIMIT $1)`, recent)
}

// alerts passes on what other nodes have kept.
func (s *share) alerts(ctx context.Context) error {
	if len(s.others) == 0 {
		return nil
	}
	err := s.pass(ctx, `SELECT text FROM alert WHERE id = ANY($1)`, s.others)
	if err == nil {
		s.others = nil
	}
	return err
}

// pass passes on the alerts that a query finds.
func (s *share) pass(ctx context.Context, query string, args ...any) error {
	rows, err := s.conn.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	alerts, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (a floor.Alert, err error) {
		var text string
		if err = row.Scan(&text); err == nil {
			err = json.Unmarshal([]byte(text), &a)
		}
		return a, err
	})
	if err == nil {
		s.to.Alerts(alerts)
	}
	return err
}
