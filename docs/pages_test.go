package docs

import (
	"regexp"
	"strings"
	"testing"
)

// loaded is what a page asks for that it cannot be without.
var loaded = regexp.MustCompile(`(?m)^(?:\{\{.*\}\})?<(?:link rel="stylesheet"|script)[^>]*>`)

// TestPagesAreWhole holds every page to load whole.js first, which loads a page again of which a part has not arrived.
func TestPagesAreWhole(t *testing.T) {
	pages := 0
	eachFile(t, ".html", func(file, text string) {
		parts := loaded.FindAllString(text, -1)
		if !strings.Contains(text, "<title>") || len(parts) == 0 {
			return
		}
		pages++
		if first := parts[0]; !strings.Contains(first, "/whole.js?") || strings.Contains(first, " defer") {
			t.Errorf("%s loads %s before whole.js: it watches only what is loaded after it", file, first)
		}
	})
	if pages < 10 {
		t.Errorf("%d pages were found: the pattern finds no more what they load", pages)
	}
}
