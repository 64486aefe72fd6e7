package figures

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/words"
)

// TestEveryTextIsThere, and every text of the figures is said.
func TestEveryTextIsThere(t *testing.T) {
	said := map[string]bool{"pit.figures-hardly-below": true, "pit.figures-hardly-above": true, "pit.figures-below": true, "pit.figures-above": true}
	for pattern, key := range map[string]*regexp.Regexp{
		"*.go": regexp.MustCompile(`"((?:pit|outcome)\.[a-z0-9-]+)"`), "templates/*.html": regexp.MustCompile(`{{text "([^"]*)"`),
	} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range key.FindAllSubmatch(b, -1) {
				if !strings.HasSuffix(name, "_test.go") {
					said[string(m[1])] = true
				}
			}
		}
	}
	for key := range said {
		if _, ok := display.English.Lookup(key); !ok && !strings.HasSuffix(key, "-") {
			t.Errorf("the pages say %q, which has no text: add it to words/en.properties and to the other languages", key)
		}
	}
	for _, e := range words.BuiltIn("en").Entries {
		if strings.HasPrefix(e.Key, "pit.figures") && !said[e.Key] {
			t.Errorf("no page says %q: %q", e.Key, e.Text)
		}
	}
	if len(said) < 60 {
		t.Errorf("only %d keys were found", len(said))
	}
}
