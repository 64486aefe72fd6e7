package backup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
)

// forged is the newest generation of a place with another configuration, and signed again: whoever has made it has the
// key.
func forged(t *testing.T, p *Place, number uint64, change func(text string) string) {
	t.Helper()
	list, _, err := p.Generations()
	if err != nil {
		t.Fatal(err)
	}
	g := list[0]
	for i, s := range g.Files {
		if s.Name != ConfigRole {
			continue
		}
		text, err := p.text(s, mostFile)
		if err != nil {
			t.Fatal(err)
		}
		w := writer{ctx: t.Context(), place: p, taken: &Taken{}}
		var list []Stored
		if err := w.text(&list, ConfigRole, []byte(change(string(text)))); err != nil {
			t.Fatal(err)
		}
		g.Files[i] = list[0]
	}
	g.Number = number
	text, err := g.text(journaltest.Key)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.commit(fileOf(number), text); err != nil {
		t.Fatal(err)
	}
}

// TestAttackRestore: whatever configuration a backup has, nothing is written outside the table's own folders, nor there
// what something else reads; and a check says what the restore says.
func TestAttackRestore(t *testing.T) {
	c, p := newCard(t, ""), folderPlace(t)
	take(t, p, c.source(), c.options())
	c.table.Close()
	elsewhere := tabletest.FastDir(t)
	for _, name := range []string{
		"journal", "journal.key", "shoe-key", "house.yaml", "journal.people", "journal.codes",
		"journal.lock",
	} {
		if err := os.RemoveAll(c.at(name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{".ssh", "update", "sub"} {
		if err := os.Mkdir(c.at(folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(elsewhere, c.at("link")); err != nil {
		t.Fatal(err)
	}
	shoe, house, journal := c.at("shoe-key"), c.at("house.yaml"), "path: "+c.at("journal")
	was, outside := tree(t, c.dir), tree(t, elsewhere)
	tries := 0
	number := uint64(1)
	for _, row := range [][2]string{
		{shoe, filepath.Join(elsewhere, "authorized_keys")},
		{shoe, c.at("x/../../") + filepath.Base(elsewhere) + "/authorized_keys"},
		{shoe, c.dir + "/sub/../../" + filepath.Base(elsewhere) + "/authorized_keys"},
		{shoe, c.at(".ssh/authorized_keys")},
		{shoe, c.at("link/authorized_keys")},
		{shoe, "authorized_keys"},
		{shoe, c.dir + "x/authorized_keys"},
		{shoe, c.at("backup.recipients")},
		{shoe, c.at("update/request")},
		{shoe, c.at("pit.yaml")},
		{shoe, c.at("sabot.yaml")},
		{shoe, c.at("sabot.yaml.0001.2026-11-23T123005Z")},
		{shoe, c.at("journal")},
		{shoe, c.at("journal/part-000001.jsonl")},
		{shoe, c.at("journal.restoring")},
		{shoe, c.at("journal.people")},
		{shoe, c.at("journal.kept-for")},
		{shoe, house},
		{journal, "path: " + filepath.Join(elsewhere, "journal")},
		{journal, "path: " + c.at("link/journal")},
		{journal, "path: " + c.at(".ssh/journal")},
		{journal, "path: " + c.dir},
	} {
		number++
		forged(t, p, number, func(text string) string {
			changed := strings.Replace(text, row[0], row[1], 1)
			if changed == text {
				t.Fatalf("%s is not in the configuration", row[0])
			}
			return changed
		})
		for _, anyones := range []bool{false, true} {
			q := c.request()
			q.Number, q.Anyones = number, anyones
			if anyones {
				q.Key = nil
			}
			done, err := p.Restore(t.Context(), q)
			tries++
			d := append(differences(was, tree(t, c.dir)), differences(outside, tree(t, elsewhere))...)
			if err == nil || len(d) > 0 || len(done.Written) > 0 {
				attack.Report(t, "backups that name files elsewhere", tries, 1)
				t.Fatalf("%s: it wrote %v, %v; what follows would be about another card", row[1], d, err)
			}
			q.CheckOnly = true
			if _, checked := p.Restore(t.Context(), q); fmt.Sprint(checked) != fmt.Sprint(err) {
				t.Errorf("%s: a check says %v, and the restore %v", row[1], checked, err)
			}
		}
	}
	attack.Report(t, "backups that name files elsewhere", tries, 0)
	if _, err := p.Restore(t.Context(), func() Request { q := c.request(); q.Number = 1; return q }()); err != nil {
		t.Errorf("the table's own backup is not restored: %v", err)
	}
}

// TestAttackBackupOfAnybody: a backup that anybody may have made is not restored unless somebody says so, and does not
// get at the files that are here.
func TestAttackBackupOfAnybody(t *testing.T) {
	c, p := newCard(t, ""), folderPlace(t)
	o := c.options()
	o.Recipients = nil
	take(t, p, c.source(), o)
	c.table.Close()
	if err := os.RemoveAll(c.at("journal")); err != nil {
		t.Fatal(err)
	}
	was := tree(t, c.dir)
	tries, through := 0, 0
	for _, anyones := range []bool{false, true} {
		q := c.request()
		q.Key, q.Anyones = nil, anyones
		_, err := p.Restore(t.Context(), q)
		if tries++; err == nil || len(differences(was, tree(t, c.dir))) > 0 {
			through++
			t.Errorf("anybody's, said %v: %v", anyones, err)
		}
	}
	attack.Report(t, "a backup that anybody may have made", tries, through)
	for _, kept := range []string{"journal.key", "shoe-key", "journal.people", "journal.codes"} {
		if err := os.Remove(c.at(kept)); err != nil {
			t.Fatal(err)
		}
	}
	q := c.request()
	q.Key, q.Anyones = nil, true
	if _, err := p.Restore(t.Context(), q); err != nil {
		t.Errorf("with nothing of a table here: %v", err)
	}
}
