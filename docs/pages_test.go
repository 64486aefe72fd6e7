package docs

import (
	"regexp"
	"strings"
	"testing"
)

// loaded is what a page asks for that it cannot be without.
var loaded = regexp.MustCompile(`(?m)^(?:\{\{.*\}\})?<(?:link rel="stylesheet"|script)[^>]*>`)

// heads are templates with which several pages begin.
var heads = regexp.MustCompile(`(?s)\{\{- define ("[^"]+") -\}\}(\n<!DOCTYPE html>.*?)\{\{- end -\}\}`)

// TestPagesAreWhole holds every page to load whole.js first, which loads a page again of which a part has not arrived.
func TestPagesAreWhole(t *testing.T) {
	var begins []string // of pages, each as a page names it, and what it is
	eachFile(t, ".html", func(_, text string) {
		for _, head := range heads.FindAllStringSubmatch(text, -1) {
			begins = append(begins, "{{template "+head[1]+" .}}", head[2])
		}
	})
	whole := strings.NewReplacer(begins...)
	pages := 0
	eachFile(t, ".html", func(file, text string) {
		text = whole.Replace(text)
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
