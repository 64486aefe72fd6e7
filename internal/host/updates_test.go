package host_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/journal"
)

// Notes as root writes them, and as earlier versions did.
const (
	firstNote  = `{"id":"a1","n":1,"what":"update-went-back","from":"1.0","to":"1.1","who":"anna","at":"2026-11-21T20:15:04Z"}`
	secondNote = `{"id":"b2","n":2,"what":"update-installed","from":"1.0","to":"1.2","who":"berta","at":"2026-11-22T20:15:04Z"}`
	oldNote    = `{"n":1,"what":"update-refused","who":"old","at":"2026-11-19T20:15:04Z"}`
	olderNotes = `{"n":1,"what":"update-refused","who":"older","at":"2026-11-18T20:15:04Z"},{"n":2,"what":"update-refused","who":"old","at":"2026-11-19T20:15:04Z"}`
)

// TestUpdatesOnRecord: what came of updates is on record, each once: through restarts, from what earlier versions have
// kept, on a new card that was restored, and after a kill.
func TestUpdatesOnRecord(t *testing.T) {
	const first, second = "update-went-back 1.0 1.1 by anna", "update-installed 1.0 1.2 by berta"
	type start struct {
		// notes are those of root's folder, kept what is put beside the journal before, "" to leave it.
		notes, kept string
		want        []string
	}
	for name, starts := range map[string][]start{
		"restarts": {
			{firstNote, "", []string{first}},
			{firstNote, "", []string{first}},
			{firstNote + "," + secondNote, "", []string{first, second}},
		},
		"what an earlier version has kept": {
			{olderNotes, "1", []string{"update-refused by old"}},
			{olderNotes + "," + secondNote, "", []string{"update-refused by old", second}},
		},
		"all of an earlier version is on record": {{
			olderNotes + "," +
				`{"id":"c3","n":3,"what":"update-refused","who":"anna","at":"2026-11-20T20:15:04Z"}`, "2",
			[]string{"update-refused by anna"},
		}},
		"a new card":                   {{firstNote + "," + secondNote, "2", []string{first, second}}},
		"a new card with old programs": {{oldNote, "7", []string{"update-refused by old"}}},
		"a new card, later": {
			{firstNote, "", []string{first}},
			{strings.Replace(firstNote, "a1", "z9", 1), "", []string{first, first}},
		},
		"killed after the record": {
			{firstNote, "", []string{first}},
			{firstNote, `{"names":[],"pending":"a1","since":1}`, []string{first}},
			{firstNote + "," + secondNote, "", []string{first, second}},
		},
		"killed before the record": {{firstNote, `{"names":[],"pending":"a1","since":1}`, []string{first}}},
	} {
		t.Run(name, func(t *testing.T) {
			folder, path := t.TempDir(), filepath.Join(processes.FastDir(t), "journal")
			for _, s := range starts {
				put(t, filepath.Join(folder, "notes.json"), "["+s.notes+"]")
				if s.kept != "" {
					put(t, path+".updates", s.kept)
				}
				table := staffWith(t, path, authority.PIN, []host.Option{host.WithUpdates(folder)})
				brokertest.Until(t, "the notes are on record, and kept", func() bool {
					text, err := os.ReadFile(path + ".updates")
					return slices.Equal(notesOf(t, path), s.want) && err == nil && len(text) > 3 &&
						!strings.Contains(string(text), "pending")
				})
				table.end()
				if got := notesOf(t, path); !slices.Equal(got, s.want) {
					t.Errorf("on record are %q, not %q", got, s.want)
				}
			}
		})
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

var updateNote = regexp.MustCompile(`"in":"note",.*"code":"(update-[^"]*)","by":"([^"]*)"`)

// notesOf lists the notes of updates in a journal.
func notesOf(t *testing.T, path string) []string { return found(t, path, updateNote) }

// found lists what an expression's groups match in the inputs of a journal, joined by "by".
func found(t *testing.T, path string, what *regexp.Regexp) (all []string) {
	t.Helper()
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for r, err := range j.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		if groups := what.FindStringSubmatch(string(r.Input)); groups != nil {
			all = append(all, strings.Join(groups[1:], " by "))
		}
	}
	return all
}
