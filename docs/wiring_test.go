package docs

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// header is the pin of each GPIO line on the board's header.
var header = map[int]int{
	2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8, 15: 10,
	16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}

// wired are the lines of wiring.md's table of pins, by the names in the configuration.
func wired(t *testing.T) map[string]int {
	t.Helper()
	row := regexp.MustCompile("(?m)^\\| `([a-z_0-9]+)` \\| GPIO(\\d+) \\| (\\d+) \\| (up|down) \\|")
	lines := map[string]int{}
	pins := map[string]string{}
	for _, f := range row.FindAllStringSubmatch(sectionOf(t, "wiring.md", "Pins"), -1) {
		name, pin := f[1], f[3]
		line, err := strconv.Atoi(f[2])
		if err != nil {
			t.Fatal(err)
		}
		if strconv.Itoa(header[line]) != pin {
			t.Errorf("%s: GPIO%d is at pin %d, not %s", name, line, header[line], pin)
		}
		if other := pins[pin]; other != "" {
			t.Errorf("%s and %s are both at pin %s", name, other, pin)
		}
		if up := line <= 8; up != (f[4] == "up") {
			t.Errorf("%s: GPIO%d is pulled the other way at reset", name, line)
		}
		pins[pin], lines[name] = name, line
	}
	if len(lines) < 20 {
		t.Fatalf("the table of pins has %d rows", len(lines))
	}
	return lines
}

// TestPins: every line is at its pin, none is used twice, the pins of I2C, UART and HAT are
// free, and outputs are pulled down until Sabot claims them.
func TestPins(t *testing.T) {
	lines := wired(t)
	for name, line := range lines {
		if line < 4 || line == 14 || line == 15 {
			t.Errorf("%s is on GPIO%d, which is left to I2C, UART or a HAT", name, line)
		}
	}
	for _, output := range []string{"green", "amber", "red", "buzzer", "lock"} {
		if lines[output] < 9 {
			t.Errorf("%s is on GPIO%d, which is pulled up at reset", output, lines[output])
		}
	}
}

// TestDrawing: the drawing has the same names at the same pins.
func TestDrawing(t *testing.T) {
	said := map[string]string{
		"green": "green lamp", "amber": "amber lamp", "red": "red lamp", "buzzer": "buzzer", "lock": "lock",
		"supervisor": "supervisor",
	}
	drawing := readPage(t, "pictures/wiring.svg")
	for name, line := range wired(t) {
		word := said[name]
		switch box, isBox := strings.CutPrefix(name, "box_"); {
		case isBox:
			word = "box " + box
		case word == "":
			word = strings.ToUpper(name)
		}
		label := regexp.MustCompile(`x="(262|348)" y="([\d.]+)"[^>]*>GPIO` + strconv.Itoa(line) + `: ` + word +
			`<`).FindStringSubmatch(drawing)
		if label == nil {
			t.Errorf("the drawing has no GPIO%d: %s", line, word)
			continue
		}
		column := map[string]string{"262": "285", "348": "325"}[label[1]]
		if !strings.Contains(drawing, `x="`+column+`" y="`+label[2]+
			`" font-size="14" text-anchor="middle" font-weight="bold">`+strconv.Itoa(header[line])+"<") {
			t.Errorf("the drawing has GPIO%d: %s beside another pin than %d", line, word, header[line])
		}
	}
}

// TestExampleIsWiredAlike: a key or lamp that the example configuration puts on the header
// is on the line in the drawing.
func TestExampleIsWiredAlike(t *testing.T) {
	lines := wired(t)
	setting := regexp.MustCompile(`(?m)^ *#?([a-z_0-9]+): GPIO(\d+)\b`)
	for _, f := range setting.FindAllStringSubmatch(readPage(t, "../deploy/sabot.example.yaml")+readPage(t,
		"wiring.md"), -1) {
		if line, known := lines[f[1]]; !known || strconv.Itoa(line) != f[2] {
			t.Errorf("%s: GPIO%s, but wiring.md has it on GPIO%d", f[1], f[2], line)
		}
	}
}
