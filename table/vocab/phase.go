package vocab

import "github.com/sabot-table/sabot/table/enum"

// Phase is where a round stands.
type Phase uint8

// The phases, in their order.
const (
	Idle Phase = iota
	Bets
	Deal
	InsuranceOffer
	Play
	BankDraws
	Payment
)

var phaseNames = enum.Names[Phase]{
	Idle: "idle", Bets: "bets", Deal: "deal", InsuranceOffer: "insurance", Play: "play", BankDraws: "bank", Payment: "payment",
}

// String returns the phase's name, as views have it.
func (p Phase) String() string { return phaseNames.Name(p) }
