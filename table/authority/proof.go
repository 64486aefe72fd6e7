package authority

import (
	"errors"
	"slices"
)

// Proof is how a supervisor is proven.
type Proof uint8

// The proofs.
const (
	// None asks for no proof: names are taken as they are given. It is for a bench.
	None Proof = iota + 1
	// PIN is a PIN of a supervisor.
	PIN
	// Key is the key switch, while it is turned.
	Key
	// PINAndKey needs both at once; the PIN says who it is.
	PINAndKey
	// PINOrKey needs either; where both are there, the PIN says who it is.
	PINOrKey
)

var proofNames = []string{None: "none", PIN: "pin", Key: "key", PINAndKey: "pin-and-key", PINOrKey: "pin-or-key"}

// String returns the proof's name in the configuration; the zero value's is empty.
func (p Proof) String() string {
	if int(p) < len(proofNames) {
		return proofNames[p]
	}
	return ""
}

// MarshalText writes the proof's name.
func (p Proof) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a proof's name.
func (p *Proof) UnmarshalText(text []byte) error {
	i := slices.Index(proofNames, string(text))
	if i < 1 {
		return errors.New("write pin, key, pin-and-key, pin-or-key or none")
	}
	*p = Proof(i)
	return nil
}

// UsesPIN says whether PINs are asked for.
func (p Proof) UsesPIN() bool { return p == PIN || p == PINAndKey || p == PINOrKey }

// UsesKey says whether the key switch proves anything.
func (p Proof) UsesKey() bool { return p == Key || p == PINAndKey || p == PINOrKey }
