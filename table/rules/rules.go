// Package rules holds a house's rule sheet as values, and checks that they can be
// played. It is a leaf of the round engine: the engine reads Rules and never asks which
// house it plays. Package profile knows where the values come from.
package rules

import (
	"slices"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/sidebet"
)

// Profile is a house's rule sheet, as in its YAML file. The tag doc says what a key
// means, for the schema that editors use, and game in which game alone it means
// anything, and whether it must be there then. The comments in the files under
// profile/houses/ name the sheet and clause of every value.
type Profile struct {
	Extends string `yaml:"extends" json:"-" doc:"The house whose profile this one changes: whatever is not written here is as in that profile."`
	House   string `yaml:"house,required" doc:"The profile's name in configurations, transcripts and journals: 1 to 32 characters of a-z, 0-9 and -, the first a letter."`
	Title   string `yaml:"title,required" doc:"The house as its guests know it."`
	Game    Game   `yaml:"game,required" doc:"Which game is played."`

	Table Limits `yaml:"table,required" doc:"The amounts and the size of a table, unless its configuration has others."`
	// Chips are not among the text of a house that lists none, so that the house keeps its fingerprint.
	Chips []Chip `yaml:"chips" json:",omitempty" doc:"The chips and plaques of the house: others are not counted in a tray. Left out where any are, and the screens show those that are usual in the currency; a table with another currency has none of these."`
	// TrayDifference is no part of the text of the rules: who sees something changes nothing of a round.
	TrayDifference Viewer `yaml:"tray_difference" json:"-" doc:"Who sees at the table by how much a count of the tray differs: supervisor, also if it is left out, who has counted or while one's key is turned; or dealer. It changes no fingerprint."`
	Cards          Cards  `yaml:"cards,required" doc:"What the cards are drawn from."`
	Play           Play   `yaml:"play,required" doc:"How the dealer and the boxes take turns."`
	// Holder is help for the dealer, and no part of the text of the rules: the engine takes the first stake to be the
	// holder's.
	Holder    *Claims   `yaml:"holder" json:"-" doc:"Whose a free box is where several guests want it, for the help at the table; what comes first is named first: seated, nearest-seat, lower-seat, larger-stake, nearest-shoe. Left out where the sheet says nothing. It changes no fingerprint."`
	Bank      Bank      `yaml:"bank,required" doc:"The bank's own rule, in addition to drawing to 16 and standing on a hard 17."`
	Double    Double    `yaml:"double" game:"black-jack,required" doc:"When a stake may be doubled."`
	Split     Split     `yaml:"split" game:"black-jack,required" doc:"How often a box may be split."`
	Insurance Insurance `yaml:"insurance" game:"black-jack,required" doc:"What may be insured against the bank's Black Jack."`
	Surrender bool      `yaml:"surrender" game:"black-jack,required" doc:"Whether a bettor may give up the first two cards for half the stake."`
	// ManyCards is not among the text of a house that does not say it, so that the house keeps its fingerprint.
	ManyCards *ManyCards `yaml:"many_cards" game:"black-jack" json:",omitempty" doc:"A hand of many cards that wins at once, whatever the bank will have; left out if it is one like any other."`
	// SurrenderOnly is not among the text of a house that does not say it, so that the house keeps its fingerprint.
	SurrenderOnly *SurrenderOnly `yaml:"surrender_only" game:"black-jack" json:",omitempty" doc:"When alone a bettor may surrender, and how; left out if on any first two cards, at once, but not after a split."`
	ThreeSevens   ThreeSevens    `yaml:"three_sevens" game:"black-jack,required" doc:"The bonus for 7-7-7 as a hand's first three cards."`
	Pays          Pays           `yaml:"pays,required" doc:"The odds of the main game."`

	// AtOnce is not part of the text of the rules, nor are PayAtOnce and TakeAtOnce of a
	// side bet: when chips are moved changes nothing of what is paid, so that a round is the
	// same whatever a house says here. nil is a house that moves them in the payment.
	AtOnce *AtOnce `yaml:"at_once" json:"-" doc:"What of the main game is paid or taken as soon as it is decided; left out if everything waits for the payment. It changes no fingerprint."`

	SideBets []SideBet `yaml:"side_bets,required" doc:"The side bets that the house offers; [] for none."`
	// RepeatSideBets is not among the text of a house that does not say it, so that the house
	// keeps its fingerprint.
	RepeatSideBets *bool    `yaml:"repeat_side_bets" game:"black-jack" json:",omitempty" doc:"Whether a box that is played as in the last round gets its side bets again too; left out if it gets the main stakes alone."`
	Jackpot        *Jackpot `yaml:"jackpot" game:"black-jack" doc:"The progressive jackpot; left out if there is none."`

	// BigWin is not among the text of a house that has none, so that the house keeps its fingerprint.
	BigWin *BigWin `yaml:"big_win" json:",omitempty" doc:"From which win on a supervisor comes before it is paid; left out if none is held."`

	Irregularities Irregularities `yaml:"irregularities,required" doc:"How each irregularity is put right: the choices, of which the first is proposed, with (dealer) after those that a dealer may make; a supervisor may make any."`

	// Words are not rules: they are taken out of a profile once it has been read.
	Words map[string]map[string]string `yaml:"words" json:"-" doc:"What the house calls by another name than other houses of the language: for each language, by its code, the texts by their keys in the language files, such as de: {call.rest: Stay}."`
}

// Limits are the amounts that a table displays, as a profile writes them.
type Limits struct {
	Currency string `yaml:"currency,required" pattern:"^[A-Z]{3}$" doc:"Currency of all amounts, by its three letters of ISO 4217, such as EUR, JPY or KWD. All amounts have as many decimals as it has: 1000 yen, 10.00 euros, 10.000 dinars."`
	Boxes    int    `yaml:"boxes,required" min:"1" max:"9" doc:"Number of boxes on the felt."`
	// BoxesFrom and BoxesTo are no part of the text of the rules: they decide which set-ups are taken, and nothing of a
	// round.
	BoxesFrom *int  `yaml:"boxes_from" json:"-" min:"1" max:"9" doc:"Fewest boxes that the house's sheet lets a table have; left out where the sheet does not say. It changes no fingerprint."`
	BoxesTo   *int  `yaml:"boxes_to" json:"-" min:"1" max:"9" doc:"Most boxes that the house's sheet lets a table have; left out where the sheet does not say. It changes no fingerprint."`
	Min       Money `yaml:"min,required" doc:"Least stake of a bettor; a multiple of unit."`
	// Step and Bettors are not among the text of a house that does not say them, nor is UpToStake of a side bet, so
	// that the house keeps its fingerprint.
	Step     *Limit         `yaml:"step" json:",omitempty" doc:"What every main stake is a multiple of, where that is more than unit: an amount, or a part or multiple of another limit, such as min; a multiple of unit itself. Left out if stakes are multiples of unit."`
	Bettors  *int           `yaml:"bettors" json:",omitempty" min:"1" doc:"Most bettors with a main stake on one box; left out if there is no such limit."`
	BoxMax   Money          `yaml:"box_max,required" doc:"Most that may be staked on a box, all bettors together, before doubling and splitting."`
	Unit     Money          `yaml:"unit,required" doc:"Smallest amount that is paid; every stake is a multiple of it, and of step."`
	Rounding money.Rounding `yaml:"rounding,required" doc:"What happens to a payout that is not a multiple of unit: it is rounded down, up or to the nearest. With carried, half a unit of a main wager is laid as a whole one on the line of the box, half of it the bettor's: it is his if he wins there in the next round, and else the house's; any other part is rounded down."`
}

// Cards says what the cards are drawn from.
type Cards struct {
	Source Source `yaml:"source,required" doc:"shoe: the cards leave in one pass; shuffler: they go back after each round."`
	Decks  int    `yaml:"decks,required" min:"1" max:"12" doc:"Number of packs of 52 cards, or 48 without tens."`
	Jokers int    `yaml:"jokers,required" min:"0" max:"12" doc:"Number of Jokers among them."`
	// Tens is not among the text of a house that does not say it, so that the house keeps its fingerprint.
	Tens *bool `yaml:"tens" game:"black-jack" json:",omitempty" doc:"Whether the packs have their tens, also if it is left out; false for Spanish packs, of 48 cards, in which only pictures count ten."`
	// LoadedEarly is not among the text of a house that does not say it, so that the house
	// keeps its fingerprint.
	LoadedEarly Loader `yaml:"loaded_early" json:",omitzero" doc:"Who may say that the shoe was loaded before its cut card has come, so that the cards that had left it are forgotten: supervisor, also if it is left out, or dealer. Nobody may in the middle of a round; a shuffler has no cut card, and a dealer may say it between any two rounds."`
	// Burn is left out of a text likewise.
	Burn *Burns `yaml:"burn" json:",omitempty" doc:"Which cards are burnt before a round: laid aside, on record, and counted with those that have left the shoe. Left out for none."`
}

// Play says how the dealer and the boxes take turns.
type Play struct {
	Calls        CallMode `yaml:"calls,required" doc:"required: a card for a box needs the call first; implied: drawing a card is the call."`
	AutoRestAt21 bool     `yaml:"auto_rest_at_21" game:"black-jack,required" doc:"Whether a hand that counts 21 rests without being asked."`
	// DrawBelow and RestFrom are not among the text of a house that does not say them, so that the house keeps its
	// fingerprint.
	DrawBelow    *int `yaml:"draw_below" game:"black-jack" json:",omitempty" min:"4" max:"17" doc:"The total below which a box may not rest; left out if it may on any. A doubled hand rests on any."`
	RestFrom     *int `yaml:"rest_from" game:"black-jack" json:",omitempty" min:"12" max:"21" doc:"The hard total from which a box gets no more cards, by doubling neither; left out if it may always draw."`
	LoneTwoBoxes bool `yaml:"lone_player_two_boxes,required" doc:"Whether a guest who is alone at the table must play two boxes."`
	KeysApart    int  `yaml:"keys_apart_ms,required" min:"0" max:"1000" doc:"Milliseconds within which two different calls contradict each other and neither is taken; 0 for never."`
}

// Bank is the bank's own rule, in addition to drawing to 16 and standing on a hard 17.
type Bank struct {
	Draws BankDraws `yaml:"draws,required" doc:"needed: only the cards that an open wager needs; always: to 17 in every round."`
	// Soft17 and what follows are not among the text of a house that does not say them, so that the house keeps its
	// fingerprint.
	Soft17   *Soft17    `yaml:"soft_17" game:"black-jack" json:",omitempty" doc:"stands: on 17 with an ace that counts eleven, too, also if it is left out; draws: it takes another card on it."`
	Takes    *BankTakes `yaml:"black_jack_takes" game:"black-jack" json:",omitempty" doc:"What a Black Jack of the bank takes of a bettor's stakes on a box. all: whatever lies there, doubled and split stakes too, also if it is left out. original: no more than the stake as it was placed; the rest goes back, and a hand over 21 of which something may go back is decided by the bank's second card. busted: the same of hands that are not over 21; one over 21 is lost at once, and beside it the bank's Black Jack takes one stake more."`
	Hole     *HoleCard  `yaml:"hole_card" game:"black-jack" json:",omitempty" doc:"Whether the bank gets its second card with the boxes' second, face down, and under which of its first cards the dealer looks at once whether it makes a Black Jack. none: it is drawn once the boxes have played, also if it is left out. ace, ten, ace-and-ten: it is looked at under these, before the first call. end: only when the bank turns it."`
	Pushes22 *bool      `yaml:"pushes_22" game:"black-jack" json:",omitempty" doc:"Whether all hands but a Black Jack are a stand-off where the bank has 22; left out if they win as against any bank over 21."`
	WinsTies *Totals    `yaml:"wins_ties" game:"black-jack" json:",omitempty" doc:"The totals on which a hand as high as the bank's loses, 17 to 21, several apart by commas; two Black Jacks are a stand-off all the same. Left out if every such hand is a stand-off."`
}

// Double says when a stake may be doubled.
type Double struct {
	Allowed    bool  `yaml:"allowed" doc:"Whether stakes may be doubled."`
	On         []int `yaml:"on" min:"4" max:"21" doc:"The totals of two cards that may be doubled; [] for any two cards."`
	HardOnly   bool  `yaml:"hard_only" doc:"Whether a total in which an ace counts eleven may not be doubled."`
	AfterSplit bool  `yaml:"after_split" doc:"Whether a split hand may be doubled."`
	// MostCards and what follows are not among the text of a house that does not say them, so that the house keeps its
	// fingerprint.
	MostCards *int   `yaml:"most_cards" json:",omitempty" min:"2" max:"21" doc:"The most cards on which a hand may be doubled; left out for two."`
	ForLess   *Limit `yaml:"for_less" json:",omitempty" doc:"The least that may be laid to double a stake for less than the stake: an amount, or a part or multiple of another limit, such as min; what is laid is a multiple of step. Left out if a stake is doubled as a whole."`
	Again     *bool  `yaml:"again" json:",omitempty" doc:"Whether a doubled hand may be doubled once more after its card, to four times the stake, on any total below 21 on which it may get a card; left out if not. One doubled for less is not."`
}

// Cards is the most cards on which a hand may be doubled.
func (d *Double) Cards() int {
	if d.MostCards == nil {
		return 2
	}
	return *d.MostCards
}

// MayAgain reports whether a doubled hand may be doubled once more.
func (d *Double) MayAgain() bool { return d.Again != nil && *d.Again }

// ForLess is the least that may be laid to double a stake for less than the stake, 0 where it is doubled as a whole.
func (r *Rules) ForLess() money.Amount {
	if !r.Double.Allowed || r.Double.ForLess == nil {
		return 0
	}
	return r.Double.ForLess.in(r.Table)
}

// Split says how often a box may be split.
type Split struct {
	Max       int  `yaml:"max" min:"-1" doc:"Number of splits that a box may make; -1 for no limit."`
	AcesAgain bool `yaml:"aces_again" doc:"Whether split aces may be split again."`
	// What follows is not among the text of a house that does not say it, so that the house keeps its fingerprint.
	By        *SplitBy `yaml:"by" json:",omitempty" doc:"value: two cards that count the same, also if it is left out; rank: two of one rank, so that a king and a ten are no pair."`
	Never     *Values  `yaml:"never" json:",omitempty" doc:"Which cards are not split, by what they count: A, 2 to 10, several apart by commas; 10 stands for pictures, too. Left out for none."`
	AcesDrawn *bool    `yaml:"aces_drawn" json:",omitempty" doc:"Whether split aces are played like other split hands; left out if each gets one card."`
}

// Unlimited is a number of splits without a limit.
const Unlimited = -1

// Insurance says what may be insured.
type Insurance struct {
	Offered   bool `yaml:"offered" doc:"Whether insurance is offered against the bank's ace."`
	Exactly   bool `yaml:"exactly_half" doc:"Whether an insurance must be half the stake; otherwise it may be less."`
	BlackJack bool `yaml:"black_jack" doc:"Whether a box with a Black Jack may insure."`
	EvenMoney bool `yaml:"even_money" doc:"Whether a Black Jack against the bank's ace may be paid at once, as even money."`
	// Tens is not among the text of a house that does not say it, so that the house keeps its fingerprint.
	Tens *bool `yaml:"tens" json:",omitempty" doc:"Whether insurance is offered against a ten or picture of the bank, too; left out if not. Even money is not."`
}

// SurrenderOnly says when alone a bettor may surrender, and how.
type SurrenderOnly struct {
	Late       bool `yaml:"late" json:",omitempty" doc:"Whether a Black Jack of the bank takes the whole stake all the same: where the bank may have one, a surrender waits for its second card, and all bettors of the box leave with the holder."`
	NotAce     bool `yaml:"not_against_ace" json:",omitempty" doc:"Whether nobody may surrender against the bank's ace."`
	HardFrom   int  `yaml:"hard_from" json:",omitempty" min:"0" max:"20" doc:"The least total that may be given up, where that is a hard one; 0 for any."`
	AfterSplit bool `yaml:"after_split" json:",omitempty" doc:"Whether a split hand may be given up."`
}

// ThreeSevens is the bonus for 7-7-7 as a hand's first three cards.
type ThreeSevens struct {
	Paid       bool `yaml:"paid" doc:"Whether the bonus is paid."`
	AfterSplit bool `yaml:"after_split" doc:"Whether it is paid on a split hand too."`
}

// Pays are the odds of the main game.
type Pays struct {
	Win         money.Ratio `yaml:"win,required" doc:"A hand that beats the bank."`
	BlackJack   money.Ratio `yaml:"black_jack,required" doc:"A Black Jack."`
	EvenMoney   money.Ratio `yaml:"even_money" game:"black-jack,required" doc:"A Black Jack that is paid as even money."`
	Insurance   money.Ratio `yaml:"insurance" game:"black-jack,required" doc:"An insurance when the bank has Black Jack."`
	ThreeSevens money.Ratio `yaml:"three_sevens" game:"black-jack,required" doc:"The bonus for three sevens."`
	// BonusBlackJack is nil if it is a Black Jack like any other.
	BonusBlackJack *money.Ratio `yaml:"bonus_black_jack" game:"black-jack" doc:"A Black Jack of jack and ace of spades, paid at once; left out if it is one like any other."`
	// BlackJackSuited is nil if a Black Jack of one suit is one like any other.
	BlackJackSuited *money.Ratio `yaml:"black_jack_suited" game:"black-jack" json:",omitempty" doc:"A Black Jack of two cards of one suit; left out if it is one like any other."`
	FiveCardTrick   money.Ratio  `yaml:"five_card_trick" game:"black-james,required" doc:"Five correct cards in Black James that beat the bank."`
}

// AtOnce says which main wagers and insurances the dealer pays or takes as soon as they are
// decided. The others wait for the payment.
type AtOnce struct {
	BlackJack      bool `yaml:"black_jack,required" doc:"A Black Jack that the bank cannot equal any more is paid."`
	BonusBlackJack bool `yaml:"bonus_black_jack" game:"black-jack,required" doc:"A Bonus Black Jack is paid."`
	EvenMoney      bool `yaml:"even_money" game:"black-jack,required" doc:"Even money is paid."`
	ThreeSevens    bool `yaml:"three_sevens" game:"black-jack,required" doc:"The bonus for three sevens is paid."`
	Surrender      bool `yaml:"surrender" game:"black-jack,required" doc:"Half the stake of a surrender is given back."`
	Bust           bool `yaml:"bust,required" doc:"The stakes of a hand over 21 are taken, or of a wrong forecast in Black James."`
	Insurance      bool `yaml:"insurance" game:"black-jack,required" doc:"An insurance is paid or taken with the bank's second card."`
}

// SideBet is one side bet that a house offers.
type SideBet struct {
	Bet sidebet.Bet `yaml:"bet,required" doc:"Which side bet it is, by its name on record: one that every house knows, or one of the house's own, which says with cards and when which cards win."`
	// Title and Cards are not among the text of a bet that every house knows, nor is When of a line.
	Title        string         `yaml:"title" json:",omitempty" doc:"The name that guests know of a bet of the house's own."`
	Cards        sidebet.Places `yaml:"cards" json:",omitzero" doc:"At which cards a bet of the house's own looks: box, the box's first two; bank, the bank's first two; first and up, the first of each; hand and bank-hand, the whole hand at its end; or several such as box+up."`
	Least        Limit          `yaml:"least,required" doc:"Least stake of one bettor."`
	Most         Limit          `yaml:"most,required" doc:"Most that one bettor may stake."`
	Step         Limit          `yaml:"step,required" doc:"What a stake is a multiple of."`
	BoxMost      *Limit         `yaml:"box_most" doc:"Most that all bettors together may stake on one box; left out if there is no such limit."`
	Bettors      Bettors        `yaml:"bettors,required" doc:"Who may bet: anybody, who has a main stake on the box (with-stake), who also sits (seated), or the box's holder (holders)."`
	UpToStake    *bool          `yaml:"up_to_stake" json:",omitempty" doc:"Whether a bettor may stake no more than the own main stake on the box; left out if the main stake is no limit."`
	OnePerBettor bool           `yaml:"one_per_bettor,required" doc:"Whether a guest may place only one such stake at the whole table; otherwise one on each box."`
	PayAtOnce    bool           `yaml:"pay_at_once" json:"-" doc:"Whether a win is paid as soon as it is decided; otherwise in the payment. It changes no fingerprint."`
	TakeAtOnce   bool           `yaml:"take_at_once" json:"-" doc:"Whether a lost stake is taken as soon as it is decided; otherwise in the payment. It changes no fingerprint."`
	Pays         []Line         `yaml:"pays,required" doc:"The paytable: every line of the bet, each once; of a bet of the house's own the first that fits wins. A line with the Joker may be left out where there is none."`
	// Paytable says what the cards win.
	Paytable Paytable `yaml:"-" json:"-"`
}

// Line is what one line of a paytable pays.
type Line struct {
	Line sidebet.Line `yaml:"line,required" doc:"The line of the paytable."`
	When sidebet.When `yaml:"when" json:",omitzero" doc:"Which cards win the line, of a bet of the house's own: tests such as suited and total 21, joined by and, and alternatives by or."`
	Pays Prize        `yaml:"pays,required" doc:"Odds such as 50:1, an amount such as 250.00, jackpot, or a part of it such as 1/10 jackpot."`
}

// Jackpot is the meter of the progressive jackpot.
type Jackpot struct {
	Seed  Money       `yaml:"seed,required" doc:"The amount at which it starts, and starts again after each win."`
	Feeds money.Ratio `yaml:"feeds,required" doc:"The part of each progressive stake that goes into it, such as 7:10."`
	Envy  Money       `yaml:"envy" json:",omitzero" doc:"What everybody else with a progressive stake gets when somebody wins all of it; left out for nothing."`
	// Linked and what follows it are not among the text of a house whose tables play for jackpots of their own.
	Linked    *string    `yaml:"linked" json:",omitempty" doc:"The name of the jackpot that several tables play for; left out where each table has one of its own."`
	WhenAlone *WhenAlone `yaml:"when_alone" json:",omitempty" doc:"What a table does with a linked jackpot while it does not hear the pit: pay what it heard last (last-known), pay the reserve (reserve), or take no stakes on it (closed)."`
	Reserve   *Money     `yaml:"reserve" json:",omitempty" doc:"What a table pays for a linked jackpot while it does not hear the pit, where when_alone is reserve."`
}

// Linked says whether the jackpot is one of several tables, whose meter the pit has.
func (r *Rules) Linked() bool { return r.LinkedTo() != "" }

// LinkedTo is the name of the jackpot that several tables play for, "" where each has one of its own.
func (r *Rules) LinkedTo() string {
	if r.Jackpot == nil || r.Jackpot.Linked == nil {
		return ""
	}
	return *r.Jackpot.Linked
}

// whenAlone says what a table does while it does not hear of a linked jackpot.
func (r *Rules) whenAlone() WhenAlone {
	if r.Jackpot == nil || r.Jackpot.WhenAlone == nil {
		return 0
	}
	return *r.Jackpot.WhenAlone
}

// ClosesAlone says whether no stakes are taken on a linked jackpot of which a table does not hear.
func (r *Rules) ClosesAlone() bool { return r.whenAlone() == ClosedAlone }

// Alone is what a hit of a linked jackpot brings that was last known to have this amount, when nobody answers.
func (r *Rules) Alone(known money.Amount) money.Amount {
	if r.whenAlone() == Reserved && r.Jackpot.Reserve != nil {
		return money.Amount(*r.Jackpot.Reserve)
	}
	return max(known, r.Meter.Seed)
}

// BigWin says which win holds the table until a supervisor has confirmed it.
type BigWin struct {
	From   Money `yaml:"from,required" doc:"The least win on one wager, on top of its stake, for which a supervisor comes; a jackpot counts like any other."`
	Guests bool  `yaml:"guests,required" doc:"Whether the guests' display tells of it meanwhile."`
}

// Irregularities are the ways to put right each irregularity that needs a decision; the
// others pass on their own.
type Irregularities struct {
	UnreadCard      irregularity.Ways `yaml:"unread-card,required" doc:"A card left the shoe unread."`
	UnexpectedCard  irregularity.Ways `yaml:"unexpected-card,required" doc:"A card came while none was due."`
	CardWithoutCall irregularity.Ways `yaml:"card-without-call,required" doc:"A card came for a hand that had not called."`
	BankOverdraw    irregularity.Ways `yaml:"bank-overdraw,required" doc:"A card came although the bank must stand."`
	ForeignCard     irregularity.Ways `yaml:"foreign-card,required" doc:"A card came that can no longer be in the shoe."`
	ForeignJoker    irregularity.Ways `yaml:"foreign-joker,required" doc:"A Joker came where there is none."`
	LostCards       irregularity.Ways `yaml:"lost-cards,required" doc:"Cards may have left the shoe that never arrived."`
	PayoutMismatch  irregularity.Ways `yaml:"payout-mismatch,required" doc:"A paid amount is not the amount due."`
	ShoeAlarm       irregularity.Ways `yaml:"shoe-alarm,required" doc:"The shoe reports an alarm of its own."`
	ShoeExhausted   irregularity.Ways `yaml:"shoe-exhausted,required" doc:"The cards ran out in the middle of a round."`
}

// byCode lists the ways by irregularity.
func (i *Irregularities) byCode() [irregularity.Count]irregularity.Ways {
	return [irregularity.Count]irregularity.Ways{
		irregularity.UnreadCard: i.UnreadCard, irregularity.UnexpectedCard: i.UnexpectedCard,
		irregularity.CardWithoutCall: i.CardWithoutCall, irregularity.BankOverdraw: i.BankOverdraw,
		irregularity.ForeignCard: i.ForeignCard, irregularity.ForeignJoker: i.ForeignJoker,
		irregularity.LostCards: i.LostCards, irregularity.PayoutMismatch: i.PayoutMismatch,
		irregularity.ShoeAlarm: i.ShoeAlarm, irregularity.ShoeExhausted: i.ShoeExhausted,
	}
}

// Rules is everything that the engine needs to know about a table: the house's profile
// with the table's own limits, all amounts in minor units. It never changes once it is
// set.
type Rules struct {
	Profile
	// Table hides the profile's limits: these are the table's.
	Table TableLimits
	// Meter has the jackpot's feed, envy and seed in minor units.
	Meter  Meter
	offers []*Offer
	ways   [irregularity.Count]irregularity.Ways
	// Fingerprint is the SHA-256 of the profile's text, in hexadecimal.
	Fingerprint string
	text        []byte
}

// MaxText is the most bytes that the text of rules may have. The houses that come with
// Sabot take less than 4 KiB.
const MaxText = 64 << 10

// Of returns the rules of a profile, at the profile's own limits. text is the profile as
// it is written, and fingerprint that of the text.
func Of(p Profile, text []byte, fingerprint string) *Rules {
	r := &Rules{Profile: p, Fingerprint: fingerprint, text: text, ways: p.Irregularities.byCode()}
	r.Table = TableLimits{
		Currency: p.Table.Currency, Boxes: p.Table.Boxes, Rounding: p.Table.Rounding,
		Min: money.Amount(p.Table.Min), BoxMax: money.Amount(p.Table.BoxMax), Unit: money.Amount(p.Table.Unit),
	}
	if p.Jackpot != nil {
		r.Meter = Meter{Seed: money.Amount(p.Jackpot.Seed), Envy: money.Amount(p.Jackpot.Envy), Feeds: p.Jackpot.Feeds}
	}
	r.offer()
	return r
}

// Text returns the house's profile as JSON: the bytes whose SHA-256 is Fingerprint, and
// from which profile.FromText makes the same rules again. It does not contain what a
// table's setup changes.
func (r *Rules) Text() []byte { return slices.Clone(r.text) }

// TableLimits are the amounts of a table in minor units.
type TableLimits struct {
	Currency          string
	Boxes             int
	Min, BoxMax, Unit money.Amount
	Rounding          money.Rounding
}

// Meter are the amounts of a progressive jackpot.
type Meter struct {
	Seed, Envy money.Amount
	Feeds      money.Ratio
}

// Step is what every main stake at the table is a multiple of.
func (r *Rules) Step() money.Amount {
	if step := r.Profile.Table.Step; step != nil {
		return step.in(r.Table)
	}
	return r.Table.Unit
}

// BoxesAllowed are the fewest and the most boxes that the house's sheet lets a table have.
func (r *Rules) BoxesAllowed() (from, to int) {
	from, to = 1, MaxBoxes
	if fewest := r.Profile.Table.BoxesFrom; fewest != nil {
		from = *fewest
	}
	if most := r.Profile.Table.BoxesTo; most != nil {
		to = *most
	}
	return from, to
}

// MostBettors is how many bettors may have a main stake on one box, 0 for any number.
func (r *Rules) MostBettors() int {
	if most := r.Profile.Table.Bettors; most != nil {
		return *most
	}
	return 0
}

// RepeatsSideBets reports whether side bets are repeated with the stakes of the last round.
func (r *Rules) RepeatsSideBets() bool { return r.RepeatSideBets != nil && *r.RepeatSideBets }

// Big says whether a supervisor has to confirm a win before it is paid.
func (r *Rules) Big(won money.Amount) bool {
	return r.BigWin != nil && won >= money.Amount(r.BigWin.From)
}

// Ways returns how the house puts an irregularity right; there are none for one that
// passes on its own. Irregularities of the record are put right the same way in every
// house, and before there are rules. So is an irregularity that the house's rules do not
// mention because they are older than it: in every possible way, by the supervisor alone.
func (r *Rules) Ways(c irregularity.Code) irregularity.Ways {
	if r != nil && r.ways[c] != (irregularity.Ways{}) {
		return r.ways[c]
	}
	return irregularity.Ways{Choices: irregularity.Possible(c)}
}
