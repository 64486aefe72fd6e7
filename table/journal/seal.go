package journal

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"github.com/sabot-table/sabot/internal/securefile"
)

// Seal is a signature under the chain's hash: the holder of the key confirms everything up
// to there, including headers, rules, cursors and earlier seals. Anybody who changes the
// chain can compute it anew, but a seal only with the key.
type Seal struct {
	// Seq is the last record before the seal, and Hash the hash of the frame right before
	// it.
	Seq  uint64
	Hash [sha256.Size]byte
	// At is when it was signed, in Unix nanoseconds, by the clock of the host.
	At int64
	// Key is the public half of the key that signed.
	Key ed25519.PublicKey
	// Signature is the signature of what SealText returns.
	Signature []byte
}

// SealText is the text that is signed: README.md defines it. id is the journal's.
func SealText(id string, seq uint64, hash [sha256.Size]byte, at int64) []byte {
	b := append([]byte("sabot journal seal\n"), id...)
	b = append(b, '\n')
	b = strconv.AppendUint(b, seq, 10)
	b = append(b, '\n')
	b = hex.AppendEncode(b, hash[:])
	b = append(b, '\n')
	b = strconv.AppendInt(b, at, 10)
	return append(b, '\n')
}

// Valid reports whether the seal was signed by the key that it names, in the journal with
// the given id. The caller decides whether to trust that key.
func (s *Seal) Valid(id string) bool {
	return len(s.Key) == ed25519.PublicKeySize && ed25519.Verify(s.Key, SealText(id, s.Seq, s.Hash, s.At), s.Signature)
}

// appendSeal writes the fields of a seal after a state.
func appendSeal(b []byte, key ed25519.PrivateKey, id string, s *state, at int64) []byte {
	signature := ed25519.Sign(key, SealText(id, s.seq, s.hash, at))
	b = strconv.AppendUint(append(b, beginSeal...), s.seq, 10)
	b = strconv.AppendInt(append(b, `,"at":`...), at, 10)
	b = append(append(b, `,"key":"`...), PublicLine(key.Public().(ed25519.PublicKey))...)
	b = hex.AppendEncode(append(b, `","signature":"`...), signature)
	return append(b, '"')
}

// parseSeal reads the frame of a seal, and moves the state past it. The caller checks
// whether it is valid.
func (s *state) parseSeal(f *frame) (seal Seal, err error) {
	if seal, err = readSeal(f, s.hash); err != nil {
		return seal, err
	}
	if seal.Seq != s.seq {
		return seal, brokenf(s.seq, "is followed by a seal that was made after record %d", seal.Seq)
	}
	s.hash, s.sealed = f.hash, seal.Seq
	return seal, nil
}

// readSeal reads the frame of a seal under the hash of the frame before.
func readSeal(f *frame, under [sha256.Size]byte) (Seal, error) {
	line := scanner{line: f.fields()}
	seal := Seal{Seq: line.unsigned(string(beginSeal)), Hash: under}
	seal.At = line.signed(`,"at":`)
	line.want(`,"key":"` + securefile.PublicKeyName)
	seal.Key = line.hex(ed25519.PublicKeySize)
	line.want(`","signature":"`)
	seal.Signature = line.hex(ed25519.SignatureSize)
	line.want(`"`)
	if line.err == nil && (len(line.line) > 0 || f.lines > 0) {
		line.fail("something else with it")
	}
	if line.err != nil {
		return seal, fmt.Errorf("a seal that cannot be read: %w", line.err)
	}
	return seal, nil
}

// errKey is returned for a key that cannot sign.
var errKey = errors.New("the key to seal the journal with is not an Ed25519 key")

func checkKey(key ed25519.PrivateKey) error {
	if key != nil && len(key) != ed25519.PrivateKeySize {
		return errKey
	}
	return nil
}
