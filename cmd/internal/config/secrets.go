package config

import (
	"crypto/ed25519"
	"fmt"
	"os"
	"strings"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/table/journal"
)

// Password reads the broker's password from its file: the first line, without
// its line end. It is empty if the configuration names no file.
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

// Key reads the key that the shoe shares with the table from its file: one line of 32
// hexadecimal digits. It is nil if the configuration names no file. A file that
// every user of the machine may read or change is refused.
func (s Shoe) Key() (*wire.Secret, error) {
	if s.KeyFile == "" {
		return nil, nil
	}
	info, err := os.Stat(s.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("read shoe.key_file: %w; make one with `sabot shoe-key %s`", err, s.KeyFile)
	}
	if info.Mode().Perm()&0o007 != 0 {
		return nil, fmt.Errorf("shoe.key_file %s: everyone on this machine may read or change it (mode %#o): remove that right with `chmod o= %s`, and make a new key if anyone may have seen it",
			s.KeyFile, info.Mode().Perm(), s.KeyFile)
	}
	data, err := readFile(s.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("read shoe.key_file: %w; let the user that runs sabotd read it", err)
	}
	key, err := wire.ParseSecret(strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r"))
	if err != nil {
		return nil, fmt.Errorf("shoe.key_file %s: %w: the file must hold the key on one line, and nothing else", s.KeyFile, err)
	}
	return &key, nil
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
