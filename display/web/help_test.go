package web_test

import (
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/rulebook"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// own is a house's own profile: its Twins pay more, and its surrender is another clause's.
const own = `extends: wiesbaden
house: own
title: "Our <own> house"
table: {min: 25.00}
surrender: true # our sheet, page 9
`

// tableOf is a view of a house's table before its first round.
func tableOf(t *testing.T, book profile.Book, setup rules.Setup) display.View {
	t.Helper()
	set, err := book.Set(setup)
	if err != nil {
		t.Fatal(err)
	}
	in := tabletest.SetUp(rules.Setup{House: "wiesbaden"})
	in.Setup, in.Rules = &setup, set
	var at table.Table
	at.Step(in)
	return display.From(&at, "BJ 4", 1)
}

// TestHelpSaysTheHouse: the page of every house, built in or its own, has each rule with its
// source and its example, each way to put right what stopped it, and only the keys of its game.
func TestHelpSaysTheHouse(t *testing.T) {
	mine, err := profile.Built().Parse("own.yaml", []byte(own))
	if err != nil {
		t.Fatal(err)
	}
	book := profile.Built().With(mine)
	for name, h := range book {
		t.Run(name, func(t *testing.T) {
			s, page := serve(t, web.Options{Houses: book})
			s.Show(tableOf(t, book, rules.Setup{House: name}))
			body := get(t, page.URL+"/help")
			want := []string{
				"<h1>Help</h1>", html.EscapeString(h.Title), `id="search"`,
				`id="back" class="button" href="/"`, "<b>Open the bets</b></footer>", "Nobody plays yet",
			}
			examples := 0
			for _, section := range rulebook.Of(display.English.In(name), h, h.Rules) {
				if section.Name == "irregularities" {
					continue
				}
				for _, one := range section.Statements {
					want = append(want, "<p>"+html.EscapeString(one.Text)+"</p><small>"+
						html.EscapeString(one.Source)+"</small>")
					if e := one.Example; e != nil {
						examples++
						want = append(want, fmt.Sprintf(`aria-label="%s"`, strings.Trim(fmt.Sprint(e.Box), "[]")),
							"<b>"+display.English.Money(e.Stake, 2))
					}
				}
			}
			for code := range irregularity.EveryCode {
				for c := range h.Ways(code).Choices.All {
					who := " (supervisor)"
					if h.Ways(code).Dealer(c) {
						who = " (dealer)"
					}
					want = append(want, display.English.Named(display.LabelChoice, c)+who)
				}
			}
			for _, words := range want {
				if !strings.Contains(body, words) {
					t.Errorf("the help lacks %q", words)
				}
			}
			if got := strings.Count(body, `class="example"`); got != examples || examples < 3 {
				t.Errorf("%d examples are shown, of %d", got, examples)
			}
			james := h.Game == rules.BlackJames
			if strings.Contains(body, "The next card is said to be higher.") != james ||
				strings.Contains(body, "The box calls for a card") == james {
				t.Error("the keys are those of the other game")
			}
			for _, forbidden := range []string{
				"<style", " style=", " onclick", "http:", "https:", "<own>",
				"data-put",
			} {
				if strings.Contains(body, forbidden) {
					t.Errorf("the help holds %q", forbidden)
				}
			}
		})
	}
}

// TestHelpIsOfTheTable: limits and examples are the table's, not the profile's, and the boxes
// those of now.
func TestHelpIsOfTheTable(t *testing.T) {
	s, page := serve(t, web.Options{Houses: profile.Built()})
	s.Show(tableOf(t, profile.Built(), rules.Setup{House: "mendrisio", Min: 2500, BoxMax: 100000}))
	body := get(t, page.URL+"/help")
	for _, words := range []string{
		"A stake is at least 25.00.", "2 times the table&#39;s minimum (here 50.00)",
		"50.00 wins 75.00", "25.00 wins 475.00",
	} {
		if !strings.Contains(body, words) {
			t.Errorf("the help of a table from 25 lacks %q", words)
		}
	}
	s.Show(displaytest.Named("twins-bets"))
	body = get(t, page.URL+"/help?of=boxes")
	for _, words := range []string{
		`>1</b><p>★ <b>anna</b></p>`, `>3</b><p>★ <b>ben</b>, chiara</p>`,
		"The holder (★)",
	} {
		if !strings.Contains(body, words) {
			t.Errorf("the boxes of now lack %q", words)
		}
	}
	if strings.Contains(body, "A Black Jack pays") {
		t.Error("of the boxes alone, the rules are shown too")
	}
	if body := get(t, page.URL+"/help?of=twins"); !strings.Contains(body, "200:1") || strings.Contains(body, "400:1") {
		t.Error("of Twins alone, not just Twins are shown")
	}
}

// TestHelpIsThere: the menu leads to it, where there is a book of houses, and a table that is not
// set up says so.
func TestHelpIsThere(t *testing.T) {
	_, page := serve(t, web.Options{Houses: profile.Built()})
	if body := get(t, page.URL); !strings.Contains(body, `href="/help"`) || !strings.Contains(body, "/assets/ask.js") {
		t.Error("nothing leads to the help")
	}
	if body := get(t, page.URL+"/help"); !strings.Contains(body, "No table is set up yet") {
		t.Error("a table without a house does not say so")
	}
	_, without := serve(t, web.Options{})
	if body := get(t, without.URL); strings.Contains(body, "/help") || strings.Contains(body, "ask.js") {
		t.Error("a display without houses leads to help")
	}
}
