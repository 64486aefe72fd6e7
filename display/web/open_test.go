package web_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
)

// TestOpenCardIsInSight: a card that lies open after "next card" is drawn where it will go,
// or beside the bank while it is nobody's yet, and the prompt says that none is drawn.
func TestOpenCardIsInSight(t *testing.T) {
	s, page := serve(t, web.Options{})
	for _, c := range []struct{ name, house, line, at, says string }{
		{
			"before a call", "wiesbaden",
			"open; stake 1 anna 20; stake 4 ben 50; close; TS 9D 9H 8C 7C; 7D; resolve next-card", "box-1",
			"A card for box 1 is the open 7♦: do not draw",
		},
		{
			"the turn has moved on", "wiesbaden",
			"open; stake 1 anna 20; stake 4 ben 50; close; TS 9D 9H 8C 7C; 7D; resolve next-card; rest", "box-4",
			"A card for box 4 is the open 7♦: do not draw",
		},
		{
			"to a split hand", "schaffhausen",
			"open; stake 1 anna 20; stake 4 ben 50; close; 8S 9D 9H 8C 7C; split; TD; 7D; resolve next-card", "box-1",
			"A card for box 1, hand 1 is the open 7♦: do not draw",
		},
		{
			"while bets are open", "wiesbaden", "open; stake 3 anna 20; stake 4 ben 50; 7D; resolve next-card", "box-3",
			"The open 7♦ goes to box 3: do not draw",
		},
		{
			"before the first stake", "wiesbaden", "open; 7D; resolve next-card", "bank",
			"The open 7♦ is the next card: do not draw",
		},
		{
			"while insurance is offered", "mendrisio",
			"open; stake 1 anna 20; stake 4 ben 50; close; TS 9D AH 8C 7C; 7D; resolve next-card", "bank",
			"The open 7♦ is the next card: do not draw",
		},
		{
			"after the bank drew too many", "wiesbaden",
			"open; stake 1 anna 20; close; TS 9H 8C; rest; 9D; 7D; resolve next-round", "bank",
			"The open 7♦ is the first card of the next round: do not draw",
		},
		{
			"between two rounds", "wiesbaden", "7D; resolve next-card", "bank",
			"The open 7♦ is the first card of the next round: do not draw",
		},
		{
			"the bank's, dealt early", "wiesbaden",
			"open; stake 1 anna 20; stake 4 ben 50; close; TS 9D 9H 8C 7C; 7D; correct move 6 bank by=s1", "bank",
			"The open 7♦ stays with the bank until the boxes have played",
		},
		{
			"beside the bank's, dealt early", "wiesbaden",
			"open; stake 1 anna 20; stake 4 ben 50; close; TS 9D 9H 8C 7C; 9S; correct move 6 bank by=s1; 7D; " +
				"resolve next-card", "box-1", "A card for box 1 is the open 7♦: do not draw",
		},
		{
			"while another is put right", "wiesbaden",
			"open; stake 1 anna 20; stake 4 ben 50; close; TS 9D 9H 8C 7C; 7D; resolve next-card; ??", "box-1", "",
		},
		{
			"in Black James", "baden", "open; stake 1 anna 20; 7D; resolve next-card", "box-1",
			"The open 7♦ goes to box 1: do not draw",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := displaytest.At(c.house, c.line)
			s.Show(v)
			body := get(t, page.URL+"/")
			_, section, _ := strings.Cut(body, `<section id="`+c.at+`"`)
			section, _, _ = strings.Cut(section, "</section>")
			if !strings.Contains(section, `href="#c-7D"`) {
				t.Errorf("the open card is not at %s: %s", c.at, section)
			}
			if !strings.Contains(body, c.says) {
				t.Errorf("the page does not say %q, but %q", c.says, display.English.Say(display.Prompt(v).Headline))
			}
		})
	}
}
