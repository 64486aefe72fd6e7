package web

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// padTemplates are the folders of templates in which a pad can be.
var padTemplates = []string{
	"templates", "../../sim-hardware/bench/templates", "../../internal/ops/settings/page/templates",
	"../../internal/ops/doctor/templates",
}

// padOf finds the keys that follow the figures of a pad, and padKey what stands on each.
var (
	padOf  = regexp.MustCompile(`(?s)range \$?\.(?:Digits|Figures)}}.*?{{end}}(.*?)</(?:div|section)>`)
	padKey = regexp.MustCompile(`(?s)<button[^>]*>(.*?)</button>`)
)

// TestPads: every pad of the table, its bench, its settings and its devices has its figures in the same places: 1 2 3,
// 4 5 6, 7 8 9, and below them at most one key of its own, 0 and ⌫.
func TestPads(t *testing.T) {
	var pads []string
	for _, folder := range padTemplates {
		files, err := filepath.Glob(filepath.Join(folder, "*.html"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has %d templates, %v", folder, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, pad := range padOf.FindAllStringSubmatch(string(text), -1) {
				pads = append(pads, filepath.Base(file))
				if below := keysBelow(pad[1]); !slices.Equal(below, []string{"0", "⌫"}) {
					t.Errorf("%s: below the figures of a pad lie %q: 0 and ⌫ come last, after one key at most",
						file, below)
				}
			}
		}
	}
	want := []string{
		"adjust.html", "adjust.html", "bets.html", "correct.html", "float.html", "held.html", "pay.html", "shift.html",
		"shift.html", "practice.html", "page.html", "page.html",
	}
	if !slices.Equal(pads, want) {
		t.Errorf("pads are in %q, and are looked at in %q", pads, want)
	}
	if got := strings.Join(Digits(), ""); got != "123456789" {
		t.Errorf("the figures of a pad are %s", got)
	}
}

// keysBelow are the keys of the row below the figures, without the pad's own one.
func keysBelow(markup string) (below []string) {
	for _, key := range padKey.FindAllStringSubmatch(markup, 3) {
		below = append(below, regexp.MustCompile(`<[^>]*>`).ReplaceAllString(key[1], ""))
	}
	if len(below) == 3 {
		below = below[1:]
	}
	return below
}
