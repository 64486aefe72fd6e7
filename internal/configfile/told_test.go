package configfile_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/internal/testkit/attack"
)

// TestAttackChangedDestination: a secret whose file nobody has written since is told to nobody but whom it was kept
// for, whichever part of the destination is another one.
func TestAttackChangedDestination(t *testing.T) {
	folder := t.TempDir()
	path, notes := filepath.Join(folder, "password"), filepath.Join(folder, "journal"+configfile.NotesEnd)
	write := func(text string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(s configfile.Secret) bool {
		t.Helper()
		var into struct {
			File string `yaml:"file"`
		}
		doc := strictyaml.Decode("sabot.yaml", []byte("file: "+path+"\n"), &into)
		configfile.JudgeSecrets(doc, notes, []configfile.Secret{s})
		return doc.Faults().Err() != nil
	}
	at := func(broker, user, authority string) configfile.Secret {
		return configfile.BrokerSecret("file", path, broker, user, authority)
	}
	told := at("ssl://pit:8883", "bj-1", "/etc/ca.crt")
	day := time.Unix(1795881600, 0)
	write("58219\n", day)
	if refused(told) {
		t.Fatal("nothing is known of it, and it is refused")
	}
	if _, err := configfile.NoteSecrets(notes, []configfile.Secret{told}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(notes); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the notes: %v, %v", info, err)
	}
	tries, through := 0, 0
	for _, other := range []configfile.Secret{
		at("ssl://evil:8883", "bj-1", "/etc/ca.crt"), at("ssl://pit:8884", "bj-1", "/etc/ca.crt"),
		at("tcp://pit:8883", "bj-1", ""),
		at("ssl://pit:8883", "bj-2", "/etc/ca.crt"), at("ssl://pit:8883", "bj-1", ""),
		at("ssl://pit:8883", "bj-1", "/etc/evil.crt"),
	} {
		if tries++; !refused(other) {
			through++
		}
	}
	attack.Report(t, "a kept secret at a changed destination", tries, through)
	if refused(told) {
		t.Error("whom it was kept for is refused it")
	}
	for what, text := range map[string]string{"touched": "58219\n", "written": "another\n"} {
		day = day.Add(time.Second)
		write(text, day)
		if refused(at("ssl://new:8883", "bj-1", "")) {
			t.Errorf("the file was %s for another one, which is refused", what)
		}
	}
	if err := os.WriteFile(notes, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if refused(told) {
		t.Error("it is refused for notes that no program has written, and whoever wrote them could have removed them")
	}
	if unusable, err := configfile.NoteSecrets(notes, []configfile.Secret{told}); unusable == nil || err != nil {
		t.Errorf("such notes are put aside and told: %v, %v", unusable, err)
	}
	if !refused(at("ssl://evil:8883", "bj-1", "/etc/ca.crt")) {
		t.Error("another one is told what was kept for the first")
	}
	if aside, err := filepath.Glob(notes + ".unusable-*"); err != nil || len(aside) != 1 {
		t.Errorf("put aside is %q, %v", aside, err)
	}
}
