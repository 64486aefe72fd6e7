package profile_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// TestFaults reads the files in testdata/faults: "file" is a whole profile, and "extend
// HOUSE" what a profile changes in another.
func TestFaults(t *testing.T) {
	datadriven.Walk(t, "testdata/faults", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			text := d.Input + "\n"
			switch d.Cmd {
			case "file":
			case "extend":
				text = "extends: " + d.CmdArgs[0].Key + "\nhouse: mine\n" + text
			default:
				d.Fatalf(t, "unknown command %q", d.Cmd)
			}
			r, err := profile.Built().Parse("house.yaml", []byte(text))
			if err == nil {
				return "ok\n"
			}
			if r != nil {
				t.Errorf("%s: Parse returned both rules and faults", d.Pos)
			}
			return err.Error() + "\n"
		})
	})
}

const mine = "extends: wiesbaden\nhouse: mine\n"

// A house that extends another differs in what it writes, and in nothing else.
func TestExtending(t *testing.T) {
	base := profile.Built()["wiesbaden"]
	want := map[string]string{}
	for path, value := range base.Values() {
		want[path] = value
	}
	want["house"], want["table.min"], want["double.on"], want["side_bets[0].pays[1].pays"] = "mine", "20.00",
		"[11]", "12:1"
	r := parse(t, mine+`table: {min: 20}
double: {on: [11]}
side_bets:
  - bet: twins
    bettors: anybody
    least: 10.00
    most: 100.00
    step: 10.00
    box_most: 200.00
    one_per_bettor: false
    pay_at_once: true
    take_at_once: true
    pays: [{line: twins-joker, pays: "200:1"}, {line: twins, pays: "12:1"}]
`)
	for path := range base.Values() {
		if strings.HasPrefix(path, "side_bets[1]") {
			delete(want, path) // a written list replaces the other
		}
	}
	for path, value := range r.Values() {
		if want[path] != value {
			t.Errorf("%s is %s, want %s", path, value, want[path])
		}
		delete(want, path)
	}
	if len(want) > 0 {
		t.Errorf("%v is missing", want)
	}
	if base.Table.Min != 1000 || len(base.Double.On) != 3 || len(base.SideBets) != 2 {
		t.Error("the house that is extended has changed")
	}
}

// The fingerprint depends on the values alone, not on the file or on what it extends.
func TestFingerprint(t *testing.T) {
	plain := parse(t, mine)
	for text, same := range map[string]bool{
		"# A comment.\n" + mine + "\n":                         true,
		mine + "table: {min: 10}  # clause 4\n":                true,
		mine + "words: {de: {call.rest: Halt}}\n":              true,
		"extends: mine\nhouse: mine\n":                         false,
		mine + "table: {min: 10.5}\n":                          false,
		mine + "title: Mine\n":                                 false,
		mine + "repeat_side_bets: true\n":                      false,
		"extends: wiesbaden\nhouse: mine-too\n":                false,
		mine + "pays: {bonus_black_jack: \"3:2\"}\n":           false,
		mine + "pays: {black_jack: \"6:4\"}\n":                 false,
		mine + "jackpot: {seed: 1, feeds: \"1:1\", envy: 1}\n": false,
	} {
		book := profile.Built()
		if strings.Contains(text, "extends: mine") {
			text = strings.Replace(text, "house: mine", "house: other", 1)
			book = book.With(plain)
		}
		r, err := book.Parse("house.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if (r.Fingerprint == plain.Fingerprint) != same {
			t.Errorf("the fingerprint is the same: %v, of\n%s", !same, text)
		}
	}
}

// TestWords: a house's words go over those of the house that it extends, and a WordCheck
// complains at the place of a wrong word.
func TestWords(t *testing.T) {
	const text = "extends: schaffhausen\nhouse: mine\nwords:\n  de:\n    call.rest: Halt\n  it: {call.rest: Sto}\n"
	check := func(own map[string]map[string]string) (wrong rules.Complaints) {
		if own["de"]["call.rest"] != "Halt" || own["de"]["key.close"] != "No more bets" ||
			own["it"]["call.rest"] != "Sto" {
			t.Errorf("the words are %q", own)
		}
		return rules.Complaints{{Path: `de."call.rest"`, What: "is wrong", Hint: "mend it"}}
	}
	_, err := profile.Built().Parse("mine.yaml", []byte(text), check)
	if err == nil || err.Error() != `mine.yaml:5:16: words.de."call.rest": is wrong; mend it` {
		t.Error(err)
	}
	h, err := profile.Built().Parse("mine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	words := profile.Built().With(h).Words()
	if words["mine"]["de"]["call.rest"] != "Halt" || words["schaffhausen"]["de"]["call.rest"] != "Stay" ||
		words["baden"] != nil {
		t.Errorf("the words are %q", words)
	}
	if words["st-moritz-65"]["it"]["outcome.stand-off"] != "Stand-off" {
		t.Error("the tables with 6:5 lack the words of their house")
	}
}

func TestOpen(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	for file, text := range map[string]string{
		"mine.yaml": mine, "mine.yml": mine, "mine": mine, "taken.yaml": "extends: wiesbaden\nhouse: wiesbaden\n",
		"bad.yaml": "house: mine\nhouse: yours\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ open, name, fault string }{
		{"baden", "baden", ""},
		{"mine.yaml", "mine", ""},
		{"mine.yml", "mine", ""},
		{"./mine", "mine", ""},
		{filepath.Join(folder, "mine"), "mine", ""},
		{"mine", "", `house "mine" is not known; known are baden, mendrisio`},
		{"", "", `house "" is not known`},
		{"taken.yaml", "", `taken.yaml:2:8: house: the name "wiesbaden" is another house's`},
		{"bad.yaml", "", "bad.yaml:2:1: house: is written twice"},
		{"absent.yaml", "", "read the house's rules: open absent.yaml"},
		{folder, "", "is a directory"},
	} {
		book, name, err := profile.Built().Open(c.open)
		switch {
		case c.fault != "":
			if err == nil || !strings.Contains(err.Error(), c.fault) || book != nil {
				t.Errorf("%q gives %v, want %s", c.open, err, c.fault)
			}
		case err != nil || name != c.name || book[name] == nil || book["wiesbaden"] == nil:
			t.Errorf("%q gives %q, %v", c.open, name, err)
		}
	}
	if _, known := profile.Built()["mine"]; known {
		t.Error("the book of the built-in houses has changed")
	}
	if _, _, err := profile.Built().Load("absent.yaml"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file gives %v", err)
	}
}

func TestLoadRefusesHugeFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "huge.yaml")
	if err := os.WriteFile(file, bytes.Repeat([]byte("#\n"), strictyaml.MaxSize), 0o600); err != nil {
		t.Fatal(err)
	}
	var faults strictyaml.Faults
	if _, _, err := profile.Built().Load(file); !errors.As(err, &faults) || len(faults) != 1 {
		t.Errorf("got %v", err)
	}
}

// Every built-in profile is found by its name, which its text has.
func TestBuilt(t *testing.T) {
	want := "baden mendrisio schaffhausen st-moritz st-moritz-65 wiesbaden"
	if got := strings.Join(profile.Built().Names(), " "); got != want {
		t.Errorf("the houses are %s, want %s", got, want)
	}
	for name := range profile.Built() {
		if text, err := os.ReadFile("houses/" + name + ".yaml"); err != nil ||
			!bytes.Contains(text, []byte("\nhouse: "+name+"\n")) {
			t.Errorf("%s: the source is %.60q, %v", name, text, err)
		}
	}
}

// FuzzParse: every file gives faults that point into it, or rules with which a table can
// be set up.
func FuzzParse(f *testing.F) {
	for name := range profile.Built() {
		text, err := os.ReadFile("houses/" + name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		f.Add(bytes.Replace(text, []byte("house: "), []byte("house: my-"), 1))
	}
	f.Add([]byte(mine + "table: {min: 1e3}\nside_bets: [{bet: twins, most: 1/3 min}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := profile.Built().Parse("house.yaml", data)
		var faults strictyaml.Faults
		switch {
		case errors.As(err, &faults) && r == nil:
			for _, fault := range faults {
				if fault.Line < 1 || fault.Line > bytes.Count(data, []byte("\n"))+1 || fault.What == "" {
					t.Errorf("fault outside the file: %v", fault)
				}
			}
		case err != nil || r == nil:
			t.Errorf("rules %v with error %v", r, err)
		default:
			if _, err := profile.Built().With(r).Set(rules.Setup{House: r.House, Profile: r.Fingerprint}); err != nil {
				t.Errorf("the rules were accepted, but the table was not: %v", err)
			}
			if again, err := profile.FromText(r.Text()); err != nil {
				t.Errorf("the rules were accepted, but their text was not: %v", err)
			} else {
				wantSame(t, again, r)
			}
		}
	})
}

// TestAmountsInTheCurrency: amounts are read with the decimals of the currency, wherever the file names it.
func TestAmountsInTheCurrency(t *testing.T) {
	house := func(currency, least string) string {
		return "house: own\ntable:\n  min: " + least + "\n  currency: " + currency + "\n"
	}
	for _, c := range []struct{ text, at string }{
		{house("JPY", "1000"), ""},
		{house("JPY", "10.00"), `own.yaml:3:8: table.min: "10.00" is not an amount: write it as 20`},
		{house("KWD", "1.250"), ""},
		{house("KWD", "1.2505"), `own.yaml:3:8: table.min: "1.2505" is not an amount: write it as 20 or 20.500`},
		{house("EUR", "1.25"), ""},
		{house("EUR", "1.250"), `own.yaml:3:8: table.min: "1.250" is not an amount: write it as 20 or 20.50`},
	} {
		_, err := profile.Built().Parse("own.yaml", []byte(c.text))
		if err == nil || c.at != "" && !strings.Contains(err.Error(), c.at) ||
			c.at == "" && strings.Contains(err.Error(), "table.min:") {
			t.Errorf("%s gives %v, want %q of table.min", c.text, err, c.at)
		}
	}
	_, err := profile.Built().Parse("own.yaml", []byte("extends: wiesbaden\nhouse: own\ntable: {currency: JPY}\n"))
	if err == nil || !strings.Contains(err.Error(),
		"own.yaml:3:19: table.currency: the amounts of wiesbaden are in EUR") {
		t.Errorf("a house with other decimals than that which it extends: %v", err)
	}
}
