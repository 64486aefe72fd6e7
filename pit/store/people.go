package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/people"
)

var _ people.Store = (*Store)(nil)

// ReadPeople shows a state of the people, their sessions and the log.
func (s *Store) ReadPeople(ctx context.Context, read func(people.Tx) error) (err error) {
	tx, err := s.moment(ctx)
	if err != nil {
		return fmt.Errorf("the pit's store: %w", err)
	}
	defer func() { err = errors.Join(err, over(tx.Rollback())) }()
	return read(peopleTx{ctx, tx})
}

// ChangePeople changes them.
func (s *Store) ChangePeople(ctx context.Context, change func(people.Tx) error) error {
	return s.Change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if s.postgres {
			if _, err := tx.ExecContext(ctx, takeAlone); err != nil {
				return err
			}
		}
		return change(peopleTx{ctx, tx})
	})
}

// sealLog has the database refuse to change or remove what is in the log.
func (s *Store) sealLog(ctx context.Context) error {
	statements := []string{
		`CREATE TRIGGER IF NOT EXISTS person_log_kept BEFORE UPDATE ON person_log BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END`,
		`CREATE TRIGGER IF NOT EXISTS person_log_stays BEFORE DELETE ON person_log BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END`,
	}
	if s.postgres {
		statements = []string{
			`CREATE OR REPLACE FUNCTION person_log_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the log is never changed'; END $$`,
			`CREATE OR REPLACE TRIGGER person_log_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON person_log FOR EACH STATEMENT EXECUTE FUNCTION person_log_kept()`,
		}
	}
	for _, one := range statements {
		if _, err := s.write.ExecContext(ctx, one); err != nil {
			return fmt.Errorf("seal the log: %w", err)
		}
	}
	return nil
}

// peopleTx is a look at the people, or a change of them.
type peopleTx struct {
	ctx context.Context
	tx  *sql.Tx
}

func (p peopleTx) exec(query string, args ...any) error {
	_, err := p.tx.ExecContext(p.ctx, query, args...)
	return err
}

// one reads a row, if there is one.
func one[T any](p peopleTx, read func(scan) (T, error), query string, args ...any) (found T, known bool, err error) {
	found, err = read(p.tx.QueryRowContext(p.ctx, query, args...).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		var none T
		return none, false, nil
	}
	return found, err == nil, err
}

const personColumns = `SELECT name, role, password, start_until, coalesce(subject, ''), added, removed, coalesce(sites, '')
	FROM person LEFT JOIN person_site ON person_site.person = person.name `

func readPerson(row scan) (one people.Person, err error) {
	var role string
	var start, added, removed int64
	if err = row(&one.Name, &role, &one.Password, &start, &one.Subject, &added, &removed,
		&one.Sites); err != nil {
		return one, err
	}
	one.StartUntil, one.Added, one.Removed = moment(start), moment(added), moment(removed)
	one.Role, err = people.ParseRole(role)
	return one, err
}

func (p peopleTx) Person(name string) (people.Person, bool, error) {
	return one(p, readPerson, personColumns+`WHERE name = $1`, name)
}

func (p peopleTx) PersonBySubject(subject string) (people.Person, bool, error) {
	return one(p, readPerson, personColumns+`WHERE subject = $1`, subject)
}

// Persons are ordered here: each database has an alphabet of its own.
func (p peopleTx) Persons() ([]people.Person, error) {
	persons, err := rowsAs(p.ctx, p.tx, readPerson, personColumns)
	slices.SortFunc(persons, func(x, y people.Person) int { return strings.Compare(x.Name, y.Name) })
	return persons, err
}

func (p peopleTx) PutPerson(one people.Person) error {
	subject := sql.NullString{String: one.Subject, Valid: one.Subject != ""}
	err := p.exec(`INSERT INTO person (name, role, password, start_until, subject, added, removed) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (name) DO UPDATE SET role = excluded.role, password = excluded.password, start_until = excluded.start_until,
		subject = excluded.subject, added = excluded.added, removed = excluded.removed`,
		one.Name, one.Role.String(), one.Password, nanos(one.StartUntil), subject, nanos(one.Added), nanos(one.Removed))
	if err == nil {
		err = p.exec(`DELETE FROM person_site WHERE person = $1`, one.Name)
	}
	if err == nil && one.Sites.Limited() {
		err = p.exec(`INSERT INTO person_site (person, sites) VALUES ($1, $2)`, one.Name, string(one.Sites))
	}
	return err
}

const sessionColumns = `SELECT id, name, began, used, place FROM person_session `

func readSession(row scan) (one people.Session, err error) {
	var id []byte
	var began, used int64
	if err = row(&id, &one.Name, &began, &used, &one.From); err != nil {
		return one, err
	}
	if len(id) != len(one.ID) {
		return one, errors.New("a session in the pit's store is malformed")
	}
	one.ID, one.Began, one.Used = people.ID(id), moment(began), moment(used)
	return one, nil
}

func (p peopleTx) Session(id people.ID) (people.Session, bool, error) {
	return one(p, readSession, sessionColumns+`WHERE id = $1`, id[:])
}

func (p peopleTx) Sessions(name string) ([]people.Session, error) {
	return rowsAs(p.ctx, p.tx, readSession, sessionColumns+`WHERE name = $1 ORDER BY used DESC, began DESC`, name)
}

func (p peopleTx) PutSession(one people.Session) error {
	return p.exec(`INSERT INTO person_session (id, name, began, used, place) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (id) DO UPDATE SET used = excluded.used`, one.ID[:], one.Name, nanos(one.Began), nanos(one.Used), one.From)
}

func (p peopleTx) EndSession(id people.ID) error {
	return p.exec(`DELETE FROM person_session WHERE id = $1`, id[:])
}

func readText(row scan) (text string, err error) {
	err = row(&text)
	return text, err
}

func (p peopleTx) Browser(id people.ID) (string, bool, error) {
	return one(p, readText, `SELECT name FROM person_browser WHERE id = $1`, id[:])
}

func (p peopleTx) PutBrowser(id people.ID, name string, at time.Time) error {
	return p.exec(`INSERT INTO person_browser (id, name, at) VALUES ($1, $2, $3)`, id[:], name, nanos(at))
}

func (p peopleTx) ForgetBrowsers(name string, but int) error {
	return p.exec(`DELETE FROM person_browser WHERE name = $1 AND id NOT IN
		(SELECT id FROM person_browser WHERE name = $1 ORDER BY at DESC LIMIT $2)`, name, but)
}

func readTries(row scan) (t people.Tries, err error) {
	var last, until, told int64
	err = row(&t.Wrong, &last, &until, &told)
	t.Last, t.Until, t.Told = moment(last), moment(until), told != 0
	return t, err
}

func (p peopleTx) Tries(key string) (people.Tries, error) {
	t, _, err := one(p, readTries, `SELECT wrong, last_at, until, told FROM person_tries WHERE key = $1`, key)
	return t, err
}

func (p peopleTx) PutTries(key string, t people.Tries) error {
	if t == (people.Tries{}) {
		return p.exec(`DELETE FROM person_tries WHERE key = $1`, key)
	}
	return p.exec(`INSERT INTO person_tries (key, wrong, last_at, until, told) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (key) DO UPDATE SET wrong = excluded.wrong, last_at = excluded.last_at, until = excluded.until, told = excluded.told`,
		key, t.Wrong, nanos(t.Last), nanos(t.Until), bit(t.Told))
}

func (p peopleTx) ForgetTries(prefix string) error {
	return p.exec(`DELETE FROM person_tries WHERE substr(key, 1, $1) = $2`, len(prefix), prefix)
}

func (p peopleTx) Sweep(idle, began, tried time.Time) error {
	return errors.Join(
		p.exec(`DELETE FROM person_session WHERE used < $1 OR began < $2`, nanos(idle), nanos(began)),
		p.exec(`DELETE FROM person_tries WHERE last_at < $1`, nanos(tried)))
}

func (p peopleTx) Note(e people.Entry) error {
	return p.exec(`INSERT INTO person_log (number, at, who, place, what, about, detail)
		VALUES ((SELECT coalesce(max(number), 0) + 1 FROM person_log), $1, $2, $3, $4, $5, $6)`,
		nanos(e.At), e.Who, e.From, string(e.What), e.About, e.Detail)
}

func readEntry(row scan) (e people.Entry, err error) {
	var at int64
	err = row(&e.Number, &at, &e.Who, &e.From, &e.What, &e.About, &e.Detail)
	e.At = moment(at)
	return e, err
}

func (p peopleTx) Notes(q people.Query) ([]people.Entry, error) {
	const everything = 1<<63 - 1
	before := int64(everything)
	if q.Before > 0 && q.Before < everything {
		before = int64(q.Before)
	}
	query, args := `SELECT number, at, who, place, what, about, detail FROM person_log WHERE number < $1`, []any{before}
	if q.Who != "" {
		query, args = query+` AND (who = $2 OR about = $2)`, append(args, q.Who)
	}
	return rowsAs(p.ctx, p.tx, readEntry, fmt.Sprintf(`%s ORDER BY number DESC LIMIT %d`, query, q.Most), args...)
}

// nanos is how a time is kept, 0 for none.
func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func moment(nanos int64) time.Time {
	if nanos == 0 {
		return time.Time{}
	}
	return time.Unix(0, nanos).UTC()
}
