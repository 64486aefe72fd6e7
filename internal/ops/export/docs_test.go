package export

import (
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
)

// page is docs/export.md.
func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/export.md")
	must(t, err)
	return string(text)
}

// TestPageColumns: the page explains each column of each table, in its order.
func TestPageColumns(t *testing.T) {
	text := page(t)
	for i := range tables {
		_, section, _ := strings.Cut(text, "\n## "+tables[i].Name+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		var got, want []string
		for _, found := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(section, -1) {
			got = append(got, found[1])
		}
		for _, c := range tables[i].Columns {
			want = append(want, c.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the page explains of %s\n%v\nnot\n%v", tables[i].Name, got, want)
		}
	}
}

// TestPageQueries: each question to SQLite on the page has an answer.
func TestPageQueries(t *testing.T) {
	path := filepath.Join(tabletest.FastDir(t), "out")
	_, err := Write(t.Context(), evening(t), path, Options{Format: "sqlite"})
	must(t, err)
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	must(t, err)
	defer db.Close()
	_, text, _ := strings.Cut(page(t), "```sql\n")
	text, _, _ = strings.Cut(text, "```")
	queries := strings.Split(strings.TrimSpace(text), "\n\n")
	for _, query := range queries {
		rows, err := db.Query(query)
		if err != nil {
			t.Errorf("%s\n%v", query, err)
			continue
		}
		if !rows.Next() {
			t.Errorf("%s\nhas no answer: %v", query, rows.Err())
		}
		must(t, rows.Close())
	}
	if len(queries) < 5 {
		t.Errorf("the page has %d queries", len(queries))
	}
}
