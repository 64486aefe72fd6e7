package journal

import (
	"crypto/ed25519"
	"encoding/hex"
	"strconv"
)

// vouchText is what is signed of a head. No seal has such a text.
func vouchText(h Heard) []byte {
	b := append([]byte("sabot journal heard\n"), h.ID...)
	b = strconv.AppendUint(append(b, '\n'), h.Record, 10)
	b = hex.AppendEncode(append(b, '\n'), h.Hash[:])
	b = strconv.AppendUint(append(b, '\n'), h.Event, 10)
	return append(b, '\n')
}

// Vouch signs a head of the journal, so that nobody else can say later that the pit had heard of it. It returns nil for
// a journal that is not sealed.
func (j *Journal) Vouch(h Heard) []byte {
	if j.key == nil {
		return nil
	}
	return ed25519.Sign(j.key, vouchText(h))
}

// Vouched reports whether a head was signed by the journal's key, and whether there is one. Without one nobody can tell
// who says that the pit has heard of it.
func (j *Journal) Vouched(h Heard, signature []byte) (by, sealed bool) {
	if j.key == nil {
		return false, false
	}
	return ed25519.Verify(j.key.Public().(ed25519.PublicKey), vouchText(h), signature), true
}

// VouchedBy reports whether a head was signed by the private half of a key.
func VouchedBy(key ed25519.PublicKey, h Heard, signature []byte) bool {
	return len(key) == ed25519.PublicKeySize && ed25519.Verify(key, vouchText(h), signature)
}
