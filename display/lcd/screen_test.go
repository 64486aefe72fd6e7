package lcd_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/displaytest"
	"github.com/sabot-table/sabot/display/lcd"
)

// rewrite says whether the golden files are to be written anew: the flag is
// datadriven's, with which the samples are played.
func rewrite() bool { return flag.Lookup("rewrite").Value.String() == "true" }

// TestSamples compares every sample's picture with testdata/samples.txt.
func TestSamples(t *testing.T) {
	var got strings.Builder
	for _, s := range displaytest.Samples() {
		got.WriteString(s.Name + "\n" + framed(lcd.Screen{}.Lines(s.View)) + "\n")
	}
	got.WriteString("stopped\n" + framed(lcd.Screen{}.Stopped()))
	file := filepath.Join("testdata", "samples.txt")
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
