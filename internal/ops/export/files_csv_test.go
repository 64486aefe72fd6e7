package export_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/export"
)

type named struct {
	Amount int64  `parquet:"amount"`
	Name   string `parquet:"name"`
}

// TestNoFormulas: a spreadsheet that opens a table carries nothing out that somebody has typed for a name. Amounts stay
// what they are.
func TestNoFormulas(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "out")
	names := map[string]string{
		`=HYPERLINK("http://example.org","x")`: `'=HYPERLINK("http://example.org","x")`,
		"+1":                                   "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1",
		"anna": "anna", "a=1": "a=1", "": "", "中": "中",
	}
	o := export.Files{Format: "csv", Tables: []export.Table{export.TableOf[named]("name")}}
	err := export.WriteFiles(folder, o, func(emit func(any) error) error {
		for name := range names {
			if err := emit(named{-5, name}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(filepath.Join(folder, "name.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) != len(names)+1 {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	got := map[string]bool{}
	for _, row := range rows[1:] {
		if got[row[1]] = true; row[0] != "-5" {
			t.Errorf("an amount is written as %q", row[0])
		}
	}
	for name, want := range names {
		if !got[want] {
			t.Errorf("%q is not written as %q: %v", name, want, got)
		}
	}
}
