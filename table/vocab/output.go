package vocab

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
)

// Kind says what an output tells.
type Kind uint8

// The outputs.
const (
	Opened Kind = iota + 1
	ClosedBets
	Rejected
	Dealt
	DueChanged
	HandDone
	Irregular
	Resolved
	Undone
	Settled
	Bonus
	RoundDecided
	Finished
	Acknowledged
	DealerChanged
	ShoeChanged
	FloorTold
	TableChanged
	LimitsChanged
	PaidAtOnce
	Corrected
	Stands
	Difference
	MessageTold
	ShoeLoadedAnew
	SettingsChanged
	Payout
	Adjusted
	Counted
	TrayMoved
	HoleTold
	JackpotTold
)

var kindNames = kinds[Kind](Outputs[:])

// String returns the output's name in transcripts.
func (k Kind) String() string { return kindNames.Name(k) }

// ToldAgain says whether a correction takes back what was told of the kind in its round, and
// tells again what holds.
func (k Kind) ToldAgain() bool {
	switch k {
	case Dealt, HandDone, Settled, Bonus, RoundDecided, PaidAtOnce, Payout, Stands, HoleTold:
		return true
	}
	return false
}

// EveryOutput yields every kind of output.
func EveryOutput(yield func(Kind) bool) { kindNames.Every(yield) }

// Output is one thing that follows from an input. All amounts are in minor units. It is one type for all kinds, as an
// Input is, so that a Table answers in the same memory over and over. It has what a round tells that goes its usual
// way; what few kinds have is in Trouble, in a field that is named after the kind. [Outputs] say which a kind has.
type Output struct {
	Kind Kind
	// Reason is why an input is rejected, and Cause why what follows a correction does not follow any more.
	Reason, Cause Reason
	Card          card.Card
	// To is where a card lies, or what is due.
	To To
	// Box is a box's number, from 1; 0 for none.
	Box uint8
	// Hand is a hand's number on its box, from 1; 0 for none.
	Hand uint8
	// Total is what a hand counts that was dealt a card, or the bank's at the end of a round. Soft says that an ace
	// counts eleven in it, and Points that it is points of Black James.
	Total        uint8
	Soft, Points bool
	Done         Done
	Hole         HoleEvent
	// Input and Call say what was taken back, what stands, or what does not follow.
	Input InputKind
	Call  Call
	// Allowed are the calls that may be taken, or that contradict each other.
	Allowed Calls
	Outcome Outcome
	// Rounded says that the payout did not come out even.
	Rounded bool
	// Carried says that half a unit is left of it, and that a whole one lies on the line of the box; OnLine that one
	// lay there, which is among what was won, or is taken.
	Carried, OnLine bool
	// Unstated says that nobody knows the amounts: the box was only marked as played. Odds then say what is paid, and
	// Times how often the stake lies there.
	Unstated bool
	Times    uint8
	Code     irregularity.Code
	With     irregularity.Choice
	Wager    Wager
	// Why is what decided a wager.
	Why   Why
	Round uint64
	// Line is that of the input that is rejected, or of the adjustment before this one.
	Line   uint64
	Bettor string
	// Stake, Returned and Won are of one wager; a bettor gets Returned + Won.
	Stake, Returned, Won int64
	// Odds are those of a win on an unstated amount.
	Odds money.Ratio
	// Trouble is nil where there is nothing to say in it.
	*Trouble
	// Result is how a round ended, nil for all else.
	*Result
}

// Trouble is what an output tells about what went wrong and who saw to it. By, Because and Origin are of most kinds;
// the others have what one kind tells, or the few that are named.
type Trouble struct {
	// By is who put it right or acknowledged it, who deals, loaded the packs, called the floor, opened or closed the
	// table, changed its limits, or holds or corrects the round.
	By string
	// Because is why something irregular was accepted, the round held or corrected.
	Because string
	// Origin is where the input came from, nil if nobody said so.
	Origin *Origin

	Irregular IrregularTold
	Refused   RefusedCommands // with CommandRefused
	// Payment is what was paid otherwise than it was due: of an Irregular, a Payout, or all of a Finished round.
	Payment    PaymentTold
	Undone     UndoneTold
	Corrected  CorrectedTold
	Difference DifferenceTold
	// Stand is an input that stands after a correction.
	Stand *Input
	// Adjusted is what was paid of a wager of a past round, below zero what was taken.
	Adjusted int64
	// InTray is what must be in the tray: after a Finished round, what was Adjusted, and what TrayTold tells.
	InTray MustHold
	// Tray is what was Counted, or has moved.
	Tray *TrayTold

	Dealer  DealerChange
	Table   TableChange
	Limits  LimitsChange
	Shoe    Named
	Loaded  LoadedTold
	Floor   FloorCall
	Message Message
	// Setting is what was changed of the table's settings.
	Setting *Setting
	// Meter is what is told of the jackpot to which the table is linked.
	Meter *MeterTold
}

// IrregularTold is what went wrong, as far as there is more to say than its code, and how it may be put right.
type IrregularTold struct {
	Choices irregularity.Choices
	// Missing counts lost cards; 0 if nobody knows how many.
	Missing uint32
	// Alarm is the shoe's own name for its alarm.
	Alarm string
	// Found is what is wrong with the record, for people.
	Found string
}

// PaymentTold is what was to be laid out, and what was; Differs says that the two differ.
type PaymentTold struct {
	Owed, Given int64
	Differs     bool
}

// MustHold is what must be in the tray, as far as it is Known.
type MustHold struct {
	Amount int64
	Known  bool
}

// UndoneTold is what was due before a key press was taken back, and is after it.
type UndoneTold struct{ Was, Now Due }

// CorrectedTold is what was corrected. Nth is the number of the card or of the key press, 0 for none.
type CorrectedTold struct {
	What Correction
	Nth  uint32
}

// LoadedTold is what had left the shoe when somebody said that it was loaded.
type LoadedTold struct {
	// Left is how many cards had, and CutCard that its cut card had come.
	Left    uint32
	CutCard bool
	// As is as what somebody said so.
	As Role
}

// DifferenceTold is what becomes of a wager that was decided before a correction.
type DifferenceTold struct {
	// Before and After are what its bettor got by the lines that are taken back, and gets by those that hold;
	// HadBefore and HasAfter say that it was and is decided.
	Before, After       int64
	HadBefore, HasAfter bool
	// Paid is what was paid on it beside its stake, and More what its bettor is still to get, below zero what is to be
	// taken; HasPaid and HasMore say that its chips were moved, and that they are to be put right now.
	Paid, More       int64
	HasPaid, HasMore bool
}

// Result is how a round ended. It belongs to the engine: copy what is to last past
// the next Step.
type Result struct {
	Bank []card.Card // the bank's cards
	Sums Sums
}

// Sums are the amounts of a round over all its decided wagers.
type Sums struct {
	Staked, Returned, Won int64
	// Unstated says that some amount is not known, and the sums are none.
	Unstated bool
}

// Spot is a hand of a box, each by its number from 1; 0 for none.
type Spot struct{ Box, Hand uint8 }

// Due is the one set of things that may come next. (See the transcript's "due".) It has four fields, so that the
// compiler keeps it in registers.
type Due struct {
	To To
	Spot
	// Allowed are the calls that may be taken; only with ToCall.
	Allowed Calls
	// Cards is how many are to be laid aside, as far as that is known; only with ToAside.
	Cards uint8
}

// Outputs describe every kind of output, by the kind.
var Outputs = [...]Line[Output]{
	Opened:     {Name: "opened", Meaning: "a round began", Fields: []*Field[Output]{round()}},
	ClosedBets: {Name: "closed-bets", Meaning: "its bets are closed"},
	Rejected: {
		Name: "rejected", Meaning: "an input is not allowed now: nothing changed",
		Fields: []*Field[Output]{
			named("reason", Required, reasonNames, "why", func(o *Output) *Reason { return &o.Reason }),
			count("line", Required, "the input's line; in a journal, its record", func(o *Output) *uint64 {
				return &o.Line
			}),
			named("in", Optional, inputNames, "the input that does not follow from a correction",
				func(o *Output) *InputKind {
					return &o.Input
				}),
			named("call", Optional, callNames, "the call, if it is one", func(o *Output) *Call { return &o.Call }),
			playing(Optional, "the card, if it is one", func(o *Output) *card.Card { return &o.Card }),
			count("box", Optional, "whose it was", func(o *Output) *uint8 { return &o.Box }),
			count("hand", Optional, "the hand on it", func(o *Output) *uint8 { return &o.Hand }),
			named("cause", Optional, reasonNames, "why it does not follow", func(o *Output) *Reason {
				return &o.Cause
			}),
		},
	},
	Dealt: {
		Name: "dealt", Meaning: "a card has its place",
		Forms: []string{
			boxTotal: "box", boxPoints: "box in Black James", bankTotal: "bank",
			bankPoints: "bank in Black James", aside: "aside",
		},
		Form: dealtForm,
		Fields: []*Field[Output]{
			playing(Required, "the card", func(o *Output) *card.Card { return &o.Card }),
			place(some(toNames, ToBox, ToBank, ToAside), "where it lies"),
			count("box", Required, "the box", func(o *Output) *uint8 { return &o.Box }).only(set(boxTotal, boxPoints)),
			count("hand", Required, "the hand on it", func(o *Output) *uint8 {
				return &o.Hand
			}).only(set(boxTotal, boxPoints)),
			count("box", Optional, "the box to which a Joker was laid in the initial deal", func(o *Output) *uint8 {
				return &o.Box
			}).only(set(aside)),
			total("points", "what the hand counts now").given(func(o *Output) *bool {
				return &o.Points
			}).only(set(boxPoints, bankPoints)),
			total("total", "what the hand counts now").only(set(boxTotal, bankTotal)),
			truth("soft", Required, "whether an ace counts eleven in it", func(o *Output) *bool {
				return &o.Soft
			}).only(set(boxTotal, bankTotal)),
		},
	},
	DueChanged: {
		Name: "due", Meaning: "what may come next, whenever that changes",
		Forms: dueNames, Form: func(o *Output) uint8 { return uint8(o.To) },
		Fields: []*Field[Output]{
			place(dueNames, "what is due"),
			count("box", Required, "whose turn it is", func(o *Output) *uint8 {
				return &o.Box
			}).only(set(ToBox, ToCall)),
			count("hand", Required, "the hand on it", func(o *Output) *uint8 {
				return &o.Hand
			}).only(set(ToBox, ToCall)),
			calls("allowed", Required, "the calls that the rules allow", func(o *Output) *Calls {
				return &o.Allowed
			}).only(set(ToCall)),
			count("cards", Required, "how many are to be burnt, as far as that is known", func(o *Output) *uint8 {
				return &o.Times
			}).only(set(ToAside)),
		},
	},
	HandDone: {
		Name: "done", Meaning: "a hand takes no more calls",
		Fields: []*Field[Output]{
			count("box", Required, "the box", func(o *Output) *uint8 { return &o.Box }),
			count("hand", Required, "the hand on it", func(o *Output) *uint8 { return &o.Hand }),
			named("why", Required, handsDone, "why", func(o *Output) *Done { return &o.Done }),
		},
	},
	Irregular: withOrigin(Line[Output]{
		Name: "irregular", Meaning: "something went wrong: the round is held until somebody takes one of the choices",
		Room: troubled,
		Fields: slices.Concat([]*Field[Output]{
			irregular(func(o *Output) *irregularity.Code { return &o.Code }),
			playing(Optional, "the card it is about", func(o *Output) *card.Card { return &o.Card }),
			count("box", Optional, "whose payment does not agree; all of them by default. Or who has won",
				func(o *Output) *uint8 {
					return &o.Box
				}),
			text("bettor", Optional, "whose on it; all bettors' by default", func(o *Output) *string {
				return &o.Bettor
			}),
		}, bigWin(), []*Field[Output]{
			owed(Optional, "what was to be paid").given(differs), given(Optional, "what was paid").given(differs),
			count("missing", Optional, "the number of lost cards, where it is known", func(o *Output) *uint32 {
				return &o.Irregular.Missing
			}),
			text("alarm", Optional, "the shoe's own name for its alarm", func(o *Output) *string {
				return &o.Irregular.Alarm
			}),
			text("found", Optional, "what is wrong with the record", func(o *Output) *string {
				return &o.Irregular.Found
			}),
			text("by", Optional, "who holds the round by hand, or in whose name the last command was signed",
				func(o *Output) *string {
					return &o.By
				}),
			text("reason", Optional, "why", func(o *Output) *string { return &o.Because }),
			text("refused", Optional, "why commands of the pit were refused, for the last of them",
				func(o *Output) *string {
					return &o.Refused.Why
				}),
			count("times", Optional, "how many of them", func(o *Output) *uint32 { return &o.Refused.Times }),
			calls("calls", Optional, "those that contradict each other", func(o *Output) *Calls { return &o.Allowed }),
			{
				Name: "choices", Type: TypeChoices, Need: Required, Names: choiceNames,
				Meaning: "the ways to put it right, the first being proposed; with none, until the cause is gone",
				Choices: func(o *Output) *irregularity.Choices { return &o.Irregular.Choices },
			},
		}),
	}),
	Resolved: withOrigin(Line[Output]{
		Name: "resolved", Meaning: "it is put right", Room: troubled,
		Fields: slices.Concat([]*Field[Output]{
			irregular(func(o *Output) *irregularity.Code { return &o.Code }),
			named("with", Required, choiceNames, "the choice; `online` and `cleared` are no person's",
				func(o *Output) *irregularity.Choice {
					return &o.With
				}),
			text("by", Required, "who it was, empty for nobody", func(o *Output) *string { return &o.By }),
			text("reason", Optional, "why something irregular was accepted", func(o *Output) *string {
				return &o.Because
			}),
			count("box", Optional, "the box, of a big win", func(o *Output) *uint8 { return &o.Box }),
			text("bettor", Optional, "who has won", func(o *Output) *string { return &o.Bettor }),
		}, bigWin()),
	}),
	Undone: {
		Name: "undone", Meaning: "a key press is taken back, and with it every output that followed from it",
		Room: troubled,
		Fields: []*Field[Output]{
			named("in", Required, inputNames, "the key press", func(o *Output) *InputKind { return &o.Input }),
			named("call", Optional, callNames, "the call, if it was one", func(o *Output) *Call { return &o.Call }),
			count("box", Optional, "where the turn is again", func(o *Output) *uint8 { return &o.Box }),
			count("hand", Optional, "the hand on it", func(o *Output) *uint8 { return &o.Hand }),
			text("bettor", Optional, "whose insurance, even money or paid wager it was", func(o *Output) *string {
				return &o.Bettor
			}),
			onWager(func(o *Output) *Wager {
				return &o.Wager
			}).optional("the wager that was paid or taken at once"),
			count("round", Optional, "the round that was finished and is at payment again", func(o *Output) *uint64 {
				return &o.Round
			}),
			was("was", "what was due before", func(o *Output) *Due { return &o.Undone.Was }),
			was("now", "what is due after it", func(o *Output) *Due { return &o.Undone.Now }),
		},
	},
	Settled: {
		Name: "settled", Meaning: "a wager is decided", Infer: once,
		Forms: amountForms, Form: amountForm,
		Fields: []*Field[Output]{
			count("box", Required, "the box", func(o *Output) *uint8 { return &o.Box }),
			text("bettor", Required, "whose wager it is", func(o *Output) *string { return &o.Bettor }),
			onWager(func(o *Output) *Wager { return &o.Wager }),
			count("hand", Optional, "the hand, of a main wager", func(o *Output) *uint8 { return &o.Hand }),
			named("outcome", Required, outcomeNames, "what became of it", func(o *Output) *Outcome {
				return &o.Outcome
			}),
			decided(), stake(),
			sum("returned", "what comes back of the stake",
				func(o *Output) *int64 { return &o.Returned }).unknown(unstated, set(nobodyKnows, oftenUnknown)),
			won(), rounded(), carried(), onLine(), odds(), times(),
		},
	},
	Bonus: {
		Name: "bonus", Meaning: "paid besides a wager, which plays on or is settled with a line of its own",
		Infer: once,
		Forms: amountForms, Form: amountForm,
		Fields: []*Field[Output]{
			count("box", Required, "the box", func(o *Output) *uint8 { return &o.Box }),
			text("bettor", Required, "whose wager it is", func(o *Output) *string { return &o.Bettor }),
			onWager(func(o *Output) *Wager { return &o.Wager }),
			count("hand", Optional, "the hand", func(o *Output) *uint8 { return &o.Hand }),
			decided(), stake(), won(), rounded(), odds(), times(),
		},
	},
	RoundDecided: {
		Name: "round", Meaning: "the last wager is decided",
		Room:  func(o *Output) { o.Result = &Result{} },
		Forms: amountForms[:oftenUnknown], Form: func(o *Output) uint8 { return uint8(one(o.Sums.Unstated)) },
		Infer: func(o *Output) { o.Unstated = o.Sums.Unstated },
		Fields: []*Field[Output]{
			round(),
			{
				Name: "bank", Type: TypeCards, Need: Required, Names: cardNames,
				Meaning: "the bank's cards, as far as it drew", Cards: func(o *Output) *[]card.Card {
					return &o.Bank
				},
			},
			total("bank_total", "what they count"),
			sum("staked", "the sum of stakes over settled lines",
				func(o *Output) *int64 { return &o.Sums.Staked }).unknown(unsummed, set(nobodyKnows)),
			sum("returned", "what comes back of them",
				func(o *Output) *int64 { return &o.Sums.Returned }).unknown(unsummed, set(nobodyKnows)),
			sum("won", "what is won on settled and bonus lines",
				func(o *Output) *int64 { return &o.Sums.Won }).unknown(unsummed, set(nobodyKnows)),
		},
	},
	PaidAtOnce: {
		Name: "paid", Meaning: "a decided wager, or a bonus, was paid or taken before the payment of the round",
		Forms: amountForms[:oftenUnknown], Form: func(o *Output) uint8 { return uint8(one(o.Unstated)) },
		Fields: []*Field[Output]{
			count("box", Required, "the box", func(o *Output) *uint8 { return &o.Box }),
			text("bettor", Required, "whose wager it is", func(o *Output) *string { return &o.Bettor }),
			onWager(func(o *Output) *Wager { return &o.Wager }),
			count("hand", Optional, "the hand, of a main wager", func(o *Output) *uint8 { return &o.Hand }),
			named("outcome", Optional, outcomeNames, "what became of it; missing for a bonus",
				func(o *Output) *Outcome {
					return &o.Outcome
				}),
			decided(),
			sum("returned", "what came back of the stake",
				func(o *Output) *int64 { return &o.Returned }).unknown(unstated, set(nobodyKnows)),
			sum("won", "what was paid on top of it", func(o *Output) *int64 { return &o.Won }).unknown(unstated,
				set(nobodyKnows)),
		},
	},
	Finished: {
		Name: "finished", Meaning: "all is paid", Room: troubled,
		Fields: []*Field[Output]{
			round(),
			owed(Optional,
				"what was due on the wagers of the round's `payout` lines; missing where there is none").given(differs),
			given(Optional, "what was paid on them").given(differs),
			mustHold("what must be in the tray now"),
		},
	},
	Payout: withOrigin(Line[Output]{
		Name:    "payout",
		Meaning: "another amount was paid on a decided wager than was due, and somebody has accepted that",
		Room:    troubled,
		Fields: []*Field[Output]{
			count("box", Required, "the box", func(o *Output) *uint8 { return &o.Box }),
			text("bettor", Required, "whose wager it is", func(o *Output) *string { return &o.Bettor }),
			onWager(func(o *Output) *Wager { return &o.Wager }),
			count("hand", Optional, "the hand, of a main wager", func(o *Output) *uint8 { return &o.Hand }),
			decided(),
			owed(Required, "what was to be laid out for it, beside what lay there"),
			given(Required, "what was laid out"),
			text("by", Required, "who accepted it", func(o *Output) *string { return &o.By }),
			text("reason", Optional, "why", func(o *Output) *string { return &o.Because }),
		},
	}),
	Adjusted: withOrigin(Line[Output]{
		Name: "adjusted",
		Meaning: "a supervisor has paid, or taken, something of a wager of a past round: the tray has so much less, " +
			"or more", Room: troubled,
		Fields: []*Field[Output]{
			round(),
			count("box", Required, "the box", func(o *Output) *uint8 { return &o.Box }),
			text("bettor", Required, "whose wager it was", func(o *Output) *string { return &o.Bettor }),
			onWager(func(o *Output) *Wager { return &o.Wager }),
			count("hand", Optional, "the hand on which it lay, of a main wager", func(o *Output) *uint8 {
				return &o.Hand
			}),
			sum("amount", "what was paid; below zero, what was taken", func(o *Output) *int64 { return &o.Adjusted }),
			text("by", Required, "who it was", func(o *Output) *string { return &o.By }),
			text("reason", Required, "why", func(o *Output) *string { return &o.Because }),
			count("before", Optional, "the line, in a journal the record, of the adjustment before this one",
				func(o *Output) *uint64 {
					return &o.Line
				}),
			mustHold("what must be in the tray after it"),
		},
	}),
	Acknowledged: withOrigin(Line[Output]{
		Name: "acknowledged", Meaning: "an alert was seen", Room: troubled,
		Fields: []*Field[Output]{
			irregular(func(o *Output) *irregularity.Code { return &o.Code }),
			text("by", Required, "who it was", func(o *Output) *string { return &o.By }),
		},
	}),
	DealerChanged: withOrigin(Line[Output]{
		Name: "dealer", Meaning: "who deals from now on", Room: troubled,
		Fields: []*Field[Output]{
			text("name", Required, "the dealer", func(o *Output) *string { return &o.By }),
			text("shift", Optional, "the dealer's shift", func(o *Output) *string { return &o.Dealer.Shift }),
			named("proof", Optional, proofNames, "how the dealer was proven", func(o *Output) *Proof {
				return &o.Dealer.Proof
			}),
			text("relieves", Optional, "the dealer who goes", func(o *Output) *string { return &o.Dealer.Relieves }),
		},
	}),
	ShoeChanged: {
		Name: "shoe", Meaning: "which shoe deals from now on, and what is in it", Room: troubled,
		Fields: []*Field[Output]{
			text("maker", Optional, "its make", func(o *Output) *string { return &o.Shoe.Maker }),
			text("serial", Optional, "its serial number, of a make that says it", func(o *Output) *string {
				return &o.Shoe.Serial
			}),
			text("firmware", Optional, "the version of its firmware, of a make that says it", func(o *Output) *string {
				return &o.Shoe.Firmware
			}),
			text("packs", Optional, "the packs in it, where somebody said which", func(o *Output) *string {
				return &o.Shoe.Packs
			}),
			text("by", Optional, "who said so", func(o *Output) *string { return &o.By }),
		},
	},
	FloorTold: withOrigin(Line[Output]{
		Name: "floor", Meaning: floorMeaning, Room: troubled,
		Forms: floorNames, Form: func(o *Output) uint8 { return uint8(o.Floor.Event) },
		Fields: append(floorFields(func(o *Output) *FloorCall { return &o.Floor }),
			text("by", Optional, "who it was", func(o *Output) *string { return &o.By })),
	}),
	TableChanged: withOrigin(Line[Output]{
		Name: "table", Meaning: "the table is open or closed from now on", Room: troubled,
		Fields: []*Field[Output]{
			named("event", Required, tableEventNames, "what was done", func(o *Output) *TableEvent {
				return &o.Table.Event
			}),
			text("dealer", Optional, "who deals", func(o *Output) *string { return &o.Table.Dealer }),
			text("by", Optional, "who did it; left out where the configuration did", func(o *Output) *string {
				return &o.By
			}),
		},
	}),
	LimitsChanged: withOrigin(Line[Output]{
		Name: "limits", Meaning: "the limits from now on", Room: troubled,
		Fields: []*Field[Output]{
			amount("min", Required, "the least main stake", func(o *Output) *int64 { return &o.Limits.Min }),
			amount("box_max", Required, "the most that may lie on a box, all main stakes together",
				func(o *Output) *int64 {
					return &o.Limits.BoxMax
				}),
			text("by", Optional, "who changed them; left out where the configuration did", func(o *Output) *string {
				return &o.By
			}),
		},
	}),
	Corrected: withOrigin(Line[Output]{
		Name: "corrected", Meaning: "all that was told of this round is taken back; what holds is told again after it",
		Room: troubled,
		Fields: []*Field[Output]{
			named("what", Required, correctionNames, "what was corrected", func(o *Output) *Correction {
				return &o.Corrected.What
			}),
			count("nth", Optional, "the number of the key press or of the card in the round", func(o *Output) *uint32 {
				return &o.Corrected.Nth
			}),
			named("in", Optional, inputNames, "the key press that was taken back", func(o *Output) *InputKind {
				return &o.Input
			}),
			named("code", Optional, codeNames, "what it had put right, of a decision",
				func(o *Output) *irregularity.Code {
					return &o.Code
				}),
			playing(Optional, "the card's right name, or the one that was added", func(o *Output) *card.Card {
				return &o.Card
			}),
			named("to", Optional, some(toNames, ToBox, ToBank, ToAside), "where the card lies", func(o *Output) *To {
				return &o.To
			}),
			count("box", Optional, "the box where it lies, or whose stake it is", func(o *Output) *uint8 {
				return &o.Box
			}),
			count("hand", Optional, "the hand on it", func(o *Output) *uint8 { return &o.Hand }),
			text("bettor", Optional, "whose stake it is", func(o *Output) *string { return &o.Bettor }),
			onWager(func(o *Output) *Wager { return &o.Wager }).optional("what is staked on"),
			named("outcome", Optional, some(outcomeNames, Lose), "what becomes of dead stakes; by default they go back",
				func(o *Output) *Outcome {
					return &o.Outcome
				}),
			text("by", Required, "who it was", func(o *Output) *string { return &o.By }),
			text("reason", Optional, "why", func(o *Output) *string { return &o.Because }),
		},
	}),
	Stands: {
		Name: "stands", Meaning: "an input of a corrected round that stands; what follows from it is told after it",
		Room: func(o *Output) { o.Trouble = &Trouble{Stand: &Input{}} },
		Fields: []*Field[Output]{
			named("in", Required, inputNames, "what it is: stake, close, call, resolve, correct, or paid of a box",
				func(o *Output) *InputKind {
					return &o.Stand.Kind
				}),
			named("what", Optional, correctionNames, "the correction", func(o *Output) *Correction {
				return &o.Stand.Correct.What
			}),
			playing(Optional, "the card that was named by hand", func(o *Output) *card.Card { return &o.Stand.Card }),
			named("call", Optional, callNames, "the call", func(o *Output) *Call { return &o.Stand.Call }),
			named("with", Optional, choiceNames, "the choice", func(o *Output) *irregularity.Choice {
				return &o.Stand.With
			}),
			count("box", Optional, "the box", func(o *Output) *int { return &o.Stand.Box }),
			count("hand", Optional, "the hand on it", func(o *Output) *uint8 { return &o.Stand.Hand }),
			text("bettor", Optional, "whose it is", func(o *Output) *string { return &o.Stand.Bettor }),
			{
				Name: "bettors", Type: TypeTexts, Need: Optional,
				Meaning: "who joins, or leaves; by default all of the hand",
				Texts:   func(o *Output) *[]string { return &o.Stand.Bettors },
			},
			onWager(func(o *Output) *Wager { return &o.Stand.Wager }).optional("what is staked on"),
			amount("amount", Optional, "the stake, or the insurance", func(o *Output) *int64 {
				return &o.Stand.Amount
			}).given(func(o *Output) *bool { return &o.Stand.Stated }),
			named("outcome", Optional, some(outcomeNames, Lose), "what becomes of dead stakes; by default they go back",
				func(o *Output) *Outcome {
					return &o.Stand.Correct.Outcome
				}),
		},
	},
	Difference: {
		Name: "difference",
		Meaning: "a wager that was decided before a correction is so no longer, or otherwise: what was paid is to " +
			"be put right", Room: troubled,
		Fields: []*Field[Output]{
			count("box", Required, "the box", func(o *Output) *uint8 { return &o.Box }),
			text("bettor", Required, "whose wager it is", func(o *Output) *string { return &o.Bettor }),
			onWager(func(o *Output) *Wager { return &o.Wager }),
			count("hand", Optional, "the hand, of a main wager", func(o *Output) *uint8 { return &o.Hand }),
			givenSum("was", "what the bettor got of it, stake and winnings; missing if it was not decided",
				func(o *Output) *int64 {
					return &o.Difference.Before
				}).given(func(o *Output) *bool { return &o.Difference.HadBefore }),
			givenSum("now",
				"what the bettor gets of it; missing if it is not decided any more, and its stake is the "+
					"bettor's again", func(o *Output) *int64 {
					return &o.Difference.After
				}).given(func(o *Output) *bool { return &o.Difference.HasAfter }),
			givenSum("won", "what was paid on it on top of its stake; missing if its chips were not moved",
				func(o *Output) *int64 {
					return &o.Difference.Paid
				}).given(func(o *Output) *bool { return &o.Difference.HasPaid }),
			givenSum("amount",
				"what is to be paid on it, a stake that was taken among it; below zero, what is to be taken; "+
					"missing if its chips were not moved, or it is open", func(o *Output) *int64 {
					return &o.Difference.More
				}).given(func(o *Output) *bool { return &o.Difference.HasMore }),
			truth("unknown", Optional, "nobody knows the amounts", func(o *Output) *bool { return &o.Unstated }),
		},
	},
	MessageTold: messageTold,
	ShoeLoadedAnew: withOrigin(Line[Output]{
		Name: "loaded", Meaning: "the shoe counts as full from now on: what had left it is forgotten",
		Fields: []*Field[Output]{
			count("left", Required, "the cards that had left it", func(o *Output) *uint32 { return &o.Loaded.Left }),
			truth("cut_card", Optional, "its cut card had come", func(o *Output) *bool { return &o.Loaded.CutCard }),
			text("by", Optional, "who said so", func(o *Output) *string { return &o.By }),
			named("role", Optional, roleNames, "as what; a supervisor by default, where somebody is named",
				func(o *Output) *Role {
					return &o.Loaded.As
				}),
		},
	}),
	SettingsChanged: withRoom(withOrigin(Line[Output]{
		Name:    "settings",
		Meaning: "one of the table's settings was changed; it takes effect when the table begins anew",
		Fields: settingFields(func(o *Output) *Setting {
			return orNone(orNone(o.Trouble).Setting)
		}, func(o *Output) *string { return &o.By }),
	})),
	Counted: withTray(Line[Output]{Name: "count", Meaning: "the tray was counted", Fields: countFields()}),
	TrayMoved: withTray(Line[Output]{
		Name:    "tray",
		Meaning: "chips come into the tray, or go, or a slip for that has taken a step", Fields: movedFields(),
	}),
	HoleTold: {
		Name: "hole", Meaning: "what became of the bank's card that lies face down",
		Forms: holeNames, Form: func(o *Output) uint8 { return uint8(o.Hole) },
		Fields: []*Field[Output]{
			named("event", Required, holeTold, "what became of it", func(o *Output) *HoleEvent { return &o.Hole }),
			playing(Required, "the card", func(o *Output) *card.Card { return &o.Card }).only(set(HoleExposed)),
		},
	},
	JackpotTold: {
		Name:    "jackpot",
		Meaning: "the jackpot that several tables play for: it was won, or what a round has moved of it",
		Forms:   jackpotNames, Form: jackpotForm, Room: roomForMeter, Fields: meterFields(),
	},
}

// withRoom is a line that also has a setting.
func withRoom(l Line[Output]) Line[Output] {
	l.Room = func(o *Output) { o.Trouble = &Trouble{Setting: &Setting{}, Origin: &Origin{}} }
	return l
}

// Dues describe what was or is due, where that is an object of its own.
var Dues = [...]Line[Due]{{
	Name: "due", Meaning: "what is due",
	Forms: dueNames, Form: func(d *Due) uint8 { return uint8(d.To) },
	Fields: []*Field[Due]{
		named("to", Required, dueNames, "what is due", func(d *Due) *To { return &d.To }),
		count("box", Required, "whose turn it is", func(d *Due) *uint8 { return &d.Box }).only(set(ToBox, ToCall)),
		count("hand", Required, "the hand on it", func(d *Due) *uint8 { return &d.Hand }).only(set(ToBox, ToCall)),
		count("cards", Required, "how many are to be burnt, as far as that is known", func(d *Due) *uint8 {
			return &d.Cards
		}).only(set(ToAside)),
	},
}}

// The forms of a card that was dealt.
const (
	boxTotal uint8 = iota
	boxPoints
	bankTotal
	bankPoints
	aside
)

func dealtForm(o *Output) uint8 {
	points := uint8(one(o.Points))
	switch o.To {
	case ToBox:
		return boxTotal + points
	case ToBank:
		return bankTotal + points
	default:
		return aside
	}
}

// The forms of what has amounts: known, or not, or not and the stake lies there more than
// once.
const (
	known uint8 = iota
	nobodyKnows
	oftenUnknown
)

var amountForms = []string{
	known: "a known amount", nobodyKnows: "an unknown amount",
	oftenUnknown: "an unknown amount that lies there several times",
}

func amountForm(o *Output) uint8 {
	switch {
	case !o.Unstated:
		return known
	case o.Times > 1:
		return oftenUnknown
	default:
		return nobodyKnows
	}
}

var dueNames = some(toNames, ToBox, ToBank, ToAside, ToCall, ToInsurance, ToPayment, ToNothing, ToHole, ToLook,
	ToTurn)

func troubled(o *Output) { o.Trouble = &Trouble{} }

// once: the stake lies there at least once.
func once(o *Output) { o.Times = max(o.Times, 1) }

func unstated(o *Output) *bool { return &o.Unstated }
func unsummed(o *Output) *bool { return &o.Sums.Unstated }

func round() *Field[Output] {
	return count("round", Required, "the round's number", func(o *Output) *uint64 { return &o.Round })
}

func place(names []string, meaning string) *Field[Output] {
	return named("to", Required, names, meaning, func(o *Output) *To { return &o.To })
}

func total(name, meaning string) *Field[Output] {
	return count(name, Required, meaning, func(o *Output) *uint8 { return &o.Total })
}

func irregular[L any](at func(*L) *irregularity.Code) *Field[L] {
	f := named("code", Required, codeNames, "the irregularity", at)
	f.Noun = "irregularity"
	return f
}

func was(name, meaning string, at func(*Output) *Due) *Field[Output] {
	return &Field[Output]{Name: name, Type: TypeDue, Need: Required, Meaning: meaning, Due: at}
}

func onWager[L any](at func(*L) *Wager) *Field[L] {
	return word("wager", Required, wagerNames, "what is staked on", func(l *L) *string { return (*string)(at(l)) })
}

// because is what decided a wager.
func because[L any](at func(*L) *Why) *Field[L] {
	return word("why", Required, whyNames, "what decided it", func(l *L) *string { return (*string)(at(l)) })
}

// decided is what decided the wager of an output.
func decided() *Field[Output] {
	return because(func(o *Output) *Why { return &o.Why })
}

// bigWin is the win that is to be confirmed, or is: nothing of another irregularity.
func bigWin() []*Field[Output] {
	why := decided().optional("what has decided that")
	won := sum("won", "what it is, on top of its stake", func(o *Output) *int64 { return &o.Won })
	won.Need = Optional
	return []*Field[Output]{
		onWager(func(o *Output) *Wager { return &o.Wager }).optional("on what, of a big win"),
		count("hand", Optional, "the hand, of a main wager", func(o *Output) *uint8 { return &o.Hand }), why, won,
	}
}

// owed and given are what was due, and what was paid instead.
func owed(need Need, meaning string) *Field[Output] {
	f := sum("due", meaning, func(o *Output) *int64 { return &o.Payment.Owed })
	f.Need = need
	return f
}

func given(need Need, meaning string) *Field[Output] {
	f := sum("paid", meaning, func(o *Output) *int64 { return &o.Payment.Given })
	f.Need = need
	return f
}

// differs says whether what was paid is not what was due. An output that tells of no trouble has none.
func differs(o *Output) *bool { return &orNone(o.Trouble).Payment.Differs }

// sum is an amount that may be as large as many together.
func sum(name, meaning string, at func(*Output) *int64) *Field[Output] {
	f := amount(name, Required, meaning, at)
	f.Most = 1<<63 - 1
	return f
}

// givenSum is a sum that may be missing.
func givenSum(name, meaning string, at func(*Output) *int64) *Field[Output] {
	f := sum(name, meaning, at)
	f.Need = Optional
	return f
}

func stake() *Field[Output] {
	return sum("stake", "the stake, or what a bonus is paid on",
		func(o *Output) *int64 { return &o.Stake }).unknown(unstated, set(nobodyKnows, oftenUnknown))
}

func won() *Field[Output] {
	return sum("won", "what is won on top of it", func(o *Output) *int64 { return &o.Won }).unknown(unstated,
		set(nobodyKnows, oftenUnknown))
}

func rounded() *Field[Output] {
	return truth("rounded", Optional, "the payout did not come out even", func(o *Output) *bool { return &o.Rounded })
}

func carried() *Field[Output] {
	return truth("carried", Optional,
		"half a unit is left of the payout: a whole one lies on the line, and plays in the next round",
		func(o *Output) *bool {
			return &o.Carried
		})
}

func onLine() *Field[Output] {
	return truth("line", Optional,
		"a unit lay on the line since the round before: it is among what a win has won, else it is taken",
		func(o *Output) *bool {
			return &o.OnLine
		})
}

func odds() *Field[Output] {
	return &Field[Output]{
		Name: "ratio", Type: TypeRatio, Need: Optional, Meaning: "what comes to a stake that nobody knows",
		Ratio: func(o *Output) *money.Ratio { return &o.Odds },
		Only:  set(nobodyKnows, oftenUnknown),
	}
}

func times() *Field[Output] {
	return count("times", Required, "how often a stake that nobody knows lies there", func(o *Output) *uint8 {
		return &o.Times
	}).only(set(oftenUnknown))
}
