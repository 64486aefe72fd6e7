package config_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/cmd/internal/config"
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

func told(err error, what string) bool {
	if what == "" || err == nil {
		return what == "" && err == nil
	}
	return strings.Contains(err.Error(), what)
}
