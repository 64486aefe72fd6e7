package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// recorded makes a journal of a transcript, as a table would.
func recorded(t testing.TB, lines string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal")
	j, err := journal.Open(path, journal.Options{Program: "test"})
	if err != nil {
		t.Fatal(err)
	}
	var tab table.Table
	parser := transcript.NewParser(profile.Built())
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
		checkpoint := in.Kind == vocab.InSetup
		for _, out := range tab.Step(&in) {
			e.Outputs = append(transcript.AppendOutput(e.Outputs, &out), '\n')
			checkpoint = checkpoint || out.Kind == vocab.Finished
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

// TestAudit: the transcript of a journal, replayed, gives the journal's events.
func TestAudit(t *testing.T) {
	path := recorded(t, round)
	inputs := sabot(t, "", "journal", "transcript", path)
	if want := strings.ReplaceAll(round, "\n\n", "\n"); inputs.Status != exitOK || inputs.Err != "" ||
		inputs.Out != want {
		t.Errorf("the transcript is %+v\nnot %s", inputs, want)
	}
	replayed := sabot(t, inputs.Out, "replay", "-")
	events := sabot(t, "", "journal", "events", path)
	if events.Status != exitOK || events.Out == "" || events != replayed {
		t.Errorf("the events are %+v\nthe replay answers %+v", events, replayed)
	}
}

// TestVerify distinguishes a good journal from one in which a word was changed.
func TestVerify(t *testing.T) {
	path := recorded(t, round)
	got := sabot(t, "", "journal", "verify", path)
	if got.Status != exitOK || got.Err != "" || !strings.Contains(got.Out, path+": every record is in its place") {
		t.Errorf("a good journal: %+v", got)
	}
	file := journaltest.Open(t, path)
	file.Row(3).Input = strings.Replace(file.Row(3).Input, "1000", "2000", 1)
	file.Save(journaltest.Leave)
	wantFailure(t, sabot(t, "", "journal", "verify", path), exitFailed, path, "record 3 ", "keep the folder")
}

// TestNoJournal: each command that reads a journal says what is wrong with the file.
func TestNoJournal(t *testing.T) {
	garbage := write(t, strings.Repeat("no journal at all\n", 300))
	missing := filepath.Join(t.TempDir(), "missing")
	for _, command := range []string{"transcript", "events", "verify", "recall", "audit", "irregularities"} {
		wantFailure(t, sabot(t, "", "journal", command, garbage), exitFailed, garbage, "a journal is a folder")
		wantFailure(t, sabot(t, "", "journal", command, t.TempDir()), exitFailed, "no part of a journal")
		wantFailure(t, sabot(t, "", "journal", command, missing), exitFailed, missing, "check the path")
	}
}

// TestIrregularities counts what went wrong in each dealer's shift, and how it was put right.
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
	got := sabot(t, "", "journal", "irregularities", recorded(t, shifts))
	const want = `dealer  shift  irregularity     times  put right with
-       -      shoe-alarm       1      accept 1
dora    late   unexpected-card  2      burn 1, next-card 1
dora    late   unread-card      1      
emil    -      unread-card      0      void-round 1
`
	if got.Status != exitOK || got.Err != "" || got.Out != want {
		t.Errorf("got %+v\nwant %s", got, want)
	}
	if got := sabot(t, "", "journal", "irregularities",
		recorded(t, `{"in":"setup","house":"baden"}`)); got.Out != "no irregularities\n" {
		t.Errorf("a clean journal: %+v", got)
	}
}
