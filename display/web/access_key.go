package web

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"strings"
)

// Key is what a screen enters with: 256 random bits. NewKey alone makes one, so
// nobody can guess it, however fast he tries.
type Key [32]byte

// NewKey makes a new key.
func NewKey() Key {
	var k Key
	rand.Read(k[:]) // never fails: crypto/rand ends the program instead
	return k
}

// typed is base32 in small letters, of which none looks like another when somebody
// types it from paper: i, l, o and u are missing.
var typed = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// asTyped mends what a reader of a printed key mistakes.
var asTyped = strings.NewReplacer("-", "", " ", "", "o", "0", "i", "1", "l", "1")

// String writes the key for people: 13 groups of 4 letters and digits.
func (k Key) String() string {
	all := typed.EncodeToString(k[:])
	var b strings.Builder
	for i := 0; i < len(all); i += 4 {
		if i > 0 {
			b.WriteByte('-')
		}
		b.WriteString(all[i : i+4])
	}
	return b.String()
}

// longestKey is more than anybody types for a key.
const longestKey = 128

var errNoKey = errors.New("this is no screen's key: sabot key screen prints one, of 13 groups of 4 letters and digits")

// ParseKey reads a key as somebody types it. The error repeats nothing of it.
func ParseKey(text string) (k Key, err error) {
	if len(text) > longestKey {
		return k, errNoKey
	}
	text = asTyped.Replace(strings.ToLower(strings.TrimSpace(text)))
	b, err := typed.DecodeString(text)
	if err != nil || len(b) != len(k) || typed.EncodeToString(b) != text { // bits left over
		return k, errNoKey
	}
	return Key(b), nil
}

// KeyHash is a key's SHA-256, which may be known to whoever reads the configuration.
// A slow hash as for a PIN would protect nothing more, since there are too many keys
// to try; and it would let whoever sends wrong keys keep the table's computer busy.
type KeyHash [sha256.Size]byte

// Hash returns what the configuration has of the key.
func (k Key) Hash() KeyHash { return sha256.Sum256(k[:]) }

// is compares in a time that tells nothing.
func (h KeyHash) is(other KeyHash) bool { return subtle.ConstantTimeCompare(h[:], other[:]) == 1 }

const hashPrefix = "sha256:"

// String writes the hash as ParseKeyHash reads it.
func (h KeyHash) String() string { return hashPrefix + hex.EncodeToString(h[:]) }

var errNoHash = errors.New("is no hash of a screen's key, which is sha256: and 64 hexadecimal digits")

// ParseKeyHash reads a hash as String writes it, and nothing else. The error repeats
// nothing of the text, which may be a key that was put in the place of its hash.
func ParseKeyHash(text string) (h KeyHash, err error) {
	digits, _ := strings.CutPrefix(text, hashPrefix)
	raw, _ := hex.DecodeString(digits)
	if copy(h[:], raw); h.String() != text {
		return KeyHash{}, errNoHash
	}
	return h, nil
}

// MarshalText writes what String does.
func (h KeyHash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads what ParseKeyHash does.
func (h *KeyHash) UnmarshalText(text []byte) (err error) {
	*h, err = ParseKeyHash(string(text))
	return err
}
