package dashboard

import (
	"strconv"
	"strings"
)

// amount is Amount, of more than nothing.
func amount(text string, digits int) (minor int64, ok bool) {
	minor, ok = Amount(text, digits)
	return minor, ok && minor > 0
}

// Amount reads an amount of money as people of all languages write it: a point or a comma has decimals after it if
// these are no more than the currency's, and divides thousands if they are three. In a currency of three decimals a
// comma before three digits may be either, and is refused.
func Amount(text string, digits int) (minor int64, ok bool) {
	text = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "'", "", "’", "").Replace(strings.TrimSpace(text))
	part := ""
	if digits == 3 && strings.Count(text, ",") == 1 && strings.IndexByte(text, ',') == len(text)-4 {
		return 0, false // 1,234 is one and a bit to some, and a thousand to others
	}
	if at := strings.LastIndexAny(text, ".,"); at >= 0 && len(text)-at-1 <= digits {
		text, part = text[:at], text[at+1:]
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
