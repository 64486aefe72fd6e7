package vocab

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
