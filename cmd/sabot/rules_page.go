package main

import (
	"bufio"
	"fmt"
	"io"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/rulebook"
	"github.com/sabot-table/sabot/table/profile"
)

// sayingWidth is the width in characters of the page's left column.
const sayingWidth = 68

// writePage writes the rules of a house in plain words, each with its source. What the
// house does not play is left out.
func writePage(w io.Writer, r *profile.House) error {
	out := bufio.NewWriter(w) // keeps its first error for Flush
	game := display.English.Say(display.Message{Key: "rule.game-" + r.Game.String()})
	fmt.Fprintf(out, "%s\nhouse %s, %s, fingerprint %s\n\n", r.Title, r.House, game, r.Fingerprint)
	fmt.Fprintf(out, "  %-*s  %s\n", sayingWidth, "what is played", "where it comes from")
	for _, section := range rulebook.Of(display.English, r, r.Rules) {
		title := section.Title
		if section.Bet != "" {
			title = "Side bet " + title
		}
		fmt.Fprintf(out, "\n%s\n", title)
		for _, s := range section.Statements {
			text := s.Text
			if s.Pays != "" {
				text = fmt.Sprintf("%9s  %s", s.Pays, s.Text)
			}
			fmt.Fprintf(out, "  %-*s  %s\n", sayingWidth, text, s.Source)
		}
	}
	return out.Flush()
}
