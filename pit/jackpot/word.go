package jackpot

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
)

// Word is what the pit says to a table of the jackpot that it plays for: what is committed, and nothing else.
type Word struct {
	Site     string `json:"site"`
	Table    string `json:"table"`
	Jackpot  string `json:"jackpot"`
	Currency string `json:"currency"`
	// Amount is what is in it, and Entry the last entry that is counted in it.
	Amount int64  `json:"amount"`
	Entry  uint64 `json:"entry"`
	// Given is what the table's winners get, nil where nobody waits for that.
	Given *Given `json:"given,omitempty"`
	// Journal and Head are the last record that the pit had of the table when it said this. They date the word by what
	// the table itself has written, so that no clock need be right; an earlier pit does not say them.
	Journal string `json:"journal,omitempty"`
	Head    uint64 `json:"head,omitempty"`
}

// Given is what the winners of a round get together.
type Given struct {
	Journal  string `json:"journal"`
	Round    uint64 `json:"round"`
	Amount   int64  `json:"amount"`
	Decision uint64 `json:"entry"`
}

// MaxPayload is the longest word that a table reads, in bytes.
const MaxPayload = 2048

// title begins the signed bytes, so that no key signs anything else by the same bytes.
const title = "sabot-jackpot/1\n"

// Seal signs a word, and returns the message's payload.
func Seal(w *Word, key ed25519.PrivateKey) ([]byte, error) {
	text, err := json.Marshal(w)
	if err != nil {
		return nil, err
	}
	signed := append([]byte(title), text...)
	payload := append(hex.AppendEncode(nil, ed25519.Sign(key, signed)), '\n')
	return append(payload, signed...), nil
}

// What a table does not listen to.
var (
	ErrShape = errors.New("it is no word of a pit: a signature, a line feed, sabot-jackpot/1, a line feed, and " +
		"the word")
	ErrForged = errors.New("its signature is not by the key that the table's configuration names")
)

// Open reads a word that the key has signed.
func Open(payload []byte, key ed25519.PublicKey) (*Word, error) {
	const digits = 2 * ed25519.SignatureSize
	if len(payload) > MaxPayload || len(payload) <= digits || payload[digits] != '\n' {
		return nil, ErrShape
	}
	signature, err := hex.DecodeString(string(payload[:digits]))
	signed := payload[digits+1:]
	text, titled := bytes.CutPrefix(signed, []byte(title))
	if err != nil || !titled {
		return nil, ErrShape
	}
	if !ed25519.Verify(key, signed, signature) {
		return nil, ErrForged
	}
	w := new(Word)
	if err := json.Unmarshal(text, w); err != nil {
		return nil, ErrShape
	}
	return w, nil
}
