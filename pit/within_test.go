package pit_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit"
	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// somebody is whoever asks, as a door would say.
type somebody struct{ people.Person }

func (s *somebody) Who(r *http.Request, _ bool) (people.Person, context.Context, func(), bool) {
	return s.Person, r.Context(), func() {}, true
}

// twoSites is a hub that has rounds, alerts and a floor of two sites, and the journals of their tables.
func twoSites(t *testing.T) (p *pit.Pit, journals map[string]string) {
	t.Helper()
	folder := processes.FastDir(t)
	c := pit.Default()
	c.Site, c.Broker.Listen = "group", "127.0.0.1:0"
	c.Sites = &pit.Sites{Listen: "127.0.0.1:0", List: []pit.Site{
		{Name: "north", Commands: true}, {Name: "south", Commands: true}, {Name: "east"}, {Name: "west"},
	}}
	key := filepath.Join(folder, "key")
	if _, err := command.KeyFile.New(key); err != nil {
		t.Fatal(err)
	}
	c.Commands.Keys = []pit.CommandKey{{Name: "pit", File: key}}
	c.Store.Source, c.Store.TimeZone = filepath.Join(folder, "pit.db"), pit.Zone{Location: time.UTC}
	c.Store.DayBegins = configfile.ClockTime((time.Now().UTC().Hour() + 12) % 24 * int(time.Hour)) // not in between
	p, err := pit.Open(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	journals = map[string]string{}
	for n, of := range []string{"north", "south"} {
		at := filepath.Join(folder, of)
		night := journaltest.NewNight(t, at, "wiesbaden", uint64(n))
		night.Now, night.Dealers = time.Now().Add(-20*time.Minute), []string{"dealer-" + of}
		night.Deal(400)
		r, err := journal.OpenReadOnly(at)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		table, err := topic.NewTable(of, of+"-1")
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Store.Refill(t.Context(), table, r, nil); err != nil {
			t.Fatal(err)
		}
		journals[of] = r.ID()
		p.Floor.Tick(time.Now())
		now := time.Now().UTC()
		status := topic.AppendStatus(nil, topic.Status{
			Site: of, Table: of + "-1", Online: true, Reason: topic.ReasonConnected, Boot: 1, Connection: 1, Time: now,
		})
		if err := p.Floor.Hear(table.Topic(topic.KindStatus), status, now); err != nil {
			t.Fatal(err)
		}
		if err := p.Floor.Deal(table, &floor.Dealt{View: display.View{
			Table: of + "-1", House: "wiesbaden", Currency: "EUR", Round: 3,
			Shift: display.Shift{Dealer: "dealer-" + of},
		}}, now); err != nil {
			t.Fatal(err)
		}
		p.Floor.Raise(table, floor.RecordsMissing, "of "+of, time.Now())
		if err := p.Store.KeepAlerts(t.Context(), []floor.Alert{{
			ID: "over-" + of, Table: table, Code: floor.RecordsMissing, Text: "once of " + of,
			Raised: time.Now().Add(-time.Hour), Over: time.Now().Add(-time.Minute), AcknowledgedBy: "seen-" + of,
		}}); err != nil {
			t.Fatal(err)
		}
	}
	return p, journals
}

// TestWhatIsOfOtherSites: whoever is limited to a site is shown nothing of another one, and changes nothing there, on
// any page of the pit; and is shown what is of their own.
func TestWhatIsOfOtherSites(t *testing.T) {
	p, journals := twoSites(t)
	who := &somebody{people.Person{Name: "anna", Role: people.Manager}}
	pages, err := p.Pages(pit.PagesOptions{
		Language: display.English, Houses: profile.Built(), People: who, Menu: pit.Menu(),
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(pages)
	defer server.Close()
	alert := map[string]string{}
	for _, a := range p.Floor.Alerts() {
		alert[a.Table.Site()] = a.ID
	}
	tried, shown := 0, map[string]int{}
	for _, row := range pages.Rows() {
		if _, asks := row.Least.(people.Role); !asks {
			continue
		}
		for _, of := range []string{"south", "north"} {
			path := strings.NewReplacer("{site}", of, "{table}", of+"-1", "{journal}", journals[of], "{id}", alert[of],
				"{$}", "", "{jackpot}", "any").Replace(row.Path)
			for _, query := range []string{"", "?site=" + of, "?table=" + of + "-1&nights=30", "?alert=" + alert[of]} {
				who.Sites = "north"
				status, text := answered(t, server, row, path+query, of)
				tried++
				if row.Method == http.MethodPost {
					if of == "south" && status < 300 {
						t.Errorf("%s %s: %d", row.Method, path, status)
					}
					if strings.Contains(row.Path, "/command/") && (status == http.StatusForbidden) != (of == "south") {
						t.Errorf("%s %s: %d", row.Method, path, status)
					} else if of == "north" && strings.Contains(row.Path, "/command/") {
						shown[row.Path]++
					}
					continue
				}
				if strings.Contains(row.Path, "{site}") && of == "south" && status != http.StatusForbidden {
					t.Errorf("%s%s: %d", path, query, status)
				}
				for _, secret := range []string{
					"south-1", "of south", "dealer-south", "seen-south", "site-south", journals["south"],
				} {
					asked := strings.Contains(query, secret) // a page may say what it was asked for
					if strings.Contains(text, secret) && !asked {
						t.Errorf("%s%s shows %q", path, query, secret)
					}
				}
				if strings.Contains(text, "north-1") || strings.Contains(text, "site-north") {
					shown[row.Path]++
				}
			}
		}
	}
	for _, path := range []string{
		"/{$}", "/alerts", "/alerts/history", "/recall", "/fleet", "/table/{site}/{table}/{$}", "/figures",
		"/figures/report", "/figures/rounds", "/figures/money.csv", "/group", "/stream/group", "/stream/floor",
		"/stream/table/{site}/{table}", "/table/{site}/{table}/command/close", "/table/{site}/{table}/command/sent",
	} {
		if shown[path] == 0 {
			t.Errorf("%s shows nothing of the own site", path)
		}
	}
	if a := openAlert(p, alert["south"]); tried < 100 || a == nil || a.AcknowledgedBy != "" || a.Comes != "" {
		t.Errorf("%d requests; the other site's alert is %+v", tried, a)
	}
	who.Sites = ""
	if _, text := answered(t, server, site.Row{Method: http.MethodGet}, "/", ""); !strings.Contains(text, "south-1") ||
		!strings.Contains(text, "north-1") {
		t.Error("who is not limited does not see all")
	}
}

// served are a pit's pages, for a manager.
func served(t *testing.T, p *pit.Pit) *httptest.Server {
	t.Helper()
	pages, err := p.Pages(pit.PagesOptions{
		Language: display.English, Houses: profile.Built(), Menu: pit.Menu(),
		People: &somebody{people.Person{Name: "anna", Role: people.Manager}},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(pages)
	t.Cleanup(server.Close)
	return server
}

// record fills the database with what a table of a site has recorded within the last minutes.
func record(t *testing.T, p *pit.Pit, of, name string, deal func(*journaltest.Night)) {
	t.Helper()
	folder := processes.FastDir(t)
	night := journaltest.NewNight(t, folder, "wiesbaden", 7)
	night.Now = time.Now().Add(-20 * time.Minute)
	deal(night)
	night.Flush()
	r, err := journal.OpenReadOnly(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	table, err := topic.NewTable(of, name)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Store.Refill(t.Context(), table, r, nil); err != nil {
		t.Fatal(err)
	}
}

// TestTheGroupHasAmounts: the group's page has what the rounds of each site came to today, in its currency; and none
// where nobody enters amounts, or nothing was dealt.
func TestTheGroupHasAmounts(t *testing.T) {
	p, _ := twoSites(t)
	record(t, p, "east", "east-1", func(n *journaltest.Night) {
		n.Marks()
		n.Deal(300)
	})
	record(t, p, "west", "west-1", func(n *journaltest.Night) {
		n.Take(vocab.Input{Kind: vocab.InHold, By: "s1", Role: vocab.Supervisor})
	})
	server := served(t, p)
	_, page := answered(t, server, site.Row{Method: http.MethodGet}, "/group", "")
	staked := map[string]int64{}
	rounds, err := p.Store.Rounds(t.Context(), store.RoundQuery{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for i := range rounds {
		staked[rounds[i].Table.Site()] += rounds[i].Staked
	}
	for _, of := range []string{"north", "south"} {
		shown := display.English.Priced(strings.TrimSuffix(display.English.Money(staked[of], 2), ".00"), "EUR")
		if staked[of] == 0 || !strings.Contains(page, "Staked "+shown) {
			t.Errorf("the page lacks the %s that were staked in the %s", shown, of)
		}
	}
	sums, err := p.Store.Sums(t.Context(), store.Query{By: []store.Group{store.ByTable}})
	if err != nil {
		t.Fatal(err)
	}
	unknown, alarms := int64(0), int64(0)
	for i := range sums {
		switch s := &sums[i]; s.Table.Site() {
		case "east":
			unknown += s.Unknown
		case "west":
			alarms += s.Irregularities
		}
	}
	east, west := houseOn(page, "east"), houseOn(page, "west")
	entered := strings.Contains(east, "Staked") || strings.Contains(east, "House won")
	if !strings.Contains(east, " rounds") || !strings.Contains(east, fmt.Sprintf("not entered ×%d<", unknown)) ||
		unknown == 0 || entered {
		t.Errorf("a house without amounts, of %d wagers, has %s", unknown, east)
	}
	if alarms == 0 || !strings.Contains(west, "<h2>west") ||
		strings.Contains(west, "Staked") || strings.Contains(west, "not entered") {
		t.Errorf("a house with %d alarms alone has %s", alarms, west)
	}
}

// houseOn is what the group's page has of a house.
func houseOn(page, of string) string {
	_, item, _ := strings.Cut(page, `id="site-`+of+`"`)
	item, _, _ = strings.Cut(item, "</li>")
	return item
}

// TestTablesOfOneNameInTwoHouses: where two houses have a table of one name, every page says of which house a table is,
// and the form of the figures asks for that of the house that is looked at.
func TestTablesOfOneNameInTwoHouses(t *testing.T) {
	p, _ := twoSites(t)
	for n, of := range []string{"north", "south"} {
		record(t, p, of, "bj-1", func(night *journaltest.Night) {
			dice := rand.New(rand.NewPCG(uint64(n), 6))
			night.Cash = &tabletest.Cash{Player: tabletest.Player{Dice: dice, Boxes: 2 + n}}
			night.Dealers = []string{"anna"}
			night.Day(5 + n)
			night.Take(vocab.Input{Kind: vocab.InDrop, By: "s1"})
		})
		table, err := topic.NewTable(of, "bj-1")
		if err != nil {
			t.Fatal(err)
		}
		v := display.View{Table: "bj-1", House: "wiesbaden", Currency: "EUR"}
		if err := p.Floor.Deal(table, &floor.Dealt{View: v}, time.Now().UTC()); err != nil {
			t.Fatal(err)
		}
	}
	server := served(t, p)
	get := func(path string) string {
		status, page := answered(t, server, site.Row{Method: http.MethodGet}, path, "")
		if status != http.StatusOK {
			t.Errorf("%s: %d", path, status)
		}
		return page
	}
	tag, alone := regexp.MustCompile(`<[^>]*>`), regexp.MustCompile(`(^|[^/])\bbj-1\b`)
	for _, path := range []string{
		"/", "/trays", "/fleet", "/recall", "/alerts/history", "/figures", "/figures/report", "/figures/rounds",
		"/figures/close", "/figures/odds", "/table/north/bj-1/", "/table/north/bj-1/recall",
	} {
		said := tag.ReplaceAllString(get(path), "\n")
		if !strings.Contains(said, "north/bj-1") || alone.MatchString(said) {
			t.Errorf("%s does not say of which house bj-1 is: %q", path, alone.FindString(said))
		}
	}
	rows := func(page string) string {
		_, list, _ := strings.Cut(page, "<tbody>")
		list, _, _ = strings.Cut(list, "</tbody>")
		return list
	}
	of := "/figures/rounds?site=north&table=bj-1"
	page := get(of)
	if list := rows(page); !strings.Contains(list, "north/bj-1") || strings.Contains(list, "south") {
		t.Errorf("%s lists %s", of, list)
	}
	if again := get("/figures/rounds?" + sent(page).Encode()); rows(again) != rows(page) {
		t.Errorf("the form asks for %v, and has %s", sent(page), rows(again))
	}
	house := rows(get("/figures/rounds?table=north/"))
	if !strings.Contains(house, "north/north-1") || !strings.Contains(house, "north/bj-1") ||
		strings.Contains(house, "south") {
		t.Errorf("of a house there are %s", house)
	}
}

// sent is what the form of a page of figures sends.
func sent(page string) url.Values {
	_, form, _ := strings.Cut(page, `<form class="filter"`)
	form, _, _ = strings.Cut(form, "</form>")
	sends := url.Values{}
	for _, one := range regexp.MustCompile(`name="(\w+)" value="([^"]*)"`).FindAllStringSubmatch(form, -1) {
		sends.Set(one[1], one[2])
	}
	for _, list := range strings.Split(form, "<select ")[1:] {
		name := regexp.MustCompile(`name="(\w+)"`).FindStringSubmatch(list)
		if chosen := regexp.MustCompile(`value="([^"]*)" selected`).FindStringSubmatch(list); chosen != nil {
			sends.Set(name[1], chosen[1])
		}
	}
	return sends
}

func openAlert(p *pit.Pit, id string) *floor.Alert {
	for _, a := range p.Floor.Alerts() {
		if a.ID == id {
			return &a
		}
	}
	return nil
}

// answered is the answer to a request: of a stream, its first message.
func answered(t *testing.T, server *httptest.Server, row site.Row, path, of string) (status int, text string) {
	t.Helper()
	body := fmt.Sprintf(`{"site":%q,"table":%q,"by":"anna","note":"","amount":"1","night":%q,"x":1,"y":1}`, of, of+"-1",
		time.Now().Format(time.DateOnly))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r, err := http.NewRequestWithContext(ctx, row.Method, server.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", server.URL)
	answer, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		all, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(all)
	}
	var all strings.Builder
	for in := bufio.NewReader(answer.Body); ; {
		line, err := in.ReadString('\n')
		if all.WriteString(line); err != nil || line == "\n" {
			return answer.StatusCode, all.String()
		}
	}
}
