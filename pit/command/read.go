package command

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"

	"github.com/sabot-table/sabot/table/irregularity"
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
	var w struct {
		Site    string `json:"site"`
		Table   string `json:"table"`
		Session string `json:"session"`
		ID      string `json:"id"`
		Pit     string `json:"pit"`
		Person  string `json:"person"`
		Issued  int64  `json:"issued"`
		Expires int64  `json:"expires"`
		What    string `json:"what"`
		Code    string `json:"code"`
		Min     int64  `json:"min"`
		BoxMax  int64  `json:"box_max"`
		Text    string `json:"text"`
		From    uint64 `json:"from"`
		To      uint64 `json:"to"`
		Chips   string `json:"chips"`
		Kind    string `json:"kind"`
		Slip    uint64 `json:"slip"`
		Of      string `json:"of"`
	}
	if err := json.Unmarshal(text, &w); err != nil {
		return Command{}, err
	}
	what, known := ParseWhat(w.What)
	code, named := irregularity.ParseCode(w.Code)
	if !known || w.Code != "" && !named {
		return Command{}, errors.New("it asks for something that no table does")
	}
	c := Command{
		Site: w.Site, Table: w.Table, Session: w.Session, ID: w.ID, Pit: w.Pit, Person: w.Person,
		Issued: w.Issued, Expires: w.Expires, What: what,
		Code: code, Min: w.Min, BoxMax: w.BoxMax, Text: w.Text, From: w.From, To: w.To, Of: w.Of,
		Chips: w.Chips, Kind: w.Kind, Slip: w.Slip,
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
