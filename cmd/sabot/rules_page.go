package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/rulebook"
	"github.com/sabot-table/sabot/table/profile"
)

// sayingWidth is the width in characters of the page's left column.
const sayingWidth = 68

// writePage writes the rules of a house in plain words, each with its source. What the
// house does not play is left out.
func writePage(w io.Writer, l display.Language, r *profile.House) error {
	out := bufio.NewWriter(w) // keeps its first error for Flush
	fmt.Fprintf(out, "%s\n%s\n\n", r.Title, l.With("show.house", "house", r.House,
		"game", l.With("rule.game-"+r.Game.String()), "fingerprint", r.Fingerprint))
	fmt.Fprintf(out, "  %s  %s\n", padded(l.With("show.played"), sayingWidth), l.With("show.source"))
	for _, section := range rulebook.Of(l, r, r.Rules) {
		title := section.Title
		if section.Bet != "" {
			title = l.With("show.bet", "bet", title)
		}
		fmt.Fprintf(out, "\n%s\n", title)
		for _, s := range section.Statements {
			text := s.Text
			if s.Pays != "" {
				text = fmt.Sprintf("%9s  %s", s.Pays, s.Text)
			}
			fmt.Fprintf(out, "  %s  %s\n", padded(text, sayingWidth), s.Source)
		}
	}
	return out.Flush()
}

// padded fills a text up to so many columns, of which a Chinese character takes two.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(width-display.Columns(text), 0))
}
