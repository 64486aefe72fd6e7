package odds

import (
	"math/big"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// InsuranceTen is the name of an insurance against a ten of the bank among the wagers.
const InsuranceTen = "insurance-ten"

// insured are insurance, for a bettor who does not look at the cards on the table, and even money against waiting for
// the bank.
func (q Query) insured() (list []Wager) {
	if q.Rules.Game != rules.BlackJack {
		return nil
	}
	p := q.Shoe.points()
	size := int64(p.size())
	if p[ace] == 0 {
		return nil
	}
	pays, in := q.Rules.Pays, q.Rules.Insurance
	if in.Offered {
		list = append(list, insurance(vocab.WagerInsurance.String(), big.NewRat(int64(p[ten]), size-1), pays.Insurance))
	}
	if in.Offered && in.InsuresTens() && p[ten] > 0 {
		list = append(list, insurance(InsuranceTen, big.NewRat(int64(p[ace]), size-1), pays.Insurance))
	}
	if in.EvenMoney && p[ace] > 1 && p[ten] > 0 {
		list = append(list, q.evenMoney(p))
	}
	return list
}

// insurance is one against a bank that has Black Jack as often as that.
func insurance(name string, bank *big.Rat, pays money.Ratio) Wager {
	var s sum
	s.add(bank, fraction(pays))
	s.add(rest(bank), lost)
	w := s.wager(name)
	w.Lines = []Line{{
		Name: vocab.WhyBankBlackJack.String(), Probability: bank, P: float(bank), Pays: pays.String(),
	}}
	return w
}

// evenMoney is what a bettor gives away who takes even money rather than wait: the sure win against the mean of
// waiting.
func (q Query) evenMoney(p points) Wager {
	both := big.NewRat(int64(p[ten]-1), int64(p.size()-3))
	pays := fraction(q.Rules.Pays.BlackJack)
	if more := q.Rules.Pays.BlackJackSuited; more != nil {
		part := q.suited()
		pays.Mul(pays, rest(part))
		pays.Add(pays, part.Mul(part, fraction(*more)))
	}
	waiting := new(big.Rat).Mul(rest(both), pays)
	even := fraction(q.Rules.Pays.EvenMoney)
	edge := new(big.Rat).Sub(waiting, even)
	return Wager{
		Name: vocab.WhyEvenMoney.String(), Method: Exact, Edge: float(edge), Hit: 1,
		Lines: []Line{{
			Name: vocab.WhyEvenMoney.String(), Probability: big.NewRat(1, 1), P: 1,
			Pays: q.Rules.Pays.EvenMoney.String(),
		}},
	}
}
