package dashboard

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

// keys are those that the pages say: in templates, in the code, and made of names.
func keys(t *testing.T) map[string]bool {
	said := map[string]bool{}
	find := func(text string, what *regexp.Regexp) {
		for _, m := range what.FindAllStringSubmatch(text, -1) {
			said[m[1]] = true
		}
	}
	inText := regexp.MustCompile(`{{(?:- )?text "([^"]*)"`)
	inCode := regexp.MustCompile(`"((?:pit|past|alerts|floor|word|sheet|number|time|replay|menu)\.[a-z-]+)"`)
	added := regexp.MustCompile(`add\("([a-z-]+)"`)
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "_test.go") {
			find(string(b), inCode)
			for _, m := range added.FindAllStringSubmatch(string(b), -1) {
				said["pit."+m[1]] = true
			}
		}
	}
	err = fs.WalkDir(templates, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := templates.ReadFile(path)
		find(string(b), inText)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for s := range floor.EveryStanding {
		said["pit.is-"+s.String()] = true
	}
	for _, code := range floor.Codes() {
		said["pit."+code] = true
	}
	for _, what := range []floor.What{floor.Raised, floor.PutRight, floor.Acknowledged, floor.Coming, floor.Escalated, floor.Over} {
		said["pit.step-"+string(what)] = true
	}
	for _, trouble := range []string{topic.TroubleFailing, topic.TroubleSlow, floor.TroubleDenied, floor.TroubleUnreadable} {
		said["pit.trouble-"+trouble] = true
	}
	for _, role := range []floor.Role{floor.Manager, floor.Technician} {
		said["pit.calls-"+string(role)] = true
	}
	for _, o := range orders {
		if o.key {
			said["pit.order-"+o.what.String()], said["pit.order-"+o.what.String()+"-will"] = true, true
		}
	}
	for _, one := range answered {
		said["pit.order-is-"+one.String()] = true
	}
	return said
}

// TestEveryTextIsThere, and every text of the pit is said.
func TestEveryTextIsThere(t *testing.T) {
	said := keys(t)
	for key := range said {
		if _, ok := display.English.Lookup(key); !ok && !strings.HasSuffix(key, "-") {
			t.Errorf("the pages say %q, which has no text: add it to words/en.properties and to the other languages", key)
		}
	}
	others := regexp.MustCompile(`^pit\.(figures|enter|people|log|command)`) // pages of other parts
	for _, e := range words.BuiltIn("en").Entries {
		if strings.HasPrefix(e.Key, "pit.") && !said[e.Key] && !others.MatchString(e.Key) {
			t.Errorf("no page says %q: %q", e.Key, e.Text)
		}
	}
	if len(said) < 100 {
		t.Errorf("only %d keys were found", len(said))
	}
}
