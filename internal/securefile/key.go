package securefile

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

const (
	// KeyPEMType is the type of the PEM block that a key file holds.
	KeyPEMType = "PRIVATE KEY"
	// PublicKeyName begins a public key's line.
	PublicKeyName = "ed25519:"
	// MostKey limits how much of a key file is read, in bytes.
	MostKey = 4096
	// others are the permissions that a key file must not give.
	others fs.FileMode = 0o077
)

// KeyKind is what a key is for, as far as its errors say so.
type KeyKind struct {
	// Make is the command that makes such a key, and User the program whose user owns its file.
	Make, User string
	// Kept says why a file that is there is not overwritten.
	Kept string
}

// New makes a key, writes its private half to a new file that only the owner can read, and
// returns the public half. It never overwrites a file.
func (k KeyKind) New(path string) (ed25519.PublicKey, error) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	if err := k.write(path, private); err != nil {
		return nil, err
	}
	return public, nil
}

// NewP256 makes a key for ECDSA on the curve P-256, and does what New does.
func (k KeyKind) NewP256(path string) (*ecdsa.PrivateKey, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	if err := k.write(path, private); err != nil {
		return nil, err
	}
	return private, nil
}

// write writes a private key to a new file.
func (k KeyKind) write(path string, private any) error {
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: KeyPEMType, Bytes: der})
	if err := New(path, text); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s already exists and was not touched: %s; give another name, or move it away",
				path, k.Kept)
		}
		return fmt.Errorf("writing the key: %w", err)
	}
	return nil
}

// Read reads the private key in a file that only its owner may read. Errors contain nothing of
// the file's content.
func (k KeyKind) Read(path string) (ed25519.PrivateKey, error) {
	return readAs[ed25519.PrivateKey](k, path, "an Ed25519 key")
}

// ReadP256 reads a private key on the curve P-256 as Read does.
func (k KeyKind) ReadP256(path string) (*ecdsa.PrivateKey, error) {
	key, err := readAs[*ecdsa.PrivateKey](k, path, "a key for ECDSA")
	if err == nil && key.Curve != elliptic.P256() {
		return nil, fmt.Errorf("the key file %s: its key is not on the curve P-256: `%s` makes one", path, k.Make)
	}
	return key, err
}

// OrNewP256 does what ReadP256 does, and what NewP256 does where there is no file.
func (k KeyKind) OrNewP256(path string) (*ecdsa.PrivateKey, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return k.NewP256(path)
	}
	return k.ReadP256(path)
}

// readAs reads a private key that must be of one type.
func readAs[Key any](k KeyKind, path, what string) (key Key, err error) {
	f, err := Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return key, fmt.Errorf("the key file %s does not exist: make one with `%s %s`", path, k.Make, path)
	}
	if err != nil {
		return key, fmt.Errorf("the key file cannot be read: %w; let the user that runs %s own it", err, k.User)
	}
	parsed, err := k.read(f, what)
	if err := errors.Join(err, f.Close()); err != nil {
		return key, fmt.Errorf("the key file %s: %w", path, err)
	}
	key, ok := parsed.(Key)
	if !ok {
		return key, fmt.Errorf("the key file %s: it is not %s: `%s` makes one", path, what, k.Make)
	}
	return key, nil
}

// read reads a private key of any type; what says which is wanted.
func (k KeyKind) read(f *os.File, what string) (any, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if open := info.Mode().Perm() & others; open != 0 {
		return nil,
			fmt.Errorf("other users have access to it (its mode is %#o), so it proves nothing: chmod 600 it, and "+
				"make a new key if anybody may have read it",
				info.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(f, MostKey))
	if err != nil {
		return nil, err
	}
	block, rest := pem.Decode(text)
	if block == nil || block.Type != KeyPEMType || len(bytes.TrimSpace(rest)) > 0 {
		return nil, fmt.Errorf("it is not a private key in PEM, alone in its file: `%s` makes such a file", k.Make)
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("it is not %s: `%s` makes one", what, k.Make)
	}
	return key, nil
}

// PublicKeyLine writes a public key as a line of text.
func PublicKeyLine(key ed25519.PublicKey) string { return PublicKeyName + hex.EncodeToString(key) }

// ParseLine reads such a line.
func (k KeyKind) ParseLine(line string) (ed25519.PublicKey, error) {
	digits, named := strings.CutPrefix(strings.TrimSpace(line), PublicKeyName)
	key, err := hex.DecodeString(digits)
	if !named || err != nil || len(key) != ed25519.PublicKeySize {
		return nil,
			fmt.Errorf("it is not a public key: that is the line that `%s` prints, %s and %d hexadecimal digits",
				k.Make, PublicKeyName, 2*ed25519.PublicKeySize)
	}
	return key, nil
}
