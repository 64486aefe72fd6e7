package wire

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
)

// Secret is a key of 16 bytes: the one that shoe and table share, or one of a session. It never shows, however it is
// printed.
type Secret [16]byte

// Format writes a word in place of the key, whatever the verb.
func (Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, "(key)") }

// MarshalText keeps the key out of logs and JSON.
func (Secret) MarshalText() ([]byte, error) { return []byte("(key)"), nil }

// ParseSecret reads a key of 32 hexadecimal digits. The error does not repeat them.
func ParseSecret(digits string) (Secret, error) {
	var k Secret
	if len(digits) != hex.EncodedLen(len(k)) {
		return Secret{}, fmt.Errorf("a key has %d hexadecimal digits, not %d characters", hex.EncodedLen(len(k)),
			len(digits))
	}
	if _, err := hex.Decode(k[:], []byte(digits)); err != nil {
		return Secret{}, errors.New("a key has only the digits 0 to 9 and a to f")
	}
	return k, nil
}

// Nonce is what one side contributes to a session's keys. Neither side may use one twice with the same key.
type Nonce uint64

// Session is what one session's keys are made from, besides the shared key.
type Session struct{ Host, Shoe Nonce }

// The labels separate what is derived from one key.
const (
	labelProof    = "sabot-pr"
	labelFromHost = "sabot-h" // and the half, 0 or 1
	labelFromShoe = "sabot-s"
	labelNonce    = "sabot-nc"
)

// Proof shows that the shoe has the key, and that it answers this challenge.
func (s Session) Proof(k *Secret) uint64 { return derive(k, labelProof, s) }

// Keys returns the session's keys for each direction.
func (s Session) Keys(k *Secret) (fromHost, fromShoe Secret) {
	return s.key(k, labelFromHost), s.key(k, labelFromShoe)
}

func (s Session) key(k *Secret, label string) (made Secret) {
	binary.LittleEndian.PutUint64(made[:8], derive(k, label+"0", s))
	binary.LittleEndian.PutUint64(made[8:], derive(k, label+"1", s))
	return made
}

// NthNonce makes the nonces of one life of a shoe, numbered from 1, from a seed that no other life has.
func NthNonce(k *Secret, seed, n uint64) Nonce {
	return Nonce(derive(k, labelNonce, Session{Nonce(seed), Nonce(n)}))
}

func derive(k *Secret, label string, s Session) uint64 {
	var in [24]byte
	copy(in[:8], label)
	binary.LittleEndian.PutUint64(in[8:], uint64(s.Host))
	binary.LittleEndian.PutUint64(in[16:], uint64(s.Shoe))
	return SipHash(k, in[:])
}
