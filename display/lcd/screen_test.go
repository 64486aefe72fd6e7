package lcd_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/lcd"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// rewrite reports whether to rewrite the golden files: the flag is that of datadriven, which
// plays the samples.
func rewrite() bool { return flag.Lookup("rewrite").Value.String() == "true" }

// TestSamples compares every sample's picture with those in testdata, in each language
// that the display writes.
func TestSamples(t *testing.T) {
	for file, name := range map[string]string{
		"samples.txt": "en", "samples-de.txt": "de", "samples-it.txt": "it", "samples-fr.txt": "fr",
	} {
		t.Run(file, func(t *testing.T) {
			language, _ := display.BuiltIn().With(profile.Built().Words(), profile.Built().Shufflers()...).Speak(name)
			wantPictures(t, filepath.Join("testdata", file), lcd.Screen{Language: lcd.Speaking(language)})
		})
	}
}

func wantPictures(t *testing.T, file string, screen lcd.Screen) {
	t.Helper()
	var got strings.Builder
	for _, s := range displaytest.Samples() {
		got.WriteString(s.Name + "\n" + framed(screen.Lines(s.View)) + "\n")
	}
	got.WriteString("stopped\n" + framed(screen.Stopped()))
	if rewrite() {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run the tests with -rewrite and read what it wrote", err)
	}
	if got.String() != string(want) {
		t.Errorf("got:\n%swant:\n%s", got.String(), want)
	}
}

// TestOfferLeavesTheBank: whoever reads what is offered before the dealer looks sees the bank's cards, too.
func TestOfferLeavesTheBank(t *testing.T) {
	house := tabletest.Book()["early"]
	for _, up := range []string{"TD", "AD"} {
		var tab table.Table
		tab.Step(&vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: house.House}, Rules: house.Rules})
		lines := "open; stake 1 a 20; stake 2 b 20; stake 3 c 10; close; TS TC AS " + up + " 6H 6S KS XX"
		if _, err := tabletest.Play(&tab, lines); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"en", "de", "it", "fr"} {
			language, _ := display.BuiltIn().Speak(name)
			rows := lcd.Screen{Language: lcd.Speaking(language)}.Lines(display.From(&tab, "BJ 4", 1))
			if !strings.Contains(rows[lcd.Rows-1], "XX") {
				t.Errorf("%s, against %s, without the bank:\n%s", name, up, framed(rows))
			}
		}
	}
}

func framed(lines [lcd.Rows]string) string {
	return "|" + strings.Join(lines[:], "|\n|") + "|\n"
}
