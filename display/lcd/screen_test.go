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
	"github.com/sabot-table/sabot/table/profile"
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

func framed(lines [lcd.Rows]string) string {
	return "|" + strings.Join(lines[:], "|\n|") + "|\n"
}
