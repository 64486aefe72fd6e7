package display

import (
	"strings"

	"github.com/sabot-table/sabot/table/sidebet"
)

// betPrefixes are how the keys of the texts begin that speak of side bets and their lines: houses have bets of their
// own. The first two have a text in any case.
var betPrefixes = [...]string{"wager.", "why.", "rule.decided-", "rule.line-"}

// OfBet says whether a text is of a side bet or of a line, and returns its name.
func OfBet(key string) (name string, is bool) {
	for _, prefix := range betPrefixes {
		if name, is := strings.CutPrefix(key, prefix); is && sidebet.WrongName(name) == "" {
			return name, true
		}
	}
	return "", false
}

// nameOfBet is the text of a side bet, or of a line, that nobody has put into words: its name.
func nameOfBet(key string) (text string, ok bool) {
	name, is := OfBet(key)
	if !is || strings.HasPrefix(key, "rule.") {
		return "", false
	}
	name = strings.ReplaceAll(name, "-", " ")
	return strings.ToUpper(name[:1]) + name[1:], true
}
