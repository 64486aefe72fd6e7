package journal

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"strings"
)

// Each frame of a table that seals its journal ends with a code that only the holder of a key can make, and the key
// moves on with each frame. This is the forward-secure log of Schneier and Kelsey: the code is an HMAC-SHA256 by the
// key of its frame, and the next key is a SHA-256 of that key, so that nobody gets back from a key to the one before.

// AuditKey is the key of a table's first code, from which the keys of all its codes follow. The house keeps it, where
// nobody at the table can read it, and the table does not.
type AuditKey [sha256.Size]byte

// auditName begins the line in which a house keeps it.
const auditName = "audit-key:"

// newAuditKey draws a key.
func newAuditKey() (key AuditKey) {
	rand.Read(key[:]) // never fails: crypto/rand ends the program instead
	return key
}

// Line writes the key as the house keeps it.
func (a AuditKey) Line() string { return auditName + hex.EncodeToString(a[:]) }

// ParseAuditLine reads such a line. Its errors contain nothing of the line.
func ParseAuditLine(line string) (key AuditKey, err error) {
	digits, is := strings.CutPrefix(strings.TrimSpace(line), auditName)
	raw, wrong := hex.DecodeString(digits)
	if !is || wrong != nil || len(raw) != len(key) {
		return key, fmt.Errorf("it is no line that `sabot key audit` printed: %s and %d hexadecimal digits",
			auditName, hexHash)
	}
	return AuditKey(raw), nil
}

// parseAuditLines reads such lines, at least one.
func parseAuditLines(text []byte) (keys []AuditKey, err error) {
	for line := range bytes.Lines(text) {
		key, err := ParseAuditLine(string(line))
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 || len(text) > mostKeptBytes {
		return nil, fmt.Errorf("it has not the few lines that `sabot key audit` printed")
	}
	return keys, nil
}

// By names the key in public: headers have it, so that an auditor with several keys finds the right one.
func (a AuditKey) By() string {
	sum := sha256.Sum256(append([]byte("sabot journal audit key "), a[:]...))
	return hex.EncodeToString(sum[:8])
}

// first is the key of the first code.
func (a AuditKey) first() ratchet { return ratchet{key: a, frame: 1} }

// codeSize is the length of a code. Half of what HMAC-SHA256 gives is as much as RFC 2104 advises to leave: somebody
// who guesses has one try for each start of the table, and 2^128 codes to choose from.
const codeSize = 16

// beforeCode is how the code of a frame begins, right before its hash.
var beforeCode = []byte(`,"code":"`)

// codeEnd is how many bytes of a closing line a code takes.
var codeEnd = len(beforeCode) + 2*codeSize + 1

// ratchet is the key of one frame's code, and the number of that frame; no key if that is 0.
type ratchet struct {
	key   [sha256.Size]byte
	frame uint64
}

// stepName comes before a key in the text whose SHA-256 is the next key. Together they fit into one block of SHA-256.
const stepName = "sabot journal code step"

// step moves on to the next frame, and forgets the key.
func (r *ratchet) step() {
	var text [len(stepName) + sha256.Size]byte
	copy(text[:], stepName)
	copy(text[len(stepName):], r.key[:])
	r.key = sha256.Sum256(text[:])
	r.frame++
}

// mostFrames limits the numbers of frames: a table that wrote ten each second would reach it in three years of days and
// nights, and a forged number must not keep a program busy for more than a minute.
const mostFrames = 1 << 30

// to moves on to a frame, and reports whether it could: there is no way back.
func (r *ratchet) to(frame uint64) bool {
	if r.frame == 0 || frame < r.frame || frame > mostFrames {
		return false
	}
	for r.frame < frame {
		r.step()
	}
	return true
}

// The texts that are hashed for a code begin with a block of these bytes, to which the key is added (RFC 2104).
var innerPad, outerPad = padded(0x36), padded(0x5c)

func padded(with byte) (text [sha256.BlockSize + sha256.Size]byte) {
	for i := range sha256.BlockSize {
		text[i] = with
	}
	return text
}

// code is the code of the frame, under the SHA-256 of everything that it covers: the first bytes of an HMAC-SHA256.
// That is written out here, since crypto/hmac allocates for each new key, and each frame has one.
func (r *ratchet) code(digest *[sha256.Size]byte) [codeSize]byte {
	inner, outer := innerPad, outerPad
	subtle.XORBytes(inner[:sha256.Size], inner[:sha256.Size], r.key[:])
	subtle.XORBytes(outer[:sha256.Size], outer[:sha256.Size], r.key[:])
	copy(inner[sha256.BlockSize:], digest[:])
	sum := sha256.Sum256(inner[:])
	copy(outer[sha256.BlockSize:], sum[:])
	sum = sha256.Sum256(outer[:])
	return [codeSize]byte(sum[:])
}

// made reports whether a frame's code was made with the key.
func (r *ratchet) made(f *frame) bool {
	code := r.code(&f.digest)
	return subtle.ConstantTimeCompare(code[:], f.code[:]) == 1
}
