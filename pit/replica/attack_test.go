package replica

import (
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/profile"
)

// TestAttackCarries: whoever may write to the broker has a table carry over what none does: each number of real
// checkpoints becomes one that is far too high or too low. No memory is taken for it.
func TestAttackCarries(t *testing.T) {
	night := journaltest.NewNight(t, filepath.Join(tabletest.FastDir(t), "journal"), "wiesbaden", 5)
	night.Deal(400)
	night.Flush()
	name, err := topic.NewTable("hall", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	head, hash, err := night.Journal.Head()
	if err != nil {
		t.Fatal(err)
	}
	r, err := publish.Fetched(night.Journal, topic.Fetch{Reader: "pit", Journal: night.Journal.ID(), After: head - 100})
	if err != nil {
		t.Fatal(err)
	}
	r.Site, r.Table = name.Site(), name.Name()
	r.Head = topic.Head{ID: r.Journal, Record: r.Last(), Hash: hex.EncodeToString(hash[:])}
	tried, shown, through := 0, 0, 0
	hears := func(r topic.Records) {
		tried++
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		func() {
			defer func() { _ = recover() }() // who shows tables begins anew with this one
			table := NewTable(name, LiveSource{Houses: profile.Built()})
			table.Hear(r, false)
			if d := table.News(); d != nil && !d.Unread {
				shown++
			}
		}()
		if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 32<<20 {
			through++
			t.Errorf("%d bytes are taken for a checkpoint", after.TotalAlloc-before.TotalAlloc)
		}
	}
	hears(r)
	if shown != 1 {
		t.Fatal("what the table says is not shown")
	}
	number := regexp.MustCompile(`[:\[,]-?[0-9]+`)
	for i := len(r.Records) - 1; i >= 0; i-- {
		last := len(r.Records[i]) - 1
		line := string(r.Records[i][last])
		at := regexp.MustCompile(`"carry":`).FindStringIndex(line)
		if at == nil {
			continue
		}
		for _, found := range number.FindAllStringIndex(line[at[0]:], -1) {
			for _, to := range []string{"-1", "255", "100000000", "4611686018427387904"} {
				forged := r
				forged.Records = append([][]json.RawMessage{}, r.Records...)
				forged.Records[i] = append([]json.RawMessage{}, r.Records[i]...)
				forged.Records[i][last] = json.RawMessage(line[:at[0]+found[0]+1] + to + line[at[0]+found[1]:])
				hears(forged)
			}
		}
	}
	attack.Report(t, "pit: checkpoints that no table has", tried, through)
}
