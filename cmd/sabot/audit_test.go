package main

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// sealedEvening makes the journal of a table that seals it, and the auditor's file with its key.
func sealedEvening(t *testing.T, rounds uint64) (path, key string) {
	t.Helper()
	dir := processes.FastDir(t)
	path, key = filepath.Join(dir, "journal"), filepath.Join(dir, "key")
	journaltest.NewTable(t, path, profile.Built(), journaltest.Key).Year("wiesbaden", rounds)
	if err := os.WriteFile(key, []byte(journal.PublicLine(journaltest.Public)+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path, key
}

// TestAuditWell: all is well in one line, and status 0.
func TestAuditWell(t *testing.T) {
	path, key := sealedEvening(t, 20)
	got := sabot(t, "", "journal", "audit", "--key", key, path)
	first, rest, _ := strings.Cut(got.Out, "\n")
	if got.Status != exitOK || got.Err != "" || !strings.HasPrefix(first, path+": all is well: 20 rounds in ") ||
		!strings.Contains(first, "sealed by the key that was given up to round 20 ") {
		t.Errorf("a good journal: %+v", got)
	}
	if !strings.Contains(rest, "last record ") {
		t.Errorf("the end of the journal is not reported: %s", rest)
	}
	if got := sabot(t, "", "journal", "audit", "--quiet", "--key", key, path); got.Status != exitOK ||
		got.Out+got.Err != "" {
		t.Errorf("quietly: %+v", got)
	}
	if got := sabot(t, "", "journal", "audit", path); got.Status != exitOK ||
		!strings.Contains(got.Out, "note (own-key): ") {
		t.Errorf("without the key: %+v", got)
	}
}

// spoilt changes what a bettor won in a journal, and recomputes the chain.
func spoilt(t *testing.T, path string) (round string) {
	t.Helper()
	file := journaltest.Open(t, path)
	for _, r := range file.Rows() {
		if strings.Contains(r.Outputs, `"why":"bank-bust"`) {
			_, after, _ := strings.Cut(r.Outputs, `"why":"bank-bust"`)
			_, won, _ := strings.Cut(after, `"won":`)
			won, _, _ = strings.Cut(won, "}")
			r.Outputs = strings.Replace(r.Outputs, `"won":`+won, `"won":1`+won, 1)
			file.Rechain()
			file.Save(journaltest.Fit)
			_, number, _ := strings.Cut(r.Outputs, `{"out":"round","round":`)
			round, _, _ = strings.Cut(number, ",")
			return round
		}
	}
	t.Fatal("the bank never went over 21")
	return ""
}

// TestAuditFaults: faults are reported round by round, with status 1 and nothing on
// standard error; the round can be dumped.
func TestAuditFaults(t *testing.T) {
	path, key := sealedEvening(t, 40)
	round := spoilt(t, path)
	for _, args := range [][]string{{"--key", key}, {"--quiet", "--key", key}} {
		got := sabot(t, "", append(append([]string{"journal", "audit"}, args...), path)...)
		if got.Status != exitFailed || got.Err != "" ||
			!strings.HasPrefix(got.Out, path+": 2 faults, in 1 of 40 rounds; ") {
			t.Errorf("%v: %+v", args, got)
		}
		for _, want := range []string{
			"round " + round + ", record ", "bank-bust pays 1:1",
			"the seals are valid up to record ", "sabot journal audit --round " + round + " " + path,
		} {
			if !strings.Contains(got.Out, want) {
				t.Errorf("%v: the report does not say %q:\n%s", args, want, got.Out)
			}
		}
	}
	dump := sabot(t, "", "journal", "audit", "--round", round, path)
	wrong, right := strings.Count(dump.Out, "\n  - {"), strings.Count(dump.Out, "\n  + {")
	if dump.Status != exitOK || wrong < 2 || wrong != right || !strings.Contains(dump.Out, `  > {"in":"open",`) ||
		!strings.Contains(dump.Out, `{"out":"finished","round":`+round+"}") {
		t.Errorf("the round: %+v", dump)
	}
	wantFailure(t, sabot(t, "", "journal", "audit", "--round", "999", path), exitFailed, "has no round 999")
}

// TestAuditJSON: the same for programs.
func TestAuditJSON(t *testing.T) {
	path, key := sealedEvening(t, 40)
	var report struct {
		Well   bool   `json:"well"`
		Rounds uint64 `json:"rounds"`
		Head   uint64 `json:"head_record"`
		Hash   string `json:"head_hash"`
		Faults []struct {
			Kind  string `json:"kind"`
			Round uint64 `json:"round"`
			Rule  string `json:"rule"`
		} `json:"faults"`
	}
	read := func(status int) {
		t.Helper()
		got := sabot(t, "", "journal", "audit", "--json", "--key", key, path)
		if err := json.Unmarshal([]byte(got.Out), &report); err != nil || got.Status != status || got.Err != "" {
			t.Fatalf("%v, %+v", err, got)
		}
	}
	read(exitOK)
	if !report.Well || report.Rounds != 40 || report.Faults == nil || len(report.Faults) != 0 || report.Head == 0 ||
		len(report.Hash) != 64 {
		t.Errorf("the report is %+v", report)
	}
	spoilt(t, path)
	read(exitFailed)
	if report.Well || len(report.Faults) != 2 || report.Faults[0].Kind != "seal" || report.Faults[1].Kind != "answer" ||
		report.Faults[1].Rule == "" {
		t.Errorf("the report is %+v", report)
	}
}

// TestAuditNoted: the number and hash that verify prints are those that audit compares.
func TestAuditNoted(t *testing.T) {
	path, key := sealedEvening(t, 5)
	told := sabot(t, "", "journal", "verify", path).Out
	_, last, _ := strings.Cut(told, "last record ")
	number, hash, _ := strings.Cut(strings.TrimSpace(last), ", hash ")
	if got := sabot(t, "", "journal", "audit", "--key", key, "--noted", number+":"+hash, path); got.Status != exitOK {
		t.Errorf("the right note: %+v", got)
	}
	got := sabot(t, "", "journal", "audit", "--key", key, "--noted", number+":"+strings.Repeat("00", 32), path)
	if got.Status != exitFailed || !strings.Contains(got.Out, "was noted elsewhere") {
		t.Errorf("another note: %+v", got)
	}
	for _, bad := range []string{"5", "x:00", "0:" + hash, number + ":" + hash[2:]} {
		wantFailure(t, sabot(t, "", "journal", "audit", "--noted", bad, path), exitUsage,
			"--noted takes a record's number and its hash")
	}
}

// TestAuditOptions: the files that are named must exist, and be of the right kind.
func TestAuditOptions(t *testing.T) {
	path, key := sealedEvening(t, 1)
	private := filepath.Join(t.TempDir(), "private")
	if got := sabot(t, "", "key", "journal", private); got.Status != exitOK {
		t.Fatalf("%+v", got)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--key", key + ".missing", path}, "no such file"},
		{[]string{"--key", filepath.Join(path, "part-000001.jsonl"), path}, "it is not a public key"},
		{[]string{"--key", private, path}, "is the table's private key"},
		{[]string{"--house", "/nowhere/own.yaml", path}, "/nowhere/own.yaml"},
		{[]string{"--key", key, path + ".missing"}, "check the path"},
	} {
		wantFailure(t, sabot(t, "", append([]string{"journal", "audit"}, c.args...)...), exitFailed, c.want)
	}
	own := write(t, "extends: baden\nhouse: mine\n")
	if got := sabot(t, "", "journal", "audit", "--house", own, "--key", key, path); got.Status != exitOK {
		t.Errorf("with a house that was not played: %+v", got)
	}
}

// TestAuditShowsItsProgress on a terminal, and removes the bar again.
func TestAuditShowsItsProgress(t *testing.T) {
	path, key := sealedEvening(t, 400)
	command := exec.Command(binary(t), "journal", "audit", "--key", key, path)
	terminal, err := pty.Start(command)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	text, _ := io.ReadAll(terminal) // ends with an error when the process does
	if err := command.Wait(); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	bar, rest, cleared := strings.Cut(string(text), "\r\x1b[K")
	if !strings.Contains(bar, " % ") && !strings.Contains(bar, " %,") || !cleared ||
		!strings.Contains(rest, "all is well") {
		t.Errorf("the terminal shows %q", text)
	}
}
