package configfile

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/lcd"
	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/internal/diag"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// CheckLanguage returns what is wrong with a language file on all displays.
func CheckLanguage(f words.File, among *display.Library) diag.List {
	wrong := among.Check(f)
	if !clear(f, wrong) {
		return wrong
	}
	l, _ := among.Add(f).Speak(f.Text(words.Code))
	said := map[string]string{}
	for _, e := range f.Entries {
		said[e.Key] = e.Text
	}
	for _, m := range lcd.Check(l, said) {
		e := f.Entry(m.Key)
		wrong = append(wrong, diag.Fault{
			File: f.Name, Line: e.Line, Column: e.At, Path: m.Key, What: m.What,
			Hint: m.Hint,
		})
	}
	wrong.Sort()
	return wrong
}

// clear says whether a file tells which language it is, whatever else is wrong with it.
func clear(f words.File, wrong diag.List) bool {
	unclear := slices.ContainsFunc(wrong, func(f diag.Fault) bool { return strings.HasPrefix(f.Path, "language.") })
	return !unclear && f.Text(words.Code) != ""
}

// AddLanguage reads a house's own language file and returns the languages with it. Faults of
// the file are a diag.List; its language is then among those returned, if it is clear
// which it is, for finding further faults and nothing else.
func AddLanguage(among *display.Library, file string) (*display.Library, error) {
	data, err := strictyaml.ReadFile(os.Open(file))
	if err != nil {
		return among, fmt.Errorf("read the language: %w", err)
	}
	f := words.Parse(file, data)
	wrong := CheckLanguage(f, among)
	refuse := func(e words.Entry, what, hint string) {
		wrong = append(wrong, diag.Fault{
			File: file, Line: e.Line, Column: e.At, Path: e.Key,
			What: fmt.Sprintf("%q %s", e.Text, what), Hint: hint,
		})
	}
	if tag := f.Entry(words.Tag); strings.HasSuffix(tag.Text, words.Swiss) {
		refuse(tag, "is how Switzerland writes a language", "leave "+words.Swiss+
			" away: a Swiss table writes the numbers so by itself")
	}
	code := f.Entry(words.Code)
	if _, taken := among.Speak(code.Text); taken {
		refuse(code, "is a language already",
			"give the file another code; single words of a house are better in its profile, see docs/houses.md")
	}
	if clear(f, wrong) {
		among = among.Add(f)
	}
	return among, wrong.Err()
}

// ProfileWordsAlone checks the words in a house's profile without its table: a language that
// Sabot does not have is taken for one of the house's own.
func ProfileWordsAlone(own map[string]map[string]string) rules.Complaints {
	among := display.BuiltIn()
	for code := range own {
		f := words.Parse(code, fmt.Appendf(nil, "%s = %s\n%s = %s\n%s = %s\n", words.Code, code, words.Tag, code,
			words.Name, code))
		if _, known := among.Speak(code); !known && len(among.Check(f)) == 0 {
			among = among.Add(f)
		}
	}
	return ProfileWords(among)(own)
}

// ProfileWords checks the words in a house's profile, for a table that speaks some
// languages.
func ProfileWords(among *display.Library) profile.WordCheck {
	return func(own map[string]map[string]string) rules.Complaints {
		var wrong rules.Complaints
		for _, f := range among.CheckHouse(own) {
			wrong = append(wrong, rules.Complaint{Path: f.Path, What: f.What, Hint: f.Hint})
		}
		if len(wrong) > 0 {
			return wrong
		}
		const house = "own"
		for _, code := range slices.Sorted(maps.Keys(own)) {
			l, _ := among.With(display.Houses{house: own}).Speak(code)
			for _, m := range lcd.Check(l.In(house), own[code]) {
				wrong = append(wrong, rules.Complaint{
					Path: code + "." + strconv.Quote(m.Key), What: m.What,
					Hint: m.Hint,
				})
			}
		}
		return wrong
	}
}
