// Package table is the round engine: it says what is true at a Black Jack table
// and what may come next.
//
// The engine is a fold. Step takes one Input (a card that left the shoe, a call,
// a stake) and returns what follows from it. It knows no clock, does no I/O, and
// holds nothing that is not a consequence of its inputs: the same inputs always
// give the same outputs, so a restart replays the open round and an audit replays
// everything.
//
// At every moment the engine knows the one set of things that may come next, its
// Due. A display prompts from it, whatever falls outside it is refused or an
// irregularity, and a simulator plays by asking for it.
//
// Rule numbers in comments ("common rule 7") are those of docs/rules.md.
package table

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Table is one table and the round on it. Its zero value is a table that has not
// been set up: it takes nothing but a setup. A Table is not safe for concurrent
// use.
type Table struct {
	rules *rules.Rules
	game  game
	round uint64
	phase vocab.Phase
	meter meter
	boxes []box
	// inPlay are the boxes that are staked on, by their index, in dealing order.
	inPlay []int
	// firstCards is how many cards each box gets in the initial deal. dealt counts
	// those that it has given to the boxes and the bank, of toDeal.
	firstCards, dealt, toDeal int
	// doubles are the totals of two cards that may be doubled.
	doubles totals
	bank    bankHand
	// at is the hand whose turn it is while phase is Play.
	at struct{ box, hand int }
	// cardCalled: the active hand's next card has been called; forecast: with which
	// forecast, in Black James.
	cardCalled bool
	forecast   vocab.Call
	shoe       ShoeState
	seen       composition

	// waiting are cards that lie open and become the next cards due.
	waiting []card.Card
	// behind is what came while the round was held.
	behind []arrival
	aside  []card.Card
	held   []Irregularity
	// unrecorded: what happens cannot be recorded, so that no new round is dealt.
	unrecorded bool
	// holds is how many cards the full shoe has. reloaded: it was filled again in
	// this round, and no card has come since.
	holds    int
	reloaded bool

	now           int64 // of the input that is being taken
	pressed       pressed
	alerts        alerts
	dealer, shift string

	decided []vocab.Output // the round's settlements and bonuses
	sums    vocab.Sums
	result  vocab.Result
	undone  vocab.Trouble

	// due is what was announced last, and so what is due to the next input.
	due      vocab.Due
	rejected vocab.Reason
	out      []vocab.Output
	history  history
}

type bankHand struct {
	cards []card.Card
	value hand.Value
	// natural: ace and ten-value as the first two cards.
	natural bool
	// stopped: a forecast of the bank was wrong. (Black James)
	stopped bool
}

// box is one playing place. Its slices are kept from round to round.
type box struct {
	number  uint8
	called  bool // the box has made a call that ends the offer of surrender
	joker   bool // the Joker was laid to the box in this round
	paid    bool
	bettors []Bettor
	sides   []SideStake
	hands   []boxHand
	splits  int
	// won is what the decided wagers have won; uncounted: some of them have won an
	// amount that nobody knows.
	won       int64
	uncounted bool
}

// boxHand is one hand of a box.
type boxHand struct {
	cards   []card.Card
	value   hand.Value
	wagers  []handWager
	open    int // how many of the wagers are not decided yet
	points  int // valid cards, in Black James
	done    vocab.Done
	doubled bool
	split   bool // came out of a split
	aces    bool // came out of a split of aces
	// natural: ace and ten-value as the first two cards of an unsplit box: a Black
	// Jack in the game of that name.
	natural bool
}

// handWager is one bettor's main wager on one hand.
type handWager struct {
	bettor int // index into the box's bettors
	// stake is the stake as it was placed, Unstated if nobody knows it, and times
	// how often it lies on the hand: twice after a double.
	stake   int64
	times   int64
	settled bool
	outcome vocab.Outcome
}

// amount is what lies on the hand, Unstated if nobody knows.
func (w *handWager) amount() int64 {
	if w.stake == vocab.Unstated {
		return vocab.Unstated
	}
	return w.stake * w.times
}

// ShoeState is what the engine was told of the shoe.
type ShoeState struct {
	Offline bool
	// CutCard: the round under way is the last before the cards are shuffled.
	CutCard bool
}

// Carry is what a table takes from one round into the next, beside its rules.
type Carry struct {
	Round   uint64      `json:"round"`
	Waiting []card.Card `json:"waiting,omitempty"`
	Shoe    ShoeState   `json:"shoe"`
	// Seen counts the cards that left the shoe since it was loaded.
	Seen CardCounts `json:"seen,omitempty"`
	// Jackpot is the progressive jackpot's amount now.
	Jackpot int64 `json:"jackpot,omitempty"`
	// Alerts wait for somebody to acknowledge them.
	Alerts []Alert `json:"alerts,omitempty"`
	// Dealer deals, in Shift; Counts are the irregularities since he took over.
	Dealer string      `json:"dealer,omitempty"`
	Shift  string      `json:"shift,omitempty"`
	Counts []CodeCount `json:"counts,omitempty"`
	// Held are the doubts about the record that hold the table.
	Held []Doubt `json:"held,omitempty"`
}

// Doubt is an irregularity of the record that nobody has put right, and what was found.
type Doubt struct {
	Code  irregularity.Code `json:"code"`
	Found string            `json:"found,omitempty"`
}

// CodeCount is how often an irregularity came.
type CodeCount struct {
	Code  irregularity.Code `json:"code"`
	Count uint32            `json:"count"`
}

// Resume returns a table between two rounds, as Carry described it.
func Resume(r *rules.Rules, c Carry) *Table {
	t := &Table{}
	t.setUp(r)
	t.round, t.shoe = c.Round, c.Shoe
	t.waiting = append(t.waiting, c.Waiting...)
	t.seen.restore(c.Seen)
	t.meter.set(c.Jackpot)
	t.dealer, t.shift = c.Dealer, c.Shift
	t.alerts.restore(c.Alerts, c.Counts)
	for _, d := range c.Held {
		t.held = append(t.held, Irregularity{Code: d.Code, Found: d.Found, Choices: t.choicesFor(d.Code)})
	}
	return t
}

// Carry returns what Resume needs. It says all only while the table is Settled.
func (t *Table) Carry() Carry {
	return Carry{
		Round: t.round, Waiting: append([]card.Card(nil), t.waiting...), Shoe: t.shoe,
		Seen: t.seen.list(), Jackpot: t.Jackpot(), Dealer: t.dealer, Shift: t.shift,
		Alerts: slices.Collect(t.Alerts), Counts: t.alerts.countList(),
		Held: t.doubts(),
	}
}

// doubts lists what holds the table because of its record.
func (t *Table) doubts() []Doubt {
	var list []Doubt
	for _, i := range t.held {
		if i.ofRecord() {
			list = append(list, Doubt{i.Code, i.Found})
		}
	}
	return list
}

// Step takes one input and returns what follows from it, in the order in which it
// happened. An input that is not allowed now changes nothing but a Rejected
// output. The result is valid until the next Step.
func (t *Table) Step(in *vocab.Input) []vocab.Output {
	t.out, t.now = t.out[:0], in.Time
	if in.Kind == vocab.InCall && t.contradicts(in) {
		t.rejected = 0
		t.contradiction(in.Call)
		t.announceDue()
		return t.out
	}
	if t.rejected = t.take(in); t.rejected != 0 {
		out := t.emit(vocab.Rejected)
		out.Reason, out.Line = t.rejected, in.Line
		return t.out
	}
	if t.phase != vocab.Idle && concernsRound(in) {
		t.remember(in)
	}
	if in.Kind == vocab.InCall {
		t.pressed.remember(in)
	}
	if in.Kind != vocab.InStake { // nothing follows from a stake
		t.settleDown()
		t.announceDue()
	}
	return t.out
}

// take lets one input do what it does, but for what follows from that by itself.
func (t *Table) take(in *vocab.Input) vocab.Reason {
	if t.rules == nil && !needsNoRules(in) {
		return t.notSetUp(in.Kind)
	}
	switch in.Kind {
	case vocab.InCard:
		t.arrive(arrival{card: in.Card}, t.due)
		return 0
	case vocab.InUndo:
		return t.undo()
	case vocab.InShoe:
		t.shoeTold(in)
		return 0
	case vocab.InResolve:
		return t.resolve(in)
	case vocab.InSetup:
		return t.setupTable(in)
	case vocab.InAcknowledge, vocab.InDealer, vocab.InNote, vocab.InStorage:
		return t.told(in)
	}
	if t.stands() {
		return vocab.RoundHeld
	}
	switch in.Kind {
	case vocab.InOpen:
		return t.open()
	case vocab.InStake:
		return t.stake(in)
	case vocab.InClose:
		return t.closeBets()
	case vocab.InCall:
		return t.call(in)
	case vocab.InPaid:
		return t.paid(in)
	default:
		return vocab.CallNotAllowed
	}
}

// needsNoRules says whether a table that was never set up takes an input: its record may
// be in doubt already.
func needsNoRules(in *vocab.Input) bool {
	switch in.Kind {
	case vocab.InSetup, vocab.InResolve, vocab.InAcknowledge:
		return true
	case vocab.InStorage:
		return in.Storage.Holds()
	}
	return false
}

// notSetUp is why a table without rules refuses an input.
func (t *Table) notSetUp(k vocab.InputKind) vocab.Reason {
	if k == vocab.InOpen && t.stands() {
		return vocab.RoundHeld
	}
	return vocab.NoRound
}

// moveOn makes one move that needs no input and says whether it made one.
func (t *Table) moveOn() bool {
	moved := false
	switch t.phase {
	case vocab.Deal:
		if moved = t.dealt == t.toDeal; moved {
			t.endDeal()
		}
	case vocab.Play:
		moved = !t.cardCalled && t.nextHand() // a hand waits for a card that was called
	case vocab.BankDraws:
		moved = t.endBank()
	}
	return moved || len(t.waiting)+len(t.behind) > 0 && (t.takeWaiting() || t.takeBehind())
}

func (t *Table) setupTable(in *vocab.Input) vocab.Reason {
	if t.phase != vocab.Idle {
		return vocab.RoundRunning
	}
	if !t.heldByRecord() || len(t.behind) > 0 {
		return vocab.RoundHeld
	}
	jackpot, same := t.Jackpot(), t.rules != nil && t.rules.House == in.Rules.House
	t.setUp(in.Rules)
	if same && (in.Setup == nil || in.Setup.Jackpot == 0) {
		t.meter.set(jackpot) // what guests have paid in stays theirs to win
	}
	return 0
}

// setUp takes over rules. It counts as a fresh shoe; whether the shoe can be
// reached is the line's matter, and stays.
func (t *Table) setUp(r *rules.Rules) {
	t.rules, t.game = r, gameOf(r.Game)
	t.firstCards, t.doubles = t.game.cardsDealt(), doublesOf(&r.Double)
	t.meter = &ownMeter{}
	t.meter.set(r.Meter.Seed)
	t.seen = composition{}
	t.holds = r.Cards.Decks*52 + r.Cards.Jokers
	t.boxes = make([]box, r.Table.Boxes)
	for i := range t.boxes {
		t.boxes[i].number = uint8(i + 1)
	}
	t.shoe.CutCard = false
	t.clearTable()
}

// clearTable takes everything off the table: bettors, cards, settlements.
func (t *Table) clearTable() {
	for i := range t.boxes {
		t.boxes[i].clear()
	}
	t.bank = bankHand{cards: t.bank.cards[:0]}
	t.aside = t.aside[:0]
	t.decided = t.decided[:0]
	t.sums = vocab.Sums{}
	t.cardCalled, t.forecast = false, 0
	t.at.box, t.at.hand = 0, 0
	t.inPlay, t.dealt = t.inPlay[:0], 0
}

// clear takes what lay on the box away. Its lists are handed over by name, so that
// the box is written once, in its place.
func (b *box) clear() {
	number, bettors, sides, hands := b.number, b.bettors[:0], b.sides[:0], b.hands[:0]
	*b = box{number: number, bettors: bettors, sides: sides, hands: hands}
}

// open begins a round.
func (t *Table) open() vocab.Reason {
	if t.phase != vocab.Idle {
		return vocab.RoundRunning
	}
	t.history.begin(t)
	t.openRound()
	return 0
}

func (t *Table) openRound() {
	t.clearTable()
	if t.rules.Cards.Source == rules.Shuffler {
		t.seen.onTable(t.waiting) // the other cards of the last round went back
	}
	t.round++
	t.phase, t.reloaded = vocab.Bets, false
	t.emit(vocab.Opened).Round = t.round
}

// closeBets ends the placing of stakes: the initial deal begins.
func (t *Table) closeBets() vocab.Reason {
	switch {
	case t.phase == vocab.Idle:
		return vocab.NoRound
	case t.phase != vocab.Bets:
		return vocab.BetsClosed
	case !t.anyPlayed():
		return vocab.NoStakes
	case t.rules.Play.LoneTwoBoxes && t.loneBox():
		return vocab.SinglePlayerTwoBoxes
	}
	t.feedMeter()
	t.layHands()
	t.phase = vocab.Deal
	t.emit(vocab.ClosedBets)
	return 0
}

func (t *Table) anyPlayed() bool {
	for i := range t.boxes {
		if t.boxes[i].played() {
			return true
		}
	}
	return false
}

// played says whether somebody has staked on the box.
func (b *box) played() bool { return len(b.bettors) > 0 }

// emit adds an output of a kind and returns it to be filled.
func (t *Table) emit(k vocab.Kind) *vocab.Output {
	out := another(&t.out)
	*out = vocab.Output{Kind: k}
	return out
}

// another makes a list one longer and returns the new last element, which still
// holds whatever was left there. To fill it in its place is faster than to append
// a large value, which is copied twice.
func another[T any](list *[]T) *T {
	n := len(*list)
	if n == cap(*list) {
		*list = append(*list, make([]T, 8)...)
	}
	*list = (*list)[:n+1]
	return &(*list)[n]
}
