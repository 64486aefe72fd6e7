package bench

import (
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/sim-hardware/practice"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/profile"
)

// practised runs a test at a bench with practice, whose results are in a new file.
func practised(t *testing.T, test func(t *testing.T, s *stand, site http.Handler)) {
	t.Helper()
	at(t, true, func(t *testing.T, s *stand) {
		houses := maps.Clone(profile.Built())
		houses["hole"] = tabletest.Book()["hole"]
		file := filepath.Join(t.TempDir(), "practice.json")
		s.o.Practice = practice.NewRoom(houses, practice.OpenResults(file, slog.New(slog.DiscardHandler)))
		english, _ := display.BuiltIn().With(houses.Words()).Speak("en")
		test(t, s, web.Bare(web.Options{Language: english}, s.Routes()...))
	})
}

// answered is what a page of the site says.
func answered(t *testing.T, site http.Handler, r *http.Request, status int) string {
	t.Helper()
	w := httptest.NewRecorder()
	site.ServeHTTP(w, r)
	if w.Code != status {
		t.Fatalf("%s %s: %d, want %d: %s", r.Method, r.URL, w.Code, status, w.Body)
	}
	return w.Body.String()
}

func at2(who, house, kind string) string {
	return PracticePath + "?" + url.Values{"who": {who}, "house": {house}, "kind": {kind}}.Encode()
}

var seedOf = regexp.MustCompile(`data-seed="(\d+)"`)

// posted is what the page sends: who is where, and what else.
func posted(t *testing.T, path, who, house, kind string, more map[string]string) *http.Request {
	t.Helper()
	body := map[string]string{"Who": who, "House": house, "Kind": kind}
	for k, v := range more {
		body[k] = v
	}
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return request("POST", PracticePath+path, string(text))
}

// TestPracticePages: in every language, house and kind, an exercise is asked, answered, explained, and in the results.
func TestPracticePages(t *testing.T) {
	practised(t, func(t *testing.T, s *stand, site http.Handler) {
		for _, l := range display.English.Menu() {
			who := "Anna " + l.Code()
			speaks := func(r *http.Request) *http.Request {
				r.AddCookie(&http.Cookie{Name: "sabot-language", Value: l.Code()})
				return r
			}
			choose := answered(t, site, speaks(request("GET", PracticePath+"?who="+url.QueryEscape(who), "")), 200)
			for _, house := range s.o.Practice.Houses.Names() {
				for kind, answer := range map[string]string{
					"payouts": "0.01", "bank": "stand", "calls": "", "hole": "look",
				} {
					if len(practice.Topics(s.o.Practice.Houses[house].Rules, kindOf(t, kind), 1)) == 0 {
						continue
					}
					if here := at2(who, house, kind); !strings.Contains(choose,
						strings.ReplaceAll(here, "&", "&amp;")) &&
						!strings.Contains(choose, "house="+house+"&amp;kind="+kind) {
						t.Errorf("%s: no way leads to %s", l.Code(), here)
					}
					page := answered(t, site, speaks(request("GET", at2(who, house, kind), "")), 200)
					if !strings.Contains(page, `lang="`+l.Tag()+`"`) || strings.Contains(page, `id="done"`) ||
						!strings.Contains(page, `href="#c-`) {
						t.Fatalf("%s: the exercise is %s", l.Code(), page)
					}
					seed := seedOf.FindStringSubmatch(page)[1]
					answered(t, site, posted(t, "/answer", who, house, kind,
						map[string]string{"Seed": seed, "Answer": answer}), 200)
					page = answered(t, site, speaks(request("GET", at2(who, house, kind), "")), 200)
					if !strings.Contains(page, `id="done"`) || strings.Contains(page, "data-answer") {
						t.Errorf("%s: %s %s is answered with %s", l.Code(), house, kind, page)
					}
					answered(t, site, posted(t, "/answer", who, house, kind,
						map[string]string{"Seed": seed, "Answer": answer}), 409)
					answered(t, site, posted(t, "/next", who, house, kind, nil), 200)
				}
			}
			results := answered(t, site, speaks(request("GET", practiceModel{}.ResultsOf(who), "")), 200)
			for _, house := range s.o.Practice.Houses {
				if !strings.Contains(results, strings.ReplaceAll(house.Title, "'", "&#39;")) {
					t.Errorf("%s: the results lack %s", l.Code(), house.Title)
				}
			}
		}
		all := answered(t, site, request("GET", PracticePath+"/results", ""), 200)
		if n := strings.Count(all, "Anna "); n < 5 {
			t.Errorf("the trainer sees %d trainees: %s", n, all)
		}
		answered(t, site, request("POST", PracticePath+"/delete", `{"Who":"Anna de"}`), 200)
		if all := answered(t, site, request("GET", PracticePath+"/results", ""), 200); strings.Contains(all,
			"Anna de") {
			t.Error("a deleted trainee has results")
		}
	})
}

func kindOf(t *testing.T, name string) (k practice.Kind) {
	t.Helper()
	if err := k.UnmarshalText([]byte(name)); err != nil {
		t.Fatal(err)
	}
	return k
}

// TestPracticeRefuses: what is no exercise, no name, and no answer.
func TestPracticeRefuses(t *testing.T) {
	practised(t, func(t *testing.T, _ *stand, site http.Handler) {
		answered(t, site, request("GET", at2("Anna", "macao", "payouts"), ""), 404)
		answered(t, site, request("GET", at2("Anna", "baden", "wine"), ""), 404)
		if page := answered(t, site, request("GET", at2("<script>", "baden", "bank"), ""), 200); strings.Contains(page,
			"<script>") {
			t.Error("a name is markup")
		}
		if page := answered(t, site, request("GET", PracticePath+"?who=%0A", ""), 200); !strings.Contains(page,
			"cannot be shown") || !strings.Contains(page, `id="name"`) {
			t.Errorf("a name that is none: %s", page)
		}
		for _, body := range []string{
			`{"Who":"Anna","House":"baden","Kind":"bank","Seed":"1","Answer":"draw"}`, // nobody asked
			`{"Who":"Anna","House":"baden","Kind":"","Seed":"1","Answer":"draw"}`,
		} {
			w := httptest.NewRecorder()
			site.ServeHTTP(w, request("POST", PracticePath+"/answer", body))
			if w.Code != 409 && w.Code != 400 {
				t.Errorf("%s: %d", body, w.Code)
			}
		}
		away := request("GET", PracticePath, "")
		away.RemoteAddr = "192.0.2.7:80"
		answered(t, site, away, 421)
	})
}

// TestPracticeLanguage: an address chooses the language, for the table's page as well.
func TestPracticeLanguage(t *testing.T) {
	practised(t, func(t *testing.T, _ *stand, site http.Handler) {
		w := httptest.NewRecorder()
		site.ServeHTTP(w, request("GET", PracticePath+"?who=Anna&lang=de", ""))
		if w.Code != 303 || w.Header().Get("Location") != PracticePath+"?who=Anna" ||
			!strings.Contains(w.Header().Get("Set-Cookie"), "sabot-language=de; Path=/;") {
			t.Errorf("%d %v", w.Code, w.Header())
		}
	})
}

// TestNoPractice: a bench without it has neither the page nor the way to it.
func TestNoPractice(t *testing.T) {
	at(t, true, func(t *testing.T, s *stand) {
		answered(t, s.site(), request("GET", PracticePath, ""), 404)
		if page := answered(t, s.site(), request("GET", Path, ""), 200); strings.Contains(page, PracticePath) {
			t.Error("the bench has a way to practice")
		}
	})
}

// TestIncidentWaitsForTable: a trainee who begins before the table has shown itself is answered once it has.
func TestIncidentWaitsForTable(t *testing.T) {
	practised(t, func(t *testing.T, s *stand, site http.Handler) {
		s.o.Past = func(uint64) (history.Round, error) { return history.Round{}, nil }
		s.table.show(display.View{})
		begun := make(chan int, 1)
		go func() {
			w := httptest.NewRecorder()
			site.ServeHTTP(w, posted(t, "/incident", "Anna", "", "incidents", map[string]string{"Do": "start"}))
			begun <- w.Code
		}()
		synctest.Wait()
		select {
		case status := <-begun:
			t.Fatalf("answered with %d before the table has shown itself", status)
		default:
		}
		here := idle
		here.House = "schaffhausen"
		s.table.show(here)
		if status := <-begun; status != http.StatusOK {
			t.Errorf("answered with %d, want %d", status, http.StatusOK)
		}
	})
}

// TestRunEndsIncident: the bench ends at once, also while a trainee has something to put right.
func TestRunEndsIncident(t *testing.T) {
	practised(t, func(t *testing.T, s *stand, site http.Handler) {
		s.o.Past = func(uint64) (history.Round, error) { return history.Round{}, nil }
		here := idle
		here.House = "schaffhausen"
		s.table.show(here)
		answered(t, site, posted(t, "/incident", "Anna", "", "incidents", map[string]string{"Do": "start"}),
			http.StatusOK)
		began := time.Now()
		s.cancel()
		s.playing.Wait()
		if took := time.Since(began); took > 0 {
			t.Errorf("it ended after %v", took)
		}
	})
}
