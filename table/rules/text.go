package rules

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// MaxText is the most bytes that the text of rules may have. The houses that come with
// Sabot take less than 4 KiB.
const MaxText = 64 << 10

// Text returns the house's profile as JSON: the bytes of which Fingerprint is the
// SHA-256, and from which FromText makes the same rules again. What a table's setup
// changes of the profile is not in it.
func (r *Rules) Text() []byte { return slices.Clone(r.text) }

// FromText makes the rules of which Text gave the text, at the limits that the profile
// writes itself. Their Fingerprint is that of the text as it stands, even if this version
// would write it otherwise. A text with a field that this version does not know is an
// error, since rules would be passed over that were played; so is one that Check refuses.
// Where a value comes from is not in the text: Origin of such rules is empty.
func FromText(text []byte) (*Rules, error) {
	if len(text) > MaxText {
		return nil, fmt.Errorf("the text of the rules has %d bytes, and rules have at most %d", len(text), MaxText)
	}
	var p Profile
	from := json.NewDecoder(bytes.NewReader(text))
	from.DisallowUnknownFields()
	if err := from.Decode(&p); err != nil {
		return nil, fmt.Errorf("the text of the rules cannot be read: %w; the version of Sabot that wrote it can", err)
	}
	if _, err := from.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the text of the rules cannot be read: something follows the profile")
	}
	r := rulesOf(p, slices.Clone(text))
	if wrong := append(r.Check(), r.checkSteps()...); len(wrong) > 0 {
		return nil, fmt.Errorf("the text of the rules is not one that can be played: %w", wrong)
	}
	return r, nil
}

// jsonOf writes a profile's values, whatever its file looks like.
func jsonOf(p Profile) []byte {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // a profile is plain data and always encodes
	}
	return text
}

func fingerprint(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
