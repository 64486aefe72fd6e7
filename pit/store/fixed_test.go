package store

import (
	"testing"
)

// TestUnnumbered: marks lose their numbers where each argument has one mark, in order, and keep them elsewhere.
func TestUnnumbered(t *testing.T) {
	for query, want := range map[string]string{
		insertion("place", "id, site", " ON CONFLICT DO NOTHING", 2): "INSERT INTO place (id, site) VALUES " +
			"(?, ?),(?, ?) ON CONFLICT DO NOTHING",
		`SELECT 1`: `SELECT 1`,
		`SELECT 1 FROM place WHERE id = $1 AND journal = $1`: `SELECT 1 FROM place WHERE id = $1 AND journal = $1`,
		`SELECT 1 FROM place WHERE id = $2 AND journal = $1`: `SELECT 1 FROM place WHERE id = $2 AND journal = $1`,
	} {
		if got := unnumbered(query); got != want {
			t.Errorf("%s became %s", query, got)
		}
	}
}

// TestFixed: a query that is prepared has the answers of one that is not, and its error.
func TestFixed(t *testing.T) {
	s := openNew(t)
	for range 2 {
		var sum int
		if err := oneRow(t.Context(), s.fixed, `SELECT $1 + $2`, []any{3, 4}, &sum); err != nil || sum != 7 {
			t.Errorf("3 + 4 is %d, %v", sum, err)
		}
		list, err := column[int](t.Context(), s.fixed, `SELECT $1 UNION SELECT $2`, 3, 4)
		if err != nil || len(list) != 2 {
			t.Errorf("%v, %v", list, err)
		}
		if _, err := column[int](t.Context(), s.fixed, `SELECT nothing FROM nowhere`); err == nil {
			t.Error("what cannot be asked has an answer")
		}
	}
}
