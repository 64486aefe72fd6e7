package journal

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKeyFile makes a key and reads it again; nobody else may read the file.
func TestKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.key")
	public, err := NewKeyFile(path)
	must(t, err)
	info, err := os.Stat(path)
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v", info.Mode())
	}
	private, err := ReadKeyFile(path)
	must(t, err)
	if !public.Equal(private.Public()) {
		t.Error("the halves do not belong together")
	}
	before := content(path)
	if _, err := NewKeyFile(path); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("making it again: %v", err)
	}
	if !bytes.Equal(content(path), before) {
		t.Error("the key was overwritten")
	}
	if _, err := NewKeyFile(filepath.Join(path, "no", "folder")); err == nil {
		t.Error("a key in a folder that is not there")
	}
}

// TestKeyFileRefused: each fault is reported in plain words, without anything of the key.
func TestKeyFileRefused(t *testing.T) {
	good := filepath.Join(t.TempDir(), "good")
	_, err := NewKeyFile(good)
	must(t, err)
	text := string(content(good))
	secret := strings.Split(text, "\n")[1]
	for _, c := range []struct {
		name, text string
		mode       os.FileMode
		want       string
	}{
		{"readable by the group", text, 0o640, "other users have access to it (its mode is 0640)"},
		{"readable by all", text, 0o604, "chmod 600"},
		{"empty", "", 0o600, "not a private key"},
		{"no PEM", "secret", 0o600, "not a private key"},
		{"something else", strings.ReplaceAll(text, "PRIVATE", "PUBLIC"), 0o600, "not a private key"},
		{"two keys", text + text, 0o600, "alone in its file"},
		{"no key in it", pemOf("not a key"), 0o600, "not an Ed25519 key"},
	} {
		path := filepath.Join(t.TempDir(), "key")
		must(t, os.WriteFile(path, []byte(c.text), 0o600))
		must(t, os.Chmod(path, c.mode))
		_, err := ReadKeyFile(path)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", c.name, err)
		} else if strings.Contains(err.Error(), secret) {
			t.Errorf("%s: the error tells the key: %v", c.name, err)
		}
	}
	if _, err := ReadKeyFile(good + ".missing"); err == nil || !strings.Contains(err.Error(), "sabot key journal") {
		t.Errorf("a missing file: %v", err)
	}
}

func pemOf(content string) string {
	return "-----BEGIN PRIVATE KEY-----\n" + base64.StdEncoding.EncodeToString([]byte(content)) +
		"\n-----END PRIVATE KEY-----\n"
}

// TestPublicLine: the auditor's line is read as it was printed; any other line is refused.
func TestPublicLine(t *testing.T) {
	key := testKey.Public().(ed25519.PublicKey)
	line := PublicLine(key)
	path := filepath.Join(t.TempDir(), "public")
	must(t, os.WriteFile(path, []byte(line+"\n"), 0o644))
	got, err := ReadPublicFile(path)
	if err != nil || !got.Equal(key) {
		t.Errorf("%s was read as %x, %v", line, got, err)
	}
	for _, bad := range []string{
		"", "ed25519:", line[:40], line + "00", strings.Replace(line, "ed", "rsa", 1),
		"ed25519:" + strings.Repeat("zz", 32),
	} {
		if _, err := ParsePublicLine(bad); err == nil {
			t.Errorf("%q was taken for a public key", bad)
		}
	}
	if _, err := ReadPublicFile(path + ".missing"); err == nil {
		t.Error("a file that is not there was read")
	}
	must(t, os.WriteFile(path, []byte("a letter\n"), 0o644))
	if _, err := ReadPublicFile(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a file without a key: %v", err)
	}
	private := filepath.Join(t.TempDir(), "private")
	_, err = NewKeyFile(private)
	must(t, err)
	if _, err := ReadPublicFile(private); err == nil || !strings.Contains(err.Error(), "is the table's private key") {
		t.Errorf("the private key given to the auditor: %v", err)
	}
}

// FuzzPublicLine: a line that is read is written back unchanged.
func FuzzPublicLine(f *testing.F) {
	f.Add(PublicLine(testKey.Public().(ed25519.PublicKey)))
	f.Add("ed25519:00")
	f.Fuzz(func(t *testing.T, line string) {
		key, err := ParsePublicLine(line)
		if err == nil && !strings.EqualFold(PublicLine(key), strings.TrimSpace(line)) {
			t.Errorf("%q was read as %s", line, PublicLine(key))
		}
	})
}
