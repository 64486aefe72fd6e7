package journal

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/sabot-table/sabot/internal/securefile"
)

// sealing is the key with which a table seals its journal.
var sealing = securefile.KeyKind{Make: "sabot key journal", User: "sabotd", Kept: "seals that it has signed need it"}

// NewKeyFile makes a key, writes its private half to a new file that only the owner can
// read, and returns the public half. It never overwrites a file.
func NewKeyFile(path string) (ed25519.PublicKey, error) { return sealing.New(path) }

// ReadKeyFile reads the private key in a file that only its owner may read. Errors contain
// nothing of the file's content.
func ReadKeyFile(path string) (ed25519.PrivateKey, error) { return sealing.Read(path) }

// PublicLine writes a public key as the line that an auditor keeps.
func PublicLine(key ed25519.PublicKey) string { return securefile.PublicKeyLine(key) }

// ParsePublicLine reads such a line.
func ParsePublicLine(line string) (ed25519.PublicKey, error) { return sealing.ParseLine(line) }

// ReadPublicFile reads the file in which an auditor keeps a public key, its only line.
func ReadPublicFile(path string) (ed25519.PublicKey, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the public key cannot be read: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(f, securefile.MostKey))
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("the public key in %s cannot be read: %w", path, err)
	}
	if bytes.Contains(text, []byte(securefile.KeyPEMType)) {
		return nil,
			fmt.Errorf("%s is the table's private key: an auditor needs only the public line, and the table must "+
				"keep this file to itself", path)
	}
	key, err := ParsePublicLine(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}

func publicLine(key ed25519.PrivateKey) string {
	return PublicLine(key.Public().(ed25519.PublicKey))
}
