package lcd_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/displaytest"
	"github.com/sabot-table/sabot/display/lcd"
)

// rewrite says whether the golden files are to be written anew: the flag is
// datadriven's, with which the samples are played.
func rewrite() bool { return flag.Lookup("rewrite").Value.String() == "true" }

// TestSamples compares every sample's picture with those in testdata, in each language
// that the display writes.
func TestSamples(t *testing.T) {
	for file, language := range map[string]display.Language{
		"samples.txt": display.English, "samples-de.txt": display.German,
		"samples-it.txt": display.Italian, "samples-fr.txt": display.French,
	} {
		t.Run(file, func(t *testing.T) {
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
