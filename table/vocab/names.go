package vocab

import (
	"strconv"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/sidebet"
)

// named is an enumeration whose members have fixed names in transcripts.
type named interface{ ~uint8 }

func nameOf[T named](names []string, v T) string {
	if int(v) < len(names) {
		return names[v]
	}
	return "unnamed " + strconv.Itoa(int(v))
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

// every yields an enumeration's members that have names, in their order.
func every[T named](names []string, yield func(T) bool) bool {
	for i := 1; i < len(names); i++ {
		if !yield(T(i)) {
			return false
		}
	}
	return true
}

// Call is a decision announced for a hand, or for a bettor while insurance is offered.
type Call uint8

// The calls.
const (
	CallCard Call = iota + 1
	CallRest
	CallDouble
	CallSplit
	CallSurrender
	CallHigher
	CallLower
	CallInsurance
	CallEvenMoney
	CallInsuranceClosed
)

var callNames = []string{
	CallCard: "card", CallRest: "rest", CallDouble: "double", CallSplit: "split",
	CallSurrender: "surrender", CallHigher: "higher", CallLower: "lower",
	CallInsurance: "insurance", CallEvenMoney: "even-money", CallInsuranceClosed: "insurance-closed",
}

// String returns the call's name in transcripts.
func (c Call) String() string { return nameOf(callNames, c) }

// ParseCall reads a call's name.
func ParseCall(s string) (Call, bool) { return parseName[Call](callNames, s) }

// EveryCall yields every call.
func EveryCall(yield func(Call) bool) { every(callNames, yield) }

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

// The wagers, beside the side bets. WagerUnknown stands for a name that no house
// has, so that the engine can refuse it.
const (
	WagerMain Wager = iota + 1
	WagerInsurance
	WagerUnknown
	wagerSide // plus a sidebet.Bet: that side bet
)

// SideWager returns the wager that is a side bet.
func SideWager(b sidebet.Bet) Wager { return wagerSide + Wager(b) }

// Side returns the side bet that the wager is, false if it is none.
func (w Wager) Side() (sidebet.Bet, bool) {
	if w <= wagerSide || w >= SideWager(sidebet.Count) {
		return 0, false
	}
	return sidebet.Bet(w - wagerSide), true
}

var wagerNames = []string{WagerMain: "main", WagerInsurance: "insurance", WagerUnknown: "unknown"}

// String returns the wager's name in transcripts.
func (w Wager) String() string {
	if bet, side := w.Side(); side {
		return bet.String()
	}
	return nameOf(wagerNames, w)
}

// ParseWager reads a wager's name; a name that no house has is WagerUnknown.
func ParseWager(s string) Wager {
	if w, ok := parseName[Wager](wagerNames, s); ok {
		return w
	}
	if bet, ok := sidebet.ParseBet(s); ok {
		return SideWager(bet)
	}
	return WagerUnknown
}

// EveryWager yields every wager that can lie on a table: not WagerUnknown.
func EveryWager(yield func(Wager) bool) {
	if !every(wagerNames[:WagerUnknown], yield) {
		return
	}
	for b := sidebet.Bet(1); b < sidebet.Count; b++ {
		if !yield(SideWager(b)) {
			return
		}
	}
}

// Outcome is what became of a wager.
type Outcome uint8

// The outcomes.
const (
	Win Outcome = iota + 1
	Lose
	StandOff
	Surrendered
	Void
)

var outcomeNames = []string{Win: "win", Lose: "lose", StandOff: "stand-off", Surrendered: "surrender", Void: "void"}

// String returns the outcome's name in transcripts.
func (o Outcome) String() string { return nameOf(outcomeNames, o) }

// EveryOutcome yields every outcome.
func EveryOutcome(yield func(Outcome) bool) { every(outcomeNames, yield) }

// Why is what decided a wager.
type Why uint8

// The reasons of a settlement or bonus, beside the lines of the paytables.
const (
	WhyBlackJack Why = iota + 1
	WhyBonusBlackJack
	WhyEvenMoney
	WhyHigherTotal
	WhyBankBust
	WhyBust
	WhyLowerTotal
	WhyBankBlackJack
	WhyNoBankBlackJack
	WhyTie
	WhySurrender
	WhyThreeSevens
	WhyWrongForecastBlackJack
	WhyWrongForecast
	WhyPoints
	WhyFiveCardTrick
	WhyNoMatch
	WhyEnvy
	WhyVoidRound
	whyLine // plus a sidebet.Line: that line of a paytable
)

// WhyLine returns the reason that is a line of a paytable; the zero line is no match.
func WhyLine(l sidebet.Line) Why {
	if l == 0 {
		return WhyNoMatch
	}
	return whyLine + Why(l)
}

var whyNames = []string{
	WhyBlackJack: "blackjack", WhyBonusBlackJack: "bonus-blackjack", WhyEvenMoney: "even-money",
	WhyHigherTotal: "higher-total", WhyBankBust: "bank-bust", WhyBust: "bust", WhyLowerTotal: "lower-total",
	WhyBankBlackJack: "bank-blackjack", WhyNoBankBlackJack: "no-bank-blackjack", WhyTie: "tie",
	WhySurrender: "surrender", WhyThreeSevens: "three-sevens",
	WhyWrongForecastBlackJack: "wrong-forecast-blackjack", WhyWrongForecast: "wrong-forecast",
	WhyPoints: "points", WhyFiveCardTrick: "five-card-trick",
	WhyNoMatch: "no-match", WhyEnvy: "envy", WhyVoidRound: "void-round",
}

// String returns the reason's name in transcripts.
func (w Why) String() string {
	if w > whyLine {
		return sidebet.Line(w - whyLine).String()
	}
	return nameOf(whyNames, w)
}

// EveryWhy yields every reason, the lines of the paytables included.
func EveryWhy(yield func(Why) bool) {
	if !every(whyNames, yield) {
		return
	}
	for l := sidebet.Line(1); l < sidebet.LineCount; l++ {
		if !yield(WhyLine(l)) {
			return
		}
	}
}

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
	DoneSurrender
	DoneWrongForecast
	DoneFiveCardTrick
)

var doneNames = []string{
	DoneRest: "rest", DoneAutoRest: "auto-rest", DoneBust: "bust",
	DoneBlackJack: "blackjack", DoneDouble: "double", DoneSplitAce: "split-ace",
	DoneSurrender: "surrender", DoneWrongForecast: "wrong-forecast", DoneFiveCardTrick: "five-card-trick",
}

// String returns the reason's name in transcripts, "" for a hand that plays on.
func (d Done) String() string { return nameOf(doneNames, d) }

// EveryDone yields every reason for which a hand is done.
func EveryDone(yield func(Done) bool) { every(doneNames, yield) }

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
	NotTheAmount
	NotAMultiple
	BoxNotPlayed
	UnknownBox
	UnknownBettor
	UnknownWager
	NotOffered
	NotSeated
	HoldersOnly
	OnePerBettor
	SinglePlayerTwoBoxes
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
	BelowMinimum: "below-minimum", AboveMaximum: "above-maximum",
	NotTheAmount: "not-the-amount", NotAMultiple: "not-a-multiple",
	BoxNotPlayed: "box-not-played", UnknownBox: "unknown-box", UnknownBettor: "unknown-bettor",
	UnknownWager: "unknown-wager", NotOffered: "not-offered", NotSeated: "not-seated", HoldersOnly: "holders-only",
	OnePerBettor: "one-per-bettor", SinglePlayerTwoBoxes: "single-player-two-boxes",
	CallNotAllowed: "call-not-allowed", HolderMustJoin: "holder-must-join",
	NothingToUndo: "nothing-to-undo", NotHeld: "not-held", RoundHeld: "round-held",
	BankMustDraw: "bank-must-draw", NoStakes: "no-stakes",
}

// String returns the reason's name in transcripts.
func (r Reason) String() string { return nameOf(reasonNames, r) }

// ParseReason reads a reason's name.
func ParseReason(s string) (Reason, bool) { return parseName[Reason](reasonNames, s) }

// EveryReason yields every reason of a rejection.
func EveryReason(yield func(Reason) bool) { every(reasonNames, yield) }

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

// StorageEvent is what becomes of the record of the table.
type StorageEvent uint8

// The storage's events.
const (
	StorageFailed StorageEvent = iota + 1
	StorageBack
	// StorageNew: a new journal had to be begun, since the one before is missing or
	// does not fit.
	StorageNew
	// StorageBehind: the journal lacks records of which the pit has heard.
	StorageBehind
	// StorageTouched: somebody else changed the journal's files while they were in use.
	StorageTouched
	// StorageDiffers: the open round cannot be played again as it was recorded.
	StorageDiffers
)

var storageNames = []string{
	StorageFailed: "failing", StorageBack: "back", StorageNew: "new", StorageBehind: "behind",
	StorageTouched: "touched", StorageDiffers: "differs",
}

// storageRaises is the irregularity of an event that a supervisor must see to.
var storageRaises = map[StorageEvent]irregularity.Code{
	StorageNew: irregularity.JournalNew, StorageBehind: irregularity.JournalBehind, StorageTouched: irregularity.JournalTouched, StorageDiffers: irregularity.ReplayDiffers,
}

// Raises returns the irregularity that the event is, 0 for one that needs no supervisor.
func (e StorageEvent) Raises() irregularity.Code { return storageRaises[e] }

// Holds says whether the table stands still after the event until a supervisor decides.
func (e StorageEvent) Holds() bool { return e.Raises() != 0 }

// String returns the event's name in transcripts.
func (e StorageEvent) String() string { return nameOf(storageNames, e) }

// ParseStorageEvent reads an event's name.
func ParseStorageEvent(s string) (StorageEvent, bool) {
	return parseName[StorageEvent](storageNames, s)
}

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
