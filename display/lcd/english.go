package lcd

import (
	"maps"

	"github.com/sabot-table/sabot/display"
)

// Language is what a dealer reads, in the few signs that a row has.
type Language struct {
	roomy, tight display.Language
}

// NewLanguage makes a language of texts as they are wanted and of shorter forms of
// those that do not always fit into a row. What roomy lacks is said as display's English
// says it. A space that must not end a row is written as \u00a0.
func NewLanguage(roomy, tight display.Language) *Language {
	l := &Language{roomy: roomy, tight: maps.Clone(roomy)}
	maps.Copy(l.tight, tight)
	return l
}

// English has a form for every text of display.English that this display has to say
// and that is longer than a row.
var English = NewLanguage(roomy, tight)

var roomy = display.Language{
	"number.group": "",

	"list.or":    " or ",
	"list.comma": " ",

	"prompt.idle":       "OPEN THE BETS",
	"prompt.shuffle":    "SHUFFLE, LOAD SHOE",
	"prompt.bets":       "TAKE BETS",
	"prompt.box":        "CARD TO BOX {box}",
	"prompt.box-hand":   "CARD TO BOX {box}.{hand}",
	"prompt.bank":       "CARD TO THE BANK",
	"prompt.bank-draws": "BANK DRAWS",
	"prompt.call":       "BOX {box}: {calls}?",
	"prompt.call-hand":  "BOX {box}.{hand}: {calls}?",
	"prompt.offer":      "{calls}?",
	"prompt.payment":    "PAY AND PRESS PAID",
	"prompt.wait":       "WAIT",
	"prompt.rejected":   "NO: {why}",

	"detail.bets":           "THEN NO MORE BETS",
	"detail.insurance":      "UP TO HALF, THEN INSURANCE CLOSED",
	"detail.insurance-half": "HALF THE STAKE, THEN INSURANCE CLOSED",
	"detail.insurance-none": "THEN INSURANCE CLOSED",
	"detail.payment":        "PAY {price}",
	"detail.payment-odds":   "PAY BY ODDS",
	"detail.shuffle":        "CUT CARD CAME: PRESS SHOE LOADED",
	"detail.surrender":      "EACH MAY SURRENDER",
	"detail.shoe-offline":   "SHOE OFFLINE: DEAL NO CARD",
	"detail.shoe-alarm":     "SHOE: {alarm}",

	"held.stop":                    "STOP {what}",
	"held.dealer":                  "DEALER: {dealer}",
	"held.supervisor":              "SUPERVISOR: {supervisor}",
	"held.both":                    "DEALER: {dealer} SUPERVISOR: {supervisor}",
	"held.call":                    "CALL A SUPERVISOR",
	"held.wait.shoe-offline":       "DEAL NO CARD UNTIL THE SHOE IS BACK",
	"held.wait.shoe-alarm":         "DEAL NO CARD: SEE TO THE SHOE",
	"held.wait.storage-failing":    "DEAL NO CARD: CALL A TECHNICIAN",
	"held.wait.contradictory-keys": "TWO KEYS AT ONCE: PRESS AGAIN",

	"call.card":       "CARD",
	"call.rest":       "REST",
	"call.double":     "DOUBLE",
	"call.split":      "SPLIT",
	"call.surrender":  "SURRENDER",
	"call.higher":     "HIGHER",
	"call.lower":      "LOWER",
	"call.insurance":  "INSURANCE",
	"call.even-money": "EVEN\u00a0MONEY",

	"irregularity.unread-card":        "UNREAD CARD",
	"irregularity.unexpected-card":    "UNEXPECTED CARD",
	"irregularity.card-without-call":  "CARD, NO CALL",
	"irregularity.bank-overdraw":      "BANK OVERDRAWN",
	"irregularity.bank-must-draw":     "BANK MUST DRAW",
	"irregularity.foreign-card":       "FOREIGN CARD",
	"irregularity.foreign-joker":      "FOREIGN JOKER",
	"irregularity.lost-cards":         "CARDS LOST",
	"irregularity.contradictory-keys": "TWO KEYS",
	"irregularity.payout-mismatch":    "WRONG PAYMENT",
	"irregularity.shoe-offline":       "SHOE OFFLINE",
	"irregularity.shoe-alarm":         "SHOE ALARM",
	"irregularity.shoe-exhausted":     "SHOE EMPTY",
	"irregularity.storage-failing":    "NO RECORD",

	"choice.identify":   "IDENTIFY",
	"choice.burn":       "BURN",
	"choice.void-round": "VOID\u00a0ROUND",
	"choice.next-card":  "NEXT\u00a0CARD",
	"choice.next-round": "NEXT\u00a0ROUND",
	"choice.accept":     "ACCEPT",
	"choice.none-drawn": "NONE\u00a0DRAWN",
	"choice.corrected":  "PAID\u00a0AGAIN",
	"choice.online":     "SHOE\u00a0BACK",
	"choice.cleared":    "ALARM\u00a0CLEARED",
	"choice.reload":     "RELOAD",

	"rejected.below-minimum":           "below minimum",
	"rejected.above-maximum":           "above maximum",
	"rejected.round-running":           "round running",
	"rejected.no-round":                "no round open",
	"rejected.not-the-amount":          "wrong amount",
	"rejected.not-a-multiple":          "not payable",
	"rejected.box-not-played":          "box not played",
	"rejected.not-seated":              "seated only",
	"rejected.single-player-two-boxes": "play two boxes",
	"rejected.call-not-allowed":        "call not allowed",
	"rejected.holder-must-join":        "holder must join",
	"rejected.not-held":                "not held",
	"rejected.round-held":              "round is held",
	"rejected.bank-must-draw":          "bank must draw",

	"count.left":     "{n} LEFT",
	"count.left-one": "{n} LEFT",

	"done.bust":      "BUST",
	"done.blackjack": "BJ",

	"word.aside":       "ASIDE",
	"word.bank":        "BANK",
	"word.box":         "BOX",
	"word.boxes":       "BOXES",
	"word.by-odds":     "BY ODDS",
	"word.card":        "CARD",
	"word.cut-card":    "CUT CARD: LAST ROUND",
	"word.count-off":   "COUNT OFF",
	"word.hand":        "HAND",
	"word.lost":        "THE TABLE STOPPED",
	"word.lost-detail": "DEAL NO CARD",
	"word.nothing":     "NOTHING TO PAY",
	"word.odds":        "ODDS",
	"word.pay":         "PAY",
	"word.press-paid":  "THEN PRESS PAID",
	"word.pt":          "PT",
	"word.pts":         "PTS",
	"word.round":       "ROUND",
	"word.void":        "VOID: STAKES BACK",
}

var tight = display.Language{
	"list.or": " ",

	"prompt.call":      "BOX {box} {calls}?",
	"prompt.call-hand": "BOX {box}.{hand} {calls}?",
	"call.double":      "DBL",
	"call.surrender":   "SURR",
	"call.even-money":  "EVEN",

	"held.both": "DEALER: {dealer} SUP:\u00a0{supervisor}",

	"choice.void-round": "VOID",
}
