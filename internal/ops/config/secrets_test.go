package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/table/journal"
)

func TestPassword(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct{ name, text, want, fault string }{
		{"a line", "secret\n", "secret", ""},
		{"no line end", "secret", "secret", ""},
		{"carriage return", "secret\r\n", "secret", ""},
		{"spaces belong to it", " se cret \n", " se cret ", ""},
		{"empty", "\n", "", "on one line"},
		{"two lines", "user\nsecret\n", "", "on one line"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(folder, c.name)
			writeFile(t, path, c.text)
			got, err := config.MQTT{PasswordFile: path}.Password()
			if got != c.want || !told(err, c.fault) {
				t.Errorf("got %q, %v; want %q, %q", got, err, c.want, c.fault)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("the error reveals the password: %v", err)
			}
		})
	}
	if _, err := (config.MQTT{PasswordFile: filepath.Join(folder, "absent")}).Password(); !told(err,
		"mqtt.password_file") {
		t.Errorf("an absent file gives %v", err)
	}
	if password, err := (config.MQTT{}).Password(); password != "" || err != nil {
		t.Errorf("no file gives %q, %v", password, err)
	}
}

// TestShoeKey: the shoe's key is read from its file, which nobody else may read.
func TestShoeKey(t *testing.T) {
	const digits = "00112233445566778899aabbccddeeff"
	folder := t.TempDir()
	for _, c := range []struct {
		name, text string
		mode       os.FileMode
		fault      string
	}{
		{"a line", digits + "\n", 0o600, ""},
		{"no line end", digits, 0o400, ""},
		{"carriage return, group", strings.ToUpper(digits) + "\r\n", 0o640, ""},
		{"too short", digits[1:] + "\n", 0o600, "32 hexadecimal digits, not 31"},
		{"two lines", digits + "\n" + digits + "\n", 0o600, "on one line"},
		{"no digits", digits[:31] + "x\n", 0o600, "0 to 9 and a to f"},
		{"empty", "", 0o600, "on one line"},
		{"everybody may read", digits, 0o604, "other users can read"},
		{"everybody may write", digits, 0o602, "chmod 600 "},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(folder, c.name)
			writeFile(t, path, c.text)
			if err := os.Chmod(path, c.mode); err != nil {
				t.Fatal(err)
			}
			key, err := config.Shoe{KeyFile: path}.Key()
			if !told(err, c.fault) || (err == nil) != (key != nil) {
				t.Errorf("got %v; want %q", err, c.fault)
			}
			if err == nil && (key[0] != 0 || key[1] != 0x11 || key[15] != 0xff) {
				t.Errorf("read % x", key[:])
			}
			if err != nil && strings.Contains(err.Error(), digits[:8]) {
				t.Errorf("the error reveals the key: %v", err)
			}
		})
	}
	if _, err := (config.Shoe{KeyFile: filepath.Join(folder, "absent")}).Key(); !told(err, "sabot shoe key") {
		t.Errorf("an absent file gives %v", err)
	}
	if key, err := (config.Shoe{}).Key(); key != nil || err != nil {
		t.Errorf("no file gives %v, %v", key, err)
	}
}

// TestJournalKey: the journal's key is read from its file, which nobody else may read.
func TestJournalKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	public, err := journal.NewKeyFile(path)
	if err != nil {
		t.Fatal(err)
	}
	key, err := config.Journal{KeyFile: path}.Key()
	if err != nil || !public.Equal(key.Public()) {
		t.Errorf("got another key, or %v", err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := (config.Journal{KeyFile: path}).Key(); !told(err, "journal.key_file: the key file "+path+
		": other users have access to it") {
		t.Errorf("a key that all can read gives %v", err)
	}
	if _, err := (config.Journal{KeyFile: path + ".absent"}).Key(); !told(err, "make one with `sabot key journal ") {
		t.Errorf("an absent file gives %v", err)
	}
	if key, err := (config.Journal{}).Key(); key != nil || err != nil {
		t.Errorf("no file gives a key, or %v", err)
	}
}

func told(err error, what string) bool {
	if what == "" || err == nil {
		return what == "" && err == nil
	}
	return strings.Contains(err.Error(), what)
}
