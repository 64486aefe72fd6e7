package vocab

import "github.com/sabot-table/sabot/table/plaintext"

// Phase is where a round stands.
type Phase uint8

// The phases, in their order.
const (
	Idle Phase = iota
	Bets
	Deal
	InsuranceOffer
	Look
	Play
	BankDraws
	Payment
)

var phaseNames = plaintext.Enum[Phase]{
	Idle: "idle", Bets: "bets", Deal: "deal", InsuranceOffer: "insurance", Look: "look", Play: "play",
	BankDraws: "bank", Payment: "payment",
}

// String returns the phase's name, as views have it.
func (p Phase) String() string { return phaseNames.Name(p) }

// EveryPhase yields every phase.
func EveryPhase(yield func(Phase) bool) { phaseNames.Every(yield) }

// MarshalText writes the phase's name.
func (p Phase) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads the phase's name.
func (p *Phase) UnmarshalText(text []byte) error { return phaseNames.Read(p, text, "phase") }
