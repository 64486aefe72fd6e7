package secondbook

import (
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// verdict is the outcome of a wager and what it wins: odds on the stake, or a prize.
type verdict struct {
	outcome vocab.Outcome
	why     vocab.Why
	odds    money.Ratio
	prize   int64
	// reason gives the grounds in the words of the table, such as "20 against the bank's 18".
	reason reason
}

// reason is the grounds of a verdict; it is put into words only when they are needed.
type reason struct {
	text         string
	hand, bank   []card.Card
	points, game int
}

var (
	half   = money.Ratio{Num: 1, Den: 2}
	voided = verdict{outcome: vocab.Void, why: vocab.WhyVoidRound, reason: reason{text: "the round was declared void"}}
)

func lost(why vocab.Why, because reason) verdict {
	return verdict{outcome: vocab.Lose, why: why, reason: because}
}

func won(why vocab.Why, odds money.Ratio, because reason) verdict {
	return verdict{outcome: vocab.Win, why: why, odds: odds, reason: because}
}

func tied(why vocab.Why, because reason) verdict {
	return verdict{outcome: vocab.StandOff, why: why, reason: because}
}

// settled checks the settlement of a wager.
func (b *Book) settled(out *vocab.Output) error {
	b.page.add(out)
	b.page.note(out)
	want, stake, err := b.expect(out)
	if err == nil {
		b.owe(want, stake)
		err = b.brings(out, want, stake)
	}
	if err != nil {
		return fmt.Errorf("%s, %s, %s: %w", place{out.Box, out.Hand}, out.Bettor, out.Wager, err)
	}
	return nil
}

// add adds an output to the sums.
func (p *page) add(out *vocab.Output) {
	p.sums.Unstated = p.sums.Unstated || out.Unstated
	p.sums.Won += out.Won
	if out.Kind == vocab.Settled {
		p.sums.Staked += out.Stake
		p.sums.Returned += out.Returned
	}
}

// brings checks the amounts of a settlement. A stake whose amount is unknown has odds
// instead.
func (b *Book) brings(out *vocab.Output, want verdict, stake int64) error {
	if out.Outcome != want.outcome || out.Why != want.why {
		return fmt.Errorf("%s, which is %s (%s); recorded: %s (%s)", want.reason, want.outcome, want.why,
			out.Outcome, out.Why)
	}
	l := &b.page.lines[len(b.page.lines)-1] // as it must be
	if stake < 0 {
		if !out.Unstated || out.Odds != want.odds || out.Stake != 0 || out.Returned != 0 || out.Won != 0 {
			return fmt.Errorf("the stake was not entered, so only the odds %s may be recorded; recorded: %s and "+
				"amounts", want.odds, out.Odds)
		}
		return l.tellsLine(out)
	}
	returned, win := l.returned, l.won
	switch {
	case out.Unstated:
		return fmt.Errorf("the stake is %s, but no amounts were recorded", amount(stake))
	case out.Stake != stake:
		return fmt.Errorf("the stake is %s; recorded: %s", amount(stake), amount(out.Stake))
	case out.Returned != returned:
		return fmt.Errorf("%s of %s come back (%s); recorded: %s", amount(returned), amount(stake), want.reason,
			amount(out.Returned))
	case out.Won != win:
		return fmt.Errorf("%s pays %s, %s on %s; recorded: %s", want.why, want.pays(), amount(win), amount(stake),
			amount(out.Won))
	}
	return l.tellsLine(out)
}

// pays is what the verdict wins, as a sheet prints it.
func (v verdict) pays() string {
	if v.prize != 0 {
		return "a prize"
	}
	return v.odds.String()
}

// fair is the part of a stake that is returned, and what it wins.
func (b *Book) fair(v verdict, stake int64) (returned, win int64) {
	switch v.outcome {
	case vocab.Lose:
		return 0, 0
	case vocab.Surrendered, vocab.PartLost:
		return b.share(stake, v.odds), 0
	case vocab.Win:
		if v.prize != 0 {
			return stake, v.prize
		}
		return stake, b.share(stake, v.odds)
	default:
		return stake, 0
	}
}

// share is a part of a stake in whole payable units, rounded as the house rounds.
func (b *Book) share(stake int64, part money.Ratio) int64 {
	if part.Den == 0 {
		return 0
	}
	unit := b.rules.Table.Unit
	rest := stake * part.Num % (part.Den * unit)
	down := (stake*part.Num - rest) / part.Den
	switch how := b.rules.Table.Rounding; {
	case rest == 0, how == money.Down, how == money.Carried, how == money.Nearest && 2*rest < part.Den*unit:
		return down
	default:
		return down + unit
	}
}

// expect finds the wager of a settlement, marks it as settled, and returns what it must
// bring and its stake.
func (b *Book) expect(out *vocab.Output) (verdict, int64, error) {
	switch out.Wager {
	case vocab.WagerMain:
		return b.expectMain(out)
	case vocab.WagerInsurance:
		return b.expectInsurance(out)
	default:
		return b.expectSide(out)
	}
}

func (b *Book) expectInsurance(out *vocab.Output) (verdict, int64, error) {
	p := &b.page
	at := p.findStake(out.Box, out.Bettor)
	if at < 0 || p.stakes[at].insured == 0 || p.stakes[at].insuranceEnded {
		return verdict{}, 0, fmt.Errorf("there is no open insurance")
	}
	s := &p.stakes[at]
	s.insuranceEnded = true
	if s.fate = p.fated(s.fate, place{box: s.box}, s.name, vocab.WagerInsurance); s.fate != lives {
		return s.fate.brings(), s.insured, nil
	}
	want, err := b.insuranceBrings(out.Outcome == vocab.Void)
	return want, p.stakes[at].insured, err
}

// insuranceBrings pays when the bank has Black Jack. (Common rule 16.)
func (b *Book) insuranceBrings(void bool) (verdict, error) {
	bank := b.page.bank
	switch because := (reason{text: "insurance against", bank: bank}); {
	case void:
		return voided, b.mayBeVoid()
	case b.page.ruledOut():
		return lost(vocab.WhyNoBankBlackJack, because), nil
	case len(bank) != 2:
		return verdict{}, fmt.Errorf("it is decided by the bank's second card, but the bank has %s", names(bank))
	case natural(bank):
		return won(vocab.WhyBankBlackJack, b.rules.Pays.Insurance, because), nil
	default:
		return lost(vocab.WhyNoBankBlackJack, because), nil
	}
}

// mayBeVoid: a wager is void only if the round was declared void.
func (b *Book) mayBeVoid() error {
	if b.page.voided {
		return nil
	}
	return fmt.Errorf("it is given back, but the round was not declared void")
}

func (b *Book) expectMain(out *vocab.Output) (verdict, int64, error) {
	p, at := &b.page, place{out.Box, out.Hand}
	r := p.row(at)
	w := p.open(at, out.Bettor)
	if r == nil || w == nil {
		return verdict{}, 0, fmt.Errorf("there is no open stake: it was never placed, or is already decided")
	}
	w.settled, w.outcome, w.why = true, out.Outcome, out.Why
	stake := w.stake
	if stake >= 0 {
		stake = w.amount()
	} else if int64(out.Times) != w.times {
		return verdict{}, 0, fmt.Errorf("the stake lies there %d times; recorded: %d", w.times, out.Times)
	}
	if w.fate = p.fated(w.fate, at, out.Bettor, vocab.WagerMain); w.fate != lives {
		return w.fate.brings(), stake, nil
	}
	want, err := b.expectHand(r, out)
	if err == nil && want.why == vocab.WhyBankBlackJack {
		want = b.takesOfBettor(w, want)
	}
	return want, stake, err
}

func (b *Book) expectHand(r *row, out *vocab.Output) (verdict, error) {
	switch {
	case out.Outcome == vocab.Void:
		return voided, b.mayBeVoid()
	case b.james():
		return b.pointsBring(r)
	case out.Outcome == vocab.Surrendered:
		return b.surrenderBrings(r, out.Bettor)
	default:
		at := b.page.findStake(out.Box, out.Bettor)
		return b.handBrings(r, at >= 0 && b.page.stakes[at].even)
	}
}

// open finds a bettor's undecided wager on a hand, nil if there is none.
func (p *page) open(at place, name string) *wager {
	for i := range p.wagers {
		if w := &p.wagers[i]; w.place == at && !w.settled && w.name == name {
			return w
		}
	}
	return nil
}

func (b *Book) surrenderBrings(r *row, name string) (verdict, error) {
	switch wrong := b.wrongSurrender(r); {
	case wrong != nil:
		return verdict{}, wrong
	case !slices.Contains(b.page.leaving, name) && !b.page.hasLeft(r.place):
		return verdict{}, fmt.Errorf("a surrender that was not called")
	}
	return verdict{
		outcome: vocab.Surrendered, why: vocab.WhySurrender, odds: half,
		reason: reason{text: "half the stake of a surrender"},
	}, nil
}

// handBrings is what a hand must bring at this moment. (Common rules 4, 5, 8, 9, 10
// and 17.)
func (b *Book) handBrings(r *row, evenMoney bool) (verdict, error) {
	cards, bank, pays := r.laid(), b.page.bank, &b.rules.Pays
	total, _ := count(cards)
	against, soft := count(bank)
	blackJack := b.blackJack(r)
	if b.page.hasLeft(r.place) && len(bank) == 2 && !natural(bank) {
		return verdict{}, fmt.Errorf("%s was given up, and half the stake comes back", names(cards))
	}
	because := reason{hand: cards, bank: bank}
	switch {
	case evenMoney && blackJack && len(bank) == 1 && bank[0].Rank() == card.Ace && b.rules.Insurance.EvenMoney:
		return won(vocab.WhyEvenMoney, pays.EvenMoney, because), nil
	case evenMoney:
		return verdict{}, fmt.Errorf("even money for %s against %s", names(cards), names(bank))
	case b.isBonus(r):
		return won(vocab.WhyBonusBlackJack, *pays.BonusBlackJack, because), nil
	case total > 21 && !(b.mayGetBack(r) && len(bank) < 2) && !(b.mayGetBack(r) && natural(bank)):
		return lost(vocab.WhyBust, because), nil
	case b.wonByCards(r):
		return won(vocab.WhyManyCards, b.rules.ManyCards.Pays, because), nil
	case blackJack && len(bank) == 1 && (against < 10 || b.page.ruledOut()): // an ace counts eleven
		return won(vocab.WhyBlackJack, b.ofSuit(r, pays.BlackJack), because), nil
	case len(bank) < 2:
		return verdict{}, fmt.Errorf("it is decided before the bank's second card")
	case !b.bankStandsOn(against, soft) && !blackJack:
		return verdict{}, b.standsTooSoon()
	case blackJack && natural(bank):
		return tied(vocab.WhyTie, because), nil
	case blackJack:
		return won(vocab.WhyBlackJack, b.ofSuit(r, pays.BlackJack), because), nil
	case natural(bank):
		return lost(vocab.WhyBankBlackJack, because), nil
	case against == 22 && b.rules.Bank.Pushes22 != nil && *b.rules.Bank.Pushes22:
		return tied(vocab.WhyBank22, because), nil
	case against > 21:
		return won(vocab.WhyBankBust, pays.Win, because), nil
	case total > against:
		return won(vocab.WhyHigherTotal, pays.Win, because), nil
	case total == against && b.rules.Bank.WinsTies != nil && b.rules.Bank.WinsTies.Has(total):
		return lost(vocab.WhyTie, because), nil
	case total == against:
		return tied(vocab.WhyTie, because), nil
	}
	return lost(vocab.WhyLowerTotal, because), nil
}

// ofSuit is what a Black Jack pays whose cards may be of one suit.
func (b *Book) ofSuit(r *row, usual money.Ratio) money.Ratio {
	if more := b.rules.Pays.BlackJackSuited; more != nil && r.cards[0].Suit() == r.cards[1].Suit() {
		return *more
	}
	return usual
}

// wonByCards: so many cards that are not over 21 win at once, on a split hand only if the house says so.
func (b *Book) wonByCards(r *row) bool {
	many := b.rules.ManyCards
	total, _ := count(r.laid())
	return many != nil && int(r.n) >= many.Cards && total < 22 && (many.AfterSplit || b.page.hands(r.box) == 1)
}

// bonus: three sevens are paid on the stake as it was placed, and the envy prize in
// addition to a progressive stake.
func (b *Book) bonus(out *vocab.Output) error {
	p := &b.page
	p.add(out)
	p.note(out)
	err := b.bonusFor(out)
	if err != nil {
		return fmt.Errorf("%s, %s, bonus: %w", place{out.Box, out.Hand}, out.Bettor, err)
	}
	return nil
}

func (b *Book) bonusFor(out *vocab.Output) error {
	p := &b.page
	if out.Why == vocab.WhyEnvy {
		return b.envy(out)
	}
	at := slices.IndexFunc(p.wagers, func(w wager) bool {
		return w.box == out.Box && w.name == out.Bettor && !w.settled
	})
	if at < 0 || out.Why != vocab.WhyThreeSevens || p.sevens == 0 {
		return fmt.Errorf("%s is not due", out.Why)
	}
	p.sevens--
	stake := p.wagers[at].stake
	want := b.share(known(stake), b.rules.Pays.ThreeSevens)
	p.lines[len(p.lines)-1].won = want
	if out.Unstated != (stake < 0) || out.Won != want || out.Stake != known(stake) {
		return fmt.Errorf("three sevens pay %s on the stake of %s; recorded: %s on %s", amount(want),
			amount(known(stake)), amount(out.Won), amount(out.Stake))
	}
	return nil
}
