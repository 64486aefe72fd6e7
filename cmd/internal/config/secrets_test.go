package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/cmd/internal/config"
	"github.com/sabot-table/sabot/table/journal"
)

func TestPassword(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct{ name, text, want, fault string }{
		{"a line", "secret\n", "secret", ""},
		{"no end of line", "secret", "secret", ""},
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
				t.Errorf("the error tells the password: %v", err)
			}
		})
	}
	if _, err := (config.MQTT{PasswordFile: filepath.Join(folder, "absent")}).Password(); !told(err, "mqtt.password_file") {
		t.Errorf("an absent file gives %v", err)
	}
	if password, err := (config.MQTT{}).Password(); password != "" || err != nil {
		t.Errorf("no file gives %q, %v", password, err)
	}
}

// TestKey: the journal's key is read from its file, which nobody else may read.
func TestKey(t *testing.T) {
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
	if _, err := (config.Journal{KeyFile: path}).Key(); !told(err, "journal.key_file: the key file "+path+": others can get at it") {
		t.Errorf("a key that all can read gives %v", err)
	}
	if _, err := (config.Journal{KeyFile: path + ".absent"}).Key(); !told(err, "make one with `sabot journal-key ") {
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
