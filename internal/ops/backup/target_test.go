package backup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTargetThatIsLost: what is lost with the journal or with the power is no target, and nothing is written there.
// Where the test runs may be in memory itself, so what a folder is on is said.
func TestTargetThatIsLost(t *testing.T) {
	other := otherDevice(t)
	wrong := errors.New("the stick does not answer")
	for name, c := range map[string]struct {
		folder   string
		sameDisk bool
		kind     string
		err      error
		refusal  string
	}{
		"a stick": {folder: other},
		"a stick that is not mounted": {
			folder: other, kind: "overlay",
			refusal: "is in memory (overlay), and would be gone with the power: mount the stick first",
		},
		"in memory, whatever is said": {
			folder: other, kind: "tmpfs", sameDisk: true,
			refusal: "is in memory (tmpfs)",
		},
		"a stick that does not answer":     {folder: other, err: wrong, refusal: wrong.Error()},
		"on the journal's disk":            {folder: t.TempDir(), refusal: "is on the disk that the journal is on"},
		"on the journal's disk, said":      {folder: t.TempDir(), sameDisk: true},
		"where all is in memory, and said": {folder: t.TempDir(), sameDisk: true, kind: "overlay"},
	} {
		target := Target{Name: c.folder, SameDisk: c.sameDisk, memory: func(string) (string, error) {
			return c.kind, c.err
		}}
		_, closing, err := target.Make(t.Context(), "test", name[:1], filepath.Join(t.TempDir(), "journal"))
		if err == nil {
			err = closing()
		}
		if (err == nil) != (c.refusal == "") || err != nil && !strings.Contains(err.Error(), c.refusal) {
			t.Errorf("%s: %v", name, err)
		}
		if made, wrong := os.ReadDir(c.folder); wrong != nil || c.refusal != "" && len(made) > 0 {
			t.Errorf("%s: %v was made, %v", name, made, wrong)
		}
		if err := os.RemoveAll(filepath.Join(c.folder, Folder("test", name[:1]))); err != nil {
			t.Fatal(err)
		}
	}
}

// otherDevice is a new folder on another file system than the test's folders.
func otherDevice(t *testing.T) string {
	t.Helper()
	const shared = "/dev/shm"
	folder, err := os.MkdirTemp(shared, "sabot-backup-")
	if err != nil {
		t.Fatalf("there is no second file system to write to: %v", err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	if same, err := sameDevice(folder, t.TempDir()); err != nil || same {
		t.Fatalf("%s is on the file system of the test's folders: set TMPDIR to a folder elsewhere; %v", shared, err)
	}
	return folder
}
