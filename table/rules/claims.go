package rules

import (
	"errors"
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/table/plaintext"
)

// Claim is what gives a guest a free box before another.
type Claim uint8

// The claims.
const (
	Sits Claim = iota + 1
	NearestSeat
	LowerSeat
	LargerStake
	NearestShoe
)

// ClaimNames are the names of the claims in a profile.
var ClaimNames = plaintext.Enum[Claim]{
	Sits: "seated", NearestSeat: "nearest-seat", LowerSeat: "lower-seat", LargerStake: "larger-stake",
	NearestShoe: "nearest-shoe",
}

// String returns the name of the claim.
func (c Claim) String() string { return ClaimNames.Name(c) }

// Claims are what gives a guest a free box, what counts first being named first.
type Claims struct{ List []Claim }

// UnmarshalText reads a list such as "seated, nearest-seat, lower-seat".
func (c *Claims) UnmarshalText(text []byte) error {
	var read Claims
	part, rest, more := plaintext.Cut(string(text), ',')
	for {
		name := plaintext.Trim(part)
		claim, known := ClaimNames.Parse(name)
		switch {
		case !known:
			return errors.New(strconv.Quote(name) + " is not what gives a guest a box: write " +
				plaintext.Join(ClaimNames[1:], ", "))
		case slices.Contains(read.List, claim):
			return errors.New(name + " is there twice: remove one of them")
		}
		if read.List = append(read.List, claim); !more {
			break
		}
		part, rest, more = plaintext.Cut(rest, ',')
	}
	*c = read
	return nil
}

// MarshalText writes the list as a profile does.
func (c Claims) MarshalText() ([]byte, error) { return []byte(plaintext.Names(c.List)), nil }
