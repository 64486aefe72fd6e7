package daemon_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/cmd/internal/daemon"
	"github.com/sabot-table/sabot/pit/broker/brokertest"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/journal"
)

// TestUpdatesOnRecord: what came of updates is on record, each once, through restarts.
func TestUpdatesOnRecord(t *testing.T) {
	folder, path := t.TempDir(), filepath.Join(t.TempDir(), "journal")
	const first = `{"n":1,"what":"update-went-back","from":"1.0","to":"1.1","who":"anna","at":"2026-11-21T20:15:04Z"}`
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, "notes.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		notes string
		want  []string
	}{
		{"[" + first + "]", []string{"update-went-back 1.0 1.1 by anna"}},
		{"[" + first + "]", []string{"update-went-back 1.0 1.1 by anna"}},
		{
			"[" + first + `,{"n":2,"what":"update-installed","from":"1.0","to":"1.2","who":"berta","at":"2026-11-22T20:15:04Z"}]`,
			[]string{"update-went-back 1.0 1.1 by anna", "update-installed 1.0 1.2 by berta"},
		},
	} {
		write(step.notes)
		s := staffWith(t, path, authority.PIN, []daemon.Option{daemon.WithUpdates(folder)})
		brokertest.Until(t, "the notes are on record", func() bool { return slices.Equal(notesOf(t, path), step.want) })
		s.end()
		if got := notesOf(t, path); !slices.Equal(got, step.want) {
			t.Errorf("on record are %q, not %q", got, step.want)
		}
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
