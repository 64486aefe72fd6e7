package profile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/sabot-table/sabot/table/rules"
)

// FromText makes rules from a text that Rules.Text returned, at the profile's own limits.
// Their Fingerprint is that of the text as it is, even if this version would write it
// differently. A text with a field that this version does not know is an error, since a
// rule that was played would be ignored; so is a text that Check refuses. The text does
// not say where a value comes from: Origin of such rules is empty.
func FromText(text []byte) (*House, error) {
	if len(text) > rules.MaxText {
		return nil, fmt.Errorf("the text of the rules has %d bytes, but may have at most %d", len(text), rules.MaxText)
	}
	var p rules.Profile
	from := json.NewDecoder(bytes.NewReader(text))
	from.DisallowUnknownFields()
	if err := from.Decode(&p); err != nil {
		return nil, fmt.Errorf("the text of the rules cannot be read: %w; the version of Sabot that wrote it can", err)
	}
	if _, err := from.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the text of the rules cannot be read: something follows the profile")
	}
	h := houseOf(p, slices.Clone(text))
	if wrong := h.Check(); len(wrong) > 0 {
		return nil, fmt.Errorf("the text of the rules cannot be played: %w", wrong)
	}
	return h, nil
}

// New is the house of a profile that no file has, unchecked.
func New(p rules.Profile) *House { return houseOf(p, jsonOf(p)) }

// houseOf makes rules from a profile and its text.
func houseOf(p rules.Profile, text []byte) *House {
	define(&p)
	sum := sha256.Sum256(text)
	return &House{Rules: rules.Of(p, text, hex.EncodeToString(sum[:]))}
}

// jsonOf writes a profile's values, however its file is formatted.
func jsonOf(p rules.Profile) []byte {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // a profile is plain data and always encodes
	}
	return text
}
