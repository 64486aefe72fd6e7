package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
)

// recorded makes a journal of a transcript, as a table would.
func recorded(t *testing.T, lines string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal")
	j, err := journal.Open(path, journal.Options{Program: "test"})
	if err != nil {
		t.Fatal(err)
	}
	var tab table.Table
	parser := transcript.NewParser(rules.Built())
	number := uint64(0)
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		number++
		in, err := parser.Parse([]byte(line), number)
		if err != nil {
			t.Fatal(err)
		}
		e := journal.Entry{Input: []byte(line), At: in.Time}
		checkpoint := in.Kind == table.InSetup
		for _, out := range tab.Step(&in) {
			e.Outputs = append(transcript.AppendOutput(e.Outputs, &out), '\n')
			checkpoint = checkpoint || out.Kind == table.Finished
		}
		e.Round = tab.Round()
		if checkpoint && tab.Settled() && tab.Rejected() == 0 {
			if e.Carry, err = json.Marshal(tab.Carry()); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Append([]journal.Entry{e}); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAudit: the transcript of a journal, replayed, is the journal's events.
func TestAudit(t *testing.T) {
	path := recorded(t, round)
	inputs := sabot(t, "", "transcript", path)
	if want := strings.ReplaceAll(round, "\n\n", "\n"); inputs.Status != exitOK || inputs.Err != "" || inputs.Out != want {
		t.Errorf("the transcript is %+v\nnot %s", inputs, want)
	}
	replayed := sabot(t, inputs.Out, "replay", "-")
	events := sabot(t, "", "events", path)
	if events.Status != exitOK || events.Out == "" || events != replayed {
		t.Errorf("the events are %+v\nthe replay answers %+v", events, replayed)
	}
}

// TestVerify tells a good journal from one in which somebody has changed a word.
func TestVerify(t *testing.T) {
	path := recorded(t, round)
	got := sabot(t, "", "verify", path)
	if got.Status != exitOK || got.Err != "" || !strings.Contains(got.Out, path+": every record is in its place") {
		t.Errorf("a good journal: %+v", got)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{`DROP TRIGGER record_no_update`, `UPDATE record SET input = replace(input, '1000', '2000') WHERE seq = 3`} {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	wantFailure(t, sabot(t, "", "verify", path), exitFailed, path, "record 3 ", "keep the file")
}

// TestNoJournal: each command that reads one says what is wrong with the file.
func TestNoJournal(t *testing.T) {
	garbage := write(t, string(bytes.Repeat([]byte("no database at all\n"), 300)))
	missing := filepath.Join(t.TempDir(), "missing.db")
	for _, command := range []string{"transcript", "events", "verify", "recall", "audit"} {
		wantFailure(t, sabot(t, "", command, garbage), exitFailed, garbage, "damaged")
		wantFailure(t, sabot(t, "", command, missing), exitFailed, missing, "check the path")
	}
}

// TestIrregularities counts what went wrong in whose shift, and how it was put right.
func TestIrregularities(t *testing.T) {
	const shifts = `{"in":"setup","house":"schaffhausen"}
{"in":"shoe","event":"alarm","code":"cover"}
{"in":"resolve","with":"accept","by":"s1"}
{"in":"dealer","name":"dora","shift":"late"}
{"in":"open"}
{"in":"stake","box":1,"bettor":"a","wager":"main","amount":1000}
{"in":"card","card":"TS"}
{"in":"resolve","with":"burn","by":"s1"}
{"in":"card","card":"9S"}
{"in":"resolve","with":"next-card","by":"s1"}
{"in":"card","card":"??"}
{"in":"dealer","name":"emil"}
{"in":"resolve","with":"void-round","by":"s1"}
`
	got := sabot(t, "", "irregularities", recorded(t, shifts))
	const want = `dealer  shift  irregularity     times  put right with
-       -      shoe-alarm       1      accept 1
dora    late   unexpected-card  2      burn 1, next-card 1
dora    late   unread-card      1      
emil    -      unread-card      0      void-round 1
`
	if got.Status != exitOK || got.Err != "" || got.Out != want {
		t.Errorf("got %+v\nwant %s", got, want)
	}
	if got := sabot(t, "", "irregularities", recorded(t, `{"in":"setup","house":"baden"}`)); got.Out != "no irregularities\n" {
		t.Errorf("a clean journal: %+v", got)
	}
}
