// Package display says what a dealer sees: a pure view of the table, the same for
// the web page, the terminal and the character display.
package display

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// View is the whole table as it stands, ready to be drawn and, as JSON, the
// retained state that the pit reads. All amounts are in minor units of Currency.
// In JSON the names in it (due, wagers, outcomes, reasons, calls) are those of the transcripts.
type View struct {
	Table string `json:"table"`
	House string `json:"house"`
	// Game is the zero Game at a table that is not set up.
	Game     Game   `json:"game"`
	Currency string `json:"currency"`
	// Digits is how many decimals the currency shows, 2 for euro and franc.
	Digits int   `json:"digits"`
	Min    int64 `json:"min"`
	BoxMax int64 `json:"box_max"`
	Unit   int64 `json:"unit"`
	// Seq counts the inputs the table has taken; a higher Seq is a later view.
	Seq   uint64      `json:"seq"`
	Round uint64      `json:"round"`
	Phase vocab.Phase `json:"phase"`
	Due   Due         `json:"due"`
	Bank  Hand        `json:"bank"`
	Boxes []Box       `json:"boxes"`
	// Held says why the round stands still, nil while it does not.
	Held *Held `json:"held,omitempty"`
	// Rejected is why the last input was refused, 0 once another was taken.
	Rejected vocab.Reason `json:"rejected,omitempty"`
	// HoleSeen is what the dealer has seen in the bank's card that lies face down, 0 before. The card is among those of
	// the bank as card.Down, unless it was seen before its time.
	HoleSeen vocab.HoleEvent `json:"hole_seen,omitzero"`
	// Aside are the cards laid aside in this round.
	Aside []card.Card `json:"aside,omitempty"`
	// Waiting are cards that lie open and are dealt before any is drawn; nil for none.
	Waiting *Waiting `json:"waiting,omitempty"`
	// Sums stand once every wager of the round is decided.
	Sums *Sums `json:"sums,omitempty"`
	Shoe Shoe  `json:"shoe"`
	// Jackpot is what the progressive jackpot stands at, 0 where there is none.
	Jackpot int64 `json:"jackpot,omitempty"`
	// Alerts wait until they are put right and acknowledged.
	Alerts []Alert `json:"alerts,omitempty"`
	Shift  Shift   `json:"shift,omitzero"`
	// Opening says whether the table is open, and who opened or closed it last.
	Opening Opening `json:"opening,omitzero"`
	// Supervisor is who may put an irregularity right. It is on the table's own screens
	// alone: nil in what the pit reads.
	Supervisor *authority.Status `json:"supervisor,omitempty"`
	// Dealers is how dealers are proven, and whether one must be before a round is opened. It is
	// on the table's own screens alone, as Supervisor is.
	Dealers *authority.DealerStatus `json:"dealers,omitempty"`
	// Undo is the key press that can be taken back now, the zero Press for none.
	Undo Press `json:"undo,omitzero"`
	// Own is what the pit does not get.
	Own `json:"-"`
}

// Public leaves out what is for the table's own screens, and what the pit does not get.
func (v *View) Public() {
	v.Own, v.Supervisor, v.Dealers, v.Shoe.Port = Own{}, nil, nil, ""
	for i := range v.Boxes {
		b := &v.Boxes[i]
		for k := range b.Bettors {
			b.Bettors[k].Seated, b.Bettors[k].Player = false, ""
		}
		for k := range b.Sides {
			b.Sides[k].Player = ""
		}
	}
}

// Own is what the table's own screens need beside what the pit reads.
type Own struct {
	// TwoKeys says that two calls came at once, of which neither counts.
	TwoKeys bool
	// Pit says whether the pit hears of what happens: PitUp, PitDown, PitDenied, or "" for a table without a pit.
	Pit string
	// Missing are the keys and signals of the panel that cannot be used now.
	Missing []string
	// Away is what else is missing while the table works without it.
	Away []Away
	// Unmoves is how the chips were moved that the press in Undo has confirmed, Open where it is none of one wager.
	Unmoves Move
	// Moment is what Moment says of the table: what a touch of the screen is meant for.
	Moment string
	// Packs are those that the house has for this table.
	Packs []string
	// Rules are those that are played, nil at a table that is not set up.
	Rules *rules.Rules
	// Corrects is what a supervisor may correct while something holds the round, nil at any other
	// time, and Differences what corrections of this round have changed of what was decided.
	Corrects    *Corrects
	Differences []Difference
	// Bets and Tray are nil at a table that is not set up.
	Bets *Bets
	Tray *Tray
}

// Known says whether this is the view of a table. The zero View says nothing of any.
func (v View) Known() bool { return v.Due.To != 0 }

// Staked counts the boxes that are staked on in this round.
func (v *View) Staked() (boxes int) {
	for i := range v.Boxes {
		if len(v.Boxes[i].Bettors) > 0 || len(v.Boxes[i].Sides) > 0 {
			boxes++
		}
	}
	return boxes
}

// LacksDealer says whether a dealer must be proven before a round is opened.
func (v View) LacksDealer() bool { return v.Dealers != nil && v.Dealers.Needs }

// Unstated stands for an amount that nobody has entered: the box is only marked
// as played, and what it pays is shown as odds.
const Unstated int64 = -1

// What View.Pit says.
const (
	PitUp   = "up"
	PitDown = "down"
	// PitDenied is a connection over which the broker does not let everything through.
	PitDenied = "denied"
)

// Due is the one thing that may come next.
type Due struct {
	To      vocab.To     `json:"to"`
	Box     int          `json:"box,omitempty"`
	Hand    int          `json:"hand,omitempty"`
	Allowed []vocab.Call `json:"allowed,omitempty"`
	// Half says that an insurance is half the stake exactly, not up to half; only
	// with insurance.
	Half bool `json:"half,omitempty"`
	// Implied says that a card may be drawn without a key press, which then is the
	// call; only with call.
	Implied bool `json:"implied,omitempty"`
	// Cards is how many cards are to be burnt, as far as that is known, and ByValue that the next one says how many
	// follow it; only with aside.
	Cards   int  `json:"cards,omitempty"`
	ByValue bool `json:"by_value,omitempty"`
}

// Box is one playing place. A box that nobody plays has no bettors and no hands.
type Box struct {
	Number  int       `json:"number"`
	Bettors []Bettor  `json:"bettors,omitempty"`
	Sides   []SideBet `json:"sides,omitempty"`
	Hands   []Hand    `json:"hands,omitempty"`
	// Payouts are the box's decided wagers, in the order in which they were decided.
	Payouts []Payout `json:"payouts,omitempty"`
	// Offers are what the box's bettors may take against the bank's first card while
	// they are offered: insurance, even-money, surrender.
	Offers []vocab.Call `json:"offers,omitempty"`
	// Paid says that the dealer has confirmed this box's payment.
	Paid bool `json:"paid,omitempty"`
	// Before is what was paid on the box before a correction that has taken that back, nil for nothing.
	Before *PaidBefore `json:"before,omitempty"`
	// Line are the bettors for whom a chip of one payable unit lies on the box's line since the last round: half of it
	// is theirs, and all of it if they win.
	Line []string `json:"line,omitempty"`
}

// PaidBefore is what was paid on a box before a correction, and what of it is to be taken for wagers that there are
// not.
type PaidBefore struct {
	Paid int64 `json:"paid"`
	Back int64 `json:"back,omitempty"`
}

// Bettor is one guest with a stake on a box; the first is the holder.
type Bettor struct {
	Name      string `json:"name"`
	Holder    bool   `json:"holder,omitempty"`
	Stake     int64  `json:"stake"`
	Insurance int64  `json:"insurance,omitempty"`
	EvenMoney bool   `json:"even_money,omitempty"`
	// Seated says that the guest sits at the box, and Player that bettors are one person:
	// for the table's own screens.
	Seated bool   `json:"-"`
	Player string `json:"-"`
}

// SideBet is one bettor's side bet on a box, decided or not.
type SideBet struct {
	Bettor string      `json:"bettor"`
	Wager  vocab.Wager `json:"wager"`
	Stake  int64       `json:"stake"`
	// Player says that bettors are one person: for the table's own screens.
	Player string `json:"-"`
}

// Hand is a row of cards and what it counts: points in Black James.
type Hand struct {
	Cards []card.Card `json:"cards"`
	Total int         `json:"total"`
	Soft  bool        `json:"soft,omitempty"`
	// Done is why the hand takes no more calls or, if it is the bank's, cards; 0 while it
	// does.
	Done vocab.Done `json:"done,omitempty"`
	// Active marks the hand that is due.
	Active bool `json:"active,omitempty"`
	// Stakes are the open and settled main stakes on this hand.
	Stakes []HandStake `json:"stakes,omitempty"`
}

// HandStake is one bettor's main stake on one hand, doubled where it was doubled.
type HandStake struct {
	Bettor string `json:"bettor"`
	Amount int64  `json:"amount"`
}

// Payout is one decided wager: Returned + Won is what the bettor gets. One without
// an Outcome is a bonus beside a wager that plays on. Where nobody knows the stake,
// its amounts are Unstated.
type Payout struct {
	Bettor   string        `json:"bettor"`
	Wager    vocab.Wager   `json:"wager"`
	Hand     int           `json:"hand,omitempty"`
	Outcome  vocab.Outcome `json:"outcome"`
	Why      vocab.Why     `json:"why"`
	Stake    int64         `json:"stake"`
	Returned int64         `json:"returned"`
	Won      int64         `json:"won"`
	// Odds are what a win pays, or how much of the stake a surrender gives back, and
	// Times how often the stake lies on the hand, where the stake is Unstated.
	Odds  string `json:"odds,omitempty"`
	Times int    `json:"times,omitempty"`
	// Paid says that the chips were moved before the payment: paid, taken or given back.
	// AtOnce says that the house does so and the dealer has not yet, and Asked that the
	// dealer is asked for it: not while cards are dealt to everybody, and no more once the
	// next decision was called.
	Paid   bool `json:"paid,omitempty"`
	AtOnce bool `json:"at_once,omitempty"`
	Asked  bool `json:"asked,omitempty"`
	// Already is what was paid of it before a correction, nil where nothing is to be put right.
	Already *Already `json:"already,omitempty"`
	// Carried says that half a payable unit is left of it: a whole one lies on the box's line, and plays in the next
	// round.
	Carried bool `json:"carried,omitempty"`
	// Line says that a chip lay on the box's line for its bettor since the last round: of a win it is among Won, else
	// it is taken. LineChips is how many did, where more than one hand of a split box had left one; 0 once the round is
	// over.
	Line      bool  `json:"line,omitempty"`
	LineChips int64 `json:"line_chips,omitempty"`
	// Instead is what was paid on it where that is not what was due, nil where it is.
	Instead *Instead `json:"instead,omitempty"`
}

// Instead is what was laid out for a wager, and what was due.
type Instead struct {
	Due  int64 `json:"due"`
	Paid int64 `json:"paid"`
}

// Already is what was paid of a wager before a correction: Paid on top of its stake. More is what the bettor is still
// to get, a stake that was taken among it; below zero it is to be taken.
type Already struct {
	Paid int64 `json:"paid"`
	More int64 `json:"more"`
	// Unknown says that nobody knows what is to be put right.
	Unknown bool `json:"unknown,omitempty"`
}

// Held is the irregularity that stops the round, and the ways to put it right.
type Held struct {
	Code    irregularity.Code     `json:"code"`
	Card    card.Card             `json:"card,omitempty"`
	Choices []irregularity.Choice `json:"choices"`
	// Dealer are the choices that a dealer may take; all are the supervisor's.
	Dealer []irregularity.Choice `json:"dealer,omitempty"`
	// Missing counts lost cards, 0 if nobody knows how many.
	Missing int `json:"missing,omitempty"`
	// Box is whose payment does not agree, 0 for all of them, and Bettor whose on it, "" for all. Owed was due, and
	// Given paid.
	Box    int    `json:"box,omitempty"`
	Bettor string `json:"bettor,omitempty"`
	Owed   int64  `json:"due,omitempty"`
	Given  int64  `json:"paid,omitempty"`
	// Wager, Hand, Why and Won are the big win on Box and Bettor's that a supervisor is to confirm; Guests says that
	// the guests' display tells of it.
	Wager  vocab.Wager `json:"wager,omitempty"`
	Hand   int         `json:"hand,omitempty"`
	Why    vocab.Why   `json:"why,omitempty"`
	Won    int64       `json:"won,omitempty"`
	Guests bool        `json:"guests,omitempty"`
	// Found is what is wrong with the table's record, in the words in which it was found.
	Found string `json:"found,omitempty"`
	// By is who holds the round by hand, and Because why; "" where nobody said so.
	By      string `json:"by,omitempty"`
	Because string `json:"because,omitempty"`
	// Joker says that this house has a Joker: the card that is to be named may be it, or
	// it is one too many.
	Joker bool `json:"joker,omitempty"`
	// Behind counts the irregularities that come next, and Arrived what the shoe has
	// sent meanwhile.
	Behind  int `json:"behind,omitempty"`
	Arrived int `json:"arrived,omitempty"`
}

// Alert is an irregularity that is not put right, or that nobody has acknowledged.
// Times are RFC 3339, "" where it has not come to that.
type Alert struct {
	Code irregularity.Code `json:"code"`
	// Round and Raised say when it came first, Times how often since, and Standing
	// how many of these are not put right.
	Round    uint64 `json:"round"`
	Raised   string `json:"raised,omitempty"`
	Times    int    `json:"times"`
	Standing int    `json:"standing"`
	// Cleared, With and By say when, how and by whom it was put right last.
	Cleared string              `json:"cleared,omitempty"`
	With    irregularity.Choice `json:"with,omitempty"`
	By      string              `json:"by,omitempty"`
	// Acknowledged and AcknowledgedBy say when somebody has seen it, and who.
	Acknowledged   string `json:"acknowledged,omitempty"`
	AcknowledgedBy string `json:"acknowledged_by,omitempty"`
	// Reason is what the floor is called for, 0 where nobody said, and Caller who called it,
	// sent the message or signed the last of the refused commands.
	Reason vocab.FloorReason `json:"reason,omitempty"`
	Caller string            `json:"caller,omitempty"`
	// Text is what the pit says to the dealer, or why its last command was refused.
	Text string `json:"text,omitempty"`
}

// Shift is who deals, and what went wrong since.
type Shift struct {
	Dealer string `json:"dealer,omitempty"`
	Name   string `json:"name,omitempty"`
	// Irregularities counts them by code.
	Irregularities map[irregularity.Code]int `json:"irregularities,omitempty"`
}

// Opening is whether the table is open. The zero Opening is a table that nobody has ever
// opened or closed: it is open.
type Opening struct {
	Closed bool `json:"closed"`
	// Dealer dealt when it was opened or closed, and By did that, "" if the configuration
	// did. At is when, as RFC 3339.
	Dealer string `json:"dealer,omitempty"`
	By     string `json:"by,omitempty"`
	At     string `json:"at,omitempty"`
}

// Sums are the round's amounts over all boxes.
type Sums struct {
	Staked   int64 `json:"staked"`
	Returned int64 `json:"returned"`
	Won      int64 `json:"won"`
	// Over is how much more was paid than was due.
	Over int64 `json:"over,omitempty"`
}

// Shoe is what the dealer must know of the shoe.
type Shoe struct {
	Online bool `json:"online"`
	// Alarm is the shoe's own alarm, "" for none.
	Alarm string `json:"alarm,omitempty"`
	// CutCard says that the round under way is the last before a shuffle.
	CutCard bool `json:"cut_card,omitempty"`
	// Shuffler says that cards go back into it after each round.
	Shuffler bool `json:"shuffler,omitempty"`
	// Dealt and Left count the cards: since the shoe was loaded or, where cards go
	// back after each round, in this round. Left is below zero where more cards came
	// than a full shoe holds.
	Dealt int `json:"dealt"`
	Left  int `json:"left"`
	// Maker, Serial and Firmware are which shoe it is, "" where that is not known; they stay
	// while it is offline. Packs are in it, as LoadedBy said.
	Maker    string `json:"maker,omitempty"`
	Serial   string `json:"serial,omitempty"`
	Firmware string `json:"firmware,omitempty"`
	Packs    string `json:"packs,omitempty"`
	LoadedBy string `json:"loaded_by,omitempty"`
	// LoadSupervised says that it takes a supervisor to say that it was loaded: its cut card has
	// not come.
	LoadSupervised bool `json:"load_supervised,omitempty"`
	// Port is where it is plugged in: for the table's own screens.
	Port string `json:"-"`
}
