package config

import (
	"crypto/ed25519"
	"fmt"
	"strings"

	"github.com/sabot-table/sabot/table/journal"
)

// Password reads the broker's password from its file: the first line, without
// the line's end. It is empty if the configuration names no file.
func (m MQTT) Password() (string, error) {
	if m.PasswordFile == "" {
		return "", nil
	}
	data, err := readFile(m.PasswordFile)
	if err != nil {
		return "", fmt.Errorf("read mqtt.password_file: %w; let the user that runs sabotd read it", err)
	}
	password := strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
	if password == "" || strings.ContainsAny(password, "\r\n") {
		return "", fmt.Errorf("mqtt.password_file %s: the file must hold the password on one line, and nothing else", m.PasswordFile)
	}
	return password, nil
}

// Key reads the key that seals the journal. It is nil if the configuration names no
// file.
func (j Journal) Key() (ed25519.PrivateKey, error) {
	if j.KeyFile == "" {
		return nil, nil
	}
	key, err := journal.ReadKeyFile(j.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("journal.key_file: %w", err)
	}
	return key, nil
}
