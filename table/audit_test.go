package table_test

import (
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/money"
)

// This file is the house rules a second time, as a guest with a pencil would
// apply them: it says what each wager must bring, and what the bank must draw.

// sheet is what the houses do differently, once the calls are made.
type sheet struct {
	blackJack money.Ratio
	// bonus: jack and ace of spades are paid 5:1 at once.
	bonus     bool
	surrender bool
	sevens    bool
	james     bool
}

var sheets = map[string]sheet{
	"wiesbaden":    {blackJack: andAHalf},
	"schaffhausen": {blackJack: andAHalf, surrender: true, sevens: true},
	"st-moritz":    {blackJack: andAHalf, sevens: true},
	"st-moritz-65": {blackJack: money.Ratio{Num: 6, Den: 5}, sevens: true, bonus: true},
	"mendrisio":    {blackJack: andAHalf, sevens: true},
	"baden":        {james: true},
}

// count is what cards count: pictures ten, an ace eleven where that does not bust.
func count(cards []card.Card) (total int, soft bool) {
	ace := false
	for _, c := range cards {
		total += min(int(c.Rank()), 10)
		ace = ace || c.String()[0] == 'A'
	}
	if ace && total <= 11 {
		return total + 10, true
	}
	return total, false
}

// natural says whether two cards are an ace and a ten-value.
func natural(cards []card.Card) bool {
	total, _ := count(cards)
	return len(cards) == 2 && total == 21
}

// verdict is what becomes of a wager: what it wins on a stake of 1, or a prize.
type verdict struct {
	outcome table.Outcome
	why     string
	odds    money.Ratio
	prize   int64
}

var (
	one      = money.Ratio{Num: 1, Den: 1}
	half     = money.Ratio{Num: 1, Den: 2}
	andAHalf = money.Ratio{Num: 3, Den: 2}

	voided = verdict{outcome: table.Void, why: "void-round"}
	tie    = verdict{outcome: table.StandOff, why: "tie"}
)

func lost(why string) verdict { return verdict{outcome: table.Lose, why: why} }

func won(why string, odds money.Ratio) verdict {
	return verdict{outcome: table.Win, why: why, odds: odds}
}

// follow writes down one output and says what is against the rules in it.
func (b *book) follow(out table.Output) error {
	switch out.Kind {
	case table.Dealt:
		return b.dealt(out)
	case table.Settled:
		return b.settled(out)
	case table.Bonus:
		return b.bonus(out)
	case table.RoundDecided:
		return b.decided(out)
	}
	return nil
}

func (b *book) dealt(out table.Output) error {
	p := &b.page
	var cards []card.Card
	switch out.To {
	case table.ToBank:
		p.bank = append(p.bank, out.Card)
		cards = p.bank
	case table.ToBox:
		h := &p.boxes[int(out.Box)].hands[out.Hand-1]
		h.cards = append(h.cards, out.Card)
		cards = h.cards
		if b.house.james {
			return p.pointsTold(h, out)
		}
		b.countSevens(int(out.Box), h)
	default:
		p.aside = out.Card
		p.joker[int(out.Box)] = true
		return nil
	}
	if b.house.james {
		return p.bankPointsTold(out)
	}
	if total, soft := count(cards); total != int(out.Total) || soft != out.Soft {
		return fmt.Errorf("%v count %d (soft %t), told were %d (%t)", cards, total, soft, out.Total, out.Soft)
	}
	return nil
}

// countSevens: three sevens as an unsplit hand's first three cards are a bonus for
// everybody who has not left. (Common rule 15.)
func (b *book) countSevens(box int, h *row) {
	if !b.house.sevens || len(b.page.boxes[box].hands) > 1 || len(h.cards) != 3 {
		return
	}
	for _, c := range h.cards {
		if !rankIn(c, "7") {
			return
		}
	}
	for _, w := range h.wagers {
		if open(w) {
			b.page.sevens++
		}
	}
}

func (b *book) settled(out table.Output) error {
	want, stake, err := b.expect(out)
	if err == nil {
		err = b.brings(out, want, stake)
	}
	if err != nil {
		return fmt.Errorf("box %d hand %d %s %s: %w", out.Box, out.Hand, out.Bettor, out.Wager, err)
	}
	b.page.add(out)
	return nil
}

// add sums up.
func (p *page) add(out table.Output) {
	p.sums.Unstated = p.sums.Unstated || out.Unstated
	p.sums.Won += out.Won
	if out.Kind == table.Settled {
		p.sums.Staked += out.Stake
		p.sums.Returned += out.Returned
	}
}

// brings checks the amounts of a settlement: of a stake that nobody knows, there
// are odds instead.
func (b *book) brings(out table.Output, want verdict, stake int64) error {
	if out.Outcome != want.outcome || out.Why.String() != want.why {
		return fmt.Errorf("got %s, %s; want %s, %s", out.Outcome, out.Why, want.outcome, want.why)
	}
	told := [3]int64{out.Stake, out.Returned, out.Won}
	if stake < 0 {
		if !out.Unstated || out.Odds != want.odds || told != [3]int64{} {
			return fmt.Errorf("nobody knows the stake, and %s are the odds; told was %+v", want.odds, out)
		}
		return nil
	}
	fair := [3]int64{stake, stake, 0}
	switch want.outcome {
	case table.Win:
		fair[2] = max(want.prize, b.share(stake, want.odds))
	case table.Surrendered:
		fair[1] = b.share(stake, want.odds)
	case table.Lose:
		fair[1] = 0
	}
	if out.Unstated || told != fair {
		return fmt.Errorf("stake, back and won are %d (unknown %t), want %d", told, out.Unstated, fair)
	}
	return nil
}

// share is a part of a stake, rounded down to what can be paid.
func (b *book) share(stake int64, part money.Ratio) int64 {
	if part.Den == 0 {
		return 0
	}
	return stake * part.Num / part.Den / b.unit * b.unit
}

// bonus: three sevens are paid on the stake as it was placed, the envy prize beside
// a progressive stake.
func (b *book) bonus(out table.Output) error {
	p := &b.page
	p.add(out)
	if out.Why == table.WhyEnvy {
		key := side{guest{int(out.Box), out.Bettor}, out.Wager}
		if out.Won != 50_000 || out.Stake != 500 || p.sides[key].amount != 500 {
			return fmt.Errorf("an envy prize of %d on %d for %+v", out.Won, out.Stake, key)
		}
		return nil
	}
	h := p.boxes[int(out.Box)].hands[0]
	at := slices.IndexFunc(h.wagers, func(w wager) bool { return w.name == out.Bettor && open(w) })
	if at < 0 || out.Why != table.WhyThreeSevens || p.sevens == 0 {
		return fmt.Errorf("%s for %s on %v", out.Why, out.Bettor, h.cards)
	}
	p.sevens--
	if stake := h.wagers[at].stake; out.Unstated != (stake < 0) || out.Won != known(stake) || out.Stake != known(stake) {
		return fmt.Errorf("%d on %d for three sevens, the stake is %d", out.Won, out.Stake, stake)
	}
	return nil
}

// expect finds the wager of a settlement, marks it as settled, and says what it
// must bring on which stake.
func (b *book) expect(out table.Output) (verdict, int64, error) {
	p, who := &b.page, guest{int(out.Box), out.Bettor}
	switch out.Wager {
	case table.WagerMain:
		return b.expectMain(out)
	case table.WagerInsurance:
		i := p.insured[who]
		if i.amount == 0 || i.settled {
			return verdict{}, 0, fmt.Errorf("there is no open insurance")
		}
		p.insured[who] = insurance{i.amount, true}
		want, err := p.insuranceBrings(out.Outcome == table.Void)
		return want, i.amount, err
	}
	key := side{who, out.Wager}
	s := p.sides[key]
	if s.amount == 0 || s.settled {
		return verdict{}, 0, fmt.Errorf("there is no open side bet")
	}
	p.sides[key] = insurance{s.amount, true}
	if out.Outcome == table.Void {
		return voided, s.amount, nil
	}
	want, err := p.sideBrings(who.box, out)
	return want, s.amount, err
}

func (b *book) expectMain(out table.Output) (verdict, int64, error) {
	p := &b.page
	hands := p.boxes[int(out.Box)].hands
	h := &hands[out.Hand-1]
	at := slices.IndexFunc(h.wagers, func(w wager) bool { return w.name == out.Bettor && open(w) })
	if at < 0 {
		return verdict{}, 0, fmt.Errorf("there is no open wager on hand %d", out.Hand)
	}
	w := &h.wagers[at]
	w.settled, w.outcome, w.why = true, out.Outcome, out.Why
	stake := w.stake
	if stake >= 0 {
		stake *= w.times
	}
	var want verdict
	var err error
	switch {
	case int64(out.Times) != w.times:
		err = fmt.Errorf("the stake lies there %d times, told were %d", w.times, out.Times)
	case out.Outcome == table.Void:
		want = voided
	case b.house.james:
		want, err = p.pointsBring(h)
	case out.Outcome == table.Surrendered:
		want, err = b.surrenderBrings(h, len(hands) > 1, out.Bettor)
	default:
		want, err = b.handBrings(h.cards, len(hands) > 1, p.even[guest{int(out.Box), out.Bettor}])
	}
	return want, stake, err
}

func (b *book) surrenderBrings(h *row, split bool, name string) (verdict, error) {
	if !b.house.surrender || split || len(h.cards) != 2 || !slices.Contains(b.page.leaving, name) {
		return verdict{}, fmt.Errorf("a surrender of %v, split %t, by %v", h.cards, split, b.page.leaving)
	}
	return verdict{outcome: table.Surrendered, why: "surrender", odds: half}, nil
}

// insuranceBrings pays 2:1 when the bank has Black Jack. (Common rule 16.)
func (p *page) insuranceBrings(void bool) (verdict, error) {
	switch {
	case void:
		return voided, nil
	case len(p.bank) != 2:
		return verdict{}, fmt.Errorf("settled while the bank has %v", p.bank)
	case natural(p.bank):
		return won("bank-blackjack", money.Ratio{Num: 2, Den: 1}), nil
	}
	return lost("no-bank-blackjack"), nil
}

// handBrings is what a hand must bring at this moment. (Common rules 4, 5, 8, 9,
// 10 and 17.)
func (b *book) handBrings(cards []card.Card, split, evenMoney bool) (verdict, error) {
	bank := b.page.bank
	total, _ := count(cards)
	against, _ := count(bank)
	blackJack := natural(cards) && !split
	switch {
	case evenMoney && blackJack && len(bank) == 1 && bank[0].Rank() == card.Ace:
		return won("even-money", one), nil
	case evenMoney:
		return verdict{}, fmt.Errorf("even money for %v against %v", cards, bank)
	case b.isBonus(cards, split):
		return won("bonus-blackjack", money.Ratio{Num: 5, Den: 1}), nil
	case total > 21:
		return lost("bust"), nil
	case blackJack && len(bank) == 1 && against < 10: // an ace counts eleven
		return won("blackjack", b.house.blackJack), nil
	case len(bank) < 2 || against < 17 && !blackJack:
		return verdict{}, fmt.Errorf("%v is decided while the bank has %v", cards, bank)
	case blackJack && natural(bank):
		return tie, nil
	case blackJack:
		return won("blackjack", b.house.blackJack), nil
	case natural(bank):
		return lost("bank-blackjack"), nil
	case against > 21:
		return won("bank-bust", one), nil
	case total > against:
		return won("higher-total", one), nil
	case total == against:
		return tie, nil
	}
	return lost("lower-total"), nil
}

// isBonus: jack and ace of spades, at the tables that pay them. (St. Moritz, 6:5.)
func (b *book) isBonus(cards []card.Card, split bool) bool {
	if !b.house.bonus || split || len(cards) != 2 {
		return false
	}
	pair := cards[0].String() + cards[1].String()
	return pair == "JSAS" || pair == "ASJS"
}

// paidAtOnce: a hand over 21 is lost at once, and bonuses are not waited for.
// (Common rules 5 and 15.)
func (b *book) paidAtOnce() error {
	if b.page.sevens != 0 {
		return fmt.Errorf("%d bonuses for three sevens are missing", b.page.sevens)
	}
	for n, box := range b.page.boxes {
		for i, h := range box.hands {
			total, _ := count(h.cards)
			late := total > 21 && !b.house.james || b.isBonus(h.cards, len(box.hands) > 1)
			if late && slices.ContainsFunc(h.wagers, open) {
				return fmt.Errorf("box %d hand %d has %v and a wager on it is open", n, i+1, h.cards)
			}
		}
	}
	return nil
}

func open(w wager) bool { return !w.settled }

// decided checks the round's line: every wager is decided, the sums are right,
// and the bank drew what it had to.
func (b *book) decided(out table.Output) error {
	p := &b.page
	total, _ := count(p.bank)
	if b.house.james {
		total = len(p.bank)
	}
	if !slices.Equal(out.Bank, p.bank) || int(out.Total) != total {
		return fmt.Errorf("the bank has %v = %d, told were %v = %d", p.bank, total, out.Bank, out.Total)
	}
	if out.Sums != p.sums || p.committed() != p.sums.Staked || out.Unstated != p.sums.Unstated {
		return fmt.Errorf("on the table are %d, decided %+v, told were %+v", p.committed(), p.sums, out.Sums)
	}
	switch {
	case p.voided:
		return nil
	case b.house.james:
		return p.bankForecast()
	}
	return p.bankDrew()
}

// bankDrew: the bank draws to 16 and stands on 17, and draws what an open wager
// needs and no more. (Common rules 6 and 7.)
func (p *page) bankDrew() error {
	least := max(p.leastForHands(), p.leastForOthers())
	if len(p.bank) < 2 || least < 3 {
		if len(p.bank) != least {
			return fmt.Errorf("the bank drew %v, and needed %d cards", p.bank, least)
		}
		return nil
	}
	last, _ := count(p.bank)
	before, _ := count(p.bank[:len(p.bank)-1])
	if last < 17 || len(p.bank) > 2 && before > 16 {
		return fmt.Errorf("the bank drew %v", p.bank)
	}
	return nil
}

// leastForHands is 1 or 2, or 3 for as many as the bank's own rule says.
func (p *page) leastForHands() int {
	up, _ := count(p.bank[:1])
	least := 1
	for _, b := range p.boxes {
		for _, h := range b.hands {
			switch {
			case !slices.ContainsFunc(h.wagers, waits):
			case len(b.hands) > 1 || !natural(h.cards):
				return 3
			case up >= 10:
				least = 2
			}
		}
	}
	return least
}

// waits says whether a wager waited for the bank.
func waits(w wager) bool {
	switch w.why {
	case table.WhyBust, table.WhySurrender, table.WhyEvenMoney, table.WhyBonusBlackJack:
		return false
	}
	return true
}

// leastForOthers is what insurances and side bets need of the bank.
func (p *page) leastForOthers() int {
	up, _ := count(p.bank[:1])
	least := 1
	for _, i := range p.insured {
		if i.amount != 0 {
			least = 2
		}
	}
	for s := range p.sides {
		switch s.wager.String() {
		case "bust":
			return 3
		case "swiss-casinos-jack":
			if up >= 10 {
				least = 2
			}
		case "progressive":
			if suitedAceKing(p.boxes[s.box].hands[0].cards) && rankIn(p.bank[0], "AK") {
				least = 2
			}
		}
	}
	return least
}
