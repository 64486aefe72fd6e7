package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// SQLite adds up by groups without sorting where rows lie in the order of the groups. So the tables of sums lie in it
// by their keys: the gaming day first, by which nearly all is asked, and then what is asked for most. PostgreSQL adds
// up without an order.

// order are the columns of a sum's key in the order in which SQLite has the rows.
func (t *sumTable) order() []string { return append(t.grouped(), "hour", "dealer") }

// grouped are those by which sums are added up in that order: the others have nearly as many values as there are rows.
func (t *sumTable) grouped() []string {
	list := []string{"day", "place", "sheet"}
	if t.name != "" {
		list = append(list, t.name)
	}
	return list
}

// apart are the columns by which rows are added up that are told apart by some: as many of their order as it takes, and
// what is too fine is added up later; or only these, for which the rows are sorted.
func (t *sumTable) apart(columns []string) []string {
	order, n := t.grouped(), 0
	for _, one := range columns {
		n = max(n, slices.Index(order, one)+1)
		if !slices.Contains(order, one) {
			return columns
		}
	}
	return order[:n]
}

// layOut brings the sums of a SQLite file into their order, once: an earlier version has kept them in the order in
// which they came. A month of 50 tables takes a few seconds. Where all is in order nothing is locked: another program
// may be writing.
func (s *Store) layOut(ctx context.Context) error {
	if s.postgres {
		return nil
	}
	others, err := column[string](ctx, s.read, `SELECT name FROM pragma_table_list WHERE schema = 'main' AND wr = 0`)
	if err != nil {
		return err
	}
	for i := range sumTables {
		if !slices.Contains(others, sumTables[i].table) {
			continue
		}
		if err := s.layOutTable(ctx, &sumTables[i]); err != nil {
			return fmt.Errorf("put the sums of %s in order: %w", sumTables[i].table, err)
		}
	}
	return nil
}

func (s *Store) layOutTable(ctx context.Context, t *sumTable) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // it may be over
	laid, columns, err := layoutOf(ctx, tx, t.table)
	if err != nil || laid {
		return err
	}
	names := make([]string, len(columns))
	for i, one := range columns {
		names[i], _, _ = strings.Cut(one, " ")
	}
	key, list := strings.Join(t.order(), ", "), strings.Join(names, ", ")
	for _, one := range []string{
		`ALTER TABLE ` + t.table + ` RENAME TO laid_out`,
		`CREATE TABLE ` + t.table + ` (` + strings.Join(columns, ", ") + `, PRIMARY KEY (` + key + `)) WITHOUT ROWID`,
		`INSERT INTO ` + t.table + ` (` + list + `) SELECT ` + list + ` FROM laid_out ORDER BY ` + key,
		`DROP TABLE laid_out`,
	} {
		if _, err := tx.ExecContext(ctx, one); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// layoutOf says whether a table's rows lie in the order of its key, and what its columns are.
func layoutOf(ctx context.Context, tx *sql.Tx, table string) (laid bool, columns []string, err error) {
	err = tx.QueryRowContext(ctx, `SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = $1`,
		table).Scan(&laid)
	if err != nil || laid {
		return laid, nil, err
	}
	columns, err = column[string](ctx, tx, `SELECT name || ' ' || type || ' NOT NULL' FROM pragma_table_info($1)
		ORDER BY cid`, table)
	return false, columns, err
}
