package settings

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/sabot-table/sabot/deploy"
)

// answerable are the fields whose answers are written into the file itself.
var answerable = func() (all []Field) {
	for _, q := range Questions() {
		for _, f := range q.Fields {
			if f.Kind != Secret {
				all = append(all, f)
			}
		}
	}
	return all
}()

// written are files as a package, the example and an editor leave them.
var written = []string{
	string(deploy.Example),
	"# Set by this package.\nweb: {listen: 127.0.0.1:8080} # the kiosk's\n",
	"site: a # the house\nmin: 10 # little\nsupervisors:\n  # who\n  names:\n  - name: anna # the first\n    pin: " +
		"\"x\"\n  # the second\n  - {name: berta, pin: y}\nkeys: {card: GPIO5, # the key\n  rest: GPIO6}\n",
	"shoe:\n    port: |\n      # not a comment\n\n    driver: >-\n      a\n# the end\n",
}

// FuzzAnswers writes whatever somebody answers: what is written can be read again, says the answer, and has everything
// else as it was, with its comments.
func FuzzAnswers(f *testing.F) {
	for i := range answerable {
		for file := range written {
			f.Add(uint8(file), uint8(i), "GPIO5", "58219")
			f.Add(uint8(file), uint8(i), "", "")
		}
		f.Add(uint8(i), uint8(i), "a: b # c\n- {", "")
	}
	f.Fuzz(func(t *testing.T, file, field uint8, text, pin string) {
		before, of := []byte(written[int(file)%len(written)]), answerable[int(field)%len(answerable)]
		after, err := Write(before, []Answer{{Key: of.Key, Text: text, PIN: pin, Remove: pin == ""}})
		if err != nil {
			return
		}
		was, is := read(t, before), read(t, after)
		top, inner, _ := strings.Cut(of.Key, ".")
		if of.Kind != Person {
			if got := at(is, top, inner); text != "" && got != text && fmt.Sprint(got) != text {
				if _, number := got.(float64); !number { // 010.50 is an amount, and read as a number
					t.Errorf("%s is %#v, answered was %q, in\n%s", of.Key, got, text, after)
				}
			}
			forget(was, top, inner)
			forget(is, top, inner)
		} else {
			delete(at(was, top, "").(map[string]any), "names")
			delete(at(is, top, "").(map[string]any), "names")
		}
		if a, b := fmt.Sprint(emptied(was)), fmt.Sprint(emptied(is)); a != b {
			t.Errorf("%s = %q changes other things:\n%s\nwas\n%s", of.Key, text, after, before)
		}
		if pin == "" && !bytes.Contains(before, []byte("|")) && missing(before, after) != "" {
			t.Errorf("%s = %q loses the comment %s:\n%s", of.Key, text, missing(before, after), after)
		}
	})
}

func read(t *testing.T, text []byte) map[string]any {
	t.Helper()
	m := map[string]any{}
	if err := yaml.Unmarshal(text, &m); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	if _, has := m["supervisors"].(map[string]any); !has {
		m["supervisors"] = map[string]any{}
	}
	return m
}

func at(m map[string]any, top, inner string) any {
	if group, is := m[top].(map[string]any); is && inner != "" {
		return group[inner]
	}
	return m[top]
}

func forget(m map[string]any, top, inner string) {
	if group, is := m[top].(map[string]any); is && inner != "" {
		delete(group, inner)
	} else {
		delete(m, top)
	}
}

// emptied is a file without the groups that say nothing: an answer may make one, and leaving one open may empty it.
func emptied(m map[string]any) map[string]any {
	for key, value := range m {
		if group, is := value.(map[string]any); value == nil || is && len(group) == 0 {
			delete(m, key)
		}
	}
	return m
}

// missing is a line that is a comment and that the text after lacks.
func missing(before, after []byte) string {
	for line := range bytes.Lines(before) {
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 && trimmed[0] == '#' && !bytes.Contains(after, trimmed) {
			return string(trimmed)
		}
	}
	return ""
}
