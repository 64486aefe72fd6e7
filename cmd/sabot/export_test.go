package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// TestExport: the export of a journal in use agrees with the table's own sums.
func TestExport(t *testing.T) {
	dir := processes.FastDir(t)
	path := filepath.Join(dir, "journal.db")
	tab := journaltest.NewTable(t, path, profile.Built(), journaltest.Key)
	tab.SetUp(rules.Setup{House: "schaffhausen"})
	tab.Night(journaltest.Busy(3), 60)
	tab.Flush()
	defer tab.Close()

	out := filepath.Join(dir, "out.sqlite")
	got := sabot(t, "", "journal", "export", "--to", "sqlite", path, out)
	if got.Status != exitOK || got.Err != "" || !strings.HasPrefix(got.Out, out+": ") ||
		!strings.Contains(got.Out, " 60 rounds, ") {
		t.Fatalf("%+v", got)
	}
	db, err := sql.Open("sqlite", out)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var rounds, agree int
	if err := db.QueryRow(`SELECT count(*), count(CASE WHEN staked = s AND returned = r AND won = w THEN 1 END) FROM round JOIN (
		SELECT round, sum(CASE out WHEN 'settled' THEN stake ELSE 0 END) AS s, sum(returned) AS r, sum(won) AS w
		FROM event WHERE out IN ('settled', 'bonus') AND taken_back IS NULL GROUP BY round) ON round = number`).Scan(&rounds, &agree); err != nil {
		t.Fatal(err)
	}
	if rounds != 60 || agree != 60 {
		t.Errorf("the sums of %d rounds of %d agree", agree, rounds)
	}
	for _, format := range []string{"csv", "parquet"} {
		folder := filepath.Join(dir, format)
		if got := sabot(t, "", "journal", "export", "--to", format, "--rounds", "7..9", path,
			folder); got.Status != exitOK || !strings.Contains(got.Out, " 3 rounds, ") {
			t.Errorf("%s: %+v", format, got)
		}
		if _, err := os.Stat(filepath.Join(folder, "event."+format)); err != nil {
			t.Error(err)
		}
	}
}

// TestExportRefuses options that make no sense, and existing files.
func TestExportRefuses(t *testing.T) {
	path := recorded(t, round)
	other := filepath.Join(filepath.Dir(path), "other")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{path, other}, exitUsage, "--to takes a format: csv, parquet, sqlite"},
		{[]string{"--to", "xml", path, other}, exitUsage, "--to takes a format"},
		{[]string{"--to", "csv", path}, exitUsage, "export: it takes a journal, and the file or folder to make"},
		{[]string{"--to", "csv", "--rounds", "9..7", path, other}, exitUsage, "write a round's number"},
		{[]string{"--to", "csv", "--rounds", "0", path, other}, exitUsage, "write a round's number"},
		{[]string{"--to", "sqlite", "--force", path, path}, exitUsage, "belongs to the journal"},
		{[]string{"--to", "csv", path, path + "/tables"}, exitUsage, "belongs to the journal"},
		{[]string{"--to", "csv", path, filepath.Dir(path)}, exitFailed, "already exists and was not touched"},
		{
			[]string{"--to", "csv", "--from", "999", path, other},
			exitFailed,
			"nothing was exported: there is no record 999",
		},
		{[]string{"--to", "csv", path + ".missing", other}, exitFailed, "check the path"},
	} {
		wantFailure(t, sabot(t, "", append([]string{"journal", "export"}, c.args...)...), c.status, c.want)
		if _, err := os.Stat(other); !os.IsNotExist(err) {
			t.Errorf("%v left something: %v", c.args, err)
		}
	}
}
