package term_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/term"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
)

// rewrite reports whether to rewrite the golden files: the flag is that of datadriven, which
// plays the samples.
func rewrite() bool { return flag.Lookup("rewrite").Value.String() == "true" }

func TestTextOfSamples(t *testing.T) {
	for _, s := range displaytest.Samples() {
		t.Run(s.Name, func(t *testing.T) {
			golden(t, s.Name, term.Screen{}.Text(s.View))
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	if rewrite() {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run the tests with -rewrite and read what it wrote", err)
	}
	if got != string(want) {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestTextStaysOnTheScreen(t *testing.T) {
	screens := []term.Screen{
		{},
		{Width: 80, Height: 10},
		{Width: 40, Height: 24},
		{Width: 200, Height: 80},
		{Width: 10, Height: 3},
	}
	for _, s := range displaytest.Samples() {
		for _, screen := range screens {
			lines := strings.Split(strings.TrimSuffix(screen.Text(s.View), "\n"), "\n")
			width, height := max(screen.Width, 10), screen.Height
			if screen.Width == 0 {
				width, height = 80, 24
			}
			if len(lines) > height {
				t.Errorf("%s on %dx%d: %d lines", s.Name, width, height, len(lines))
			}
			for _, l := range lines {
				if n := strings.Count(l, "") - 1; n > width {
					t.Errorf("%s on %dx%d: %d columns: %q", s.Name, width, height, n, l)
				}
			}
		}
	}
}

func TestWindowKeepsTheDueHandInSight(t *testing.T) {
	got := term.Screen{Height: 12}.Text(displaytest.Named("full"))
	for _, want := range []string{"► 5.3", "↑", "make the window higher"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}

func TestAmountsSurviveLongNames(t *testing.T) {
	got := term.Screen{Height: 100}.Text(displaytest.Named("long"))
	for _, want := range []string{"Maximiliane… +20.00", "王小明 +12,345,678.90", "−250,000.00"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}

func TestNamesCannotSteerTheTerminal(t *testing.T) {
	v := displaytest.Named("bets")
	v.Table = "a\x1b[2Jb"
	v.Boxes[0].Bettors[0].Name = "x\r\n\x07\u202ey"
	got := term.Screen{}.Text(v)
	if strings.ContainsAny(got, "\x1b\r\x07\u202e") || !strings.Contains(got, `x\x0d\x0a\x… 20.00`) {
		t.Errorf("%q", got)
	}
}

func TestColourOnlyWhereAllowed(t *testing.T) {
	v := displaytest.Named("held")
	if got := (term.Screen{}).Text(v); strings.Contains(got, "\x1b") {
		t.Errorf("escapes without colour: %q", got)
	}
	if got := (term.Screen{Colour: true}).Text(v); !strings.Contains(got, "\x1b[1;37;41m!! STOP") {
		t.Errorf("no colour: %q", got)
	}
}

func TestColours(t *testing.T) {
	tests := []struct {
		noColor, term string
		want          bool
	}{
		{"", "xterm", true},
		{"1", "xterm", false},
		{"", "dumb", false},
	}
	for _, tt := range tests {
		env := map[string]string{"NO_COLOR": tt.noColor, "TERM": tt.term}
		if got := term.Colours(func(k string) string { return env[k] }); got != tt.want {
			t.Errorf("NO_COLOR=%q TERM=%q: %v", tt.noColor, tt.term, got)
		}
	}
}

// counter counts the writes to it.
type counter struct {
	bytes.Buffer
	writes int
}

func (c *counter) Write(b []byte) (int, error) {
	c.writes++
	return c.Buffer.Write(b)
}

func TestDrawIsOneWriteWithoutClearing(t *testing.T) {
	var c counter
	if err := (term.Screen{}).Draw(&c, displaytest.Named("play")); err != nil {
		t.Fatal(err)
	}
	got := c.String()
	if c.writes != 1 || !strings.HasPrefix(got, "\x1b[H") || !strings.HasSuffix(got, "\x1b[K\x1b[J") ||
		strings.Contains(got, "\x1b[2J") {
		t.Errorf("%d writes: %q", c.writes, got)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestDrawTellsWhenItCannot(t *testing.T) {
	if err := (term.Screen{}).Draw(broken{}, display.View{}); err == nil {
		t.Error("no error")
	}
}

func TestDrawLost(t *testing.T) {
	var b bytes.Buffer
	if err := (term.Screen{}).DrawLost(&b, errors.New("connection refused")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"No connection to the table", "Stop dealing", "connection refused"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in %q", want, b.String())
		}
	}
}
