package store

import (
	"bufio"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// This file backs up and restores what only the pit knows: everything else in the database follows from the tables'
// journals, and is fetched from them again.

// ownTable is a table of the database whose rows follow from nothing else.
type ownTable struct {
	name string
	// columns are its columns, with a letter before each: t for text, u for text that may be missing, n for a number, b
	// for bytes, y for yes or no, and p for a gaming table, which a backup names by site and name.
	columns []string
}

// ownTables are all of them, those to which others refer first. Sessions and wrong passwords are left out: people enter
// again.
var ownTables = []ownTable{
	{"person", []string{"t name", "t role", "t password", "n start_until", "u subject", "n added", "n removed"}},
	{"person_site", []string{"t person", "t sites"}},
	{"person_log", []string{"n number", "n at", "t who", "t place", "t what", "t about", "t detail"}},
	{"spot", []string{"t tile", "n x", "n y"}},
	{"alert", []string{"t id", "n over", "t text", "n raised", "t tile", "t code"}},
	{"push_browser", []string{"t endpoint", "t p256dh", "t auth", "t person", "t language", "t key", "n added"}},
	{"told", []string{
		"p place", "t journal", "n boot", "n record", "n acknowledged", "n heard", "n away", "n began_acknowledged",
		"n began_away", "n at", "y watched",
	}},
	{"witness", []string{"p place", "t journal", "n record", "b hash", "n heard", "y agrees"}},
	{"report_signed", []string{"n began", "n ended", "n at", "t who", "t role", "n day", "t shift", "t report"}},
	{"drop_count", []string{
		"p place", "t journal", "n record", "n nth", "n day", "n at", "t who", "t role", "n amount", "t currency",
		"t reason",
	}},
	{"finding", []string{"p place", "t journal", "t kind", "n record", "t what", "n found"}},
}

// names are the columns without their letters.
func (t ownTable) names() []string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c[2:]
	}
	return names
}

// ownFormat is the form of a backup; a program refuses a later one. Since 2 it has who signed reports, since 3 what
// was in drop boxes, and since 4 to which sites people are limited.
const ownFormat = 4

// ownHead begins a backup.
type ownHead struct {
	Pit     int       `json:"sabot_pit"`
	Site    string    `json:"site"`
	Program string    `json:"program"`
	At      time.Time `json:"at"`
}

// ownRow is a row of a backup: each value as text, null where it is missing.
type ownRow struct {
	Table string    `json:"table"`
	Row   []*string `json:"row"`
}

// ownEnd ends a backup, with the SHA-256 of everything before it.
type ownEnd struct {
	Rows   int    `json:"rows"`
	SHA256 string `json:"sha256"`
}

// BackUp writes what only the pit knows, as it is at one moment, a line of JSON for each row; also while a pit writes.
// It has people's password hashes: keep it as the database.
func (s *Store) BackUp(ctx context.Context, to io.Writer, site, program string) (rows int, err error) {
	tx, err := s.moment(ctx)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback() //nolint:errcheck // nothing was changed
	sum := sha256.New()
	out := json.NewEncoder(io.MultiWriter(to, sum))
	if err := out.Encode(ownHead{ownFormat, site, program, time.Now().UTC().Truncate(time.Second)}); err != nil {
		return 0, err
	}
	for _, t := range ownTables {
		n, err := t.writeRows(ctx, tx, out)
		if rows += n; err != nil {
			return rows, fmt.Errorf("back up %s: %w", t.name, err)
		}
	}
	return rows, json.NewEncoder(to).Encode(ownEnd{rows, hex.EncodeToString(sum.Sum(nil))})
}

// writeRows writes the rows of a table.
func (t ownTable) writeRows(ctx context.Context, from queryer, out *json.Encoder) (n int, err error) {
	names := t.names()
	for i, c := range t.columns {
		names[i] = t.name + "." + names[i]
		if c[0] == 'p' {
			names[i] = "place.site || '/' || place.name"
		}
	}
	query := "SELECT " + strings.Join(names, ", ") + " FROM " + t.name
	if t.columns[0][0] == 'p' {
		query += " JOIN place ON place.id = " + t.name + ".place"
	}
	query += " ORDER BY 1, 2"
	err = eachRow(ctx, from, query, nil, func(scan scan) error {
		values := make([]any, len(t.columns))
		for i, c := range t.columns {
			values[i] = roomFor(c[0])
		}
		if err := scan(values...); err != nil {
			return err
		}
		n++
		row := ownRow{t.name, make([]*string, len(values))}
		for i, v := range values {
			row.Row[i] = asText(v)
		}
		return out.Encode(row)
	})
	return n, err
}

// roomFor is where a column's value is read into.
func roomFor(kind byte) any {
	switch kind {
	case 'n':
		return new(int64)
	case 'b':
		return new([]byte)
	case 'y':
		return new(bool)
	}
	return new(sql.NullString)
}

// asText is a value as a backup has it, nil for none.
func asText(v any) *string {
	text := ""
	switch v := v.(type) {
	case *int64:
		text = strconv.FormatInt(*v, 10)
	case *[]byte:
		text = hex.EncodeToString(*v)
	case *bool:
		text = strconv.FormatBool(*v)
	case *sql.NullString:
		if !v.Valid {
			return nil
		}
		text = v.String
	}
	return &text
}

// ErrNotEmpty is a database that has people, alerts or findings already: a backup is restored into one that has none.
var ErrNotEmpty = errors.New("the database has people, alerts or findings of its own already")

// Restore reads what BackUp has written into a database that knows nothing of it, all or nothing.
func (s *Store) Restore(ctx context.Context, from io.Reader, site string) (rows int, err error) {
	defer about(&err, "nothing was restored")
	b, err := readOwn(from)
	if err != nil {
		return 0, err
	}
	if b.head.Site != site {
		return 0, fmt.Errorf("the backup is of the site %s, and the configuration of %s", b.head.Site, site)
	}
	err = s.Change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, t := range ownTables {
			var n int
			if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM "+t.name).Scan(&n); err != nil || n > 0 {
				return errors.Join(err, fmt.Errorf("%w: %d rows in %s", ErrNotEmpty, n, t.name))
			}
		}
		for _, row := range b.rows {
			if err := row.insert(ctx, tx); err != nil {
				return fmt.Errorf("a row of %s: %w", row.Table, err)
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return len(b.rows), nil
}

// ownBackup is a backup that was read.
type ownBackup struct {
	head ownHead
	rows []ownRow
}

// longestOwn is the longest line of a backup, in bytes: an alert with all that became of it.
const longestOwn = 16 << 20

// readOwn reads a backup to its end, and checks that it is whole before anything is done with it.
func readOwn(from io.Reader) (b ownBackup, err error) {
	lines, sum := bufio.NewScanner(from), sha256.New()
	lines.Buffer(nil, longestOwn)
	for n := 1; lines.Scan(); n++ {
		line := lines.Bytes()
		var end ownEnd
		switch {
		case n == 1:
			if err := json.Unmarshal(line, &b.head); err != nil || b.head.Pit == 0 {
				return b, errors.New("this is no backup of a pit")
			}
			if b.head.Pit > ownFormat {
				return b,
					fmt.Errorf("the backup has form %d, and this program knows form %d: use the program that "+
						"made it, %s", b.head.Pit, ownFormat, b.head.Program)
			}
		case json.Unmarshal(line, &end) == nil && end.SHA256 != "":
			if end.Rows != len(b.rows) || end.SHA256 != hex.EncodeToString(sum.Sum(nil)) {
				return b, errors.New("the backup was changed: its checksum does not fit")
			}
			if lines.Scan() {
				return b, errors.New("the backup goes on after its end")
			}
			return b, lines.Err()
		default:
			var row ownRow
			if err := json.Unmarshal(line, &row); err != nil || row.Table == "" {
				return b, fmt.Errorf("line %d cannot be read", n)
			}
			b.rows = append(b.rows, row)
		}
		sum.Write(line)
		sum.Write([]byte{'\n'})
	}
	return b, errors.Join(lines.Err(), errors.New("the backup is cut off: it lacks its last line"))
}

// insert puts a row into its table.
func (r *ownRow) insert(ctx context.Context, tx *sql.Tx) error {
	for _, t := range ownTables {
		if t.name != r.Table {
			continue
		}
		if len(r.Row) != len(t.columns) {
			return fmt.Errorf("it has %d values, and should have %d", len(r.Row), len(t.columns))
		}
		values := make([]any, len(r.Row))
		for i, c := range t.columns {
			var err error
			if values[i], err = fromText(ctx, tx, c[0], r.Row[i]); err != nil {
				return fmt.Errorf("%s: %w", c[2:], err)
			}
		}
		_, err := tx.ExecContext(ctx, insertion(t.name, strings.Join(t.names(), ", "), "", 1), values...)
		return err
	}
	return errors.New("there is no such table")
}

// fromText reads a value of a backup.
func fromText(ctx context.Context, tx *sql.Tx, kind byte, text *string) (any, error) {
	if text == nil {
		if kind != 'u' {
			return nil, errors.New("it is missing")
		}
		return nil, nil
	}
	switch kind {
	case 'n':
		return strconv.ParseInt(*text, 10, 64)
	case 'b':
		return hex.DecodeString(*text)
	case 'y':
		return strconv.ParseBool(*text)
	case 'p':
		return placeNamed(ctx, tx, *text)
	}
	return *text, nil
}

// placeNamed finds or makes the number of a gaming table.
func placeNamed(ctx context.Context, tx *sql.Tx, name string) (id int64, err error) {
	site, table, is := strings.Cut(name, "/")
	if _, err := topic.NewTable(site, table); err != nil || !is {
		return 0, fmt.Errorf("%q is no table", name)
	}
	err = tx.QueryRowContext(ctx, `SELECT id FROM place WHERE site = $1 AND name = $2`, site, table).Scan(&id)
	if !errors.Is(err, sql.ErrNoRows) {
		return id, err
	}
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) + 1 FROM place`).Scan(&id); err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO place (id, site, name, pruned) VALUES ($1, $2, $3, 0)`, id, site, table)
	return id, err
}
