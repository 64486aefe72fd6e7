package display

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/internal/diag"
)

// CheckHouse returns what is wrong with the words of a house, by language code and key.
// The Path of each fault is that of the text in a profile.
func (lib *Library) CheckHouse(own map[string]map[string]string) diag.List {
	var wrong diag.List
	for _, code := range slices.Sorted(maps.Keys(own)) {
		texts := own[code]
		l, spoken := lib.Speak(code)
		if !spoken || strings.HasSuffix(code, words.Swiss) {
			wrong = append(wrong, diag.Fault{
				Path: code, What: fmt.Sprintf("%q is no language of this table", code),
				Hint: "write one of " + strings.Join(lib.codes, ", "),
			})
			continue
		}
		stale := misquoted(l, texts)
		for _, key := range slices.Sorted(maps.Keys(stale)) {
			wrong = append(wrong, diag.Fault{
				Path: code,
				What: fmt.Sprintf("%s tells to press %q, which is on no key here", key, stale[key]), Hint: "add " +
					key + " in the house's words",
			})
		}
		for _, key := range slices.Sorted(maps.Keys(texts)) {
			if what, hint := l.houseMisworded(texts, key, texts[key]); what != "" {
				wrong = append(wrong, diag.Fault{Path: code + "." + strconv.Quote(key), What: what, Hint: hint})
			}
		}
	}
	return wrong
}

func (l Language) houseMisworded(own map[string]string, fileKey, text string) (what, hint string) {
	if fileKey == words.House {
		return unpaired(text, "号位 号牌箱")
	}
	if _, known := englishOf(fileKey); !known {
		if _, bets := OfBet(fileKey); bets {
			return "", "" // of a bet of its own, which the profile checks
		}
	}
	if what, hint = misworded(fileKey, text); what != "" {
		return what, hint
	}
	key, at := placed(fileKey)
	was, _ := Language{texts: l.texts, place: at}.Lookup(key)
	roomy, _ := Language{texts: l.texts, place: onCharacters}.Lookup(key)
	_, there := own[charactersPrefix+key]
	switch {
	case strings.HasPrefix(fileKey, "language."):
		return "is the language's, not a house's", "remove it"
	case was == text:
		return "is what every house says in this language", "remove it"
	case at == everywhere && l.hasCharacters() && roomy != was && !there:
		return fmt.Sprintf("would leave %q on the character display", roomy), "add " + charactersPrefix + key
	}
	return "", ""
}
