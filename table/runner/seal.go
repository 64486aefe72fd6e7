package runner

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
)

// A card that lies face down has a seal on record, of a fixed length: a commitment to the card, and the card enciphered
// with a key of the table. So nobody learns it before it is turned, neither who looks at the table, nor who reads its
// record. When it is turned, what the commitment was made with goes on record, and everybody can check that it is the
// card that was sealed, without any key.

// facesKeySize is the size of a key, in bytes.
const facesKeySize = 32

const (
	saltSize = 16
	// mostSealedReport is the longest report of a shoe that is sealed with its card.
	mostSealedReport = 128
	// sealedSize is the size of what is enciphered: the salt, the card, and the report with its length, so that a seal
	// says nothing by its own length.
	sealedSize  = saltSize + 1 + 1 + mostSealedReport
	sealPurpose = "sabot hole card 1"
)

// FacesKey is the key with which a table seals the cards that lie face down.
type FacesKey [facesKeySize]byte

// NewFacesKey makes a key.
func NewFacesKey() (k FacesKey) {
	_, _ = rand.Read(k[:]) // it never fails
	return k
}

// MarshalText writes the key in hexadecimal digits.
func (k FacesKey) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, k[:]), nil }

// UnmarshalText reads a key.
func (k *FacesKey) UnmarshalText(text []byte) error {
	b, err := hex.DecodeString(string(text))
	if err != nil || len(b) != facesKeySize {
		return errors.New("it is not a key of 64 hexadecimal digits")
	}
	*k = FacesKey(b)
	return nil
}

// SealPlace is where on record the card lies: a seal is of this place, and of no other.
type SealPlace struct {
	Journal string
	Record  uint64
}

func (p SealPlace) bytes() []byte {
	b := append([]byte(sealPurpose), 0)
	b = append(append(b, p.Journal...), 0)
	return binary.BigEndian.AppendUint64(b, p.Record)
}

// commitment is what is public of a card before it is turned.
func commitment(at SealPlace, salt []byte, c card.Card) []byte {
	h := sha256.New()
	h.Write(at.bytes())
	h.Write(salt)
	h.Write([]byte(c.String()))
	return h.Sum(nil)
}

// sealedFace is a card with what its commitment was made with, and the shoe's own report of it.
type sealedFace struct {
	Card card.Card
	// Opens is what lets everybody check the commitment.
	Opens  string
	Report string
}

// seal seals a card, and the shoe's report of it, which may be empty. A report that is too long is left out.
func (k FacesKey) seal(at SealPlace, c card.Card, report string) string {
	plain := make([]byte, sealedSize)
	_, _ = rand.Read(plain[:saltSize])
	plain[saltSize] = byte(c)
	if len(report) <= mostSealedReport {
		plain[saltSize+1] = byte(len(report))
		copy(plain[saltSize+2:], report)
	}
	commits := commitment(at, plain[:saltSize], c)
	aead := k.aead()
	nonce := make([]byte, aead.NonceSize())
	_, _ = rand.Read(nonce)
	sealed := aead.Seal(nonce, nonce, plain, append(at.bytes(), commits...))
	return hex.EncodeToString(commits) + "." + base64.RawURLEncoding.EncodeToString(sealed)
}

// errSealKey is a seal that the key does not open.
var errSealKey = errors.New("the seal of the card does not open: it is of another key or another record, or " +
	"was changed")

// open opens a seal.
func (k FacesKey) open(at SealPlace, seal string) (s sealedFace, err error) {
	commits, sealed, err := sealParts(seal)
	if err != nil {
		return s, err
	}
	aead := k.aead()
	if len(sealed) < aead.NonceSize() {
		return s, errSealKey
	}
	nonce, text := sealed[:aead.NonceSize()], sealed[aead.NonceSize():]
	plain, err := aead.Open(nil, nonce, text, append(at.bytes(), commits...))
	if err != nil || len(plain) != sealedSize {
		return s, errSealKey
	}
	salt, n := plain[:saltSize], int(plain[saltSize+1])
	s = sealedFace{Card: card.Card(plain[saltSize]), Opens: hex.EncodeToString(salt)}
	if n > mostSealedReport || subtle.ConstantTimeCompare(commitment(at, salt, s.Card), commits) != 1 {
		return sealedFace{}, errSealKey
	}
	s.Report = string(plain[saltSize+2 : saltSize+2+n])
	return s, nil
}

// CheckSeal says whether a card is the one that a seal commits to, for which nobody needs a key.
func CheckSeal(at SealPlace, seal string, c card.Card, opens string) error {
	commits, _, err := sealParts(seal)
	if err != nil {
		return err
	}
	salt, err := hex.DecodeString(opens)
	if err != nil || len(salt) != saltSize {
		return errors.New("what opens the seal of the card is missing, or is none")
	}
	if subtle.ConstantTimeCompare(commitment(at, salt, c), commits) != 1 {
		return errors.New("it is not the card that was sealed when it was dealt")
	}
	return nil
}

// sealParts are the commitment of a seal, and what is enciphered.
func sealParts(seal string) (commits, sealed []byte, err error) {
	first, rest, ok := strings.Cut(seal, ".")
	if commits, err = hex.DecodeString(first); err != nil || !ok || len(commits) != sha256.Size {
		return nil, nil, errors.New("the card has no seal")
	}
	if sealed, err = base64.RawURLEncoding.DecodeString(rest); err != nil {
		return nil, nil, errors.New("the card has no seal")
	}
	return commits, sealed, nil
}

func (k FacesKey) aead() cipher.AEAD {
	block, err := aes.NewCipher(k[:])
	if err != nil {
		panic(err) // the key has the right size
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return aead
}
