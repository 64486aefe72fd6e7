package vocab

import (
	"errors"
	"math/bits"
	"slices"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/plaintext"
	"github.com/sabot-table/sabot/table/sidebet"
)

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

var callNames = plaintext.Enum[Call]{
	CallCard: "card", CallRest: "rest", CallDouble: "double", CallSplit: "split",
	CallSurrender: "surrender", CallHigher: "higher", CallLower: "lower",
	CallInsurance: "insurance", CallEvenMoney: "even-money", CallInsuranceClosed: "insurance-closed",
}

// String returns the call's name in transcripts.
func (c Call) String() string { return callNames.Name(c) }

// ParseCall reads a call's name.
func ParseCall(s string) (Call, bool) { return callNames.Parse(s) }

// EveryCall yields every call.
func EveryCall(yield func(Call) bool) { callNames.Every(yield) }

// MarshalText writes the call's name, "" for none.
func (c Call) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the call's name, "" for none.
func (c *Call) UnmarshalText(text []byte) error { return read(callNames, c, text, "call") }

// Calls is a set of calls.
type Calls uint16

// With returns the set with one more call.
func (s Calls) With(c Call) Calls { return s | 1<<c }

// Without returns the set without one call.
func (s Calls) Without(c Call) Calls { return s &^ (1 << c) }

// Has says whether the set holds the call.
func (s Calls) Has(c Call) bool { return s>>c&1 == 1 }

// All yields the calls of the set in the order in which transcripts list them.
func (s Calls) All(yield func(Call) bool) {
	for rest := s; rest != 0; rest &= rest - 1 {
		if !yield(Call(bits.TrailingZeros16(uint16(rest)))) {
			return
		}
	}
}

// Wager is what a stake is placed on, by its name in transcripts. The zero Wager is none.
type Wager string

// The wagers, beside the side bets, each of which is a wager of its name. WagerUnknown stands for what is no name of a
// wager, so that the engine can refuse it.
const (
	WagerMain      Wager = "main"
	WagerInsurance Wager = "insurance"
	WagerUnknown   Wager = "unknown"
)

// SideWager returns the wager that is a side bet.
func SideWager(b sidebet.Bet) Wager { return Wager(b) }

// Side returns the side bet that the wager is, false if it is none.
func (w Wager) Side() (sidebet.Bet, bool) {
	switch w {
	case "", WagerMain, WagerInsurance, WagerUnknown, Wager(WhyEvenMoney): // as no bet may be called
		return "", false
	}
	return sidebet.Bet(w), true
}

// wagerNames are the wagers that every house knows: others are the side bets of a house's own.
var wagerNames = func() []string {
	names := []string{string(WagerMain), string(WagerInsurance)}
	for bet := range sidebet.EveryBet {
		names = append(names, bet.String())
	}
	return names
}()

// put names one more member.
func put[T ~uint8](names plaintext.Enum[T], v T, name string) plaintext.Enum[T] {
	for len(names) <= int(v) {
		names = append(names, "")
	}
	names[v] = name
	return names
}

// read sets v to the member called text, and to none for an empty text.
func read[T ~uint8](names plaintext.Enum[T], v *T, text []byte, kind string) error {
	if len(text) == 0 {
		*v = 0
		return nil
	}
	return names.Read(v, text, kind)
}

// String returns the wager's name in transcripts.
func (w Wager) String() string { return string(w) }

// ParseWager reads a wager's name; what is no name is WagerUnknown.
func ParseWager(s string) Wager {
	if sidebet.WrongName(s) != "" {
		return WagerUnknown
	}
	return Wager(s)
}

// EveryWager yields every wager that every house knows.
func EveryWager(yield func(Wager) bool) {
	for _, name := range wagerNames {
		if !yield(Wager(name)) {
			return
		}
	}
}

// MarshalText writes the wager's name, "" for none.
func (w Wager) MarshalText() ([]byte, error) { return []byte(w), nil }

// UnmarshalText reads the wager's name, "" for none.
func (w *Wager) UnmarshalText(text []byte) error {
	if wrong := sidebet.WrongName(string(text)); wrong != "" && len(text) > 0 {
		return errors.New(wrong)
	}
	*w = Wager(text)
	return nil
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
	// PartLost: a part of the stake is lost, and the rest comes back.
	PartLost
)

var outcomeNames = plaintext.Enum[Outcome]{
	Win: "win", Lose: "lose", StandOff: "stand-off", Surrendered: "surrender",
	Void: "void", PartLost: "part-lost",
}

// String returns the outcome's name in transcripts.
func (o Outcome) String() string { return outcomeNames.Name(o) }

// EveryOutcome yields every outcome.
func EveryOutcome(yield func(Outcome) bool) { outcomeNames.Every(yield) }

// MarshalText writes the outcome's name, "" for none.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads the outcome's name, "" for none.
func (o *Outcome) UnmarshalText(text []byte) error { return read(outcomeNames, o, text, "outcome") }

// Why is what decided a wager, by its name in transcripts. The zero Why is anything.
type Why string

// The reasons of a settlement or bonus, beside the lines of the paytables, each of which is a reason of its name. Some
// lines are named as other reasons are: the wager tells them apart.
const (
	WhyBlackJack              Why = "blackjack"
	WhyBonusBlackJack         Why = "bonus-blackjack"
	WhyEvenMoney              Why = "even-money"
	WhyHigherTotal            Why = "higher-total"
	WhyBankBust               Why = "bank-bust"
	WhyBust                   Why = "bust"
	WhyLowerTotal             Why = "lower-total"
	WhyBankBlackJack          Why = "bank-blackjack"
	WhyNoBankBlackJack        Why = "no-bank-blackjack"
	WhyTie                    Why = "tie"
	WhySurrender              Why = "surrender"
	WhyThreeSevens            Why = "three-sevens"
	WhyWrongForecastBlackJack Why = "wrong-forecast-blackjack"
	WhyWrongForecast          Why = "wrong-forecast"
	WhyPoints                 Why = "points"
	WhyFiveCardTrick          Why = "five-card-trick"
	WhyNoMatch                Why = "no-match"
	WhyEnvy                   Why = "envy"
	WhyVoidRound              Why = "void-round"
	WhyDead                   Why = "dead"
	WhyOriginalBets           Why = "original-bets"
	WhyBank22                 Why = "bank-22"
	WhyManyCards              Why = "many-cards"
)

// WhyLine returns the reason that is a line of a paytable; the zero line is no match.
func WhyLine(l sidebet.Line) Why {
	if l == "" {
		return WhyNoMatch
	}
	return Why(l)
}

// whyNames are the reasons that every house knows: others are lines of a house's own side bets.
var whyNames = func() []string {
	var names []string
	for _, why := range [...]Why{
		WhyBlackJack, WhyBonusBlackJack, WhyEvenMoney, WhyHigherTotal, WhyBankBust, WhyBust, WhyLowerTotal,
		WhyBankBlackJack, WhyNoBankBlackJack, WhyTie, WhySurrender, WhyThreeSevens, WhyWrongForecastBlackJack,
		WhyWrongForecast, WhyPoints, WhyFiveCardTrick, WhyNoMatch, WhyEnvy, WhyVoidRound, WhyDead,
		WhyOriginalBets, WhyBank22, WhyManyCards,
	} {
		names = append(names, string(why))
	}
	for l := range sidebet.EveryLine {
		if !slices.Contains(names, l.String()) {
			names = append(names, l.String())
		}
	}
	return names
}()

// String returns the reason's name in transcripts.
func (w Why) String() string { return string(w) }

// EveryWhy yields every reason that every house knows, the lines of the paytables included.
func EveryWhy(yield func(Why) bool) {
	for _, name := range whyNames {
		if !yield(Why(name)) {
			return
		}
	}
}

// MarshalText writes the reason's name, "" for none.
func (w Why) MarshalText() ([]byte, error) { return []byte(w), nil }

// UnmarshalText reads the reason's name, "" for none.
func (w *Why) UnmarshalText(text []byte) error {
	if wrong := sidebet.WrongName(string(text)); wrong != "" && len(text) > 0 {
		return errors.New(wrong)
	}
	*w = Why(text)
	return nil
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
	// DoneDead: its wagers are dead.
	DoneDead
	// DoneStands and DoneStop are the bank's alone, which the engine need not tell: it has
	// drawn what it must, in Black Jack and in Black James.
	DoneStands
	DoneStop
)

var doneNames = plaintext.Enum[Done]{
	DoneRest: "rest", DoneAutoRest: "auto-rest", DoneBust: "bust",
	DoneBlackJack: "blackjack", DoneDouble: "double", DoneSplitAce: "split-ace",
	DoneSurrender: "surrender", DoneWrongForecast: "wrong-forecast", DoneFiveCardTrick: "five-card-trick",
	DoneDead:   "dead",
	DoneStands: "stands", DoneStop: "stop",
}

// handsDone are the names of those that a box's hand can have.
var handsDone = doneNames[:DoneStands]

// String returns the reason's name in transcripts, "" for a hand that plays on.
func (d Done) String() string { return doneNames.Name(d) }

// EveryDone yields every reason for which a box's hand is done.
func EveryDone(yield func(Done) bool) { handsDone.Every(yield) }

// MarshalText writes the reason's name, "" for none.
func (d Done) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the reason's name, "" for none.
func (d *Done) UnmarshalText(text []byte) error { return read(doneNames, d, text, "reason") }

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
	NotCalled
	TableIsClosed
	TableIsOpen
	BadLimits
	AnotherDealer
	NotDecided
	AlreadyPaid
	DoesNotFollow
	NoSuchCard
	NoSuchKey
	NoPlace
	NothingChanges
	// NeedsSupervisor: the house lets no dealer do it alone.
	NeedsSupervisor
	NoSuchRound
	// BoxFull: as many bettors play the box as may. AboveStake: a side bet would be more than the main stake.
	BoxFull
	AboveStake
	// BurnFirst: cards are to be burnt before bets open.
	BurnFirst
	// UnknownChip: no such chips can lie in the tray. NoSuchSlip: no such fill or credit is under way. NotItsTurn:
	// another step of it is due. SlipUnderWay: one is under way. OtherCurrency: it was asked for in another currency
	// than that in which the table is set up.
	UnknownChip
	NoSuchSlip
	NotItsTurn
	SlipUnderWay
	OtherCurrency
)

var reasonNames = plaintext.Enum[Reason]{
	BetsClosed: "bets-closed", BetsOpen: "bets-open", NoRound: "no-round", RoundRunning: "round-running",
	BelowMinimum: "below-minimum", AboveMaximum: "above-maximum",
	NotTheAmount: "not-the-amount", NotAMultiple: "not-a-multiple",
	BoxNotPlayed: "box-not-played", UnknownBox: "unknown-box", UnknownBettor: "unknown-bettor",
	UnknownWager: "unknown-wager", NotOffered: "not-offered", NotSeated: "not-seated", HoldersOnly: "holders-only",
	OnePerBettor: "one-per-bettor", SinglePlayerTwoBoxes: "single-player-two-boxes",
	CallNotAllowed: "call-not-allowed", HolderMustJoin: "holder-must-join",
	NothingToUndo: "nothing-to-undo", NotHeld: "not-held", RoundHeld: "round-held",
	BankMustDraw: "bank-must-draw", NoStakes: "no-stakes",
	NotCalled:     "not-called",
	TableIsClosed: "table-closed", TableIsOpen: "table-open", BadLimits: "bad-limits", AnotherDealer: "another-dealer",
	NotDecided: "not-decided", AlreadyPaid: "already-paid",
	DoesNotFollow: "does-not-follow", NoSuchCard: "no-such-card", NoSuchKey: "no-such-key", NoPlace: "no-place",
	NothingChanges:  "nothing-changes",
	NeedsSupervisor: "needs-supervisor", NoSuchRound: "no-such-round",
	BoxFull: "box-full", AboveStake: "above-stake",
	BurnFirst:   "burn-first",
	UnknownChip: "unknown-chip", NoSuchSlip: "no-such-slip", NotItsTurn: "not-its-turn", SlipUnderWay: "slip-under-way",
	OtherCurrency: "other-currency",
}

// String returns the reason's name in transcripts.
func (r Reason) String() string { return reasonNames.Name(r) }

// ParseReason reads a reason's name.
func ParseReason(s string) (Reason, bool) { return reasonNames.Parse(s) }

// EveryReason yields every reason of a rejection.
func EveryReason(yield func(Reason) bool) { reasonNames.Every(yield) }

// MarshalText writes the reason's name, "" for none.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the reason's name, "" for none.
func (r *Reason) UnmarshalText(text []byte) error { return read(reasonNames, r, text, "reason") }

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
	// ToHole is the bank's card that is dealt face down, ToLook that the dealer looks at it, and ToTurn that it is
	// turned.
	ToHole
	ToLook
	ToTurn
)

var toNames = plaintext.Enum[To]{
	ToBox: "box", ToBank: "bank", ToAside: "aside", ToCall: "call",
	ToInsurance: "insurance", ToPayment: "payment", ToNothing: "nothing",
	ToHole: "hole", ToLook: "look", ToTurn: "turn",
}

// String returns the place's name in transcripts.
func (t To) String() string { return toNames.Name(t) }

// EveryTo yields every place and due.
func EveryTo(yield func(To) bool) { toNames.Every(yield) }

// MarshalText writes the place's name, "" for none.
func (t To) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads the place's name, "" for none.
func (t *To) UnmarshalText(text []byte) error { return read(toNames, t, text, "place") }

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

var shoeEventNames = plaintext.Enum[ShoeEvent]{
	ShoeLoaded: "loaded", ShoeCutCard: "cut-card", ShoeWentOffline: "offline", ShoeCameOnline: "online",
	ShoeGap: "gap", ShoeAlarmRaised: "alarm", ShoeAlarmCleared: "alarm-cleared",
	ShoeNote: "note",
}

// String returns the event's name in transcripts.
func (e ShoeEvent) String() string { return shoeEventNames.Name(e) }

// ParseShoeEvent reads an event's name.
func ParseShoeEvent(s string) (ShoeEvent, bool) { return shoeEventNames.Parse(s) }

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

var storageNames = plaintext.Enum[StorageEvent]{
	StorageFailed: "failing", StorageBack: "back", StorageNew: "new", StorageBehind: "behind",
	StorageTouched: "touched", StorageDiffers: "differs",
}

// storageRaises is the irregularity of an event that a supervisor must see to.
var storageRaises = map[StorageEvent]irregularity.Code{
	StorageNew: irregularity.JournalNew, StorageBehind: irregularity.JournalBehind,
	StorageTouched: irregularity.JournalTouched, StorageDiffers: irregularity.ReplayDiffers,
}

// Raises returns the irregularity that the event is, 0 for one that needs no supervisor.
func (e StorageEvent) Raises() irregularity.Code { return storageRaises[e] }

// Holds says whether the table stands still after the event until a supervisor decides.
func (e StorageEvent) Holds() bool { return e.Raises() != 0 }

// String returns the event's name in transcripts.
func (e StorageEvent) String() string { return storageNames.Name(e) }

// ParseStorageEvent reads an event's name.
func ParseStorageEvent(s string) (StorageEvent, bool) {
	return storageNames.Parse(s)
}

// EveryStorageEvent yields every event of the storage.
func EveryStorageEvent(yield func(StorageEvent) bool) { storageNames.Every(yield) }

// Role is who resolves an irregularity.
type Role uint8

// The roles.
const (
	Supervisor Role = iota
	Dealer
)

var roleNames = plaintext.Enum[Role]{Supervisor: "supervisor", Dealer: "dealer"}

// String returns the role's name in transcripts.
func (r Role) String() string { return roleNames.Name(r) }

// TableEvent is the opening or the closing of a table.
type TableEvent uint8

// The table's events.
const (
	TableOpened TableEvent = iota + 1
	TableClosed
)

var tableEventNames = plaintext.Enum[TableEvent]{TableOpened: "opened", TableClosed: "closed"}

// String returns the event's name in transcripts.
func (e TableEvent) String() string { return tableEventNames.Name(e) }

// ParseTableEvent reads an event's name.
func ParseTableEvent(s string) (TableEvent, bool) { return tableEventNames.Parse(s) }

// Proof is how a dealer was proven. The zero Proof is a dealer who is taken at their word.
type Proof uint8

// The proofs.
const (
	ByPIN Proof = iota + 1
	ByBadge
)

var proofNames = plaintext.Enum[Proof]{ByPIN: "pin", ByBadge: "badge"}

// String returns the proof's name in transcripts, "" for none.
func (p Proof) String() string { return proofNames.Name(p) }

// ParseProof reads a proof's name.
func ParseProof(s string) (Proof, bool) { return proofNames.Parse(s) }

// MarshalText writes the proof's name, "" for none.
func (p Proof) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads the proof's name, "" for none.
func (p *Proof) UnmarshalText(text []byte) error { return read(proofNames, p, text, "proof") }

// Correction is what a supervisor changes in the round under way. The zero Correction is none.
type Correction uint8

// The corrections.
const (
	// TakeBack takes a key press back, whatever has followed it.
	TakeBack Correction = iota + 1
	// Rename gives a card its right name.
	Rename
	// Move lays a card to the hand where it lies.
	Move
	// SetStake sets a stake right.
	SetStake
	// EndShoe lets the round be the last before the cards are shuffled.
	EndShoe
	// Dead lets wagers be dead: the play goes on without them.
	Dead
	// Came names a card by hand that left the shoe and that it did not tell.
	Came
	// Missed lets a place of the initial deal that was passed over get its card last.
	Missed
	// Refill fills the shoe in the midst of a round, though by the count a card is left in it.
	Refill
)

var correctionNames = plaintext.Enum[Correction]{
	TakeBack: "take-back", Rename: "rename", Move: "move", SetStake: "stake", EndShoe: "end-shoe", Dead: "dead",
	Came:   "came",
	Missed: "missed", Refill: "refill",
}

// String returns the correction's name in transcripts, "" for none.
func (c Correction) String() string { return correctionNames.Name(c) }

// ParseCorrection reads a correction's name.
func ParseCorrection(s string) (Correction, bool) { return correctionNames.Parse(s) }

// EveryCorrection yields every correction.
func EveryCorrection(yield func(Correction) bool) { correctionNames.Every(yield) }

// MarshalText writes the correction's name, "" for none.
func (c Correction) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the correction's name, "" for none.
func (c *Correction) UnmarshalText(text []byte) error {
	return read(correctionNames, c, text, "correction")
}
