package strictyaml_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/internal/strictyaml"
)

// colour is a type that reads itself.
type colour int

func (c *colour) UnmarshalText(text []byte) error {
	switch string(text) {
	case "red":
		*c = 1
	case "black":
		*c = 2
	default:
		return errors.New("a colour is red or black")
	}
	return nil
}

type port struct {
	Name string        `yaml:"name,required"`
	Baud int           `yaml:"baud"`
	Wait time.Duration `yaml:"wait"`
}

type table struct {
	Site   string            `yaml:"site,required"`
	Open   bool              `yaml:"open"`
	Boxes  uint8             `yaml:"boxes"`
	Shift  int8              `yaml:"shift"`
	Colour colour            `yaml:"colour"`
	Limit  *int              `yaml:"limit"`
	Shoe   port              `yaml:"shoe"`
	Spare  *port             `yaml:"spare"`
	Keys   []string          `yaml:"keys"`
	Ports  []port            `yaml:"ports"`
	Pays   map[string]int    `yaml:"pays"`
	Felt   map[colour]string `yaml:"felt"`
	Where  string            `yaml:"-"`
}

// TestDocuments reads the documents under testdata/documents: "decode" into an empty table,
// "defaults" into one that has every value, and "overlay" over one.
func TestDocuments(t *testing.T) {
	datadriven.Walk(t, "testdata/documents", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			v, read := table{}, strictyaml.DecodeIn
			switch d.Cmd {
			case "decode":
			case "defaults":
				v = defaults()
			case "overlay":
				v, read = defaults(), strictyaml.OverlayIn
			default:
				d.Fatalf(t, "unknown command %q", d.Cmd)
			}
			if err := read("", "t.yaml", []byte(d.Input+"\n"), &v).Err(); err != nil {
				return err.Error() + "\n"
			}
			return write(t, v)
		})
	})
}

func defaults() table {
	limit := 5
	return table{
		Site: "north", Boxes: 7, Limit: &limit, Shoe: port{Name: "ttyS0", Baud: 9600},
		Spare: &port{Name: "ttyS1", Baud: 300},
		Keys:  []string{"card", "rest"}, Pays: map[string]int{"pair": 11, "joker": 200},
	}
}

// write shows a table without its empty fields.
func write(t *testing.T, v table) string {
	t.Helper()
	whole, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(whole, &fields); err != nil {
		t.Fatal(err)
	}
	var empty map[string]any
	zero, err := json.Marshal(table{})
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(zero, &empty); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, name := range []string{
		"Site", "Open", "Boxes", "Shift", "Colour", "Limit", "Shoe", "Spare", "Keys", "Ports",
		"Pays", "Felt",
	} {
		if fmt.Sprint(fields[name]) != fmt.Sprint(empty[name]) {
			text, err := json.Marshal(fields[name])
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s %s\n", name, text)
		}
	}
	return b.String()
}

// TestHidden: no value and no key has a character that cannot be seen, however it is written.
func TestHidden(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{
			"name: \"a\\e[2Jb\"",
			"x.yaml:1:7: name: has the character U+001B, which cannot be seen; write on one line what can be seen",
		},
		{
			"name: \"a\\u202Eb\"",
			"x.yaml:1:7: name: has the character U+202E, which cannot be seen; write on one line what can be seen",
		},
		{
			"name: a\u200bb",
			"x.yaml:1:7: name: has the character U+200B, which cannot be seen; write on one line what can be seen",
		},
		{
			"name: |\n  a\n  round void",
			"x.yaml:1:7: name: has the character U+000A, which cannot be seen; write on one line what can be seen",
		},
		{
			"\"na\\nme\": a",
			"x.yaml:1:1: a key has the character U+000A, which cannot be seen; write on one line what can be seen",
		},
	} {
		var v struct {
			Name string `yaml:"name"`
		}
		err := strictyaml.Decode("x.yaml", []byte(c.text), &v).Err()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v\nwant %s", c.text, err, c.want)
		}
	}
}
