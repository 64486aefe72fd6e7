package table

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/vocab"
)

// round is one round on the table. Its slices are kept from round to round.
type round struct {
	phase vocab.Phase
	// cardCalled: the active hand's next card has been called; forecast: with which
	// forecast, in Black James.
	cardCalled bool
	forecast   vocab.Call
	// reloaded: the shoe was filled again in this round, and no card has come since.
	reloaded bool
	// at is the hand whose turn it is while phase is Play.
	at struct{ box, hand int }
	initialDeal
	boxes []box
	// inPlay are the boxes that are staked on, by their index, in dealing order.
	inPlay  []int
	bank    bankHand
	aside   []card.Card
	decided []vocab.Output // the settlements and bonuses
	// paidNow says which of these were paid or taken at once, and passed how many of them
	// the dealer has gone past.
	paidNow []bool
	passed  int
	others  []other
	// confirmed are the big wins that a supervisor has confirmed.
	confirmed []Irregularity
	sums      vocab.Sums
	result    vocab.Result
	// ahead are the deaths that are still ahead in a round that is dealt again.
	ahead []death
	cardsOfRound
	linked linked
}

// cardsOfRound is where each card of the round is, by its number: see [Laid].
type cardsOfRound struct {
	// numbered is how many cards have come, and laying the number of the one that is being
	// laid.
	numbered, laying uint16
	// covered is the number of a sealed card that waits until it is opened, 0 for none.
	covered uint16
	lying   []uint16 // the numbers of the cards that wait
	laid    []Laid
	// unlaid: a card could not be laid where it is said to lie.
	unlaid bool
}

// clear forgets the cards of the last round.
func (c *cardsOfRound) clear() {
	*c = cardsOfRound{lying: c.lying[:0], laid: c.laid[:0]}
}

// clear takes everything off the table: bettors, cards, settlements.
func (r *round) clear() {
	for i := range r.boxes {
		b := &r.boxes[i]
		b.bettors = b.bettors[:0]
		b.sides = b.sides[:0]
		b.hands = b.hands[:0]
		b.course = course{}
	}
	r.cardsOfRound.clear()
	*r = round{
		boxes: r.boxes, inPlay: r.inPlay[:0], bank: bankHand{cards: r.bank.cards[:0]}, aside: r.aside[:0],
		decided:      r.decided[:0],
		paidNow:      r.paidNow[:0],
		others:       r.others[:0],
		confirmed:    r.confirmed[:0],
		initialDeal:  initialDeal{order: r.order[:0]},
		cardsOfRound: r.cardsOfRound,
	}
}

type bankHand struct {
	cards []card.Card
	value hand.Value
	// natural: ace and ten-value as the first two cards.
	natural bool
	// stopped: a forecast of the bank was wrong. (Black James)
	stopped bool
	hole    hole
}

// box is one playing place. Its slices are kept from round to round.
type box struct {
	number  uint8
	bettors []Bettor
	sides   []SideStake
	hands   []boxHand
	course
}

// course is what happens to a box in a round.
type course struct {
	called bool // the box has made a call that ends the offer of surrender
	joker  bool // the Joker was laid to the box in this round
	paid   bool
	second card.Card // the box's second card, where it has side bets
	splits int
	// left counts the decided wagers that are not paid or taken yet.
	left int
}

// boxHand is one hand of a box.
type boxHand struct {
	cards  []card.Card
	wagers []handWager
	standing
}

// standing is how a hand stands.
type standing struct {
	value   hand.Value
	open    int // how many of the wagers are not decided yet
	points  int // valid cards, in Black James
	done    vocab.Done
	doubled bool
	again   bool // doubled once more
	left    bool // given up, and waits for the bank's second card
	split   bool // came out of a split
	aces    bool // came out of a split of aces
	marked  bool // of one of its wagers it was said that it is dead before its turn came
	// natural: ace and ten-value as the first two cards of an unsplit box: a Black
	// Jack in the game of that name.
	natural bool
}

// handWager is one bettor's main wager on one hand.
type handWager struct {
	bettor int // index into the box's bettors
	// stake is the stake as it was placed, Unstated if nobody knows it, and times
	// how often it lies on the hand: twice after a double.
	stake int64
	times int64
	// less is what lies there besides, after a double for less.
	less    int64
	settled bool
	// dead: it is declared dead; dies is what becomes of it once its turn comes, 0 for a wager that lives or has died.
	dead    bool
	dies    vocab.Outcome
	outcome vocab.Outcome
}

// amount is what lies on the hand, Unstated if nobody knows.
func (w *handWager) amount() int64 {
	if w.stake == vocab.Unstated {
		return vocab.Unstated
	}
	return w.stake*w.times + w.less
}

// weight is how much of the bettor's stake lies on the hand, compared with the stake itself.
func (w *handWager) weight() (lies, stake int64) {
	if w.stake == vocab.Unstated {
		return w.times, 1
	}
	return w.amount(), w.stake
}

// played says whether somebody has staked on the box.
func (b *box) played() bool { return len(b.bettors) > 0 }
