package settings

import (
	"bytes"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestModesAtAFirstStart: a configuration and a key that a technician has copied to their place are put right, so that
// nobody is told of modes on the screen; the log says so, and what else to do about the key.
func TestModesAtAFirstStart(t *testing.T) {
	folder := t.TempDir()
	path, key := filepath.Join(folder, "sabot.yaml"), filepath.Join(folder, "shoe.key")
	text := fmt.Sprintf("shoe: {key_file: %s}\njournal: {path: %s}\n", key, filepath.Join(folder, "journal"))
	for file, text := range map[string]string{path: text, key: strings.Repeat("0a", 16) + "\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Change(path, houses, least); err == nil ||
		!strings.Contains(err.Error(), "other users can read and change") {
		t.Fatalf("as it was found: %v", err)
	}
	var log bytes.Buffer
	PutRight(path, []byte(text), slog.New(slog.NewTextHandler(&log, nil)))
	if _, err := Change(path, houses, least); err != nil {
		t.Errorf("after it was put right: %v", err)
	}
	for _, file := range []string{path, key} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("%s: %v, %v", file, info, err)
		}
		if want := fmt.Sprintf("path=%s", file); !strings.Contains(log.String(), want) {
			t.Errorf("the log does not say %s:\n%s", want, log.String())
		}
	}
	if n := strings.Count(log.String(), "make a new one if anybody may have read it"); n != 1 {
		t.Errorf("the log asks for %d new keys:\n%s", n, log.String())
	}
}

// TestModesOfOthers: what belongs to another user, what a link leads to and what has other names stays as it is; the
// answers are then refused in words that say what to do.
func TestModesOfOthers(t *testing.T) {
	const nobody = 65534
	if os.Geteuid() != 0 {
		t.Fatal("this test gives a file to another user, which only root can: run it as root")
	}
	for name, c := range map[string]struct {
		put  func(key, elsewhere string) error
		says string
	}{
		"another's": {
			func(key, _ string) error { return os.Chown(key, nobody, nobody) },
			"belongs to the user nobody, who can change and replace it; chown root ",
		},
		"a link": {
			func(key, elsewhere string) error { return relink(os.Symlink, key, elsewhere) },
			"(mode 0644), and it is the key of a shoe; chmod 640 ",
		},
		"two names": {
			func(key, elsewhere string) error { return relink(os.Link, key, elsewhere) },
			"(mode 0644), and it is the key of a shoe; chmod 640 ",
		},
	} {
		folder := t.TempDir()
		path, key, elsewhere := filepath.Join(folder, "sabot.yaml"), filepath.Join(folder, "shoe.key"),
			filepath.Join(folder, "elsewhere")
		text := fmt.Sprintf("shoe: {key_file: %s}\njournal: {path: %s}\n", key, filepath.Join(folder, "journal"))
		for file, text := range map[string]string{path: text, key: strings.Repeat("0a", 16) + "\n"} {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.put(key, elsewhere); err != nil {
			t.Fatal(err)
		}
		PutRight(path, []byte(text), slog.New(slog.DiscardHandler))
		if info, err := os.Stat(key); err != nil || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: the key is %v, %v", name, info, err)
		}
		if _, err := Change(path, houses, least); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the answers are taken with %v", name, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != fs.FileMode(0o640) {
			t.Errorf("%s: the configuration is %v, %v", name, info, err)
		}
	}
}

// relink moves a file elsewhere, and makes its name lead there.
func relink(link func(old, name string) error, path, elsewhere string) error {
	if err := os.Rename(path, elsewhere); err != nil {
		return err
	}
	return link(elsewhere, path)
}
