package authority

import "github.com/sabot-table/sabot/table/plaintext"

// Proof is how a supervisor is proven.
type Proof uint8

// The proofs.
const (
	// None requires no proof: names are accepted as given. It is for a bench.
	None Proof = iota + 1
	// PIN is a PIN of a supervisor.
	PIN
	// Key is the key switch, while it is turned.
	Key
	// PINAndKey needs both at once; the PIN says who it is.
	PINAndKey
	// PINOrKey needs either; with both, the PIN says who it is.
	PINOrKey
)

var proofNames = plaintext.Enum[Proof]{
	None: "none", PIN: "pin", Key: "key", PINAndKey: "pin-and-key",
	PINOrKey: "pin-or-key",
}

// String returns the proof's name in the configuration; the zero value's is empty.
func (p Proof) String() string { return proofNames.Name(p) }

// MarshalText writes the proof's name.
func (p Proof) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a proof's name.
func (p *Proof) UnmarshalText(text []byte) error { return proofNames.Read(p, text, "proof") }

// UsesPIN reports whether PINs are used.
func (p Proof) UsesPIN() bool { return p == PIN || p == PINAndKey || p == PINOrKey }

// UsesKey reports whether the key switch is used.
func (p Proof) UsesKey() bool { return p == Key || p == PINAndKey || p == PINOrKey }
