package strictyaml_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/strictyaml"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
)

func TestChange(t *testing.T) {
	const list = "supervisors:\n  names:\n    # the first\n    - {name: a, pin: b} # A\n    - {name: c, pin: " +
		"d}\n# end\n"
	for _, c := range []struct{ name, text, path, source, want string }{
		{"a value keeps its comment", "site: a # here\n", "site", "b", "site: b # here\n"},
		{"the same value changes nothing", "site:   'a'\n", "site", "a", "site:   'a'\n"},
		{"a new key comes last", "site: a\n# end\n", "table", "b", "site: a\ntable: b\n# end\n"},
		{
			"or below the comment that shows it", "# What it says.\n#table: x\n\nsite: a\n", "table", "b",
			"# What it says.\n#table: x\ntable: b\n\nsite: a\n",
		},
		{
			"of its own group", "shoe:\n  port: a\n#lcd:\n  #driver: x\n", "shoe.driver", "b",
			"shoe:\n  port: a\n  driver: b\n#lcd:\n  #driver: x\n",
		},
		{
			"a new group with its key", "#keys:\n  # All.\n  #card: x\n  #rest: y\nsite: a\n", "keys.rest", "b",
			"#keys:\nkeys:\n  # All.\n  #card: x\n  #rest: y\n  rest: b\nsite: a\n",
		},
		{"a group that nothing shows", "site: a\n", "keys.rest", "b", "site: a\nkeys:\n  rest: b\n"},
		{"in braces", "shoe: {port: a}\n", "shoe.driver", "b", "shoe: {driver: b, port: a}\n"},
		{"in empty braces", "shoe: {}\n", "shoe.driver", "b", "shoe: {driver: b}\n"},
		{"an empty file", "", "shoe.driver", "b", "shoe:\n  driver: b\n"},
		{"a file without a last line end", "site: a", "table", "b", "site: a\ntable: b"},
		{"Windows", "site: a\r\n#table: c\r\n", "table", "b", "site: a\r\n#table: c\r\ntable: b\r\n"},
		{"left out, it is a comment", "site: a # here\ntable: b\n", "site", "", "#site: a # here\ntable: b\n"},
		{"once is enough", "#site: x\nsite: a\ntable: b\n", "site", "", "#site: x\ntable: b\n"},
		{
			"the last of a group", "mqtt:\n  broker: a\n\n  #username: b\nsite: a\n", "mqtt.broker", "",
			"#mqtt:\n  #broker: a\n\n  #username: b\nsite: a\n",
		},
		{
			"out of braces", "shoe: {port: a, driver: 'b, c' , key_file: d}\n", "shoe.driver", "",
			"shoe: {port: a, key_file: d}\n",
		},
		{"the last in braces", "shoe: {port: a, driver: b}\n", "shoe.driver", "", "shoe: {port: a}\n"},
		{
			"an item more", list, "supervisors.names[2]", "{name: e, pin: f}",
			strings.Replace(list, "pin: d}\n", "pin: d}\n    - {name: e, pin: f}\n", 1),
		},
		{"an item less", list, "supervisors.names[1]", "", strings.Replace(list, "    - {name: c, pin: d}\n", "", 1)},
		{"in an item", list, "supervisors.names[0].pin", `"x"`, strings.Replace(list, "pin: b", `pin: "x"`, 1)},
		{
			"the first item", "site: a\n", "supervisors.names[0]", "{name: a, pin: b}",
			"site: a\nsupervisors:\n  names: [{name: a, pin: b}]\n",
		},
		{"a list in brackets", "site: a\nlanguages: [b, c]\n", "languages[2]", "d", "site: a\nlanguages: [b, c, d]\n"},
		{
			"a block by a line", "site: a\nlanguages: # spoken\n  - b\n  - c\n\n# end\n", "languages", "[b]",
			"site: a\nlanguages: [b] # spoken\n\n# end\n",
		},
		{
			"a block with comments", "languages:\n  # at home\n  - b # first\n  #- d\n  - c\nsite: a\n", "languages",
			"[b]", "languages: [b]\n  # at home\n  #- d\nsite: a\n",
		},
		{
			"a block with a text", "shoe:\n  # the port\n  port: >-\n    # a text\n    b\nsite: a\n", "shoe",
			"{port: b}", "shoe: {port: b}\nsite: a\n",
		},
		{
			"over several lines", "site: a\n  b\n", "site", "c",
			"site: the file is written in a way that only a person can change: do it in an editor",
		},
		{"no group", "site: a\n", "site.b", "c", "site.b: what is around it is not a group of keys"},
		{"no such item", list, "supervisors.names[5]", "c", "supervisors.names[5]: there is no item 5"},
		{"two lines", "site: a\n", "site", "|\n  b", `site: "|\n  b" is not a value on one line`},
		{
			"a wrong path", "site: a\n", "Site x", "b",
			`"Site x" is not a path: write keys with points between them, as in shoe.port`,
		},
		{
			"anchors", "site: &a b\n", "table", "b",
			":1:7: site: &a is an anchor, which this file may not have; remove it",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := strictyaml.Change([]byte(c.text), c.path, c.source)
			if err != nil {
				got = []byte(err.Error())
			}
			if string(got) != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// changes are what the property tests draw from.
var (
	changedPaths = []string{
		"site", "language", "min", "shoe.port", "shoe.driver", "shoe.packs", "keys.card", "keys.rest", "mqtt.broker",
		"mqtt.username",
		"supervisors.names[0].pin", "supervisors.names[0]", "supervisors.names[1]", "supervisors.names[2]",
		"supervisors.proof", "web.listen", "new", "new.one", "new.two.three", "shoe", "keys", "mqtt", "supervisors",
	}
	changedTo = []string{
		"", "a", "10.00", `"a # b"`, "true", "[a, b]", "{name: x, pin: 'it''s'}", `"it's {"`,
		"usb:0403:6001",
	}
)

// starts are texts that are written in many ways.
func starts(t testing.TB) []string {
	example, err := os.ReadFile("../../deploy/sabot.example.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return []string{
		string(example),
		strings.ReplaceAll(string(example), "\n", "\r\n"),
		"",
		"# nothing yet\n",
		"\ufeffsite: a # here",
		"site: a\nshoe: {port: x, # the port\n  driver: 'it''s'} # the shoe\nsupervisors: {names: [{name: a, " +
			"pin: b}]}\n",
		"shoe:\n    port: |\n      # not a comment\n\n    driver: >-\n      a\n      b\n# the end\n",
		"supervisors:\n  # who\n  names:\n  - name: a # first\n    pin: \"b\"\n\n  # the second\n  - {name: c, pin: " +
			"d}\n  # nobody else\nkeys:\n  card: a\n  b\n",
		"{site: a, shoe: {port: b}}\n",
	}
}

// Any sequence of changes gives what it says, loses no comment of a line of its own, and changes nothing else.
func TestChangesKeepTheRest(t *testing.T) {
	texts := starts(t)
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(rapid.SampledFrom(texts).Draw(t, "text"))
		for range rapid.IntRange(1, 12).Draw(t, "changes") {
			path, source := rapid.SampledFrom(changedPaths).Draw(t, "path"),
				rapid.SampledFrom(changedTo).Draw(t, "source")
			text = changed(t, text, path, source)
		}
	})
}

type failing interface {
	Helper()
	Fatalf(format string, args ...any)
}

// changed makes one change and judges it by a reader that does not share the editor's code.
func changed(t failing, text []byte, path, source string) []byte {
	t.Helper()
	after, err := strictyaml.Change(text, path, source)
	if err != nil {
		return text
	}
	before, now := decoded(t, text), decoded(t, after)
	if got, want := fmt.Sprint(lookUp(now, path)), fmt.Sprint(value(t, source)); got != want &&
		!strings.Contains(path, "[") {
		t.Fatalf("%s is %s, not %s, in\n%s\nwhich was\n%s", path, got, want, after, text)
	}
	top, _, _ := strings.Cut(strings.ReplaceAll(path, "[", "."), ".")
	delete(before, top)
	delete(now, top)
	if fmt.Sprint(before) != fmt.Sprint(now) {
		t.Fatalf("%s = %s changes other things:\n%s\nwas\n%s", path, source, after, text)
	}
	if lost := lostComment(text, after); lost != "" && !strings.Contains(path, "names") &&
		!bytes.ContainsAny(text, "|>") {
		t.Fatalf("%s = %s loses the comment %s:\n%s\nwas\n%s", path, source, lost, after, text)
	}
	if again, err := strictyaml.Change(after, path, source); err != nil || source != "" && !bytes.Equal(again, after) {
		t.Fatalf("the same again gives %v and\n%s\nafter\n%s", err, again, after)
	}
	return after
}

// lostComment is a comment on a line of its own that one text has more often than another.
func lostComment(before, after []byte) string {
	count := map[string]int{}
	for line := range bytes.Lines(after) {
		count[string(bytes.TrimSpace(line))]++
	}
	for line := range bytes.Lines(before) {
		trimmed := string(bytes.TrimSpace(line))
		if count[trimmed]--; count[trimmed] < 0 && strings.HasPrefix(trimmed, "#") {
			return trimmed
		}
	}
	return ""
}

func decoded(t failing, text []byte) map[string]any {
	t.Helper()
	m := map[string]any{}
	if err := yaml.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &m); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return m
}

func value(t failing, source string) (v any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(source), &v); err != nil && source != "" {
		t.Fatalf("%v", err)
	}
	return v
}

func lookUp(m map[string]any, path string) (v any) {
	v = m
	for key := range strings.SplitSeq(path, ".") {
		switch inner := v.(type) {
		case map[string]any:
			v = inner[key]
		case map[any]any: // another of its keys is no text
			v = inner[key]
		default:
			return nil
		}
	}
	return v
}

// FuzzChange changes whatever a file may hold.
func FuzzChange(f *testing.F) {
	for i, text := range starts(f)[2:] { // the first two are long: a fuzzer would take minutes for each
		f.Add(text, uint8(i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, text string, path, source uint8) {
		changed(t, []byte(text), changedPaths[int(path)%len(changedPaths)], changedTo[int(source)%len(changedTo)])
	})
}

// What Text writes is read as the same text.
func TestText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"", "true", "12", "1e3", "null", "~", "a: b",
			"a #b", "yes", "0x1", "2026-11-23", "usb:0403:6001", "tcp://a:1",
		})).Draw(t, "text")
		for _, source := range []string{
			strictyaml.Text(want), "[" + strictyaml.Text(want) + "]",
			"{a: " + strictyaml.Text(want) + "}",
		} {
			var v any
			if err := yaml.Unmarshal([]byte(source), &v); err != nil {
				t.Fatalf("%q: %v", source, err)
			}
			if got := fmt.Sprint(v); got != want && got != "["+want+"]" && got != "map[a:"+want+"]" {
				t.Fatalf("%q is read as %q", source, got)
			}
		}
	})
}
