package config_test

import (
	"path/filepath"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/table/profile"
)

const dutch = "language.code = nl\nlanguage.tag = nl\nlanguage.name = Nederlands\ncall.card = Kaart\nlcd.call.card " +
	"= KAART\n"

// TestOwnLanguage: a language of the house's own is chosen like those of Sabot, and has
// the words of a house's own file.
func TestOwnLanguage(t *testing.T) {
	folder := t.TempDir()
	language, house := filepath.Join(folder, "nl.properties"), filepath.Join(folder, "mine.yaml")
	writeFile(t, language, dutch)
	writeFile(t, house,
		"extends: schaffhausen\nhouse: mine\nwords:\n  nl:\n    call.rest: Wacht\n    lcd.call.rest: WACHT\n  de: "+
			"{key.open: Los}\n")
	c, err := config.Parse("sabot.yaml", []byte(leastOfAll+"languages: ["+language+"]\nlanguage: nl\nhouse_file: "+
		house+"\n"+proven), profile.Built())
	if err != nil {
		t.Fatal(err)
	}
	l := c.Speaks(profile.Built())
	here := l.In("mine")
	for _, said := range []struct{ got, want string }{
		{l.Name(), "Nederlands"},
		{l.Label(display.LabelCall, "card"), "Kaart"},
		{l.Label(display.LabelCall, "rest"), "Stand"},
		{here.Label(display.LabelCall, "card"), "Kaart"},
		{here.Label(display.LabelCall, "rest"), "Wacht"},
	} {
		if said.got != said.want {
			t.Errorf("it says %q, want %q", said.got, said.want)
		}
	}
	menu := l.Menu()
	if len(menu) != 6 || menu[5].Code() != "nl" {
		t.Fatalf("the menu has %d languages", len(menu))
	}
	german := menu[0].In("mine")
	if got := german.Label("key", "open") + ", " + german.Label(display.LabelCall, "rest"); got != "Los, Stay" {
		t.Errorf("in German it says %q, want its own word, and that of the house it extends", got)
	}
}

func TestOwnLanguageFaults(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		writeFile(t, path, text)
		return path
	}
	good, bad := file("nl.properties", dutch), file("bad.properties", dutch+"call.rest\nlcd.call.split = 切牌\n")
	wide := file("wide.properties", dutch+"lcd.irregularity.lost-cards = KAARTEN VERDWENEN\n")
	german, swiss := file("de.properties", "language.code = de\nlanguage.tag = de\nlanguage.name = Deutsch\n"),
		file("nl-CH.properties", dutch[:len("language.code = nl\nlanguage.tag = nl")]+
			"-CH\nlanguage.name = N\nlanguage.like = de\n")
	worded := file("worded.yaml",
		"extends: wiesbaden\nhouse: mine\nwords:\n  de:\n    call.rest: Halt\n    call.crad: Karte\n  nl: "+
			"{call.card: Kaart}\n")
	long := file("long.yaml",
		"extends: wiesbaden\nhouse: mine\nwords:\n  de:\n    call.rest: Halt\n    lcd.call.rest: HALTEN UND NICHTS "+
			"MEHR NEHMEN\n")
	for _, c := range []struct{ text, want string }{
		{
			"languages: [nl.properties]\nhouse: baden\n",
			`sabot.yaml:4:13: languages[0]: "nl.properties" is not an absolute path; begin it with /`,
		},
		{
			"languages: [/absent]\nhouse: baden\n",
			"sabot.yaml:4:13: languages[0]: read the language: open /absent: no such file or directory; let the " +
				"user that runs the daemon read it",
		},
		{
			"language: nl\nhouse: baden\n",
			`sabot.yaml:4:11: language: "nl" is not known; write de, de-CH, it, it-CH, fr, fr-CH, en, en-CH, zh or zh-CH`,
		},
		{
			"languages: [" + bad + "]\nhouse: baden\n",
			bad + `:6:1: the line has no "="; write it as key = text, or begin it with # if it is a remark` + "\n" +
				bad + `:7:18: lcd.call.split: would be shown as "??"; write it in ASCII, ä, ö and ü`,
		},
		{
			"languages: [" + wide + "]\nhouse: baden\n",
			wide +
				`:6:31: lcd.irregularity.lost-cards: takes more room than 1 × 20 characters: ["STOP KAARTEN VERDWE…"]; say it in fewer characters, or have the shorter form lcd.KEY.short`,
		},
		{"languages: [" + german + "]\nhouse: baden\n", german +
			`:1:17: language.code: "de" is a language already; give the file another code; single words of a house are better in its profile, see docs/houses.md`},
		{
			"languages: [" + good + ", " + good + "]\nhouse: baden\n",
			good +
				`:1:17: language.code: "nl" is a language already; give the file another code; single words of a house are better in its profile, see docs/houses.md`,
		},
		{
			"languages: [" + swiss + "]\nhouse: baden\n",
			swiss +
				`:2:16: language.tag: "nl-CH" is how Switzerland writes a language; leave -CH away: a Swiss table writes the numbers so by itself`,
		},
		{
			"languages: [" + wide + "]\nlanguage: nl\nhouse_file: " +
				file("dutch.yaml", "extends: baden\nhouse: mine\nwords: {nl: {call.crad: Kaart}}\n") + "\n",
			wide +
				`:6:31: lcd.irregularity.lost-cards: takes more room than 1 × 20 characters: ["STOP KAARTEN VERDWE…"]; say it in fewer characters, or have the shorter form lcd.KEY.short` + "\n" +
				filepath.Join(folder, "dutch.yaml") +
				`:3:25: words.nl."call.crad": is not a known key; did you mean "call.card"?`,
		},
		{"house_file: " + worded + "\n", worded +
			`:5:16: words.de."call.rest": would leave "REST" on the character display; add lcd.call.rest` + "\n" +
			worded + `:6:16: words.de."call.crad": is not a known key; did you mean "call.card"?` + "\n" +
			worded + `:7:7: words.nl: "nl" is no language of this table; write one of de, it, fr, en, zh`},
		{"house_file: " + long + "\n", long +
			`:6:20: words.de."lcd.call.rest": takes more room than 2 × 20 characters: ["BOX 9.12 HALTEN UND" "NICHTS MEHR NEHMEN …"]; say it in fewer characters, or have the shorter form lcd.KEY.short`},
	} {
		_, err := config.Parse("sabot.yaml", []byte(leastOfAll+c.text+proven), profile.Built())
		if err == nil || err.Error() != c.want {
			t.Errorf("%s\ngives %v\nwant  %s", c.text, err, c.want)
		}
	}
}
