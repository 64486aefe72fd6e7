package command

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
)

// MaxPayload is the longest message that a table reads, in bytes.
const MaxPayload = 2048

// signatureDigits is the length of the first line.
const signatureDigits = 2 * ed25519.SignatureSize

// Sealed is a command that came, taken apart, and nothing more: nobody has compared its
// signature yet.
type Sealed struct {
	// Key is the name of the key that is said to have signed it.
	Key       string
	Signature []byte
	// Signed is what the signature is of, and Text the command in it.
	Signed, Text []byte
}

// ErrShape is for a payload that is not a signed command at all.
var ErrShape = errors.New("it is not a signed command: 128 hexadecimal digits, a line feed, `sabot-command/1 KEY`, " +
	"a line feed, and the command")

// Split takes a payload apart.
func Split(payload []byte) (Sealed, error) {
	if len(payload) <= signatureDigits || payload[signatureDigits] != '\n' {
		return Sealed{}, ErrShape
	}
	s := Sealed{Signed: payload[signatureDigits+1:]}
	var err error
	if s.Signature, err = hex.DecodeString(string(payload[:signatureDigits])); err != nil ||
		bytes.ContainsAny(payload[:signatureDigits], "ABCDEF") {
		return Sealed{}, ErrShape
	}
	head, text, found := bytes.Cut(s.Signed, []byte{'\n'})
	key, titled := bytes.CutPrefix(head, []byte(title))
	if !found || !titled || checkName("the key", string(key)) != nil {
		return Sealed{}, ErrShape
	}
	s.Key, s.Text = string(key), text
	return s, nil
}

// By reports whether the key has signed it.
func (s Sealed) By(key ed25519.PublicKey) bool { return ed25519.Verify(key, s.Signed, s.Signature) }

// Parse reads a command's text. There is exactly one text for each command: any other is an
// error, such as one with another order of fields, with blanks, or with a field twice.
func Parse(text []byte) (Command, error) {
	var c Command
	if err := json.Unmarshal(text, &c); err != nil {
		return Command{}, err
	}
	if err := c.check(); err != nil {
		return Command{}, err
	}
	if !bytes.Equal(appendCommand(nil, &c), text) {
		return Command{},
			errors.New("it is not written as the specification says: fields in their order, no field twice, no " +
				"others, no blanks")
	}
	return c, nil
}
