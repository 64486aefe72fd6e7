package settings

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/deploy"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/datatest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/profile"
)

var houses = profile.Built()

// supervisorNames lists the supervisors of a configuration, one a line.
func supervisorNames(c config.Config) string {
	f, _ := FieldOf(supervisors)
	return f.Is(c)
}

// least are answers with which a table can begin.
var least = []Answer{
	{Key: "language", Text: "fr"},
	{Key: "house", Text: "mendrisio"},
	{Key: "site", Text: "mendrisio"},
	{Key: "table", Text: "bj-7"},
	{Key: supervisors, Text: "anna", PIN: "58219"},
	{Key: "shoe.port", Text: "tcp://127.0.0.1:4001"},
}

func TestFirstAnswers(t *testing.T) {
	for name, from := range map[string]string{
		"nothing":                      "",
		"a file that presets the rest": "# this image\nweb: {listen: 127.0.0.1:8081}\n",
	} {
		if !Fresh([]byte(from)) {
			t.Errorf("%s is not fresh", name)
		}
		answers := append(slices.Clone(least), Answer{Key: "mqtt.broker"})
		text, err := Write(Begin([]byte(from)), answers)
		if err != nil {
			t.Fatal(err)
		}
		c, err := config.Parse("sabot.yaml", text, houses)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if Fresh(text) || c.Site != "mendrisio" || c.Table != "bj-7" || c.Language != "fr" || c.MQTT.Broker != "" ||
			len(c.Supervisors.Names) != 1 || c.Supervisors.Names[0].Name != "anna" {
			t.Errorf("%s became\n%s", name, text)
		}
		if h, err := authority.ParseHash(string(c.Supervisors.Names[0].PIN)); err != nil || !h.Matches("58219") {
			t.Errorf("the PIN is not anna's: %v", err)
		}
		if bytes.Contains(text, []byte(`"58219"`)) {
			t.Error("the file has the PIN itself")
		}
		if open := Open(answers); open != nil {
			t.Errorf("%v are said to be open", open)
		}
	}
}

// Every field is open until it is answered, unless it may be left open.
func TestOpen(t *testing.T) {
	want := []string{"language", "house", "site", "table", supervisors, "shoe.port"}
	if got := Open(nil); !slices.Equal(got, want) {
		t.Errorf("%v are open, not %v", got, want)
	}
}

func TestFresh(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "# only comments\n": true, "web: {listen: 127.0.0.1:0}\n": true,
		"shoe:\n  port: a\nunknown: 1\n": true,
		"site: a\n":                      false, "table: a\n": false, "house_file: /a\n": false,
		string(deploy.Example): false,
	} {
		if got := Fresh([]byte(text)); got != want {
			t.Errorf("%.30q is fresh: %t", text, got)
		}
	}
}

// TestCheck: an answer is judged by itself, at its own key, and nothing is judged that was not answered yet.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		answers []Answer
		want    string
	}{
		{[]Answer{{Key: "language", Text: "de-CH"}}, ""},
		{[]Answer{{Key: "language", Text: "nl"}}, `"nl" is not known`},
		{[]Answer{{Key: "house", Text: "nowhere"}}, `"nowhere" is not known`},
		{[]Answer{{Key: "house"}}, "house cannot be left open"},
		{
			[]Answer{{Key: "site", Text: "Bad Ragaz"}, {Key: "table", Text: "1"}},
			`"Bad Ragaz" cannot be part of an MQTT topic`,
		},
		{[]Answer{{Key: "table", Text: "a, site: b"}}, "cannot be part of an MQTT topic"},
		{[]Answer{{Key: "min", Text: "20"}, {Key: "box_max", Text: "1000"}}, ""},
		{
			[]Answer{{Key: "min", Text: "20"}, {Key: "box_max", Text: "10"}},
			"the box maximum 10.00 is below the minimum 20.00",
		},
		{[]Answer{{Key: "min", Text: "010"}}, ""},
		{[]Answer{{Key: "min", Text: "ten"}}, `"ten" is not an amount`},
		{[]Answer{{Key: "min", Text: "[1]"}}, `"[1]" is not an amount`},
		{[]Answer{{Key: supervisors, Text: "anna", PIN: "1234"}}, "the PIN is too easy to guess"},
		{[]Answer{{Key: supervisors, Text: "an\x1bna", PIN: "58219"}}, "cannot be written into the record"},
		{[]Answer{{Key: supervisors, Text: config.Nobody}}, "PIN"},
		{[]Answer{{Key: supervisors, Text: "zoe", Remove: true}}, "is no supervisor"},
		{[]Answer{{Key: supervisors, Text: config.Nobody, Remove: true}}, "the last supervisor cannot be removed"},
		{[]Answer{{Key: "shoe.driver", Text: "bee-tek"}, {Key: "shoe.port", Text: "/dev/ttyUSB0"}}, ""},
		{[]Answer{{Key: "shoe.port", Text: "somewhere"}}, "somewhere"},
		{[]Answer{{Key: "keys.card", Text: "GPIO5"}, {Key: "keys.rest", Text: "GPIO5"}}, "GPIO5"},
		{[]Answer{{Key: "mqtt.broker", Text: "http://a"}}, "is not the address of a broker"},
		{[]Answer{{Key: "mqtt.password_file", Text: "secret"}}, "is kept in a file of its own"},
		{[]Answer{{Key: "journal.path", Text: "/"}}, `nobody is asked for "journal.path"`},
	} {
		err := Check("sabot.yaml", deploy.Example, houses, c.answers)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.answers, err, c.want)
		}
	}
}

// withAnna is the example with a supervisor in place of its own, whose PIN nobody knows.
var withAnna = bytes.Replace(deploy.Example, []byte("- {name: "+config.Nobody), []byte("- {name: anna"), 1)

// draws are good and bad answers to each key.
var draws = map[string][]string{
	"language": {"de", "en", "zh", "fr-CH", "nl"}, "house": append(houses.Names(), "nowhere", ""),
	"site": {"a", "b-1", "Ä", ""}, "table": {"bj-1", "x y"},
	"min": {"", "5", "10.50", "20", "-1"}, "box_max": {"", "100", "500.00", "1000"},
	"shoe.driver": {"", "sabot", "bee-tek", "no"},
	"shoe.port":   {"/dev/ttyUSB0", "usb:0403:6001", "tcp://127.0.0.1:4001", "by-id:a b", "x: y"},
	"keys.card":   {"", "GPIO5", "gpiochip0:17 active-high", "?"},
	"keys.floor":  {"", "GPIO6", "GPIO5"}, "mqtt.broker": {"", "tcp://127.0.0.1:1883", "ssl://pit.example:8883", "pit"},
	"mqtt.username": {"", "table 1", "ü # x"},
}

// Any sequence of answers, of which those that Check refuses are left out, gives a file that is accepted, that reads
// back as the answers, and that has every comment it had.
func TestAnyAnswers(t *testing.T) {
	keys := []string{}
	for key := range draws {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	rapid.Check(t, func(t *rapid.T) {
		text, answered := withAnna, map[string]string{}
		for range rapid.IntRange(1, tier.Times(6, 12)).Draw(t, "answers") {
			key := rapid.SampledFrom(keys).Draw(t, "key")
			a := Answer{Key: key, Text: rapid.SampledFrom(draws[key]).Draw(t, "answer")}
			after, err := Write(text, []Answer{a})
			if err != nil {
				continue
			}
			if _, err := config.Parse("sabot.yaml", after, houses); err != nil {
				var wrong Wrong
				if refused := Check("sabot.yaml", text, houses, []Answer{a}); refused != nil &&
					!errors.As(refused, &wrong) {
					t.Fatalf("%v", refused)
				}
				continue
			}
			if kept := commentsOf(text); !bytes.Equal(kept, commentsOf(after)) && a.Text != "" {
				t.Fatalf("the comments are not what they were, after %v:\n%s", a, after)
			}
			text, answered[key] = after, a.Text
		}
		c, err := config.Parse("sabot.yaml", text, houses)
		if err != nil {
			t.Fatal(err)
		}
		for key, want := range answered {
			f, _ := FieldOf(key)
			got := f.Is(c)
			if f.Kind == Amount && want != "" {
				want = mustAmount(t, want)
			}
			if want == "" && !slices.Contains([]string{"shoe.driver"}, key) && got != "" || want != "" && got != want {
				t.Errorf("%s is %q, answered was %q, in\n%s", key, got, want, text)
			}
		}
	})
}

func mustAmount(t interface{ Fatal(args ...any) }, text string) string {
	var a config.Amount
	if err := a.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return a.Text(2)
}

// commentsOf are the lines that are comments and no settings that are left out.
func commentsOf(text []byte) (all []byte) {
	for line := range bytes.Lines(text) {
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 && trimmed[0] == '#' {
			all = append(all, line...)
		}
	}
	return all
}

// Supervisors come and go; the lines of the others stay as they are.
func TestSupervisors(t *testing.T) {
	text := deploy.Example
	for _, a := range []Answer{
		{Key: supervisors, Text: "anna", PIN: "58219"},
		{Key: supervisors, Text: "berta", PIN: "71924"},
		{Key: supervisors, Text: "Anna", PIN: "40961"},
		{Key: supervisors, Text: "carl", PIN: "68305"},
		{Key: supervisors, Text: "Berta", Remove: true},
	} {
		after, err := Write(text, []Answer{a})
		if err != nil {
			t.Fatal(a, err)
		}
		text = after
	}
	c, err := config.Parse("sabot.yaml", text, houses)
	if err != nil {
		t.Fatal(err)
	}
	if got := supervisorNames(c); got != "anna\ncarl" {
		t.Errorf("the supervisors are %q", got)
	}
	for i, pin := range []string{"40961", "68305"} {
		if h, err := authority.ParseHash(string(c.Supervisors.Names[i].PIN)); err != nil || !h.Matches(pin) {
			t.Errorf("%s is not the PIN of %s: %v", pin, c.Supervisors.Names[i].Name, err)
		}
	}
	if bytes.Contains(text, []byte("berta")) {
		t.Error("berta's hash is still there")
	}
}

// TestNobodyRemovesThemselves: whatever else they answer, and however they write their name.
func TestNobodyRemovesThemselves(t *testing.T) {
	for name, want := range map[string]bool{"anna": true, "Anna": true, "berta": false} {
		answers := []Answer{{Key: "min", Text: "20"}, {Key: supervisors, Text: name, Remove: true}}
		if got := RemovesSelf(answers, "anna"); got != want {
			t.Errorf("anna removes %s: refused %t", name, got)
		}
	}
	if RemovesSelf([]Answer{{Key: supervisors, Text: "anna", PIN: "58219"}}, "anna") {
		t.Error("a new PIN is taken for a removal")
	}
}

// A removal leaves the comments of the others, and the snapshot has the removed one.
func TestRemovalKeepsComments(t *testing.T) {
	path, change := changed(t)
	if _, err := change(Answer{Key: supervisors, Text: "berta", PIN: "71924"}); err != nil {
		t.Fatal(err)
	}
	s := At(path)
	edited := strings.Replace(contents(t, s), "- {name: \"anna\"", "# the senior one\n    - {name: \"anna\"", 1)
	replaced(t, s, edited)
	c, err := change(Answer{Key: supervisors, Text: "berta", Remove: true})
	if err != nil || supervisorNames(c) != "anna" || !strings.Contains(contents(t, s), "    # the senior one\n") ||
		!bytes.Equal(commentsOf([]byte(edited)), commentsOf([]byte(contents(t, s)))) {
		t.Errorf("%v are left, %v, in\n%s", supervisorNames(c), err, contents(t, s))
	}
	all, err := s.History()
	if err != nil || len(all) == 0 {
		t.Fatal(err)
	}
	if _, was, err := s.Snapshot(all[0].Number); err != nil || string(was) != edited {
		t.Errorf("what was there is lost, %v:\n%s", err, was)
	}
	if _, err := change(Answer{Key: supervisors, Text: "anna", Remove: true}); !errors.Is(err, ErrLast) {
		t.Errorf("the last one: %v", err)
	}
}

// Every key that is asked for is one of the configuration, and its row says what is there.
func TestQuestionsAreOfTheConfiguration(t *testing.T) {
	names := map[string]bool{}
	for _, q := range Questions() {
		if found, ok := QuestionNamed(q.Name); names[q.Name] || !ok || found.Name != q.Name {
			t.Errorf("%s is asked twice", q.Name)
		}
		names[q.Name] = true
		for _, f := range q.Fields {
			if f.Kind == Choice && f.Choices == nil || f.Is == nil {
				t.Errorf("%s lacks a part of its row", f.Key)
			}
			if f.Kind == Person || f.Kind == Secret {
				continue
			}
			err := Check("sabot.yaml", deploy.Example, houses, []Answer{{Key: f.Key, Text: "\"not good\" {"}})
			if f.Kind != Words && (err == nil || strings.Contains(fmt.Sprint(err), "not a known key")) {
				t.Errorf("%s: %v", f.Key, err)
			}
		}
	}
}

// TestPage keeps the list of the questions in docs/first-start.md, as they are asked.
func TestPage(t *testing.T) {
	left := map[string]string{
		"limits": "the house's own", "keys": "only the touch screen", "pit": "the table works alone",
	}
	var list strings.Builder
	list.WriteString("| question | keys of the file | may be left open |\n|---|---|---|\n")
	for _, q := range Questions() {
		keys, open := []string{}, true
		for _, f := range q.Fields {
			key := "`" + f.Key + "`"
			if f.Kind == Line {
				key = "`keys.*`"
			}
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
			open = open && f.Optional
		}
		may := ""
		if open {
			may = "yes: " + left[q.Name] + " "
		}
		if open != (left[q.Name] != "") {
			t.Errorf("say here what a table has whose question %s is left open", q.Name)
		}
		fmt.Fprintf(&list, "| %s | %s | %s|\n", q.Name, strings.Join(keys, ", "), may)
	}
	datatest.List(t, "../../../docs/first-start.md", "<!-- questions -->\n", "<!-- end -->", list.String())
}
