package login

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/pit/people"
)

// TestEveryTextIsThere, and every text of the door is said.
func TestEveryTextIsThere(t *testing.T) {
	made := []string{"people.account"} // in the dashboard's head, which leads here
	for _, role := range people.Roles() {
		made = append(made, "people.role-"+role.String(), "people.may-"+role.String())
	}
	for _, what := range people.Whats() {
		made = append(made, "people.did-"+string(what))
	}
	for _, why := range people.Whys() {
		made = append(made, "people."+string(why))
	}
	displaytest.Said(t, func(key string) bool { return strings.HasPrefix(key, "people.") }, made...)
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
