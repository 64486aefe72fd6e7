package journal

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A key file holds the private key as PEM, PKCS #8, which openssl also reads and makes.
// The public key is a line of text, for the auditor.
const (
	pemType    = "PRIVATE KEY"
	publicName = "ed25519:"
	// keyFileMost limits how much of a key file is read.
	keyFileMost = 4096
	// others are the permissions that a key file must not give.
	others fs.FileMode = 0o077
)

// NewKeyFile makes a key, writes its private half to a new file that only the owner can
// read, and returns the public half. It never overwrites a file.
func NewKeyFile(path string) (ed25519.PublicKey, error) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: pemType, Bytes: der})
	if err := writeNew(path, text); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("%s already exists and was not touched: seals that it has signed need it; give another name, or move it away", path)
		}
		return nil, fmt.Errorf("writing the key: %w", err)
	}
	return public, nil
}

// writeNew writes a file that only the owner can read, durably.
func writeNew(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return syncDir(filepath.Dir(path))
}

// ReadKeyFile reads the private key in a file that only its owner may read. Errors contain
// nothing of the file's content.
func ReadKeyFile(path string) (ed25519.PrivateKey, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the key file %s does not exist: make one with `sabot journal-key %s`", path, path)
	}
	if err != nil {
		return nil, fmt.Errorf("the key file cannot be read: %w; let the user that runs sabotd own it", err)
	}
	key, err := readKey(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("the key file %s: %w", path, err)
	}
	return key, nil
}

func readKey(f *os.File) (ed25519.PrivateKey, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if open := info.Mode().Perm() & others; open != 0 {
		return nil, fmt.Errorf("other users have access to it (its mode is %#o), so it proves nothing: chmod 600 it, and make a new key if anybody may have read it",
			info.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(f, keyFileMost))
	if err != nil {
		return nil, err
	}
	block, rest := pem.Decode(text)
	if block == nil || block.Type != pemType || len(bytes.TrimSpace(rest)) > 0 {
		return nil, errors.New("it is not a private key in PEM, alone in its file: `sabot journal-key` makes such a file")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	key, ok := parsed.(ed25519.PrivateKey)
	if err != nil || !ok {
		return nil, errors.New("it is not an Ed25519 key: `sabot journal-key` makes one")
	}
	return key, nil
}

// PublicLine writes a public key as the line that an auditor keeps.
func PublicLine(key ed25519.PublicKey) string { return publicName + hex.EncodeToString(key) }

// ParsePublicLine reads such a line.
func ParsePublicLine(line string) (ed25519.PublicKey, error) {
	digits, named := strings.CutPrefix(strings.TrimSpace(line), publicName)
	key, err := hex.DecodeString(digits)
	if !named || err != nil || len(key) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("it is not a public key: that is the line that `sabot journal-key` prints, %s and %d hexadecimal digits",
			publicName, 2*ed25519.PublicKeySize)
	}
	return key, nil
}

// ReadPublicFile reads the file in which an auditor keeps a public key, its only line.
func ReadPublicFile(path string) (ed25519.PublicKey, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the public key cannot be read: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(f, keyFileMost))
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("the public key in %s cannot be read: %w", path, err)
	}
	if bytes.Contains(text, []byte(pemType)) {
		return nil, fmt.Errorf("%s is the table's private key: an auditor needs only the public line, and the table must keep this file to itself", path)
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
