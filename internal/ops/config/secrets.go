package config

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/table/journal"
)

// Password reads the broker's password from its file: the first line, without
// its line end. It is empty if the configuration names no file.
func (m MQTT) Password() (string, error) {
	return configfile.Password("mqtt.password_file", m.PasswordFile)
}

// Key reads the key that the shoe shares with the table from its file: one line of 32
// hexadecimal digits. It is nil if the configuration names no file. A file that
// every user of the machine may read or change is refused.
func (s Shoe) Key() (*wire.Secret, error) {
	if s.KeyFile == "" {
		return nil, nil
	}
	data, err := configfile.Read(securefile.ShoeKey, s.KeyFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read shoe.key_file: %w; make one with `sabot shoe key %s`", err, s.KeyFile)
	}
	if err != nil {
		return nil, configfile.Unread("shoe.key_file", err)
	}
	key, err := wire.ParseSecret(strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r"))
	if err != nil {
		return nil, fmt.Errorf("shoe.key_file %s: %w: the file must hold the key on one line, and nothing else",
			s.KeyFile, err)
	}
	return &key, nil
}

// Key reads the key that seals the journal. It is nil if the configuration names no
// file, and the table has made none.
func (j Journal) Key() (ed25519.PrivateKey, error) {
	if j.KeyFile == "" || j.KeyUnmade() {
		return nil, nil
	}
	key, err := journal.ReadKeyFile(j.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("journal.key_file: %w", err)
	}
	return key, nil
}

// KeyUnmade reports whether the key is the table's to make, and was not made yet.
func (j Journal) KeyUnmade() bool {
	if !j.makesKey {
		return false
	}
	_, err := os.Lstat(j.KeyFile)
	return errors.Is(err, fs.ErrNotExist)
}

// KeyOrNew is Key for the table itself, which makes the key that is to be made, before there is a journal: one that is
// not sealed would have to be set aside. A key of its own that cannot be used is put aside, another one is made, and
// lost says why: the journal is then set aside, as under any other key.
func (j Journal) KeyOrNew() (key ed25519.PrivateKey, made bool, lost, err error) {
	if j.KeyUnmade() && j.unbegun() {
		key, err = j.NewKey()
		return key, true, nil, err
	}
	key, err = j.Key()
	if err == nil || !j.makesKey || errors.Is(err, syscall.EIO) || errors.Is(err, fs.ErrPermission) {
		return key, false, nil, err
	}
	lost = err
	if _, err = securefile.PutAside(j.KeyFile); err == nil {
		key, err = j.NewKey()
	}
	return key, true, lost, err
}

// NewKey makes the key that is to be made.
func (j Journal) NewKey() (ed25519.PrivateKey, error) {
	if _, err := journal.NewKeyFile(j.KeyFile); err != nil {
		const what = "the table makes the key of its journal, which it needs with a broker"
		return nil, fmt.Errorf("%s: %w; or name one in journal.key_file", what, err)
	}
	return j.Key()
}

// unbegun reports whether there is nothing in the journal's folder. What is wrong with it whoever opens the journal
// says.
func (j Journal) unbegun() bool {
	there, err := os.ReadDir(j.Path)
	return len(there) == 0 && (err == nil || errors.Is(err, fs.ErrNotExist))
}
