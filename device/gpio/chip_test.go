package gpio

import (
	"errors"
	"testing"
)

// pi has a chip like that of a Raspberry Pi, and two of another make, one of whose
// lines has a name that the first chip has too.
var pi = []Chip{
	{
		Name: "gpiochip0", Label: "pinctrl-bcm2711", Device: "fe200000.gpio",
		Lines: named("ID_SDA", "ID_SCL", "GPIO2", "GPIO3", "GPIO4", "", "", "WAKE"),
	},
	{Name: "gpiochip1", Label: "mcp23017", Device: "1-0020", Lines: named("", "", "WAKE", "OUT3")},
	{Name: "gpiochip2", Label: "mcp23017", Device: "1-0021", Lines: named("")},
}

func named(names ...string) (lines []Info) {
	for _, name := range names {
		lines = append(lines, Info{Name: name})
	}
	return lines
}

func mustParse(t *testing.T, text string) Line {
	t.Helper()
	l, err := ParseInput(text)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		line string
		want place
	}{
		{"GPIO4", place{0, 4}},
		{"gpiochip0:4", place{0, 4}},
		{"pinctrl-bcm2711:6", place{0, 6}},
		{"OUT3", place{1, 3}},
		{"gpiochip1:2", place{1, 2}},
		{"gpiochip2:0", place{2, 0}},
		{"1-0021:0", place{2, 0}},
		{"1-0020:2", place{1, 2}},
	} {
		if got, err := find(pi, mustParse(t, c.line), nil); got != c.want || err != nil {
			t.Errorf("%s is %v, %v; want %v", c.line, got, err, c.want)
		}
	}
}

func TestFindNothing(t *testing.T) {
	for _, c := range []struct {
		line string
		is   error
		want string
	}{
		{"GPIO17", ErrNoLine, "open keys.card (GPIO17): no such GPIO line: `gpioinfo` lists the lines"},
		{
			"WAKE", ErrAmbiguous,
			"open keys.card (WAKE): several GPIO lines have this name: write one of pinctrl-bcm2711:7, 1-0020:2",
		},
		{
			"mcp23017:0", ErrAmbiguous,
			"open keys.card (mcp23017:0): several GPIO lines have this name: write one of 1-0020, 1-0021 for the chip",
		},
		{"gpiochip0:8", ErrNoLine, "open keys.card (gpiochip0:8): no such GPIO line: gpiochip0 has the lines 0 to 7"},
		{
			"gpiochip4:2", ErrNoLine,
			"open keys.card (gpiochip4:2): no such GPIO line: there is no such chip: gpiochip0 is pinctrl-bcm2711, " +
				"gpiochip1 is mcp23017, gpiochip2 is mcp23017",
		},
	} {
		l := mustParse(t, c.line)
		l.Use = "keys.card"
		_, err := find(pi, l, nil)
		if !errors.Is(err, c.is) || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", c.line, err, c.want)
		}
	}
}
