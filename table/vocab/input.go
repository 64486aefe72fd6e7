package vocab

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
)

// InputKind says what was put in.
type InputKind uint8

// The inputs.
const (
	InSetup InputKind = iota + 1
	InShoe
	InOpen
	InStake
	InClose
	InCard
	InCall
	InUndo
	InResolve
	InPaid
	InAcknowledge
	InDealer
	InNote
	InStorage
	InFloor
	InTable
	InLimits
	InHold
	InCorrect
	InMessage
	InCommand
	InSettings
	InAdjust
	InCount
	InFill
	InCredit
	InBuyIn
	InDrop
	InChange
	InTips
	InHole
	InMeter
	InJackpot
)

var inputNames = kinds[InputKind](Inputs[:])

// String returns the input's name in transcripts.
func (k InputKind) String() string { return inputNames.Name(k) }

// ParseInputKind reads an input's name.
func ParseInputKind(s string) (InputKind, bool) { return inputNames.Parse(s) }

// EveryInput yields every kind of input.
func EveryInput(yield func(InputKind) bool) { inputNames.Every(yield) }

// MarshalText writes the input's name, "" for none.
func (k InputKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the input's name, "" for none.
func (k *InputKind) UnmarshalText(text []byte) error { return read(inputNames, k, text, "input") }

// Input is one thing put into the engine. All amounts are in minor units. It is one type for all kinds, so that a list
// holds inputs in one piece and a round allocates nothing. What most kinds share stands first; behind it each kind, or
// small family of kinds, has what it alone says, in a field that is named after it. [Inputs] say which a kind has.
type Input struct {
	Kind InputKind
	Card card.Card
	Call Call
	// Hand is a hand's number on its box, 0 for any.
	Hand uint8
	// Role is as what somebody does it.
	Role Role
	// Stated says that Amount was given.
	Stated bool
	// Seat is whether the bettor of a stake sits at the box.
	Seat Seat
	// With is how somebody puts right what holds the round.
	With irregularity.Choice
	// Of is the kind of input that an undo takes back, 0 for the last key press of the round.
	Of InputKind
	// Irregularity is the one that is acknowledged.
	Irregularity irregularity.Code
	Storage      StorageEvent
	Hole         HoleEvent
	Floor        FloorCall
	// Box is a box's number, 0 for none, or for all.
	Box int
	// Time is when it happened, in nanoseconds since 1970 UTC, 0 if it is not known. The engine only carries it.
	Time   int64
	Bettor string
	Amount int64
	// Bettors join a double or a split; nil are all of the hand.
	Bettors []string
	// Origin is where it came from; nil if nobody says so.
	Origin *Origin
	// Code is what somebody or something says in its own words: a shoe of its alarm, a note, what is wrong with the
	// record, and the seal of a card that lies face down, or what opens it.
	Code string
	// Wager is what is staked on, "" for none. What is above, and this, is all that is looked at in most inputs, and
	// stands together.
	Wager Wager
	// Line is the input's number in its transcript or journal; outputs that speak of an input name it.
	Line uint64
	// By is who does it, or says so: of a dealer who comes that dealer, "" for nobody, or for the configuration.
	By string
	// Because is why something irregular is accepted, the round held or corrected, or chips are refused or taken back.
	Because string
	// Command is the id of the pit's signed command that put it in, "" where none did.
	Command string

	// Player says that the bettors of stakes are one person; "" is a person of their own.
	Player string
	// Why is what decided the wager that is paid, "" for anything.
	Why     Why
	Correct Correct
	// PastRound is the number of the round of which something is adjusted.
	PastRound int
	// Entry is the pit's entry of the jackpot of several tables, of its meter or of what it gives.
	Entry   int
	Shoe    ShoeSaid
	Dealer  DealerChange
	Table   TableChange
	Limits  LimitsChange
	Message Message
	Refused RefusedCommands
	// Setting is what was changed of the table's settings; nil for none.
	Setting *Setting
	// Tray is what is counted in the tray, or moves; nil for nothing.
	Tray *Tray
	// Setup is the setup as it was put in and Rules what it makes of the house's profile.
	Setup *rules.Setup
	Rules *rules.Rules
}

// ShoeSaid is what a shoe tells beside its cards.
type ShoeSaid struct {
	Event ShoeEvent
	// Missing counts lost cards, 0 if nobody knows how many. (ShoeGap)
	Missing int
	// Named says which shoe it is, or what was put into it; nil if nobody says so. (ShoeCameOnline, ShoeLoaded)
	Named *Named
}

// Named is which shoe it is, and what is in it; "" is what nobody says. An input with a Named that is empty has none.
type Named struct {
	// Maker, Serial and Firmware are what a shoe says of itself, as far as its make does.
	Maker, Serial, Firmware string
	// Packs are those that were put into the shoe, "" for the same as before.
	Packs string
}

// Names returns which shoe it is, empty if nobody says so.
func (in *Input) Names() Named { return *orNone(in.Shoe.Named) }

// Name notes which shoe it is.
func (in *Input) Name(n Named) {
	if in.Shoe.Named = nil; n != (Named{}) {
		in.Shoe.Named = &n
	}
}

// DealerChange is what is said of a dealer who comes.
type DealerChange struct {
	Shift string
	// Relieves is the dealer who goes, and Proof how the one who comes was proven.
	Relieves string
	Proof    Proof
}

// TableChange opens or closes the table; Dealer is who deals then.
type TableChange struct {
	Event  TableEvent
	Dealer string
}

// LimitsChange are other limits. In an input, 0 is the same as before.
type LimitsChange struct{ Min, BoxMax int64 }

// commanded is the command that put an input in.
func commanded() *Field[Input] {
	return text("command", Optional, "the id of the pit's signed command, where one put it in",
		func(in *Input) *string {
			return &in.Command
		}).called()
}

// Seat is whether a bettor sits at the box or stands behind it.
type Seat uint8

// The seats, as the truth is that is written of them. SeatDefault is seated for the
// bettor whose stake opens the box, and standing for the others.
const (
	SeatDefault = Seat(False)
	Seated      = Seat(True)
	Standing    = Seat(Denied)
)

// Unstated is the amount of a stake that nobody has entered: the box is only
// marked as played.
const Unstated int64 = -1

// Inputs describe every kind of input, by the kind.
var Inputs = [...]Line[Input]{
	InSetup: {
		Name: "setup", Meaning: "the table is set up, with a fresh shoe; between rounds only",
		Room: func(in *Input) { in.Setup = &rules.Setup{} },
		Fields: []*Field[Input]{
			text("house", Required, "whose rules are played", func(in *Input) *string { return &in.Setup.House }),
			text("currency", Optional, "by ISO 4217: EUR", func(in *Input) *string { return &in.Setup.Currency }),
			positive("min", "minor units", "the least main stake", money.Max, func(in *Input) *int64 {
				return &in.Setup.Min
			}),
			positive("box_max", "minor units", "the most that may lie on a box, all main stakes together", money.Max,
				func(in *Input) *int64 {
					return &in.Setup.BoxMax
				}),
			positive("unit", "minor units", "the smallest payable amount", money.Max, func(in *Input) *int64 {
				return &in.Setup.Unit
			}),
			positive("decks", "", "decks in the shoe", mostOfSetup, func(in *Input) *int { return &in.Setup.Decks }),
			positive("boxes", "", "boxes of the table", mostOfSetup, func(in *Input) *int { return &in.Setup.Boxes }),
			text("call", Optional,
				"`required`: a card for a box needs a call first; `implied`: a card drawn to the active hand is "+
					"the call", func(in *Input) *string {
					return &in.Setup.Calls
				}),
			positive("jackpot", "minor units", "the progressive jackpot, now and after each win", money.Max,
				func(in *Input) *int64 {
					return &in.Setup.Jackpot
				}),
			number("keys_apart", TypeApart, Optional, "how far two different calls are apart at least, -1 for any",
				func(in *Input) *int {
					return &in.Setup.KeysApart
				}).in("milliseconds"),
			text("profile", Optional, "the fingerprint of the profile that is meant", func(in *Input) *string {
				return &in.Setup.Profile
			}),
		},
	},
	InShoe: {
		Name: "shoe", Meaning: "what a shoe tells beside its cards", By: "event",
		Forms: shoeEventNames, Form: func(in *Input) uint8 { return uint8(in.Shoe.Event) },
		Room: func(in *Input) { in.Shoe.Named = &Named{} }, Infer: func(in *Input) { in.Name(in.Names()) },
		Fields: []*Field[Input]{
			named("event", Required, shoeEventNames, "what it tells", func(in *Input) *ShoeEvent {
				return &in.Shoe.Event
			}),
			count("missing", Assumed, "how many cards never arrived; 0 if nobody knows", func(in *Input) *int {
				return &in.Shoe.Missing
			}).only(set(ShoeGap)),
			text("code", Optional, "the shoe's own name for it", func(in *Input) *string {
				return &in.Code
			}).said().only(set(ShoeAlarmRaised, ShoeAlarmCleared, ShoeNote)),
			text("maker", Optional, "the make of the shoe that is there", func(in *Input) *string {
				return &orNone(in.Shoe.Named).Maker
			}).said().only(set(ShoeCameOnline)),
			text("serial", Optional, "its serial number, of a make that says it", func(in *Input) *string {
				return &orNone(in.Shoe.Named).Serial
			}).said().only(set(ShoeCameOnline)),
			text("firmware", Optional, "the version of its firmware, of a make that says it", func(in *Input) *string {
				return &orNone(in.Shoe.Named).Firmware
			}).said().only(set(ShoeCameOnline)),
			text("packs", Optional, "the packs that were put in; the same as before by default",
				func(in *Input) *string {
					return &orNone(in.Shoe.Named).Packs
				}).called().only(set(ShoeLoaded)),
			text("by", Optional, "who loaded it", byOf).called().only(set(ShoeLoaded)),
			role().only(set(ShoeLoaded)),
		},
	},
	InOpen: {Name: "open", Meaning: "bets open: a new round"},
	InStake: {
		Name: "stake", Meaning: "a stake is placed, replaced or withdrawn",
		Fields: []*Field[Input]{
			count("box", Required, "the box", boxOf),
			person("bettor", Required, "whose stake it is", bettorOf),
			onWager(func(in *Input) *Wager { return &in.Wager }).otherwise(WagerUnknown.String()),
			amount("amount", Optional, "the stake; 0 withdraws it, and without it the box is only marked as played",
				amountOf).given(statedOf),
			seated(),
			person("player", Optional, "says that bettors are one person", func(in *Input) *string {
				return &in.Player
			}),
		},
	},
	InClose: {Name: "close", Meaning: "no more bets"},
	InCard: {
		Name: "card", Meaning: "a card left the shoe",
		Fields: []*Field[Input]{
			playing(Required, "the card", func(in *Input) *card.Card { return &in.Card }),
			text("seal", Optional, "what it is, of a card that lies face down: enciphered until it is turned",
				func(in *Input) *string {
					return &in.Code
				}).said(),
		},
	},
	InCall: {
		Name: "call", Meaning: "a call for the active hand, or a bettor's while insurance or a surrender is offered",
		By:    "call",
		Forms: callNames, Form: func(in *Input) uint8 { return uint8(in.Call) },
		Fields: []*Field[Input]{
			named("call", Required, callNames, "the call", func(in *Input) *Call { return &in.Call }),
			count("box", Required, "the box", boxOf).only(set(CallInsurance, CallEvenMoney)),
			person("bettor", Required, "who takes it", bettorOf).only(set(CallInsurance, CallEvenMoney)),
			count("box", Optional, "the box, before the dealer looks at the hole card", boxOf).only(set(CallSurrender)),
			person("bettor", Optional, "who leaves it", bettorOf).only(set(CallSurrender)),
			amount("amount", Optional, "the insurance; 0 withdraws it",
				amountOf).given(statedOf).only(set(CallInsurance)),
			amount("amount", Optional,
				"what each of those who join lays to double for less; by default, and where it is not less, the stake",
				amountOf).given(statedOf).only(set(CallDouble)),
			(&Field[Input]{
				Name: "bettors", Type: TypeTexts, Need: Optional,
				Meaning: "who joins, or leaves; by default all of the hand",
				Texts:   func(in *Input) *[]string { return &in.Bettors },
			}).called().only(set(CallDouble, CallSplit, CallSurrender)),
		},
	},
	InUndo: {
		Name: "undo", Meaning: "the last key press is taken back",
		Fields: []*Field[Input]{
			named("of", Optional, undoable, "what is taken back; the last key press of the round by default",
				func(in *Input) *InputKind {
					return &in.Of
				}),
		},
	},
	InResolve: {
		Name: "resolve", Meaning: "somebody puts right what holds the round",
		Fields: []*Field[Input]{
			named("with", Required, personsChoices, "the choice", func(in *Input) *irregularity.Choice {
				return &in.With
			}),
			text("by", Optional, "who it is", byOf).called(),
			playing(Optional, "the card, where the choice needs one", func(in *Input) *card.Card { return &in.Card }),
			text("seal", Optional, "what it is, of one that lies face down", func(in *Input) *string {
				return &in.Code
			}).said(),
			role(),
			text("reason", Optional, "why something irregular is accepted", becauseOf).said(),
		},
	},
	InPaid: {
		Name: "paid", Meaning: "the dealer confirms payment",
		Fields: []*Field[Input]{
			count("box", Optional, "the box; all of them by default", boxOf),
			person("bettor", Optional, "whose wager is paid or taken at once; all bettors' by default", bettorOf),
			onWager(func(in *Input) *Wager {
				return &in.Wager
			}).otherwise(WagerUnknown.String()).optional("the wager that is paid or taken at once"),
			count("hand", Optional, "the hand on which it lies; any by default", func(in *Input) *uint8 {
				return &in.Hand
			}),
			because(func(in *Input) *Why { return &in.Why }).optional("what decided it; anything by default"),
			amount("amount", Optional, "what was paid, to be checked", amountOf).given(statedOf),
		},
	},
	InAcknowledge: {
		Name: "acknowledge", Meaning: "somebody has seen an alert",
		Fields: []*Field[Input]{
			irregular(func(in *Input) *irregularity.Code { return &in.Irregularity }),
			person("by", Required, "who it is", byOf),
			commanded(),
		},
	},
	InDealer: {
		Name: "dealer", Meaning: "who deals from now on",
		Fields: []*Field[Input]{
			text("name", Required, "the dealer", byOf).called(),
			text("shift", Optional, "the dealer's shift", func(in *Input) *string { return &in.Dealer.Shift }).called(),
			named("proof", Optional, proofNames, "how the dealer was proven", func(in *Input) *Proof {
				return &in.Dealer.Proof
			}),
			text("relieves", Optional, "the dealer who goes", func(in *Input) *string {
				return &in.Dealer.Relieves
			}).called(),
		},
	},
	InNote: {
		Name: "note", Meaning: "what the record should have and the round does not need",
		Fields: []*Field[Input]{
			text("code", Required, "what is noted", func(in *Input) *string { return &in.Code }).said(),
			text("by", Optional, "who it is", byOf).called(),
		},
	},
	InStorage: {
		Name: "storage", Meaning: "what becomes of the record of the table", By: "event",
		Forms: storageNames, Form: func(in *Input) uint8 { return uint8(in.Storage) },
		Fields: []*Field[Input]{
			named("event", Required, storageNames, "what happened to it", func(in *Input) *StorageEvent {
				return &in.Storage
			}),
			text("code", Optional, "what was found, for people", func(in *Input) *string {
				return &in.Code
			}).said().only(heldByStorage()),
		},
	},
	InFloor: {
		Name: "floor", Meaning: floorMeaning, By: "event",
		Forms: floorNames, Form: func(in *Input) uint8 { return uint8(in.Floor.Event) },
		Fields: append(floorFields(func(in *Input) *FloorCall { return &in.Floor }),
			text("by", Optional, "who it is", byOf).called()),
	},
	InTable: {
		Name: "table", Meaning: "the table is opened or closed; between rounds only",
		Fields: []*Field[Input]{
			named("event", Required, tableEventNames, "what is done", func(in *Input) *TableEvent {
				return &in.Table.Event
			}),
			text("dealer", Optional, "who deals", func(in *Input) *string {
				return &in.Table.Dealer
			}).called(),
			text("by", Optional, "who opens or closes it; left out where the configuration does", byOf).called(),
			commanded(),
		},
	},
	InLimits: {
		Name: "limits", Meaning: "other limits are announced; between rounds only",
		Fields: []*Field[Input]{
			positive("min", "minor units", "the least main stake; the same as before by default", money.Max,
				func(in *Input) *int64 {
					return &in.Limits.Min
				}),
			positive("box_max", "minor units",
				"the most that may lie on a box, all main stakes together; the same as before by default", money.Max,
				func(in *Input) *int64 {
					return &in.Limits.BoxMax
				}),
			text("by", Optional, "who changes them; left out where the configuration does", byOf).called(),
			commanded(),
		},
	},
	InHold: {
		Name: "hold", Meaning: "somebody holds the round by hand",
		Fields: []*Field[Input]{
			text("by", Optional, "who it is", byOf).called(),
			role(),
			text("reason", Optional, "why", becauseOf).said(),
		},
	},
	InCorrect: correctInput,
	InMessage: messageInput,
	InCommand: refusedInput,
	InSettings: {
		Name:    "settings",
		Meaning: "one of the table's settings was changed; it takes effect when the table begins anew",
		Room:    func(in *Input) { in.Setting = &Setting{} },
		Fields:  settingFields(func(in *Input) *Setting { return orNone(in.Setting) }, byOf),
	},
	InAdjust: {
		Name: "adjust", Meaning: "a supervisor pays, or takes, something of a wager of a past round",
		Fields: []*Field[Input]{
			count("round", Required, "the past round", func(in *Input) *int { return &in.PastRound }),
			count("box", Required, "the box", boxOf),
			person("bettor", Required, "whose wager it was", bettorOf),
			onWager(func(in *Input) *Wager { return &in.Wager }).otherwise(WagerUnknown.String()),
			count("hand", Optional, "the hand on which it lay; the box's first by default", func(in *Input) *uint8 {
				return &in.Hand
			}),
			amount("amount", Required, "what is paid to the bettor; below zero, what is taken", amountOf),
			text("by", Required, "who it is", byOf).called(),
			role(),
			person("reason", Required, "why", becauseOf).said(),
		},
	},
	InCount: {
		Name: "count", Meaning: "the chips in the tray are counted; between rounds only", Room: roomForTray,
		Fields: []*Field[Input]{
			named("event", Required, countNames, "which count it is", func(in *Input) *CountEvent {
				return &orNone(in.Tray).Count
			}),
			chips("chips", Required, "what is there, each value once", chipsOf),
			person("dealer", Required, "the dealer who counts", func(in *Input) *string {
				return &orNone(in.Tray).Dealer
			}),
			person("by", Required, "the supervisor who counts with them", byOf),
			role(),
		},
	},
	InFill: {
		Name: "fill", Meaning: "chips for the tray: asked for, approved or refused, sent, or received and counted",
		By:    "event",
		Forms: slipNames, Form: func(in *Input) uint8 { return uint8(in.InTray().Step) }, Room: roomForTray,
		Fields: slipFields,
	},
	InCredit: {
		Name: "credit",
		Meaning: "chips out of the tray, back to the cage: asked for, approved or refused, sent, or received and " +
			"counted there", By: "event",
		Forms: slipNames, Form: func(in *Input) uint8 { return uint8(in.InTray().Step) }, Room: roomForTray,
		Fields: slipFields,
	},
	InBuyIn: {
		Name: "buy-in", Meaning: "a guest buys chips for cash, which goes into the drop box",
		Fields: soldFields("what is sold"),
	},
	InDrop: {
		Name: "drop", Meaning: "the drop box is taken off the table",
		Fields: []*Field[Input]{person("by", Required, "the supervisor who sees to it", byOf), role()},
	},
	InChange: {
		Name: "change", Meaning: "chips or plaques of the tray are given for a guest's of the same worth",
		Room: roomForTray,
		Fields: []*Field[Input]{
			chips("chips", Required, "those that go out", chipsOf),
			chips("for", Required, "those that come in for them", func(in *Input) *[]Chips {
				return &orNone(in.Tray).For
			}),
			person("by", Required, "who does it", byOf),
		},
	},
	InTips: {
		Name: "tips", Meaning: "tips are laid into the tray, where a house keeps them there",
		Fields: soldFields("what is laid in"),
	},
	InHole: {
		Name: "hole", Meaning: "the dealer looks at the bank's card that lies face down, or turns it", By: "event",
		Forms: holeNames, Form: func(in *Input) uint8 { return uint8(in.Hole) },
		Fields: []*Field[Input]{
			named("event", Required, holeInputs, "what is done, and what was seen", func(in *Input) *HoleEvent {
				return &in.Hole
			}),
			playing(Optional, "the card; the table names it where it is left out", func(in *Input) *card.Card {
				return &in.Card
			}).only(set(HoleTurned, HoleExposed)),
			text("opens", Optional, "what opens its seal, so that everybody can check it", func(in *Input) *string {
				return &in.Code
			}).said().only(set(HoleTurned, HoleExposed)),
			text("by", Optional, "who it is", byOf).called().only(set(HoleExposed)),
			role().only(set(HoleExposed)),
			text("reason", Optional, "why", becauseOf).said().only(set(HoleExposed)),
		},
	},
	InMeter:   meterInput,
	InJackpot: jackpotInput,
}

// undoable are the inputs that an undo can name.
var undoable = func() []string {
	names := make([]string, InShoe+1)
	names[InShoe] = "shoe"
	return names
}()

// mostOfSetup bounds decks and boxes; what a house takes is less by far.
const mostOfSetup = 1<<15 - 1

func seated() *Field[Input] {
	f := number("seated", TypeTruth, Optional, "whether the bettor sits at the box", func(in *Input) *Seat {
		return &in.Seat
	})
	f.SetNumber = func(in *Input, yes int64) {
		if in.Seat = Standing; yes == True {
			in.Seat = Seated
		}
	}
	return f
}

func boxOf(in *Input) *int        { return &in.Box }
func bettorOf(in *Input) *string  { return &in.Bettor }
func byOf(in *Input) *string      { return &in.By }
func amountOf(in *Input) *int64   { return &in.Amount }
func statedOf(in *Input) *bool    { return &in.Stated }
func becauseOf(in *Input) *string { return &in.Because }

func role() *Field[Input] {
	return named("role", Optional, roleNames, "as what; a supervisor by default", func(in *Input) *Role {
		return &in.Role
	})
}

// heldByStorage are the events that a supervisor must see to.
func heldByStorage() (events uint64) {
	for e := range EveryStorageEvent {
		if e.Holds() {
			events |= set(e)
		}
	}
	return events
}

// NoteTwoCalls begins a note of two calls that the panel heard at once: "two-calls card rest".
const NoteTwoCalls = "two-calls"

// TellsTwoCalls says that the input is such a note.
func (in *Input) TellsTwoCalls() bool {
	const begins = NoteTwoCalls + " "
	return in.Kind == InNote && len(in.Code) > len(begins) && in.Code[:len(begins)] == begins
}
