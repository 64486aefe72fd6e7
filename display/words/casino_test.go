package words_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/display/words"
)

// spoken are the words that casinos use, as dealers and pit bosses have told them, beside those that Sabot had: one row
// for each. Old finds the word that must stand nowhere in the language, but in the keys of but, whose reason is beside
// them; is is the whole text of a key.
var spoken = []struct {
	language, old string
	but           []string
	is            map[string]string
}{
	{
		language: "en", old: `(?i)\btake bets\b`,
		is: map[string]string{"prompt.bets": "Place your bets", "guest.bets": "Place your bets"},
	},
	{
		language: "en", old: `^(Win|Lost|Lose)$`,
		is: map[string]string{"outcome.win": "Wins", "outcome.lose": "Loses"},
	},
	// A round is voided, and what one has typed, or a stake, is taken back: only the first has the word of the round
	// with it.
	{language: "fr", old: `(?i)^annuler$`, but: []string{
		"pit.cancel", "people.cancel", // a dialog of the pit's page is left, and nothing is voided
		"first.key-undo", "input.undo", // the dealer's last key is taken back
	}, is: map[string]string{"choice.void-round": "annuler le coup"}},
	{language: "it", old: `(?i)^annulla$`, but: []string{
		"pit.cancel", "people.cancel", "first.key-undo", // as in French
	}, is: map[string]string{"choice.void-round": "annulla la mano"}},
	{language: "de", old: `(?i)^annullieren$`, is: map[string]string{"choice.void-round": "Coup annullieren"}},
	// What the bank takes is not paid.
	{language: "en", is: map[string]string{"key.taken": "Taken", "key.paid": "Paid"}},
	{language: "fr", is: map[string]string{"key.taken": "Ramassé", "key.paid": "Payé"}},
	{language: "it", is: map[string]string{"key.taken": "Ritirato", "key.paid": "Pagato"}},
	{
		language: "fr", old: `(?i)\btouche fausse\b|\bune carte est une autre\b`,
		is: map[string]string{"hold.key": "Mauvaise touche", "correct.rename": "Carte mal lue"},
	},
	{
		language: "fr", old: `(?i)\bs.annoncer\b`,
		is: map[string]string{"prompt.dealer": "Croupier\u00a0: prendre la table"},
	},
	{language: "fr", old: `(?i)\bnommer\b`, but: []string{"remedy.journal-unsealed"}, /* of a file */
		is: map[string]string{"choice.identify": "identifier"}},
	{
		language: "fr", old: `(?i)\baccepter les mises\b`,
		is: map[string]string{"prompt.bets": "Faites vos jeux", "guest.bets": "Faites vos jeux"},
	},
	{language: "fr", old: `(?i)(^|[^\pL])établis?([^\pL]|$)`, is: map[string]string{"origin.bench": "banc d’essai"}},
	// The key that opens the round keeps its name, "Spiel eröffnen": before it nobody may bet, after it the table
	// announces what is announced at a table. One text for both would not tell the two moments apart.
	{language: "de", old: `(?i)\beinsätze annehmen\b`, is: map[string]string{
		"prompt.bets": "Bitte das Spiel zu machen",
		"guest.bets":  "Bitte das Spiel zu machen",
	}},
	{language: "de", old: `(?i)\bmischers?\b`},
	{language: "de", old: `\bRunden?\b`}, // a round is a Coup
	{language: "fr", old: `(?i)\btour (suivant|précédent)`},
	{language: "it", old: `(?i)\bgir[oi] (seguent|precedent)`},
	{language: "de", old: `(?i)\bnennen\b.*\bfällig\b`, is: map[string]string{
		"choice.identify":     "Karte benennen",
		"effect.identify-box": "Gilt für Box {box}",
	}},
	{language: "zh", old: `停叫|不要牌|叫牌`, is: map[string]string{"call.rest": "停牌", "done.rest": "停牌", "call.card": "要牌"}},
	// A box that is named by its number is N号位; 牌箱 is a box without one, as in the houses' sheets.
	{language: "zh", old: `\{box\}号?(箱|牌箱)|(箱|牌箱)\s?\{box\}`, is: map[string]string{"past.box": "{box}号位"}},
	{language: "zh", is: map[string]string{
		"key.close": "买定离手", "guest.play": "买定离手",
		"effect.identify": "按桌上的牌认定：发到应得的位置",
	}},
}

// TestSpokenAtTables: where Sabot had a word that nobody says at a table, it has the one that is said.
func TestSpokenAtTables(t *testing.T) {
	for _, row := range spoken {
		for key, want := range row.is {
			if got := words.BuiltIn(row.language).Text(key); got != want {
				t.Errorf("%s: %s is %q, and at a table one says %q", row.language, key, got, want)
			}
		}
		if row.old == "" {
			continue
		}
		old, met := regexp.MustCompile(row.old), map[string]bool{}
		for _, code := range []string{row.language, row.language + "-CH"} {
			for _, e := range words.BuiltIn(code).Entries {
				if !old.MatchString(e.Text) {
					continue
				}
				met[e.Key] = true
				if !slices.Contains(row.but, e.Key) {
					t.Errorf("%s: %s is %q, with a word that nobody says at a table (%s)", code, e.Key, e.Text, row.old)
				}
			}
		}
		for _, key := range row.but {
			if !met[key] {
				t.Errorf("%s: %s no longer has what it is excepted for", row.language, key)
			}
		}
	}
}
