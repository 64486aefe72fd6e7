// What follows finds what does not belong into a text that people read: a name of the program's own, such as
// shoe-offline, or a word of another language than the text's.

package displaytest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// telling are words that give a language away: each occurs in hardly any text of another.
var telling = map[string]string{
	"en": "the of and is with which from this that have has been cannot does its yet made none there shoe stakes " +
		"bets until",
	"de": "der das und nicht ist wird werden eine einen dem den mit für auf kein keine wurde sind oder noch",
	"fr": "les est une pas avec pour dans cette sont par être aux leur déjà",
	"it": "della è che sono dal nel alla questo questa degli già dalla",
}

var (
	filled  = regexp.MustCompile(`\{[^{}]*\}`)
	anyWord = regexp.MustCompile(`[\p{L}’']+`)
	coded   = regexp.MustCompile(`[a-z0-9]+(?:-[a-z0-9]+)+`)
	latin   = regexp.MustCompile(`[\p{Latin}][\p{Latin}0-9’'._/@-]*`)
	// typed is what stands as it is typed at a computer.
	typed = regexp.MustCompile(`(?:sudo )?\b(?:sabotd?|systemctl|journalctl|apt-get)\b(?: -{0,2}[a-z0-9-]+)*`)
)

// Identifiers are the names that the engine gives to what happens, as far as no language has such a word.
var Identifiers = func() map[string]bool {
	all := map[string]bool{}
	collect(all, irregularity.EveryCode)
	collect(all, irregularity.EveryChoice)
	collect(all, vocab.EveryReason)
	collect(all, vocab.EveryWhy)
	collect(all, vocab.EveryDone)
	collect(all, vocab.EveryCall)
	return all
}()

func collect[T fmt.Stringer](all map[string]bool, every func(yield func(T) bool)) {
	for one := range every {
		if name := one.String(); strings.Contains(name, "-") {
			all[name] = true
		}
	}
}

// Foreign returns what a text in a language, by its code, says that it should not; nil for nothing. What is filled in,
// as {box}, and what is typed at a computer is passed over. Chinese may have no Latin letters but in the words that are
// allowed.
func Foreign(language, text string, allowed map[string]string) (found []string) {
	text = typed.ReplaceAllString(filled.ReplaceAllString(text, " "), " ")
	for _, name := range coded.FindAllString(text, -1) {
		if Identifiers[name] && allowed[name] == "" {
			found = append(found, name)
		}
	}
	if language == "zh" {
		for _, word := range latin.FindAllString(text, -1) {
			if word = strings.TrimRight(word, ".-/’'"); !permitted(word, allowed) {
				found = append(found, word)
			}
		}
		return found
	}
	own := strings.Fields(telling[language])
	for _, word := range anyWord.FindAllString(strings.ToLower(text), -1) {
		for _, other := range slices.Sorted(maps.Keys(telling)) {
			if other != language && slices.Contains(strings.Fields(telling[other]), word) &&
				!slices.Contains(own, word) && allowed[word] == "" {
				found = append(found, word)
			}
		}
	}
	return found
}

// permitted passes over single letters, what has digits or is written in capitals, and what a program is called.
func permitted(word string, allowed map[string]string) bool {
	capitals := !strings.ContainsFunc(word, unicode.IsLower)
	return len([]rune(word)) == 1 || capitals || strings.ContainsAny(word, "0123456789._/@") || allowed[word] != ""
}
