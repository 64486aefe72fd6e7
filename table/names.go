package table

import "fmt"

// named is an enumeration whose members have fixed names in transcripts.
type named interface{ ~uint8 }

func nameOf[T named](names []string, v T) string {
	if int(v) < len(names) {
		return names[v]
	}
	return fmt.Sprintf("unnamed %d", uint8(v))
}

// parseName finds the member with a name; the zero member has none.
func parseName[T named](names []string, s string) (T, bool) {
	for i := 1; i < len(names); i++ {
		if names[i] == s {
			return T(i), true
		}
	}
	return 0, false
}

// Call is a decision announced for a hand, or for a bettor while insurance is offered.
type Call uint8

// The calls.
const (
	CallCard Call = iota + 1
	CallRest
	CallDouble
	CallSplit
	CallInsurance
	CallEvenMoney
	CallInsuranceClosed
)

var callNames = []string{
	CallCard: "card", CallRest: "rest", CallDouble: "double", CallSplit: "split",
	CallInsurance: "insurance", CallEvenMoney: "even-money", CallInsuranceClosed: "insurance-closed",
}

// String returns the call's name in transcripts.
func (c Call) String() string { return nameOf(callNames, c) }

// ParseCall reads a call's name.
func ParseCall(s string) (Call, bool) { return parseName[Call](callNames, s) }

// Calls is a set of calls.
type Calls uint16

// With returns the set with one more call.
func (s Calls) With(c Call) Calls { return s | 1<<c }

// Has says whether the set holds the call.
func (s Calls) Has(c Call) bool { return s>>c&1 == 1 }

// All yields the calls of the set in the order in which transcripts list them.
func (s Calls) All(yield func(Call) bool) {
	for c := CallCard; c <= CallInsuranceClosed; c++ {
		if s.Has(c) && !yield(c) {
			return
		}
	}
}

// Wager is what a stake is placed on.
type Wager uint8

// The wagers. WagerUnknown stands for a name that no house has, so that the
// engine can refuse it.
const (
	WagerMain Wager = iota + 1
	WagerInsurance
	WagerPerfectPairs
	WagerSwissCasinosJack
	WagerBust
	WagerTwins
	WagerCrazyTwins
	WagerThreeCardWins
	WagerQueensTrio
	WagerAdmiralJack
	WagerProgressive
	WagerUnknown
)

var wagerNames = []string{
	WagerMain: "main", WagerInsurance: "insurance", WagerPerfectPairs: "perfect-pairs",
	WagerSwissCasinosJack: "swiss-casinos-jack", WagerBust: "bust", WagerTwins: "twins",
	WagerCrazyTwins: "crazy-twins", WagerThreeCardWins: "3-card-wins", WagerQueensTrio: "queens-trio",
	WagerAdmiralJack: "admiral-jack", WagerProgressive: "progressive", WagerUnknown: "unknown",
}

// String returns the wager's name in transcripts.
func (w Wager) String() string { return nameOf(wagerNames, w) }

// ParseWager reads a wager's name; a name that no house has is WagerUnknown.
func ParseWager(s string) Wager {
	if w, ok := parseName[Wager](wagerNames, s); ok {
		return w
	}
	return WagerUnknown
}

// Outcome is what became of a wager.
type Outcome uint8

// The outcomes.
const (
	Win Outcome = iota + 1
	Lose
	StandOff
	Void
)

var outcomeNames = []string{Win: "win", Lose: "lose", StandOff: "stand-off", Void: "void"}

// String returns the outcome's name in transcripts.
func (o Outcome) String() string { return nameOf(outcomeNames, o) }

// Why is what decided a wager.
type Why uint8

// The reasons of a settlement.
const (
	WhyBlackJack Why = iota + 1
	WhyEvenMoney
	WhyHigherTotal
	WhyBankBust
	WhyBust
	WhyLowerTotal
	WhyBankBlackJack
	WhyNoBankBlackJack
	WhyTie
	WhyVoidRound
)

var whyNames = []string{
	WhyBlackJack: "blackjack", WhyEvenMoney: "even-money", WhyHigherTotal: "higher-total",
	WhyBankBust: "bank-bust", WhyBust: "bust", WhyLowerTotal: "lower-total",
	WhyBankBlackJack: "bank-blackjack", WhyNoBankBlackJack: "no-bank-blackjack",
	WhyTie: "tie", WhyVoidRound: "void-round",
}

// String returns the reason's name in transcripts.
func (w Why) String() string { return nameOf(whyNames, w) }

// Done is why a hand takes no more calls. The zero Done is a hand that does.
type Done uint8

// The reasons for which a hand is done.
const (
	DoneRest Done = iota + 1
	DoneAutoRest
	DoneBust
	DoneBlackJack
	DoneDouble
	DoneSplitAce
)

var doneNames = []string{
	DoneRest: "rest", DoneAutoRest: "auto-rest", DoneBust: "bust",
	DoneBlackJack: "blackjack", DoneDouble: "double", DoneSplitAce: "split-ace",
}

// String returns the reason's name in transcripts, "" for a hand that plays on.
func (d Done) String() string { return nameOf(doneNames, d) }

// Reason is why an input was rejected. The zero Reason is an input that was taken.
type Reason uint8

// The reasons of a rejection.
const (
	BetsClosed Reason = iota + 1
	BetsOpen
	NoRound
	RoundRunning
	BelowMinimum
	AboveMaximum
	NotAMultiple
	BoxNotPlayed
	UnknownBox
	UnknownBettor
	UnknownWager
	NotOffered
	OnePerBettor
	CallNotAllowed
	HolderMustJoin
	NothingToUndo
	NotHeld
	RoundHeld
	BankMustDraw
	NoStakes
)

var reasonNames = []string{
	BetsClosed: "bets-closed", BetsOpen: "bets-open", NoRound: "no-round", RoundRunning: "round-running",
	BelowMinimum: "below-minimum", AboveMaximum: "above-maximum", NotAMultiple: "not-a-multiple",
	BoxNotPlayed: "box-not-played", UnknownBox: "unknown-box", UnknownBettor: "unknown-bettor",
	UnknownWager: "unknown-wager", NotOffered: "not-offered", OnePerBettor: "one-per-bettor",
	CallNotAllowed: "call-not-allowed", HolderMustJoin: "holder-must-join",
	NothingToUndo: "nothing-to-undo", NotHeld: "not-held", RoundHeld: "round-held",
	BankMustDraw: "bank-must-draw", NoStakes: "no-stakes",
}

// String returns the reason's name in transcripts.
func (r Reason) String() string { return nameOf(reasonNames, r) }

// ParseReason reads a reason's name.
func ParseReason(s string) (Reason, bool) { return parseName[Reason](reasonNames, s) }

// To is where a card goes, or what is due.
type To uint8

// The places and dues.
const (
	ToBox To = iota + 1
	ToBank
	ToAside
	ToCall
	ToInsurance
	ToPayment
	ToNothing
)

var toNames = []string{
	ToBox: "box", ToBank: "bank", ToAside: "aside", ToCall: "call",
	ToInsurance: "insurance", ToPayment: "payment", ToNothing: "nothing",
}

// String returns the place's name in transcripts.
func (t To) String() string { return nameOf(toNames, t) }

// Code names an irregularity.
type Code uint8

// The irregularities.
const (
	UnreadCard Code = iota + 1
	UnexpectedCard
	CardWithoutCall
	BankOverdraw
	ForeignJoker
	LostCards
	PayoutMismatch
	ShoeOffline
	ShoeAlarm
)

var codeNames = []string{
	UnreadCard: "unread-card", UnexpectedCard: "unexpected-card", CardWithoutCall: "card-without-call",
	BankOverdraw: "bank-overdraw", ForeignJoker: "foreign-joker", LostCards: "lost-cards",
	PayoutMismatch: "payout-mismatch", ShoeOffline: "shoe-offline", ShoeAlarm: "shoe-alarm",
}

// String returns the irregularity's name in transcripts.
func (c Code) String() string { return nameOf(codeNames, c) }

// Choice is a way to put an irregularity right.
type Choice uint8

// The choices. Online and Cleared are no person's: the shoe came back, or took
// its alarm back.
const (
	Identify Choice = iota + 1
	Burn
	VoidRound
	NextCard
	Accept
	NextRound
	NoneDrawn
	Corrected
	Online
	Cleared
)

var choiceNames = []string{
	Identify: "identify", Burn: "burn", VoidRound: "void-round", NextCard: "next-card",
	Accept: "accept", NextRound: "next-round", NoneDrawn: "none-drawn", Corrected: "corrected",
	Online: "online", Cleared: "cleared",
}

// String returns the choice's name in transcripts.
func (c Choice) String() string { return nameOf(choiceNames, c) }

// ParseChoice reads the name of a choice that a person can take.
func ParseChoice(s string) (Choice, bool) {
	c, ok := parseName[Choice](choiceNames, s)
	return c, ok && c < Online
}

// ShoeEvent is what a shoe tells beside its cards.
type ShoeEvent uint8

// The shoe's events.
const (
	ShoeLoaded ShoeEvent = iota + 1
	ShoeCutCard
	ShoeWentOffline
	ShoeCameOnline
	ShoeGap
	ShoeAlarmRaised
	ShoeAlarmCleared
	// ShoeNote is what the shoe told that does not concern the round; it is an
	// input so that the journal has it.
	ShoeNote
)

var shoeEventNames = []string{
	ShoeLoaded: "loaded", ShoeCutCard: "cut-card", ShoeWentOffline: "offline", ShoeCameOnline: "online",
	ShoeGap: "gap", ShoeAlarmRaised: "alarm", ShoeAlarmCleared: "alarm-cleared",
	ShoeNote: "note",
}

// String returns the event's name in transcripts.
func (e ShoeEvent) String() string { return nameOf(shoeEventNames, e) }

// ParseShoeEvent reads an event's name.
func ParseShoeEvent(s string) (ShoeEvent, bool) { return parseName[ShoeEvent](shoeEventNames, s) }

// Role is who resolves an irregularity.
type Role uint8

// The roles.
const (
	Supervisor Role = iota
	Dealer
)

// String returns the role's name in transcripts.
func (r Role) String() string {
	if r == Dealer {
		return "dealer"
	}
	return "supervisor"
}
