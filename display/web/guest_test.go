package web_test

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// everywhere are the tables with which every display is tested.
func everywhere() []displaytest.Sample {
	return slices.Concat(displaytest.Samples(), displaytest.Holds())
}

// secrets are what guests must not read of a view: who plays and deals, for how much, and
// what is wrong.
func secrets(v display.View) (list []string) {
	for _, b := range v.Boxes {
		for _, p := range b.Bettors {
			list = append(list, p.Name)
		}
		for _, p := range b.Payouts {
			list = append(list, p.Bettor)
		}
	}
	if v.Held != nil {
		list = append(list, "STOP", display.English.Named(display.LabelHeld, v.Held.Code))
	}
	for _, a := range v.Alerts {
		list = append(list, a.AcknowledgedBy, a.Caller, a.By)
	}
	list = append(list, v.Shift.Dealer, display.English.CardsLeft(v.Shoe),
		display.English.Say(display.Prompt(v).Detail), v.Shoe.Serial)
	return slices.DeleteFunc(list, func(s string) bool { return len(s) < 4 })
}

// TestGuestsSeeNoSecret: whatever happens at the table, its guests' display has nothing of it
// but the bank.
func TestGuestsSeeNoSecret(t *testing.T) {
	s, page := serve(t, web.Options{Recall: displaytest.Rounds()})
	checked := 0
	for _, sample := range everywhere() {
		v := sample.View
		v.Shift.Dealer, v.Supervisor = "dealer-nine", nil
		s.Show(v)
		_, body, _ := strings.Cut(get(t, page.URL+"/guest"), `<main id="guest"`)
		for _, secret := range secrets(v) {
			checked++
			if strings.Contains(body, secret) {
				t.Errorf("%s: guests read %q", sample.Name, secret)
			}
		}
		if strings.Contains(body, "data-put") || strings.Contains(body, "<button") {
			t.Errorf("%s: guests have keys", sample.Name)
		}
	}
	if checked < 100 {
		t.Errorf("only %d secrets were looked for", checked)
	}
}

// TestGuestsSeeTheHouse: limits, paytables and how far the round is, in every house and
// language.
func TestGuestsSeeTheHouse(t *testing.T) {
	s, page := serve(t, web.Options{})
	for _, house := range profile.Built().Names() {
		s.Show(displaytest.At(house, "open"))
		for _, c := range []struct{ language, says string }{
			{"en", "Place your bets"},
			{"de", "Bitte das Spiel zu machen"},
			{"fr", "Faites vos jeux"},
			{"it", "Fate il vostro gioco"},
			{"zh", "请下注"},
		} {
			body := get(t, page.URL+"/guest?lang="+c.language)
			for _, want := range []string{c.says, profile.Built()[house].Title, `lang="` + c.language} {
				if !strings.Contains(body, want) {
					t.Errorf("%s in %s does not say %q", house, c.language, want)
				}
			}
		}
	}
	body := get(t, page.URL+"/guest?lang=en")
	for _, want := range []string{
		"<dt>Twins with Joker</dt>", "200\u2009:\u20091",
		"The bank draws to 16 and stands on 17",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("Wiesbaden does not say %q: %s", want, body[strings.Index(body, "<main"):])
		}
	}
	soft, v := rules.DrawsOnSoft17, displaytest.At("wiesbaden", "open")
	house := *v.Rules
	house.Bank.Soft17, v.Rules = &soft, &house
	s.Show(v)
	if body := get(t, page.URL+"/guest?lang=en"); !strings.Contains(body, "The bank draws to 16 and on a soft 17") {
		t.Error("a house whose bank draws on a soft 17 does not say so")
	}
	s.Show(displaytest.At("wiesbaden", "table closed"))
	if closed := get(t, page.URL+"/guest?lang=en"); !strings.Contains(closed, "Table closed") {
		t.Error("a table that is closed does not say so")
	}
	response, err := http.Get(page.URL + "/guest?lang=de,xx")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusBadRequest {
		t.Errorf("a language that nobody speaks is answered %s", response.Status)
	}
}

var resultIn = regexp.MustCompile(`<li class="([a-z]+)">([^<]*)</li>`)

// results are what the guests' display says of the last rounds.
func results(t *testing.T, url string) string {
	t.Helper()
	var list []string
	for _, m := range resultIn.FindAllStringSubmatch(get(t, url+"/guest?lang=en"), -1) {
		list = append(list, m[1]+" "+m[2])
	}
	return strings.Join(list, ", ")
}

// TestGuestsSeeTheLastRounds: each round counts once it is decided, not while it is void, and
// not what was taken back; in Black James points count, and nothing is bust.
func TestGuestsSeeTheLastRounds(t *testing.T) {
	s, page := serve(t, web.Options{})
	const deal = "open; stake 1 a 20; close; TS 9D 9H; "
	for _, c := range []struct{ line, want string }{
		{deal + "rest", ""},
		{deal + "rest; 9S", "stood 18"},
		{deal + "rest; 9S; paid", "stood 18"},
		{deal + "rest; 9S; paid; " + deal + "rest; 5S KD", "bust 24, stood 18"},
		{
			deal + "rest; 9S; paid; open; stake 1 a 20; close; TS AD 9H; rest; insurance-closed; rest; KS",
			"jack Black Jack, stood 18",
		},
		{deal + "rest; 9S; paid; open; stake 1 a 20; close; TS 9D 9H; card; KD", "none –, stood 18"},
		{deal + "rest; 9S; paid; open; stake 1 a 20; close; ??; resolve void-round", "stood 18"},
	} {
		s, page := serve(t, web.Options{})
		lines := strings.Split(c.line, "; ")
		for n := range lines {
			s.Show(displaytest.At("wiesbaden", strings.Join(lines[:n+1], "; ")))
		}
		if got := results(t, page.URL); got != c.want {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
	s.Show(displaytest.At("baden", "open; stake 1 a 20; close; TS 9D; rest; 9S"))
	if got := results(t, page.URL); got != "stood 1" {
		t.Errorf("Black James: %q", got)
	}
}

// TestGuestsSeeWhatIsOnRecord: the last rounds survive a restart, and twenty are enough.
func TestGuestsSeeWhatIsOnRecord(t *testing.T) {
	s, page := serve(t, web.Options{Recall: displaytest.Rounds()})
	s.Show(displaytest.At("wiesbaden", "open; stake 1 a 20; close; TS 9D 9H; rest; 9S"))
	got := strings.Split(results(t, page.URL), ", ")
	if len(got) < 15 || len(got) > 20 {
		t.Errorf("%d results: %q", len(got), got)
	}
}

// broken is a record that cannot be read.
type broken struct{ displaytest.Past }

func (broken) Last(int) ([]history.Round, error) { return nil, errors.New("the disk is gone") }

// TestGuestsWithoutARecord: a record that cannot be read leaves the rest.
func TestGuestsWithoutARecord(t *testing.T) {
	s, page := serve(t, web.Options{Recall: broken{}})
	s.Show(displaytest.At("wiesbaden", "open; stake 1 a 20; close; TS 9D 9H; rest; 9S"))
	if got := results(t, page.URL); got != "stood 18" {
		t.Errorf("the display shows %q", got)
	}
}

// TestGuestsStream: what guests see is sent when it is another, and not when a stake or a
// name is.
func TestGuestsStream(t *testing.T) {
	s, page := serve(t, web.Options{Heartbeat: time.Hour})
	s.Show(displaytest.At("wiesbaden", "open"))
	messages := stream(t, page.URL+"/guest/events?lang=en")
	if m := next(t, messages); !strings.Contains(m, "Place your bets") {
		t.Errorf("first: %s", m)
	}
	s.Show(displaytest.At("wiesbaden", "open; stake 1 maximiliane 20"))
	s.Show(displaytest.At("wiesbaden", "open; stake 1 maximiliane 20; close; TS 9D"))
	if m := next(t, messages); !strings.Contains(m, "No more bets") || strings.Contains(m, "maximiliane") {
		t.Errorf("then: %s", m)
	}
}

// TestGuestIsLedHome: a screen of guests that asks for the table is led to its own page, and
// not in a circle.
func TestGuestIsLedHome(t *testing.T) {
	g := guard(t)
	guest := g.entered(web.Guest)
	for _, path := range []string{"/", "/recall", "/guest"} {
		request, err := http.NewRequest(http.MethodGet, g.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", "text/html")
		response, err := guest.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		got, want := fmt.Sprint(response.StatusCode, response.Header.Get("Location")), "303/guest"
		if path == "/guest" {
			want = "200"
		}
		if got != want {
			t.Errorf("%s is answered %s, want %s", path, got, want)
		}
	}
}
