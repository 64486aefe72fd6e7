package main

import (
	"fmt"
	"strings"

	"github.com/sabot-table/sabot/table/rules"
)

// sections are the page's headings, by the first key of a value's path.
var sections = map[string]string{
	"table": "The table", "cards": "The cards", "play": "Play", "bank": "The bank", "double": "Doubling", "split": "Splitting",
	"insurance": "Insurance and even money", "surrender": "Surrender", "three_sevens": "Three sevens", "pays": "What the main game pays",
	"side_bets": "Side bets", "repeat_side_bets": "Stakes of the last round", "jackpot": "The jackpot", "irregularities": "How irregularities are put right, the first choice being proposed",
}

var gameWords = map[rules.Game]string{rules.BlackJack: "Black Jack", rules.BlackJames: "Black James, higher or lower"}

// saying puts a value into words; "" if it means nothing in this house.
type saying func(subject) string

// sayings has words for every value of a profile, by its path.
var sayings = map[string]saying{
	"house": nothing, "title": nothing, "game": nothing, // they are in the page's heading

	"table.currency": plain("Amounts are in %s."),
	"table.boxes":    count("The table has one box.", "The table has %s boxes."),
	"table.min":      plain("A stake is at least %s."),
	"table.box_max":  plain("The stakes on a box are at most %s together."),
	"table.unit":     plain("Stakes and payments are multiples of %s."),
	"table.rounding": choice(map[string]string{
		"down": "A payment that does not come out even is rounded down.", "up": "A payment that does not come out even is rounded up.",
		"nearest": "A payment that does not come out even goes to the nearest.",
	}),

	"cards.source": choice(map[string]string{
		"shoe": "The cards leave a shoe in one pass.", "shuffler": "The cards go back into a shuffler after each round.",
	}),
	"cards.decks":  count("One pack of 52 cards is in it.", "%s packs of 52 cards are in it."),
	"cards.jokers": count("One Joker is among them.", "%s Jokers are among them."),

	"play.calls": choice(map[string]string{
		"required": "A card for a box needs the call first.", "implied": "A card that is drawn to a box is the call.",
	}),
	"play.auto_rest_at_21":       inBlackJack(either("A hand at 21 rests automatically.", "A hand at 21 is asked like any other hand.")),
	"play.lone_player_two_boxes": either("A guest who is alone at the table must play two boxes.", "A guest who is alone at the table may play one box."),
	"play.keys_apart_ms":         keysApart,
	"bank.draws": choice(map[string]string{
		"needed": "The bank draws only what an open wager needs.", "always": "The bank draws in every round.",
	}),

	"double.allowed":     either("Stakes may be doubled.", "No stake may be doubled."),
	"double.on":          doubling(doubledOn),
	"double.hard_only":   doubling(either("An ace in them counts one, never eleven.", "An ace in them may count eleven.")),
	"double.after_split": doubling(either("A split hand may be doubled.", "A split hand may not be doubled.")),
	"split.max":          splits,
	"split.aces_again":   splitting(either("Split aces may be split again.", "Split aces may not be split again.")),

	"insurance.offered":      either("Every bettor may insure against the bank's ace.", "Nothing can be insured."),
	"insurance.exactly_half": insuring(either("An insurance is half the stake.", "An insurance is at most half the stake.")),
	"insurance.black_jack":   insuring(either("A box with a Black Jack may insure too.", "A box with a Black Jack may not insure.")),
	"insurance.even_money": inBlackJack(either(
		"A Black Jack against the bank's ace may be paid even money.", "There is no even money.")),
	"surrender": either("A bettor may give up the first two cards for half the stake.", "There is no surrender."),
	"three_sevens.paid": inBlackJack(either(
		"7-7-7 as the first three cards is paid, and plays on.", "Three sevens are just 21.")),
	"three_sevens.after_split": withSevens(either("On a split hand too.", "Not on a split hand.")),

	"pays.win":              plain("A win pays %s."),
	"pays.black_jack":       plain("A Black Jack pays %s."),
	"pays.even_money":       withEvenMoney(plain("Even money pays %s.")),
	"pays.insurance":        insuring(plain("An insurance pays %s when the bank has Black Jack.")),
	"pays.three_sevens":     withSevens(plain("Three sevens pay %s.")),
	"pays.bonus_black_jack": plain("Jack and ace of spades pay %s, at once."),
	"pays.five_card_trick":  inBlackJames(plain("A Five-Card-Trick with more points than the bank pays %s.")),

	"side_bets":                fixed("There are none."),
	"side_bets.bet":            decidedBy,
	"side_bets.least":          amount("A stake is at least %s.", func(o *rules.Offer) int64 { return o.Least }),
	"side_bets.most":           amount("A stake is at most %s.", func(o *rules.Offer) int64 { return o.Most }),
	"side_bets.step":           amount("A stake is a multiple of %s.", func(o *rules.Offer) int64 { return o.Step }),
	"side_bets.box_most":       amount("All stakes on a box are at most %s together.", func(o *rules.Offer) int64 { return o.BoxMost }),
	"side_bets.bettors":        choice(bettorWords),
	"side_bets.one_per_bettor": either("A guest places one such stake at the whole table.", "A guest may place one such stake on each box."),
	"side_bets.pays.line":      nothing, // said with what it pays
	"side_bets.pays.pays":      func(s subject) string { return fmt.Sprintf("%9s  %s", s.value, s.line.Words()) },

	"repeat_side_bets": either(
		"A box that is played as in the last round gets its side bets again too.", "A box that is played as in the last round gets the main stakes alone."),

	"jackpot.seed": withJackpot(plain("It starts from %s, again after each win.")),
	"jackpot.feeds": withJackpot(func(s subject) string {
		return strings.ReplaceAll(s.value, ":", "/") + " of each progressive stake goes into it."
	}),
	"jackpot.envy": withJackpot(plain("When it is won, every other progressive stake gets %s.")),

	"irregularities.unread-card":       plain("An unread card: %s."),
	"irregularities.unexpected-card":   plain("A card while none is due: %s."),
	"irregularities.card-without-call": plain("A card without a call: %s."),
	"irregularities.bank-overdraw":     plain("One card too many for the bank: %s."),
	"irregularities.foreign-card":      plain("A card of which the shoe can hold no more: %s."),
	"irregularities.foreign-joker":     plain("A Joker where none is played: %s."),
	"irregularities.lost-cards":        plain("Cards that never arrived: %s."),
	"irregularities.payout-mismatch":   plain("A payment that differs from what is due: %s."),
	"irregularities.shoe-alarm":        plain("An alarm of the shoe: %s."),
	"irregularities.shoe-exhausted":    plain("Cards that run out in mid-round: %s."),
}

// keysApart says when two calls contradict each other.
func keysApart(s subject) string {
	if s.value == "0" {
		return "Two calls never contradict each other."
	}
	return "Of two different calls within " + s.value + " ms neither is taken."
}

func nothing(subject) string { return "" }

func fixed(text string) saying { return func(subject) string { return text } }

// plain puts the value into a sentence.
func plain(format string) saying {
	return func(s subject) string { return fmt.Sprintf(format, s.value) }
}

// either has one sentence for yes and one for no.
func either(yes, no string) saying {
	return choice(map[string]string{"true": yes, "false": no})
}

func choice(sentences map[string]string) saying {
	return func(s subject) string { return sentences[s.value] }
}

// count has one sentence for 1, and one for other numbers; it writes 0 as "No".
func count(one, many string) saying {
	return func(s subject) string {
		switch s.value {
		case "0":
			return fmt.Sprintf(many, "No")
		case "1":
			return one
		}
		return fmt.Sprintf(many, s.value)
	}
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
	withSevens    = onlyIf(func(r *rules.Rules) bool { return r.ThreeSevens.Paid })
	withJackpot   = onlyIf(func(r *rules.Rules) bool { return r.Jackpot != nil })
)

func doubledOn(s subject) string {
	if s.value == "[]" {
		return "On any first two cards."
	}
	totals := strings.Trim(s.value, "[]")
	if last := strings.LastIndex(totals, ","); last >= 0 {
		totals = totals[:last] + " or" + totals[last+1:]
	}
	return "On two cards that total " + totals + "."
}

func splits(s subject) string {
	switch s.rules.Split.Max {
	case rules.Unlimited:
		return "Two cards of the same value may be split, without limit."
	case 0:
		return "No hand may be split."
	}
	return fmt.Sprintf("Two cards of the same value may be split, at most %d times per box.", s.rules.Split.Max)
}

// amount puts a side bet's limit into a sentence: its rule and, if that is not an
// amount itself, the amount at the profile's own table.
func amount(format string, here func(*rules.Offer) int64) saying {
	return func(s subject) string {
		rule := limitWords(s.value)
		if rule != s.value {
			rule += fmt.Sprintf(" (here %s)", rules.Money(here(s.offer())))
		}
		return fmt.Sprintf(format, rule)
	}
}

// limitWords puts a limit such as "2 min" or "1/10 box_max" into words.
func limitWords(limit string) string {
	of := map[string]string{"min": "the table's minimum", "box_max": "the box maximum", "unit": "the payable unit"}
	times, base, part := strings.Cut(limit, " ")
	switch {
	case !part && of[limit] != "":
		return of[limit]
	case !part:
		return limit
	case strings.Contains(times, "/"):
		return times + " of " + of[base]
	}
	return times + " times " + of[base]
}

func decidedBy(s subject) string { return "Decided by " + s.bet.Bet.Decided() + "." }

var bettorWords = map[string]string{
	"anybody":    "Every guest may bet, with or without a main stake.",
	"with-stake": "Anyone with a main stake on the box may bet.",
	"seated":     "Anyone with a main stake on the box and a seat may bet.",
	"holders":    "The holder of the box may bet.",
}
