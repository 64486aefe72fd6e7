package dashboard

import (
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
)

// amount is Amount, of more than nothing.
func amount(l display.Language, text string, digits int) (minor int64, ok bool) {
	minor, ok = Amount(l, text, digits)
	return minor, ok && minor > 0
}

// Amount reads an amount of money as people of all languages write it: a point or a comma has decimals after it if
// these are no more than the currency's, and divides thousands if they are three. Where three decimals may be either,
// as in 1,234 dinars, it is what the page's language writes, and else no amount.
func Amount(l display.Language, text string, digits int) (minor int64, ok bool) {
	text = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "'", "", "’", "").Replace(strings.TrimSpace(text))
	part := ""
	at := strings.LastIndexAny(text, ".,")
	if at >= 0 && len(text)-at-1 <= digits && !strings.Contains(text[:at], text[at:at+1]) {
		point, _ := l.Lookup("number.point")
		group, _ := l.Lookup("number.group")
		switch either := len(text)-at-1 == 3 && !strings.ContainsAny(text[:at], ".,"); {
		case !either || text[at:at+1] == point:
			text, part = text[:at], text[at+1:]
		case text[at:at+1] != group:
			return 0, false
		}
	}
	groups := strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == ',' })
	if len(groups) == 0 || len(groups) > 1 && len(groups[0]) > 3 || strings.Contains(text, ".") &&
		strings.Contains(text, ",") || strings.Count(text, ".")+strings.Count(text, ",") != len(groups)-1 {
		return 0, false
	}
	for _, g := range groups[1:] {
		if len(g) != 3 {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(strings.Join(groups, "")+part+strings.Repeat("0", digits-len(part)), 10, 62)
	return int64(n), err == nil
}
