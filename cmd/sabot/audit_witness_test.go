package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/table/audit/witness"
	"github.com/sabot-table/sabot/table/journal"
)

// knows writes what a pit knows that has heard of a journal's last record, and of one that is so much further on.
func knows(t *testing.T, path string, further uint64) (file string, head uint64) {
	t.Helper()
	r, err := journal.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	head, hash, err := r.Head()
	if err != nil {
		t.Fatal(err)
	}
	pit := &witness.Export{Format: witness.Format, Table: "bj-1", At: time.Unix(9, 0), Journals: []witness.Journal{{
		ID: r.ID(), Heads: []witness.Head{{Record: head + further, Hash: fmt.Sprintf("%x", hash)}},
		Starts: []witness.Start{{Boot: 1, Record: head + further}},
	}}}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "bj-1.witness")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := witness.Write(out, pit); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return file, head
}

// TestAuditWitness: what the pit knows is taken together with the journal, in each form of the report.
func TestAuditWitness(t *testing.T) {
	path, key := sealedEvening(t, 3)
	same, head := knows(t, path, 0)
	more, _ := knows(t, path, 5)
	well := fmt.Sprintf("; the pit heard the same, up to record %d\n", head)
	gone := fmt.Sprintf("  behind         the pit heard of record %d, ", head+5)
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"--witness", same}, exitOK, well},
		{[]string{"--witness", same, "--quiet"}, exitOK, ""},
		{[]string{"--witness", more}, exitFailed, gone},
		{[]string{"--witness", more, "--quiet"}, exitFailed, gone},
		{
			[]string{"--witness", same, "--noted", fmt.Sprintf("%d:%064x", head+1, 1)},
			exitFailed,
			"was noted elsewhere, and is not there",
		},
	} {
		got := sabot(t, "", append(append([]string{"journal", "audit", "--key", key}, c.args...), path)...)
		if got.Status != c.status || got.Err != "" || !strings.Contains(got.Out, c.says) || c.says == "" &&
			got.Out != "" {
			t.Errorf("%q: %+v", c.args, got)
		}
	}
	var report struct {
		Well    bool
		Witness struct {
			Table string
			Heads int
			Same  uint64 `json:"same_to_record"`
		}
		Faults []struct{ Kind string }
	}
	got := sabot(t, "", "journal", "audit", "--json", "--key", key, "--witness", more, path)
	if err := json.Unmarshal([]byte(got.Out), &report); err != nil || report.Well || report.Witness.Table != "bj-1" ||
		report.Witness.Heads != 1 || len(report.Faults) != 1 || report.Faults[0].Kind != "behind" {
		t.Errorf("%v: %+v", err, got)
	}
	wantFailure(t, sabot(t, "", "journal", "audit", "--witness", key, path), exitFailed,
		"write it anew with sabot-pit witness")
	wantFailure(t, sabot(t, "", "journal", "audit", "--witness", path+".none", path), exitFailed, "no such file")
}
