package display_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/table/profile"
)

// everyLanguage goes through the language files that come with Sabot.
func everyLanguage(t *testing.T, check func(t *testing.T, f words.File)) {
	names := words.Names()
	if len(names) != 2*len(words.Menu) {
		t.Errorf("there are files of %q, and the menu has %q", names, words.Menu)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) { check(t, words.BuiltIn(name)) })
	}
}

// TestLanguagesAreInOrder: nothing that check-words would say is left.
func TestLanguagesAreInOrder(t *testing.T) {
	everyLanguage(t, func(t *testing.T, f words.File) {
		for _, wrong := range display.BuiltIn().Check(f) {
			t.Error(wrong)
		}
	})
}

// TestNothingIsLeftInEnglish: each language has all texts, in the order of the English
// file and with the English above them, and what is the same is so on purpose.
func TestNothingIsLeftInEnglish(t *testing.T) {
	var order []string
	for _, e := range words.BuiltIn("en").Entries {
		order = append(order, e.Key)
	}
	everyLanguage(t, func(t *testing.T, f words.File) {
		if strings.HasSuffix(f.Text(words.Tag), words.Swiss) {
			return
		}
		for _, gap := range display.Gaps(f) {
			t.Errorf("%s, in English %q, is not translated (line %d): translate it, or write en, kept: above it",
				gap.Key, gap.English, gap.Line)
		}
		last := 0
		for _, e := range f.Entries {
			if at := slices.Index(order, e.Key); at >= 0 {
				if at < last {
					t.Errorf("%s does not stand where it does in the English file", e.Key)
				}
				last = at
			}
			if !e.Noted && f.Text(words.Code) != "en" && !strings.HasPrefix(e.Key, "language.") {
				t.Errorf("%s has no English above it", e.Key)
			}
		}
	})
}

// TestEnglishIsAboveATranslation: a remark with English has a text under it.
func TestEnglishIsAboveATranslation(t *testing.T) {
	everyLanguage(t, func(t *testing.T, f words.File) {
		source, err := words.Source(strings.TrimSuffix(f.Name, ".properties"))
		if err != nil {
			t.Fatal(err)
		}
		under := map[int]bool{}
		for _, e := range f.Entries {
			under[e.Line] = true
		}
		n := 0
		for line := range strings.Lines(string(source)) {
			if n++; strings.HasPrefix(line, "# en") && !under[n+1] {
				t.Errorf("line %d is English without a translation: %s", n, line)
			}
		}
	})
}

// TestChineseLeavesTheCharactersAlone: the character display cannot write it; the others
// have words for it.
func TestChineseLeavesTheCharactersAlone(t *testing.T) {
	everyLanguage(t, func(t *testing.T, f words.File) {
		has := slices.ContainsFunc(f.Entries, func(e words.Entry) bool { return strings.HasPrefix(e.Key, "lcd.") })
		if code := f.Text(words.Code); code != "" && has == (code == "zh") {
			t.Errorf("words for the character display: %t", has)
		}
	})
}

// TestSwissFiles: each is like the language whose name it has.
func TestSwissFiles(t *testing.T) {
	for _, code := range words.Menu {
		if like := words.BuiltIn(code + words.Swiss).Text(words.Like); like != code {
			t.Errorf("%s%s is like %q", code, words.Swiss, like)
		}
	}
}

// TestCheck says what is wrong with language files: those in testdata/words.
func TestCheck(t *testing.T) {
	datadriven.RunTest(t, "testdata/words", func(t *testing.T, d *datadriven.TestData) string {
		switch d.Cmd {
		case "file":
			return inOrder(display.BuiltIn().Check(words.Parse("nl.properties", []byte(d.Input))).Err())
		case "house":
			own := map[string]map[string]string{}
			for line := range strings.Lines(d.Input) {
				code, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
				key, text, _ := strings.Cut(rest, " = ")
				if own[code] == nil {
					own[code] = map[string]string{}
				}
				own[code][key] = text
			}
			var all []string
			for _, f := range display.BuiltIn().CheckHouse(own) {
				all = append(all, f.Path+": "+f.What+"; "+f.Hint)
			}
			slices.Sort(all)
			return strings.Join(append(all, ""), "\n")
		case "gaps":
			gaps := display.Gaps(words.Parse("nl.properties", []byte(d.Input)))
			lcd := slices.ContainsFunc(gaps, func(g display.Gap) bool { return strings.HasPrefix(g.Key, "lcd.") })
			return fmt.Sprintf("all but %d, first %+v, last %+v\n", texts(lcd)-len(gaps), gaps[0], gaps[len(gaps)-1])
		}
		t.Fatalf("what is %s?", d.Cmd)
		return ""
	})
}

// texts counts what English has, with the words for the character display or without.
func texts(lcd bool) (n int) {
	for _, e := range words.BuiltIn("en").Entries {
		if lcd || !strings.HasPrefix(e.Key, "lcd.") {
			n++
		}
	}
	return n
}

func inOrder(err error) string {
	if err == nil {
		return "in order\n"
	}
	return err.Error() + "\n"
}

// TestHouseWords: the words of the houses that come with Sabot are in order, and are
// what the displays say there.
func TestHouseWords(t *testing.T) {
	found := 0
	all := display.BuiltIn().With(profile.Built().Words())
	for house, own := range profile.Built().Words() {
		for _, wrong := range display.BuiltIn().CheckHouse(own) {
			t.Errorf("%s: %v", house, wrong)
		}
		for code, texts := range own {
			for _, name := range []string{code, code + words.Swiss} {
				l, _ := all.Speak(name)
				for key, text := range texts {
					if key == words.House {
						continue // pairs, not a text
					}
					found++
					if got, _ := l.In(house).Lookup(key); !strings.HasPrefix(key, "lcd.") && got != text {
						t.Errorf("in %s %s is %q, want %q", house, key, got, text)
					}
				}
				if got := l.In("nowhere").Label(display.LabelOutcome, "stand-off"); got != l.Label(display.LabelOutcome,
					"stand-off") {
					t.Errorf("nowhere %s calls a stand-off %q", name, got)
				}
			}
		}
	}
	if found != 48 {
		t.Errorf("%d words of houses are found, want 48: is a house called otherwise now?", found)
	}
}

// TestWhatAHouseCallsOtherwise: a house's own name for a thing is in all texts, and comes before the shuffler's.
func TestWhatAHouseCallsOtherwise(t *testing.T) {
	all := display.BuiltIn().With(profile.Built().Words())
	for name, want := range map[string]string{"mendrisio": "发牌给{box}号牌箱", "wiesbaden": "发牌给{box}号位"} {
		zh, _ := all.Speak("zh")
		if got, _ := zh.In(name).Lookup("prompt.box"); got != want {
			t.Errorf("%s says %q, not %q", name, got, want)
		}
	}
	for pairs, want := range map[string]string{"Schlitten_weg Automat_fort": "", "Schlitten": "does not have pairs"} {
		var wrong string
		for _, f := range display.BuiltIn().CheckHouse(map[string]map[string]string{"de": {"language.house": pairs}}) {
			wrong += f.What
		}
		if wrong != want {
			t.Errorf("%q: %q, not %q", pairs, wrong, want)
		}
	}
	own := display.BuiltIn().With(display.Houses{"here": {"de": {"language.house": "Schlitten_weg Automat_fort"}}},
		"here")
	de, _ := own.Speak("de")
	for key, want := range map[string]string{"word.shoe-offline": "Automat fort", "word.shoe": "Mischmaschine ok"} {
		if got, _ := de.In("here").Lookup(key); got != want {
			t.Errorf("%s says %q, not %q", key, got, want)
		}
	}
}

// TestOwnLanguage: a language of a house's own stands in the menu, is written with the
// country's numbers in Switzerland, and is said as the one that it is like where it has
// no text.
func TestOwnLanguage(t *testing.T) {
	f := words.Parse("rm.properties",
		[]byte("language.code = rm\nlanguage.tag = rm\nlanguage.name = Rumantsch\nlanguage.like = de\n"+
			"number.group = ’\nnumber.point = ,\ncall.card = Charta\n"))
	if err := display.BuiltIn().Check(f).Err(); err != nil {
		t.Fatal(err)
	}
	all := display.BuiltIn().Add(f).With(display.Houses{"here": {"rm": {"call.card": "Carta"}}})
	for name, want := range map[string][4]string{
		"rm":    {"rm", "1’234,50 CHF", "Charta", "Danach „Versicherung zu“ drücken"},
		"rm-CH": {"rm-CH", "CHF 1’234.50", "Charta", "Danach «Versicherung zu» drücken"},
	} {
		l, ok := all.Speak(name)
		got := [4]string{
			l.Tag(), l.Price(123450, 2, "CHF"), l.Label(display.LabelCall, "card"),
			l.Say(display.Message{Key: "detail.insurance-none"}),
		}
		if !ok || got != want || l.Name() != "Rumantsch" || l.Code() != "rm" {
			t.Errorf("%s says %q, want %q", name, got, want)
		}
		if here := l.In("here").Label(display.LabelCall, "card"); here != "Carta" {
			t.Errorf("in the house's words it says %q", here)
		}
		if menu := l.Menu(); len(menu) != 6 || menu[5].Tag() != name || menu[0].Code() != "de" ||
			menu[0].Swiss() != l.Swiss() {
			t.Errorf("the menu beside %s has %d languages, the last %q", name, len(menu), menu[len(menu)-1].Tag())
		}
		if roomy, _ := l.OnCharacters(); roomy.Label(display.LabelCall, "double") != "VERDOPPELN" {
			t.Errorf("the character display in %s does not speak German", name)
		}
	}
	if !slices.Equal(all.Spoken(), append(display.Spoken(), "rm", "rm-CH")) {
		t.Errorf("known are %q", all.Spoken())
	}
}

// TestSwissGerman: the sheets of Baden and Schaffhausen have no ß and quote with «».
func TestSwissGerman(t *testing.T) {
	german, _ := display.Speak("de-CH")
	roomy, _ := german.OnCharacters()
	for _, e := range words.BuiltIn("en").Entries {
		for _, l := range []display.Language{german, roomy} {
			if text, _ := l.Lookup(strings.TrimPrefix(e.Key, "lcd.")); strings.ContainsAny(text, "ß„“") {
				t.Errorf("%s: %q", e.Key, text)
			}
		}
	}
	if got := german.Say(display.Message{Key: "detail.insurance-none"}); got != "Danach «Versicherung zu» drücken" {
		t.Error(got)
	}
}

func TestSpeak(t *testing.T) {
	for name, want := range map[string][2]string{
		"de": {"de", "Deutsch"}, "de-CH": {"de-CH", "Deutsch"}, "it": {"it", "Italiano"},
		"it-CH": {"it-CH", "Italiano"},
		"fr":    {"fr", "Français"}, "fr-CH": {"fr-CH", "Français"}, "en": {"en", "English"},
		"en-CH": {"en-CH", "English"},
		"zh":    {"zh-Hans", "中文"}, "zh-CH": {"zh-Hans-CH", "中文"},
	} {
		l, ok := display.Speak(name)
		if !ok || l.Tag() != want[0] || l.Name() != want[1] || l.Swiss() != strings.HasSuffix(name, "-CH") {
			t.Errorf("%s: %q %q %t", name, l.Tag(), l.Name(), ok)
		}
		if !slices.Contains(display.Spoken(), name) {
			t.Errorf("%s is not among %q", name, display.Spoken())
		}
	}
	for _, name := range []string{"", "DE", "de-AT", "zh-Hans", "tlh"} {
		if _, ok := display.Speak(name); ok {
			t.Errorf("%q is spoken", name)
		}
	}
	if display.English.Code() != "en" || len(display.English.Menu()) != len(words.Menu) {
		t.Error("a Language that nobody chose is not English")
	}
}
