package web_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/irregularity"
)

func holds(t *testing.T, name string) display.View {
	t.Helper()
	for _, s := range displaytest.Holds() {
		if s.Name == name {
			return s.View
		}
	}
	t.Fatalf("no sample %q", name)
	return display.View{}
}

var (
	keyNames  = regexp.MustCompile(`data-key="([^"]*)"`)
	sheetsIn  = regexp.MustCompile(`data-sheet="([^"]*)"`)
	untilLeft = regexp.MustCompile(`data-until="([^"]*)"`)
)

func found(in *regexp.Regexp, body string) []string {
	var all []string
	for _, m := range in.FindAllStringSubmatch(body, -1) {
		all = append(all, m[1])
	}
	return all
}

// TestHeldPage: a held table has the keys that put it right, the sheets that these may
// open, and nothing else to press.
func TestHeldPage(t *testing.T) {
	s, page := serve(t, web.Options{Press: (&counter{}).press, People: &crowd{}})
	for _, c := range []struct {
		hold         string
		change       func(*display.View)
		keys, sheets []string
		want         string
	}{
		{
			hold: "hold-bank-overdraw", keys: []string{"burn", "next-round", "void-round", "correct"},
			sheets: []string{"which", "floor", "correct", "pin", "alerts", "dealer", "menu"},
			want:   "the bank had finished with 18.",
		},
		{
			hold: "hold-card-without-call", keys: []string{"accept", "next-card", "burn", "correct"},
			sheets: []string{"which", "floor", "correct", "pin", "alerts", "dealer", "menu"}, want: "Dealer decides",
		},
		{
			hold: "hold-unread-card", keys: []string{"identify", "burn", "void-round", "correct"},
			sheets: []string{"which", "floor", "correct", "cards", "alerts", "dealer", "menu"},
			want:   "Supervisor floor: key turned",
			change: func(v *display.View) {
				v.Supervisor.Needs, v.Supervisor.Present, v.Supervisor.Key = 0, "floor", true
			},
		},
		{ // the key proves at the table's own screens alone: another one must be able to ask for a PIN
			hold: "hold-unread-card", keys: []string{"identify", "burn", "void-round", "correct"},
			sheets: []string{"which", "floor", "correct", "cards", "pin", "alerts", "dealer", "menu"},
			want:   "Supervisor floor: key turned",
			change: func(v *display.View) {
				v.Supervisor.Proof, v.Supervisor.Needs, v.Supervisor.Present, v.Supervisor.Key = authority.PINOrKey,
					0, "floor", true
			},
		},
		{
			hold: "hold-shoe-offline", keys: nil, sheets: []string{"which", "floor", "pin", "alerts", "dealer", "menu"},
			want: "Nothing is heard from the shoe.",
		},
		{
			hold: "hold-several", keys: []string{"identify", "burn", "void-round", "correct"},
			sheets: []string{"which", "floor", "correct", "cards", "pin", "alerts", "dealer", "menu"},
			want:   "2 more wait behind this. 2 cards have come meanwhile.",
		},
	} {
		v := holds(t, c.hold)
		if c.change != nil {
			c.change(&v)
		}
		s.Show(v)
		body := get(t, page.URL+"/")
		_, keys, _ := strings.Cut(body, `<section id="keys"`)
		keys, _, _ = strings.Cut(keys, "</section>")
		if got := found(keyNames, keys); !slices.Equal(got, c.keys) {
			t.Errorf("%s has the keys %q, want %q", c.hold, got, c.keys)
		}
		if got := found(sheetsIn, body); !slices.Equal(got, c.sheets) {
			t.Errorf("%s has the sheets %q, want %q", c.hold, got, c.sheets)
		}
		if !strings.Contains(body, c.want) {
			t.Errorf("%s does not say %q", c.hold, c.want)
		}
		if strings.Contains(body, `class="whole"`) {
			t.Errorf("%s has boxes to press", c.hold)
		}
	}
}

// TestHeldToLookAt: a screen without keys tells what happened, and has none.
func TestHeldToLookAt(t *testing.T) {
	s, page := serve(t, web.Options{})
	s.Show(holds(t, "hold-unread-card"))
	body := get(t, page.URL+"/")
	if !strings.Contains(body, "A card left the shoe and was not read. It is for box 1.") ||
		strings.Contains(body, "data-put") || strings.Contains(body, `data-sheet="pin"`) {
		t.Errorf("the page is\n%s", body)
	}
}

// TestLockedOut: the name says so, and until when; the others' do not.
func TestLockedOut(t *testing.T) {
	s, page := serve(t, web.Options{Press: (&counter{}).press, People: &crowd{}})
	v := holds(t, "hold-unread-card")
	v.Supervisor.Locked = []authority.Locked{{Name: "bruno", Until: nine}}
	s.Show(v)
	body := get(t, page.URL+"/")
	if got := found(untilLeft, body); !slices.Equal(got, []string{nine.Format(time.RFC3339)}) {
		t.Errorf("counted down is %q", got)
	}
	if _, bruno, _ := strings.Cut(body, `data-name="bruno"`); !strings.Contains(bruno, "Locked out") {
		t.Error("bruno's key does not say that he is locked out")
	}
}

// TestAlertsPage: the sign counts what the screen does not tell anyway, and the list says
// what became of each.
func TestAlertsPage(t *testing.T) {
	s, page := serve(t, web.Options{Press: (&counter{}).press, People: &crowd{}})
	v := displaytest.Named("play")
	v.Supervisor = &authority.Status{Proof: authority.Key, Present: "floor", Key: true}
	v.Shift = display.Shift{Dealer: "d7", Irregularities: map[irregularity.Code]int{
		irregularity.UnreadCard: 1,
		irregularity.ShoeAlarm:  3,
	}}
	v.Alerts = []display.Alert{
		{
			Code: irregularity.UnreadCard, Round: 12, Times: 2, Cleared: "2026-03-14T21:00:00Z",
			With: irregularity.Identify, By: "anna",
		},
		{Code: irregularity.ShoeOffline, Round: 13, Times: 1, With: irregularity.Online, AcknowledgedBy: "pit-1"},
		{Code: irregularity.ShoeAlarm, Round: 14, Times: 1, Standing: 1},
	}
	s.Show(v)
	body := get(t, page.URL+"/")
	for _, want := range []string{
		"▲ 3", "Round 12 · 2 times", "identify, by anna", "<p>shoe back</p>", "Seen by pit-1", "not put right yet",
		`data-key="seen-unread-card"`, `data-key="seen-shoe-alarm"`, `&#34;by&#34;:&#34;&#34;`,
		"Since d7 deals", "<dt>shoe alarm</dt><dd>3</dd></div><div><dt>unread card</dt><dd>1</dd>",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	if strings.Contains(body, `data-key="seen-shoe-offline"`) {
		t.Error("an acknowledged alert can be acknowledged again")
	}
	v.Held = &display.Held{Code: irregularity.ShoeAlarm, Choices: []irregularity.Choice{irregularity.Accept}}
	s.Show(v)
	if body := get(t, page.URL+"/"); !strings.Contains(body, "▲ 2") {
		t.Error("the sign counts what holds the round, too")
	}
}
