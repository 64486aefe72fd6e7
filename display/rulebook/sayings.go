package rulebook

import (
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
)

// saying puts a value into words; "" if it means nothing in this house.
type saying func(subject) string

// sayings has words for every value of a profile but the irregularities, by its path. The texts are those whose keys
// begin with rule. and the path.
var sayings = map[string]saying{
	"house": nothing, "title": nothing, "game": nothing, // they are in the page's heading

	"table.currency":   func(s subject) string { return s.with(s.rules.Table.Currency) },
	"table.boxes":      func(s subject) string { return s.counted(s.rules.Table.Boxes) },
	"table.boxes_from": plain,
	"table.boxes_to":   plain,
	"table.min":        amount(func(r *rules.Rules) int64 { return r.Table.Min }),
	"table.box_max":    amount(func(r *rules.Rules) int64 { return r.Table.BoxMax }),
	"table.unit":       amount(func(r *rules.Rules) int64 { return r.Table.Unit }),
	"table.rounding":   choice,
	"table.step":       stakeStep,
	"table.bettors":    func(s subject) string { return s.counted(s.rules.MostBettors()) },

	"chips.value":  chip,
	"chips.colour": nothing, // said with the value, as plaque is
	"chips.plaque": nothing,

	"tray_difference": choice,

	"cards.source":       choice,
	"cards.decks":        packs,
	"cards.tens":         choice,
	"cards.loaded_early": choice,
	"cards.burn.loaded":  burnt(func(r *rules.Rules) rules.Burn { return r.BurnLoaded() }),
	"cards.burn.relief":  burnt(func(r *rules.Rules) rules.Burn { return r.BurnRelief() }),
	"cards.jokers":       func(s subject) string { return s.counted(s.rules.Cards.Jokers) },

	"play.calls":                 func(s subject) string { return s.variant(s.rules.Play.Calls.String()) },
	"play.auto_rest_at_21":       inBlackJack(choice),
	"play.draw_below":            plain,
	"play.rest_from":             plain,
	"play.lone_player_two_boxes": choice,
	"play.keys_apart_ms":         keysApart,
	"bank.draws":                 bankDraws,
	"bank.soft_17":               choice,
	"bank.black_jack_takes":      choice,
	"bank.hole_card":             choice,
	"bank.pushes_22":             choice,
	"bank.wins_ties":             listed,
	"holder":                     holder,

	"double.allowed":     choice,
	"double.on":          doubling(doubledOn),
	"double.hard_only":   doubling(choice),
	"double.after_split": doubling(choice),
	"double.most_cards":  doubling(doubledCards),
	"double.for_less":    doubling(func(s subject) string { return s.limited(s.rules.ForLess()) }),
	"double.again":       doubling(choice),
	"split.max":          splits,
	"split.aces_again":   splitting(choice),
	"split.by":           splitting(choice),
	"split.never":        splitting(listed),
	"split.aces_drawn":   splitting(choice),

	"insurance.offered":              choice,
	"insurance.exactly_half":         insuring(choice),
	"insurance.black_jack":           insuring(choice),
	"insurance.even_money":           inBlackJack(choice),
	"insurance.tens":                 insuring(choice),
	"surrender":                      surrendersFirst,
	"surrender_only.late":            choice,
	"surrender_only.not_against_ace": choice,
	"surrender_only.hard_from":       func(s subject) string { return s.counted(s.rules.SurrenderOnly.HardFrom) },
	"surrender_only.after_split":     choice,
	"many_cards.cards":               plain,
	"many_cards.pays":                plain,
	"many_cards.after_split":         choice,
	"three_sevens.paid":              inBlackJack(choice),
	"three_sevens.after_split":       withSevens(choice),

	"pays.win":               plain,
	"pays.black_jack":        plain,
	"pays.black_jack_suited": plain,
	"pays.even_money":        withEvenMoney(plain),
	"pays.insurance":         insuring(plain),
	"pays.three_sevens":      withSevens(plain),
	"pays.bonus_black_jack":  plain,
	"pays.five_card_trick":   inBlackJames(plain),

	"at_once.black_jack":       choice,
	"at_once.bonus_black_jack": withBonus(choice),
	"at_once.even_money":       withEvenMoney(choice),
	"at_once.three_sevens":     withSevens(choice),
	"at_once.surrender":        surrendering(choice),
	"at_once.bust":             byGame,
	"at_once.insurance":        insuring(choice),

	"side_bets":                func(s subject) string { return s.variant("") },
	"side_bets.bet":            func(s subject) string { return s.with(s.decided()) },
	"side_bets.title":          nothing, // in the heading
	"side_bets.cards":          nothing, // said with the bet
	"side_bets.least":          limit(func(o *rules.Offer) int64 { return o.Least }),
	"side_bets.most":           limit(func(o *rules.Offer) int64 { return o.Most }),
	"side_bets.step":           limit(func(o *rules.Offer) int64 { return o.Step }),
	"side_bets.box_most":       limit(func(o *rules.Offer) int64 { return o.BoxMost }),
	"side_bets.bettors":        choice,
	"side_bets.up_to_stake":    choice,
	"side_bets.one_per_bettor": choice,
	"side_bets.pay_at_once":    choice,
	"side_bets.take_at_once":   choice,
	"side_bets.pays.line":      nothing, // said with what it pays
	"side_bets.pays.when":      nothing,
	"side_bets.pays.pays":      func(s subject) string { return s.wins() },

	"repeat_side_bets": choice,

	"jackpot.seed":  withJackpot(amount(func(r *rules.Rules) int64 { return int64(r.Jackpot.Seed) })),
	"jackpot.feeds": withJackpot(func(s subject) string { return s.with(strings.ReplaceAll(s.value, ":", "/")) }),
	"jackpot.envy":  withJackpot(amount(func(r *rules.Rules) int64 { return r.Meter.Envy })),

	"jackpot.linked":     func(s subject) string { return s.with(s.value) },
	"jackpot.when_alone": choice,
	"jackpot.reserve":    amount(func(r *rules.Rules) int64 { return r.Alone(0) }),

	"big_win.from":   amount(func(r *rules.Rules) int64 { return int64(r.BigWin.From) }),
	"big_win.guests": choice,
}

// say puts the value into words; "" for one that means nothing in this house.
func (s subject) say() string {
	saying, known := sayingOf(s.pattern)
	if !known {
		return s.pattern + ": " + s.value
	}
	return saying(s)
}

// sayingOf is how values of a pattern are put into words: of each irregularity, by the ways to put it right.
func sayingOf(pattern string) (say saying, known bool) {
	if strings.HasPrefix(pattern, "irregularities.") {
		return ways, true
	}
	say, known = sayings[pattern]
	return say, known
}

// key is the key of the value's text, of which there may be variants.
func (s subject) key(variant string) string {
	key := "rule." + hyphens(s.pattern)
	if variant != "" {
		key += "-" + variant
	}
	return key
}

func (s subject) variant(name string) string { return s.text(s.key(name)) }

// with puts a value into the sentence.
func (s subject) with(value string) string { return s.text(s.key(""), "value", value) }

// counted has a sentence of its own for one, and some have one for none.
func (s subject) counted(n int) string {
	switch n {
	case 0:
		return s.variant("none")
	case 1:
		return s.variant("one")
	}
	return s.with(strconv.Itoa(n))
}

// packs says how many there are; how many cards each has without tens is said with these.
func packs(s subject) string {
	n := s.rules.Cards.Decks
	switch {
	case s.rules.Cards.HasTens():
		return s.counted(n)
	case n == 1:
		return s.variant("short-one")
	}
	return s.text(s.key("short"), "value", strconv.Itoa(n))
}

// chip says what a chip is worth, and what it looks like.
func chip(s subject) string {
	is, key := s.house.Chips[s.item()], s.key("")
	if is.Plaque {
		key = s.key("plaque")
	}
	value := s.money(int64(is.Value))
	if is.Colour == 0 {
		return s.text(key, "value", value)
	}
	return s.text(key+"-coloured", "value", value, "colour", s.text("rule.colour-"+is.Colour.String()))
}

// holder says whose a free box is.
func holder(s subject) string {
	var all []string
	for _, claim := range s.rules.Holder.List {
		all = append(all, s.text("rule.claim-"+claim.String()))
	}
	return s.with(strings.Join(all, s.text("list.comma")))
}

// burnt says how many cards are burnt.
func burnt(of func(*rules.Rules) rules.Burn) saying {
	return func(s subject) string {
		if of(s.rules).ByValue {
			return s.variant("by-value")
		}
		return s.counted(of(s.rules).Cards)
	}
}

func nothing(subject) string { return "" }

// plain puts the value as it is written into the sentence.
func plain(s subject) string { return s.with(s.value) }

// choice has one sentence for each value.
func choice(s subject) string {
	switch s.value {
	case "true":
		return s.variant("yes")
	case "false":
		return s.variant("no")
	}
	return s.variant(s.value)
}

// surrendersFirst is choice, with a sentence of its own where a surrender is offered before the dealer looks.
func surrendersFirst(s subject) string {
	if s.rules.SurrendersFirst() {
		return s.variant("first")
	}
	return choice(s)
}

// byGame is choice, with other sentences in Black James.
func byGame(s subject) string {
	variant := "no"
	if s.value == "true" {
		variant = "yes"
	}
	if s.rules.Game == rules.BlackJames {
		variant += "-james"
	}
	return s.variant(variant)
}

// bankDraws is choice, with other sentences in Black James, where the bank says higher or lower.
func bankDraws(s subject) string {
	switch {
	case s.rules.Game == rules.BlackJames:
		return s.variant(s.value + "-james")
	case s.rules.Bank.DrawsSoft17():
		return s.variant(s.value + "-on-soft-17")
	}
	return s.variant(s.value)
}

func amount(of func(*rules.Rules) int64) saying {
	return func(s subject) string { return s.with(s.money(of(s.rules))) }
}

// keysApart says when two calls contradict each other.
func keysApart(s subject) string {
	if s.rules.Play.KeysApart == 0 {
		return s.variant("none")
	}
	return s.with(strconv.Itoa(s.rules.Play.KeysApart))
}

// onlyIf limits a saying to the houses in which it means something.
func onlyIf(means func(*rules.Rules) bool) func(saying) saying {
	return func(say saying) saying {
		return func(s subject) string {
			if !means(s.rules) {
				return ""
			}
			return say(s)
		}
	}
}

var (
	inBlackJack   = onlyIf(func(r *rules.Rules) bool { return r.Game == rules.BlackJack })
	inBlackJames  = onlyIf(func(r *rules.Rules) bool { return r.Game == rules.BlackJames })
	doubling      = onlyIf(func(r *rules.Rules) bool { return r.Double.Allowed })
	splitting     = onlyIf(func(r *rules.Rules) bool { return r.Split.Max != 0 })
	insuring      = onlyIf(func(r *rules.Rules) bool { return r.Insurance.Offered })
	withEvenMoney = onlyIf(func(r *rules.Rules) bool { return r.Insurance.EvenMoney })
	withBonus     = onlyIf(func(r *rules.Rules) bool { return r.Pays.BonusBlackJack != nil })
	surrendering  = onlyIf(func(r *rules.Rules) bool { return r.Surrender })
	withSevens    = onlyIf(func(r *rules.Rules) bool { return r.ThreeSevens.Paid })
	withJackpot   = onlyIf(func(r *rules.Rules) bool { return r.Jackpot != nil })
)

func doubledOn(s subject) string {
	on := s.rules.Double.On
	if len(on) == 0 {
		return s.variant("any")
	}
	totals := ""
	for i, total := range on {
		switch {
		case i > 0 && i == len(on)-1:
			totals += s.text("list.or")
		case i > 0:
			totals += s.text("list.comma")
		}
		totals += strconv.Itoa(total)
	}
	return s.with(totals)
}

func splits(s subject) string {
	switch most := s.rules.Split.Max; most {
	case rules.Unlimited:
		return s.variant("any")
	default:
		return s.counted(most)
	}
}

// anyNumber is how many cards no hand below 21 has.
const anyNumber = 21

// doubledCards says on how many cards a hand may be doubled.
func doubledCards(s subject) string {
	if most := s.rules.Double.Cards(); most < anyNumber {
		return s.counted(most)
	}
	return s.variant("any")
}

// listed puts a list into a sentence.
func listed(s subject) string {
	return s.with(strings.ReplaceAll(s.value, ", ", s.text("list.comma")))
}

// limit puts a side bet's limit into a sentence.
func limit(here func(*rules.Offer) int64) saying {
	return func(s subject) string { return s.limited(here(s.rules.Offer(s.bet.Bet))) }
}

// stakeStep puts into a sentence what main stakes are multiples of.
func stakeStep(s subject) string { return s.limited(s.rules.Step()) }

// limited puts a limit into a sentence: its rule and, if that is not an amount itself, the amount at this table.
func (s subject) limited(amount int64) string {
	is := s.money(amount)
	rule, part := s.limitWords()
	if !part {
		return s.with(is)
	}
	return s.with(s.text("rule.limit-here", "rule", rule, "amount", is))
}

// limitWords puts a limit such as "2 min" or "1/10 box_max" into words; false for one that is
// an amount.
func (s subject) limitWords() (words string, part bool) {
	times, base, multiple := strings.Cut(s.value, " ")
	if !multiple {
		base = s.value
	}
	if !strings.Contains("min box_max unit", base) {
		return "", false
	}
	of := s.text("rule.limit-" + hyphens(base))
	switch {
	case !multiple:
		return of, true
	case strings.Contains(times, "/"):
		return s.text("rule.limit-part", "times", times, "of", of), true
	}
	return s.text("rule.limit-times", "times", times, "of", of), true
}

// ways lists how an irregularity is put right.
func ways(s subject) string {
	_, name, _ := strings.Cut(s.pattern, ".")
	code, known := irregularity.ParseCode(name)
	if !known {
		return s.with(s.value)
	}
	ways := s.rules.Ways(code)
	var all []string
	for c := range ways.Choices.All {
		words := s.text("choice." + c.String())
		if ways.Dealer(c) {
			words = s.text("rule.dealer", "choice", words)
		}
		all = append(all, words)
	}
	return s.with(strings.Join(all, s.text("list.comma")))
}
