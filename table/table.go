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
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Table is one table and the round on it. Its zero value is a table that has not
// been set up: it takes nothing but a setup. A Table is not safe for concurrent
// use. Its parts are types of their own; the other fields are what one input leaves to the next.
type Table struct {
	played
	round
	hold
	kept   Kept
	people People
	alerts alerts
	// opening says whether the table is open, and configured are the limits that the
	// configuration put in last, zero where nobody has changed any since the set-up.
	opening    Opening
	configured Limits
	// unloaded is what the last loading of the shoe can be taken back to, nil for nothing.
	unloaded *Unloaded
	// burning is what is left to be burnt before the next round.
	burning rules.Burn
	// oneMore: a supervisor lets the next round be dealt though the cut card has come.
	oneMore bool
	// sequence is the order in which the shoe deals.
	sequence Sequence
	// adjusted is the number of the input that adjusted a past round last, 0 for none.
	adjusted uint64
	tray     Tray

	now     int64 // of the input that is being taken
	pressed pressed
	// due is what was announced last, and so what is due to the next input.
	due      vocab.Due
	rejected vocab.Reason
	twoKeys  bool // two calls came at once, and the last input told it
	out      []vocab.Output
	undone   vocab.Trouble
	closing  vocab.Trouble // of the end of a round
	history  history
	// brought is the number of the card that the input has brought, and righted what it has
	// put right: 0 for none.
	brought uint16
	righted irregularity.Code
	fault   fault // of the last correction that was refused
	// again: the round under way is dealt again, and goes on where it stood.
	again bool
}

// played is what is played: a setup's rules, and what follows from them.
type played struct {
	rules *rules.Rules
	game  game
	// firstCards is how many cards each box gets in the initial deal.
	firstCards int
	// doubles are the totals that may be doubled, on so many cards at most.
	doubles     totals
	doubleCards int
	// holds is how many cards the full shoe has, and packed how many of each of the fifty-two.
	holds  int
	packed [card.Unread + 1]uint16
}

// hold is what makes the round stand still.
type hold struct {
	held []Irregularity
	// behind is what came while the round was held.
	behind []Arrival
	// unrecorded: what happens cannot be recorded, so that no new round is dealt.
	unrecorded bool
}

// Step takes one input and returns what follows from it, in the order in which it
// happened. An input that is not allowed now changes nothing but a Rejected
// output. The result is valid until the next Step.
func (t *Table) Step(in *vocab.Input) []vocab.Output {
	t.out, t.now, t.twoKeys = t.out[:0], in.Time, in.TellsTwoCalls()
	if in.Kind == vocab.InCall && t.contradicts(in) {
		t.rejected, t.twoKeys = 0, true
		t.contradiction(in.Call)
		t.announceDue()
		return t.out
	}
	t.brought, t.righted = 0, 0
	running := t.phase != vocab.Idle // also when this input closes the round
	if t.rejected = t.takeInput(in); t.rejected != 0 {
		t.tellRejected(in)
		return t.out
	}
	if in.Kind != vocab.InCorrect && (running || t.phase != vocab.Idle) { // a correction has changed the history itself
		t.remember(in)
	}
	switch in.Kind {
	case vocab.InStake: // nothing follows from it
		return t.out
	case vocab.InCall:
		t.pressed.remember(in)
	}
	t.settleDown()
	if t.rules != nil && t.rules.BigWin != nil {
		t.holdWins()
	}
	t.announceDue()
	t.tellOrigin(in)
	return t.out
}

// tellOrigin repeats where the input came from in what names a person: those who hear of it
// do not see the input. Who had loaded a shoe that comes back is no matter of this input.
func (t *Table) tellOrigin(in *vocab.Input) {
	if in.Origin == nil {
		return
	}
	for i := range t.out {
		if out := &t.out[i]; out.Trouble != nil && out.By != "" && out.Kind != vocab.ShoeChanged {
			out.Origin = in.Origin
		}
	}
}

// takeInput lets one input do what it does, but for what follows from that by itself.
func (t *Table) takeInput(in *vocab.Input) vocab.Reason {
	if t.rules == nil && !needsNoRules(in) {
		return t.notSetUp(in.Kind)
	}
	switch in.Kind {
	case vocab.InCard:
		return t.takeCard(in)
	case vocab.InUndo:
		if in.Of == vocab.InShoe {
			return t.undoLoaded()
		}
		return t.undo()
	case vocab.InShoe:
		if in.Shoe.Event == vocab.ShoeLoaded {
			return t.load(in)
		}
		t.shoeTold(in)
		return 0
	case vocab.InResolve:
		return t.resolve(in)
	case vocab.InSetup:
		return t.setupTable(in)
	case vocab.InAcknowledge, vocab.InDealer, vocab.InNote, vocab.InStorage, vocab.InFloor, vocab.InMessage,
		vocab.InCommand, vocab.InSettings:
		return t.told(in)
	case vocab.InTable:
		return t.tableTold(in)
	case vocab.InLimits:
		return t.changeLimits(in)
	case vocab.InHold:
		return t.holdByHand(in)
	case vocab.InHole:
		return t.holeTold(in)
	case vocab.InCorrect:
		return t.correct(in)
	case vocab.InAdjust:
		return t.adjust(in)
	case vocab.InMeter:
		return t.meter(in)
	case vocab.InJackpot:
		return t.jackpotGiven(in)
	case vocab.InCount, vocab.InFill, vocab.InCredit, vocab.InBuyIn, vocab.InDrop, vocab.InChange, vocab.InTips:
		return t.atTray(in)
	}
	if t.stands() {
		return vocab.RoundHeld
	}
	return t.play(in)
}

// takeCard takes the next card out of the shoe: into the round or, while it is held, to those that wait.
func (t *Table) takeCard(in *vocab.Input) vocab.Reason {
	t.came()
	if in.Origin != nil {
		t.follow(in)
	}
	if t.waits() {
		t.behind = append(t.behind, Arrival{Card: in.Card, nth: t.brought})
		return 0
	}
	t.reloaded = false
	t.card(in.Card, t.due)
	return 0
}

// play takes a step of a round that is not held.
func (t *Table) play(in *vocab.Input) vocab.Reason {
	switch in.Kind {
	case vocab.InOpen:
		return t.open(in)
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
	switch t.phase {
	case vocab.Deal:
		if t.dealt == len(t.order) {
			t.endDeal()
			return true
		}
	case vocab.Play:
		if !t.cardCalled && t.nextHand() { // a hand waits for a card that was called
			return true
		}
	case vocab.BankDraws:
		if t.endBank() {
			return true
		}
	}
	if len(t.kept.Waiting)+len(t.behind) == 0 {
		return false
	}
	return t.takeWaiting() || t.takeBehind()
}

func (t *Table) setupTable(in *vocab.Input) vocab.Reason {
	if t.phase != vocab.Idle {
		return vocab.RoundRunning
	}
	if !t.heldByRecord() || len(t.behind) > 0 {
		return vocab.RoundHeld
	}
	jackpot, same := t.kept.Jackpot, t.rules != nil && t.rules.House == in.Rules.House
	if t.rules != nil && t.rules.Table.Currency != in.Rules.Table.Currency {
		t.tray.forget(t.rules.Table.Currency, in.Rules.Table.Currency)
	}
	t.setUp(in.Rules)
	if same && (in.Setup == nil || in.Setup.Jackpot == 0) {
		t.kept.Jackpot = jackpot // what guests have paid in stays theirs to win
	}
	t.burnLoaded()
	if in.Rules.Linked() {
		t.tellJackpot(vocab.JackpotJoined)
	}
	return 0
}

// setUp takes over rules. It counts as a fresh shoe; whether the shoe can be
// reached is the line's matter, and stays.
func (t *Table) setUp(r *rules.Rules) {
	t.rules, t.game = r, gameOf(r.Game)
	t.firstCards, t.doubles, t.doubleCards = t.game.cardsDealt(), doublesOf(&r.Double), r.Double.Cards()
	if t.kept.Seen, t.kept.Jackpot, t.kept.Alone = (CardCounts{}), r.Meter.Seed, false; r.Linked() {
		t.kept.Jackpot = 0 // nobody has said yet what is in it
	}
	t.holds = r.Cards.Full()
	for c := range card.All {
		t.packed[c] = uint16(r.Cards.Of(c))
	}
	t.boxes = make([]box, r.Table.Boxes)
	for i := range t.boxes {
		t.boxes[i].number = uint8(i + 1)
	}
	t.kept.Shoe.CutCard, t.kept.Lines = false, t.kept.Lines[:0]
	t.configured, t.unloaded, t.burning = Limits{}, nil, rules.Burn{}
	t.oneMore = false
	t.sequence.loaded()
	t.round.clear()
	t.history.begin(&t.kept)
}

// open begins a round.
func (t *Table) open(in *vocab.Input) vocab.Reason {
	if t.phase != vocab.Idle {
		return vocab.RoundRunning
	}
	if t.opening.Closed {
		return vocab.TableIsClosed
	}
	if t.shoeIsDue(in) {
		t.raise(Irregularity{Code: irregularity.ShoeDue})
		return 0
	}
	if t.burning.Cards > 0 {
		return vocab.BurnFirst
	}
	t.unloaded, t.oneMore = nil, false
	t.history.begin(&t.kept)
	t.openRound()
	return 0
}

func (t *Table) openRound() {
	t.round.clear()
	if t.rules.Cards.Source == rules.Shuffler {
		t.kept.Seen.onTable(t.kept.Waiting) // the other cards of the last round went back
	}
	t.kept.Round++
	t.phase = vocab.Bets
	for range t.kept.Waiting {
		t.came()
		t.lying = append(t.lying, t.brought)
	}
	t.brought = 0
	t.emit(vocab.Opened).Round = t.kept.Round
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
