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

// FromText makes the rules of which Rules.Text gave the text, at the limits that the profile
// writes itself. Their Fingerprint is that of the text as it stands, even if this version
// would write it otherwise. A text with a field that this version does not know is an
// error, since rules would be passed over that were played; so is one that Check refuses.
// Where a value comes from is not in the text: Origin of such rules is empty.
func FromText(text []byte) (*House, error) {
	if len(text) > rules.MaxText {
		return nil, fmt.Errorf("the text of the rules has %d bytes, and rules have at most %d", len(text), rules.MaxText)
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
		return nil, fmt.Errorf("the text of the rules is not one that can be played: %w", wrong)
	}
	return h, nil
}

// houseOf makes the rules of a profile that was written down as text.
func houseOf(p rules.Profile, text []byte) *House {
	sum := sha256.Sum256(text)
	return &House{Rules: rules.Of(p, text, hex.EncodeToString(sum[:]))}
}

// jsonOf writes a profile's values, whatever its file looks like.
func jsonOf(p rules.Profile) []byte {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // a profile is plain data and always encodes
	}
	return text
}
