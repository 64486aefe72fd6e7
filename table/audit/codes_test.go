package audit_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
)

// withCodes are the options of an auditor to whom the house has given its audit key.
func withCodes(t testing.TB, path string) audit.Options {
	t.Helper()
	keys, err := journal.AuditKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	o := options()
	o.AuditKeys = keys
	return o
}

// copied copies a journal, and the audit key that lies beside it.
func copied(t *testing.T, path string) string {
	t.Helper()
	to := copyOf(t, path)
	key, err := os.ReadFile(path + journal.AuditKeyEnd)
	if err == nil {
		err = os.WriteFile(to+journal.AuditKeyEnd, key, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// TestEveryCode: with the audit key the code of every line is checked, over parts and starts. Without it, and with one
// of another table, the report says that none was.
func TestEveryCode(t *testing.T) {
	path := longAgo(t, 1)
	report := check(t, path, withCodes(t, path))
	if c := report.Codes; !report.Well() || !c.Given || c.Lines < report.Records || c.Checked != c.Lines ||
		!strings.Contains(text(report), "the code of every line is the table's") {
		t.Errorf("%+v: %s", report.Codes, text(report))
	}
	if report := check(t, path, options()); !report.Well() || report.Codes.Checked != 0 ||
		!strings.Contains(text(report), "were not checked") {
		t.Errorf("without the key: %s", text(report))
	}
	o := options()
	o.AuditKeys = []journal.AuditKey{{1}}
	if report := check(t, path, o); !finds(report, want{audit.Code, 0}) {
		t.Errorf("with another key: %s", text(report))
	}
}

// plant adds a line to the newest part as somebody does who can compute hashes. Its code is that of the line before.
func plant(t *testing.T, path, line string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(path, "part-*.jsonl"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	name := names[len(names)-1]
	all, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	last := string(all[strings.LastIndex(strings.TrimSuffix(string(all), "\n"), "\n")+1:])
	line += last[strings.Index(last, `,"code":"`):strings.Index(last, `,"hash":"`)]
	hash := last[strings.Index(last, `,"hash":"`)+len(`,"hash":"`):][:64]
	line += fmt.Sprintf(",\"hash\":\"%x\"}\n", sha256.Sum256([]byte(hash+"\"}\n"+line)))
	if err := os.WriteFile(name, append(all, line...), 0o640); err != nil {
		t.Fatal(err)
	}
}

// TestPlantedBehindTheLastSeal: somebody without the key adds lines behind the last seal, where the chain alone holds.
// The auditor with the audit key finds each; without it a part is not taken for moved away on such a line's word, and
// the report says which lines nothing vouches for.
func TestPlantedBehindTheLastSeal(t *testing.T) {
	good := longAgo(t, 1)
	head := check(t, good, options()).Head
	for name, line := range map[string]string{
		"away": fmt.Sprintf(`{"away":1,"first":1,"last":%d,"to":"/archive/of/the/house","at":1`,
			journaltest.Open(t, good).Parts[1].Header().Record),
		"cursor": `{"cursor":"pit","event":1`,
		"rest": `{"in":"rest"}` + "\n" +
			fmt.Sprintf(`{"record":%d,"event":99999,"at":1,"round":14,"setup":1,"checkpoint":1`, head+1),
	} {
		t.Run(name, func(t *testing.T) {
			path := copied(t, good)
			plant(t, path, line)
			if name == "away" {
				if err := os.Remove(filepath.Join(path, "part-000001.jsonl")); err != nil {
					t.Fatal(err)
				}
			}
			if report := check(t, path, withCodes(t, path)); !finds(report, want{audit.Code, 0}) {
				t.Errorf("with the audit key: %s", text(report))
			}
			report := check(t, path, options())
			if name == "away" && !finds(report, want{audit.Missing, 0}) {
				t.Errorf("a part is gone by the word of a line that anybody could have written: %s", text(report))
			}
			if !strings.Contains(text(report), "nothing shows whether the table wrote the last 1 line,") {
				t.Errorf("it does not say what nothing vouches for: %s", text(report))
			}
		})
	}
}

// TestThiefOfTheTablesKeys: who takes both keys from the table can sign what was written before, and cannot make its
// codes. The audit key is what shows that.
func TestThiefOfTheTablesKeys(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(f *journaltest.File)
	}{
		{"a record changed", func(f *journaltest.File) { f.Row(5).At++ }},
		{"a cursor changed", func(f *journaltest.File) {
			f.Line(0, `{"cursor":`).Text = `{"cursor":"pit","event":1`
		}},
		{"a header changed", func(f *journaltest.File) { f.Parts[2].Edit = func(h *journal.Header) { h.At++ } }},
		{"the last part taken out", func(f *journaltest.File) { f.Parts = append(f.Parts[:3], f.Parts[4:]...) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := longAgo(t, 1)
			f := journaltest.Open(t, path)
			c.change(f)
			f.Rechain()
			f.Save(journaltest.Sign)
			if report := check(t, path, withCodes(t, path)); !finds(report, want{audit.Code, 0}) {
				t.Errorf("%s", text(report))
			}
		})
	}
}

// TestSetAsideForEver: a journal that was begun in another's place is never well again, and says whether what was set
// aside is there.
func TestSetAsideForEver(t *testing.T) {
	path := longAgo(t, 1)
	plant(t, path, `{"cursor":"pit","event":1`)
	j, err := journal.Open(path, journal.Options{Program: "sabotd of today", Key: journaltest.Key})
	if err != nil {
		t.Fatal(err)
	}
	former := j.Opening().Former
	if err := j.Close(); err != nil || former == nil {
		t.Fatal(former, err)
	}
	folder := filepath.Join(path, former.Folder)
	aside := func(name string) string { return filepath.Join(folder, name) }
	whole := copyOf(t, folder)
	for _, c := range []struct {
		name string
		do   func() error
		want string
	}{
		{"nothing", func() error { return nil }, "; it was set aside in " + former.Folder +
			", and is there: audit that, too"},
		{
			"a part gone", func() error { return os.Remove(aside("part-000002.jsonl")) },
			"is not what was set aside there: it has 4 files, and had 5",
		},
		{
			"a part more", func() error { return os.WriteFile(aside("part-000009.jsonl"), nil, 0o600) },
			"it has 6 files, and had 5",
		},
		{
			"a part cut", func() error { return os.Truncate(aside("part-000001.jsonl"), 100) },
			"is not what was set aside there",
		},
		{
			"the head another, as long", func() error { return flip(aside("part-000005.jsonl")) },
			"is not what was set aside there",
		},
		{
			"another folder in its place", func() error { return os.CopyFS(folder, os.DirFS(longAgo(t, 2))) },
			"is not what was set aside there",
		},
		{"gone", func() error { return nil }, former.Folder +
			" with a journal that was set aside is not there: it was removed"},
	} {
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		if c.name != "gone" && c.name != "another folder in its place" {
			if err := os.CopyFS(folder, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.do(); err != nil {
			t.Fatal(err)
		}
		report := check(t, path, withCodes(t, path))
		if len(report.Faults) != 1 || report.Faults[0].Kind != audit.SetAside ||
			!strings.Contains(report.Faults[0].What, c.want) {
			t.Errorf("%s: %s", c.name, text(report))
		}
	}
}

// flip changes a byte in the middle of a file, which keeps its size.
func flip(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text[len(text)/2] ^= 1
	return os.WriteFile(name, text, 0o600)
}
