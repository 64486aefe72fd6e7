package plaintext_test

import (
	"slices"
	"testing"

	"github.com/sabot-table/sabot/table/plaintext"
)

type colour uint8

const (
	red colour = iota + 1
	_
	blue
)

var colours = plaintext.Enum[colour]{red: "red", blue: "blue"}

func TestName(t *testing.T) {
	for _, c := range []struct {
		of   colour
		want string
	}{{0, ""}, {red, "red"}, {2, ""}, {blue, "blue"}, {4, "unnamed 4"}, {255, "unnamed 255"}} {
		if got := colours.Name(c.of); got != c.want {
			t.Errorf("the name of %d is %q, want %q", c.of, got, c.want)
		}
		if got := colours.Has(c.of); got != (c.of == red || c.of == blue) {
			t.Errorf("%d is a member: %t", c.of, got)
		}
	}
	if got := (plaintext.Enum[colour]{"none", "red"}).Name(0); got != "none" {
		t.Errorf("a named zero member is written %q", got)
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name string
		want colour
		ok   bool
	}{
		{"red", red, true},
		{"blue", blue, true},
		{"", 0, false},
		{"Red", 0, false},
		{"green", 0, false},
		{"unnamed 4", 0, false},
	} {
		if got, ok := colours.Parse(c.name); got != c.want || ok != c.ok {
			t.Errorf("%q is parsed as %d, %t, want %d, %t", c.name, got, ok, c.want, c.ok)
		}
	}
	if got, ok := (plaintext.Enum[colour]{"none", "red"}).Parse("none"); got != 0 || !ok {
		t.Errorf("a named zero member is parsed as %d, %t", got, ok)
	}
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		names plaintext.Enum[colour]
		text  string
		want  string
	}{
		{colours, "blue", ""},
		{colours, "", `"" is not a colour: write red or blue`},
		{colours, "gr\"n", `"gr\"n" is not a colour: write red or blue`},
		{plaintext.Enum[colour]{"a", "b", "c"}, "d", `"d" is not a colour: write a, b or c`},
		{plaintext.Enum[colour]{"a", ""}, "d", `"d" is not a colour: write a`},
	} {
		got := red
		err := c.names.Read(&got, []byte(c.text), "colour")
		switch {
		case c.want == "":
			if err != nil || got != blue {
				t.Errorf("%q is read as %d, %v", c.text, got, err)
			}
		case err == nil || err.Error() != c.want || got != red:
			t.Errorf("%q is read as %d, %v, want the error %s", c.text, got, err, c.want)
		}
	}
}

func TestEvery(t *testing.T) {
	if got := slices.Collect((plaintext.Enum[colour]{"none", "red"}).Every); !slices.Equal(got, []colour{0, red}) {
		t.Errorf("every member, including a named zero: %d", got)
	}
	if got := slices.Collect(colours.Every); !slices.Equal(got, []colour{red, blue}) {
		t.Errorf("every member: %d, want %d", got, []colour{red, blue})
	}
	for c := range colours.Every {
		if c != red {
			t.Fatal("Every continues after a break")
		}
		break
	}
}

func TestAllocatesNothing(t *testing.T) {
	n := 0
	count := func() {
		for c := range colours.Every {
			if back, ok := colours.Parse(colours.Name(c)); ok && back == c {
				n++
			}
		}
	}
	if allocations := testing.AllocsPerRun(100, count); allocations != 0 || n == 0 {
		t.Errorf("naming, parsing and listing allocate %v times in %d runs", allocations, n)
	}
}
