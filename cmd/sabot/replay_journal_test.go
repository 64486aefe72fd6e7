package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// twoDays makes a journal of four parts: 2 begins in the middle of a round, 3 between two
// rounds on a new day, and 4 right after a round, with a restart. The second part's house
// has rules of its own.
func twoDays(t *testing.T) string {
	t.Helper()
	own, err := profile.Built().Parse("own.yaml", []byte("extends: schaffhausen\nhouse: own\n"))
	if err != nil {
		t.Fatal(err)
	}
	tab := journaltest.NewTable(t, filepath.Join(processes.FastDir(t), "journal"), profile.Built().With(own),
		journaltest.Key)
	player := journaltest.Busy(1)
	tab.SetUp(rules.Setup{House: "wiesbaden"})
	tab.Night(player, 2)
	tab.Flush()
	for range 5 {
		tab.Put(player.Next(tab.Tab))
	}
	tab.Restart()
	tab.Night(player, 2)
	tab.SetUp(rules.Setup{House: "own"})
	tab.Night(player, 2)
	tab.Flush()
	tab.Pass(24 * time.Hour)
	tab.Night(player, 2)
	tab.Flush()
	tab.Restart()
	tab.Night(player, 2)
	tab.Close()
	return tab.Path
}

func partOf(path, number string) string { return filepath.Join(path, "part-"+number+".jsonl") }

// eventsFrom returns the events of a journal from a round on.
func eventsFrom(t *testing.T, path, round string) string {
	t.Helper()
	all := sabot(t, "", "journal", "events", path).Out
	at := strings.Index(all, `{"out":"opened","round":`+round+`}`)
	if at < 0 {
		t.Fatalf("there is no round %s", round)
	}
	return all[at:]
}

// TestReplayJournal: replaying a journal's inputs gives the events that it has recorded.
func TestReplayJournal(t *testing.T) {
	path := twoDays(t)
	got := sabot(t, "", "replay", path)
	if want := sabot(t, "", "journal", "events", path); got.Status != exitOK || got.Out == "" || got != want {
		t.Errorf("the folder: %d, %s, and %d bytes, not %d", got.Status, got.Err, len(got.Out), len(want.Out))
	}
	f := journaltest.Open(t, path)
	f.Row(20).Input = strings.Replace(f.Row(20).Input, "{", "{ ", 1)
	f.Save(journaltest.Leave)
	if got := sabot(t, "", "replay", path); got.Status != exitFailed || !strings.Contains(got.Err, "record 20 ") ||
		!strings.Contains(got.Err, "sabot journal audit") {
		t.Errorf("a record that was changed: %d, %s", got.Status, got.Err)
	}
}

// TestReplayPart: a part that says enough is replayed alone; otherwise the error says where
// to begin.
func TestReplayPart(t *testing.T) {
	path := twoDays(t)
	if names, err := os.ReadDir(path); err != nil || len(names) != 4 {
		t.Fatalf("%v, %v", names, err)
	}
	all := sabot(t, "", "journal", "events", path).Out
	first := sabot(t, "", "replay", partOf(path, "000001"))
	if first.Status != exitOK || first.Out == "" || !strings.HasPrefix(all, first.Out) {
		t.Errorf("the first part: %+v", first)
	}
	wantFailure(t, sabot(t, "", "replay", partOf(path, "000002")), exitFailed, "part 2 begins in the middle of round 3",
		"begin with part 1")
	third := sabot(t, "", "replay", partOf(path, "000003"))
	if want := eventsFrom(t, path, "8"); third.Status != exitOK || third.Out == "" ||
		!strings.HasPrefix(want, third.Out) {
		t.Errorf("the third part: %+v", third)
	}
	text, err := os.ReadFile(partOf(path, "000004"))
	if err != nil {
		t.Fatal(err)
	}
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	packed := filepath.Join(path, "part-000004.jsonl.zst")
	if err := os.WriteFile(packed, enc.EncodeAll(text, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	fourth := sabot(t, "", "replay", packed)
	if want := eventsFrom(t, path, "10"); fourth.Status != exitOK || fourth.Out != want {
		t.Errorf("the fourth part, compressed: %d, %s, and %d bytes, not %d", fourth.Status, fourth.Err,
			len(fourth.Out), len(want))
	}
	alone := filepath.Join(t.TempDir(), "part.jsonl")
	part, err := os.ReadFile(partOf(path, "000003"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(alone, part, 0o600); err != nil {
		t.Fatal(err)
	}
	wantFailure(t, sabot(t, "", "replay", alone), exitFailed, "what the table carried into part 3 is in part 2")
}

// TestAuditHeard: audit compares the head that the pit acknowledged, without any flag.
func TestAuditHeard(t *testing.T) {
	path, key := sealedEvening(t, 10)
	h := journaltest.Open(t, path).Heard
	keep := func(h any) {
		t.Helper()
		text, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+".heard", text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	keep(h)
	if got := sabot(t, "", "journal", "audit", "--key", key, path); got.Status != exitOK {
		t.Errorf("the journal as it was: %+v", got)
	}
	if got := sabot(t, "", "journal", "audit", "--every-seal", "--key", key, path+"/"); got.Status != exitOK {
		t.Errorf("every seal: %+v", got)
	}
	other := h
	other.Hash = strings.Repeat("ab", 32)
	keep(other)
	if got := sabot(t, "", "journal", "audit", "--key", key, path); got.Status != exitFailed ||
		!strings.Contains(got.Out, "  head  ") {
		t.Errorf("with another hash: %+v", got)
	}
	keep(h)
	f := journaltest.Open(t, path)
	f.Cut(int64(h.Record) - 20)
	f.Save(journaltest.Leave)
	if got := sabot(t, "", "journal", "audit", "--key", key, path+"/"); got.Status != exitFailed ||
		!strings.Contains(got.Out, "  behind  ") {
		t.Errorf("with the end cut off: %+v", got)
	}
	keep("all is well")
	wantFailure(t, sabot(t, "", "journal", "audit", "--key", key, path), exitFailed, path+".heard",
		"is not as the daemon writes it", "--noted")
}
