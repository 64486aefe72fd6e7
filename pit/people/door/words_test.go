package door

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/pit/people"
)

// TestWords: every text that the door says is there, and every one that is there is said.
func TestWords(t *testing.T) {
	said := map[string]bool{}
	files, err := filepath.Glob("*.go")
	more, unread := filepath.Glob("templates/*.html")
	err = errors.Join(err, unread)
	for _, name := range append(files, more...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, unread := os.ReadFile(name)
		err = errors.Join(err, unread)
		for _, key := range regexp.MustCompile(`"(people\.[a-z-]*[a-z])"`).FindAllSubmatch(text, -1) {
			said[string(key[1])] = true
		}
	}
	delete(said, "people.html") // a template
	if err != nil || len(said) < 50 {
		t.Fatalf("%d texts are found, %v", len(said), err)
	}
	for _, role := range people.Roles() {
		said["people.role-"+role.String()], said["people.may-"+role.String()] = true, true
	}
	for _, what := range people.Whats() {
		said["people.did-"+string(what)] = true
	}
	for _, why := range people.Whys() {
		said["people."+string(why)] = true
	}
	for key := range said {
		if _, ok := display.English.Lookup(key); !ok {
			t.Errorf("%s has no text", key)
		}
	}
	for _, e := range words.BuiltIn("en").Entries {
		if strings.HasPrefix(e.Key, "people.") && !said[e.Key] {
			t.Errorf("nobody says %s", e.Key)
		}
	}
}

// TestNothingFromElsewhere: no page asks for anything outside its own origin, and none has
// script or style in its markup.
func TestNothingFromElsewhere(t *testing.T) {
	bad := regexp.MustCompile(`(?i)https?:|["'(=\s]//[a-z0-9]|@import|\burl\(|<style|\sstyle=|\son[a-z]+="|<script(?:>|[^>]*>\s*[^<\s])`)
	files, err := filepath.Glob("[at]*/*.*")
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if found := bad.Find(text); err != nil || found != nil {
			t.Errorf("%s has %q, %v", name, found, err)
		}
	}
}
