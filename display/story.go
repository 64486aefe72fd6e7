package display

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Story says what holds the round, in the order in which a dealer tells it: what
// happened, what was found, and whose the card is. nil while nothing holds it.
func Story(v View) []Message {
	if v.Held == nil {
		return nil
	}
	return told(happened(v), found(*v.Held), whose(v))
}

// Waits says what comes once the irregularity is put right that the Story tells of, nil
// for nothing.
func Waits(v View) []Message {
	if v.Held == nil {
		return nil
	}
	return told(others(*v.Held), arrived(*v.Held))
}

// told leaves out what says nothing.
func told(all ...Message) []Message {
	return slices.DeleteFunc(all, func(m Message) bool { return m.Key == "" })
}

// happened is what was seen.
func happened(v View) Message {
	h := *v.Held
	switch h.Code {
	case irregularity.UnexpectedCard:
		return ofHand(v, "story.unexpected-card-"+meanwhile(v), cardArg(h.Card), boxArg(v.Due.Box))
	case irregularity.CardWithoutCall:
		if v.Game == BlackJames {
			return say("story.card-without-forecast", cardArg(h.Card), boxArg(v.Due.Box))
		}
	case irregularity.BankOverdraw:
		if v.Game == BlackJames {
			return say("story.bank-overdraw-james", cardArg(h.Card))
		}
	case irregularity.ForeignJoker:
		if v.Held.Joker {
			return say("story.second-joker")
		}
	case irregularity.LostCards:
		return lost(h.Missing)
	case irregularity.PayoutMismatch:
		return mismatch(v)
	case irregularity.HeldByHand:
		return byHand(h)
	case irregularity.BigWin:
		return bigWin(v)
	}
	key := "story." + h.Code.String()
	if !known(key) {
		return say("held.call")
	}
	return ofHand(v, key, cardArg(h.Card), boxArg(v.Due.Box),
		text("total", strconv.Itoa(v.Bank.Total)), alarm(v.Shoe.Alarm))
}

// ofHand says a text of a box, with the hand where the box has several.
func ofHand(v View, key string, args ...Arg) Message {
	if several := key + "-hand"; handsOn(v, v.Due.Box) > 1 && known(several) {
		return say(several, append(args, text("hand", strconv.Itoa(v.Due.Hand)))...)
	}
	return say(key, args...)
}

// Spot is what a story speaks of: a box and, of it, a hand, 0 for all of it; or the bank.
type Spot struct {
	Box, Hand int
	Bank      bool
}

// SpokenOf is what the Story speaks of, the zero Spot for nothing on the table.
func SpokenOf(v View) Spot {
	if v.Held == nil {
		return Spot{}
	}
	due := Spot{
		Box: v.Due.Box, Hand: v.Due.Hand,
		Bank: isBanks(v.Due.To),
	}
	switch v.Held.Code {
	case irregularity.BankOverdraw:
		return Spot{Bank: true}
	case irregularity.PayoutMismatch, irregularity.BigWin:
		return Spot{Box: v.Held.Box, Hand: v.Held.Hand}
	case irregularity.UnexpectedCard, irregularity.CardWithoutCall:
		return due
	}
	if len(told(whose(v))) > 0 {
		return due
	}
	return Spot{}
}

// found is what is wrong with the record, in the words of who found it.
func found(h Held) Message {
	if h.Found == "" {
		return Message{}
	}
	return say("story.found", text("found", h.Found))
}

// meanwhile is what was under way when a card came that was not due.
func meanwhile(v View) string {
	switch {
	case v.Due.To == vocab.ToCall, v.Due.To == vocab.ToPayment, v.Due.To == vocab.ToInsurance,
		v.Due.To == vocab.ToLook:
		return v.Due.To.String()
	case v.Phase == vocab.Idle, v.Phase == vocab.Bets:
		return v.Phase.String()
	}
	return "other"
}

// holdReasons are what the screen's keys say of why the round is held.
var holdReasons = []string{"card", "key", "stake"}

// HoldReasons yields the reasons for which the screen has keys.
func HoldReasons(yield func(string) bool) { slices.Values(holdReasons)(yield) }

// holdReason says why the round is held: by the screen's word for it, or as it was written.
func (l Language) holdReason(because string) string {
	if slices.Contains(holdReasons, because) {
		return l.text("hold." + because)
	}
	return because
}

// byHand says who holds the round, and why.
func byHand(h Held) Message {
	because := text("reason", h.Because)
	if slices.Contains(holdReasons, h.Because) {
		because = keyed("reason", "hold", h.Because)
	}
	if h.By == vocab.Dealer.String() {
		h.By = "" // nobody is signed in
	}
	switch {
	case h.By == "" && h.Because == "":
		return say("story.held-by-hand")
	case h.By == "":
		return say("story.held-because", because)
	case h.Because == "":
		return say("story.held-by", text("by", h.By))
	}
	return say("story.held-by-because", text("by", h.By), because)
}

// bigWin says who has won how much. A table of an earlier version does not tell it.
func bigWin(v View) Message {
	h := v.Held
	if h.Won == 0 {
		return say("story.big-win-some")
	}
	return say("story.big-win", boxArg(h.Box), text("bettor", h.Bettor), keyed("wager", LabelWager, h.Wager.String()),
		priceArg(h.Won, v))
}

func lost(missing int) Message {
	switch missing {
	case 0:
		return say("story.lost-some")
	case 1:
		return say("story.lost-one")
	}
	return say("story.lost-many", text("n", strconv.Itoa(missing)))
}

// mismatch says what was paid, and what would have been the right amount. A table of an earlier version does not tell
// the first.
func mismatch(v View) Message {
	if h := v.Held; h.Owed != h.Given {
		args := []Arg{
			boxArg(h.Box), text("bettor", h.Bettor), priceArg(h.Owed, v),
			{Name: "paid", Price: &Price{h.Given, v.Digits, v.Currency}},
		}
		switch {
		case h.Bettor != "":
			return say("story.paid-instead-bettor", args...)
		case h.Box != 0:
			return say("story.paid-instead", args...)
		}
		return say("story.paid-instead-all", args...)
	}
	for _, b := range v.Boxes {
		if b.Number == v.Held.Box {
			sum, _ := ToPay(b)
			return say("story.payout-mismatch", boxArg(b.Number), priceArg(sum, v))
		}
	}
	if v.Sums != nil {
		return say("story.payout-mismatch-all", priceArg(leftToPay(v), v))
	}
	return say("story.payout-mismatch-some")
}

func priceArg(amount int64, v View) Arg {
	return Arg{Name: "price", Price: &Price{amount, v.Digits, v.Currency}}
}

// nextCard are the irregularities after which a dealer must know whose the next card is.
var nextCard = []irregularity.Code{
	irregularity.LostCards, irregularity.ShoeExhausted, irregularity.ShoeOffline,
	irregularity.ShoeAlarm,
}

// whose says for whom the card is that is in question, or the next one.
func whose(v View) Message {
	h := v.Held
	switch {
	case h.Code == irregularity.UnreadCard, h.Code == irregularity.ForeignCard, h.Code == irregularity.LostCards &&
		h.Missing == 1:
		return byDue(v, "story.for-box", "story.for-bank", "story.for-nobody")
	case slices.Contains(nextCard, h.Code):
		return byDue(v, "story.next-box", "story.next-bank", "")
	}
	return Message{}
}

// byDue picks what to say by who gets the card that is due; "" says nothing.
func byDue(v View, box, bank, nobody string) Message {
	switch {
	case v.Due.To == vocab.ToBox, v.Due.To == vocab.ToCall && v.Due.Implied:
		return atHand(v, box)
	case v.Due.To == vocab.ToBank, v.Due.To == vocab.ToHole:
		return say(bank)
	case nobody == "":
		return Message{}
	}
	return say(nobody)
}

func others(h Held) Message {
	switch h.Behind {
	case 0:
		return Message{}
	case 1:
		return say("story.behind-one")
	}
	return say("story.behind-many", text("n", strconv.Itoa(h.Behind)))
}

func arrived(h Held) Message {
	switch h.Arrived {
	case 0:
		return Message{}
	case 1:
		return say("story.arrived-one")
	}
	return say("story.arrived-many", text("n", strconv.Itoa(h.Arrived)))
}

// Effect says in one line what a choice will do, as far as its name does not say it.
func Effect(v View, choice irregularity.Choice) Message {
	key := "effect." + choice.String()
	own := key + "-" + v.Held.Code.String()
	switch {
	case choice == irregularity.Identify && !known(own):
		return byDue(v, key+"-box", key+"-bank", key)
	case choice == irregularity.VoidRound && v.Phase == vocab.Payment:
		key += "-decided"
	case known(own) && (v.Game != BlackJames || v.Held.Code != irregularity.BankOverdraw):
		key = own
	}
	return say(key, text("total", strconv.Itoa(v.Bank.Total)))
}

// CardName is how a card is called on a display: 10♥, or the Joker.
func CardName(c card.Card) Message {
	return say("card.named", cardArg(c))
}

func cardArg(c card.Card) Arg {
	switch {
	case c == card.Joker:
		return Arg{Name: "card", Keys: []string{"card.joker"}}
	case !c.Ranked():
		return text("card", c.String())
	}
	rank := strings.Replace(c.String()[:1], "T", "10", 1)
	return text("card", rank+string([]rune("♠♥♦♣")[c.Suit()]))
}

func boxArg(box int) Arg { return text("box", strconv.Itoa(box)) }
