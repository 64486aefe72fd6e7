package page

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/deploy"
	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/settings"
	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/profile"
)

// named is the example with a supervisor in place of its own, whose PIN nobody knows.
var named = bytes.Replace(deploy.Example, []byte("- {name: "+config.Nobody), []byte("- {name: anna"), 1)

// asked is a page, and what it has written.
type asked struct {
	http.Handler
	options Options
	people  *authority.Authority
	saved   []settings.Answer
	change  Change
}

func newDesk(t testing.TB, first bool) *asked {
	t.Helper()
	english, ok := display.Speak("en")
	if !ok {
		t.Fatal("there is no English")
	}
	d := &asked{}
	d.options = Options{
		First: first, Houses: profile.Built(), Language: english, Log: slog.New(slog.DiscardHandler),
		Text:  func() ([]byte, error) { return named, nil },
		Tried: func(shoe.Position) {}, Last: func() shoe.Position { return shoe.Position{} },
		Names: func() []string { return []string{"anna"} }, Prove: d.prove, Change: d.changes,
		Save: func(_ context.Context, answers []settings.Answer) error {
			d.saved = answers
			return nil
		},
	}
	var err error
	d.people, err = authority.New(authority.Options{
		Proof: authority.PIN, Present: time.Minute, Supervisors: []authority.Supervisor{{Name: "anna", PIN: hash()}},
		Limits: authority.Limits{Tries: 3, LockOut: time.Hour, LockOutMost: time.Hour},
		Noted:  func(authority.Notice) {},
		Keep:   func(authority.State) error { return nil },
	}, authority.State{}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	d.serve()
	return d
}

var hash = sync.OnceValue(func() authority.Hash { return authority.NewHash("58219") })

func (d *asked) serve() { d.Handler = web.Bare(web.Options{Logger: d.options.Log}, New(d.options)...) }

func (d *asked) prove(ctx context.Context, g authority.Given) (string, error) {
	v, err := d.people.Once(ctx, time.Now(), authority.Own, g)
	return v.By, err
}

func (d *asked) changes(ctx context.Context, c Change) (bool, error) {
	if _, err := d.prove(ctx, c.By); err != nil {
		return false, err
	}
	d.saved, d.change = c.Answers, c
	return false, nil
}

func request(method, where, body string) *http.Request {
	r := httptest.NewRequest(method, "http://127.0.0.1:8080"+where, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:40000"
	r.Header.Set("Content-Type", "application/json")
	return r
}

func answered(d *asked, r *http.Request) (status int, said answer) {
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	_ = json.Unmarshal(w.Body.Bytes(), &said) // what is no JSON says nothing
	return w.Code, said
}

const limits = `{"answers":[{"key":"min","text":"20","pin":""}],"about":"limits"}`

// TestAttackSettings: nobody but the table's own screen asks or changes anything, and no page of another origin.
func TestAttackSettings(t *testing.T) {
	tries, through := 0, 0
	for name, c := range map[string]struct {
		change func(*http.Request)
		want   int
	}{
		"the own screen": {func(*http.Request) {}, http.StatusOK},
		"a foreign name": {func(r *http.Request) { r.Host = "evil.example:8080" }, http.StatusMisdirectedRequest},
		"a foreign page": {
			func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
			http.StatusForbidden,
		},
		"a foreign origin": {
			func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") },
			http.StatusForbidden,
		},
		"an opaque origin": {func(r *http.Request) { r.Header.Set("Origin", "null") }, http.StatusForbidden},
		"a form": {
			func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") },
			http.StatusUnsupportedMediaType,
		},
		"not to be read": {func(r *http.Request) { r.Body = request("POST", "/", "{").Body }, http.StatusBadRequest},
		"too much": {func(r *http.Request) {
			r.Body = request("POST", "/", `{"name":"`+strings.Repeat("a", mostGiven)+`"}`).Body
		}, http.StatusRequestEntityTooLarge},
		"too many answers": {func(r *http.Request) {
			r.Body = request("POST", "/", `{"answers":[`+strings.Repeat("{},", mostAnswers)+`{}]}`).Body
		}, http.StatusBadRequest},
		"an unknown member": {
			func(r *http.Request) { r.Body = request("POST", "/", `{"role":"supervisor"}`).Body },
			http.StatusBadRequest,
		},
		"another method": {func(r *http.Request) { r.Method = http.MethodPut }, http.StatusMethodNotAllowed},
	} {
		d := newDesk(t, true)
		r := request("POST", "/settings/save", limits)
		c.change(r)
		if status, _ := answered(d, r); status != c.want || (d.saved != nil) != (c.want == http.StatusOK) {
			t.Errorf("%s: %d, and %v is written", name, status, d.saved)
		}
		if tries++; d.saved != nil {
			through++
		}
	}
	// one of them is the own screen
	attack.Report(t, "settings, from anywhere but the own screen's page", tries-1, through-1)
}

// of is the name of what a page shows of a change, in which all of it must be said.
func (d *asked) of(t *testing.T, body string, shown ...string) string {
	t.Helper()
	status, said := answered(d, request("POST", "/settings/check", body))
	if status != http.StatusOK || said.Of == "" || !slices.Equal(said.Changes, shown) {
		t.Fatalf("%s is shown as %d %+v", body, status, said)
	}
	return said.Of
}

// with is a post with more in it.
func with(body, more string) string { return strings.TrimSuffix(body, "}") + "," + more + "}" }

// TestAttackRides: a PIN is for the change that is shown, once, at once: whoever posts another one meanwhile, the same
// again, or what was shown before the file was another, changes nothing.
func TestAttackRides(t *testing.T) {
	d := newDesk(t, false)
	const anna, other = `"name":"anna","pin":"58219"`, `{"answers":[{"key":"box_max","text":"10000"}],"about":"limits"}`
	of := d.of(t, limits, "Minimum: 20.00 instead of –")
	tries, through := 0, 0
	refused := func(what, body string, status int) {
		t.Helper()
		tries++
		got, said := answered(d, request("POST", "/settings/save", body))
		if got != status || d.saved != nil || said.Wrong == "" {
			through++
			t.Errorf("%s is answered %d %+v, and %v is written", what, got, said, d.saved)
		}
	}
	again := func() {
		refused("no PIN", with(limits, `"of":"`+of+`"`), http.StatusForbidden)
		refused("no PIN, another change", with(other, `"of":"`+d.of(t, other, "Box maximum: 10000.00 instead of –")+
			`"`), http.StatusForbidden)
	}
	again()
	refused("a wrong PIN", with(limits, `"of":"`+of+`","name":"anna","pin":"11111"`), http.StatusForbidden)
	refused("nothing shown", with(limits, anna), http.StatusConflict)
	refused("another change", with(other, `"of":"`+of+`",`+anna), http.StatusConflict)
	if status, said := answered(d, request("POST", "/settings/save",
		with(limits, `"of":"`+of+`",`+anna))); status != http.StatusOK || said.Wrong != "" || len(d.saved) != 1 {
		t.Fatalf("what was shown is answered %d %+v", status, said)
	}
	if s := d.change.Settings; len(s) != 1 || s[0].Key != "min" || s[0].Was != "" || s[0].Now != "20.00" {
		t.Errorf("it is on record as %+v", s)
	}
	d.saved = nil
	again()
	d.options.Text = func() ([]byte, error) { return append(slices.Clone(named), "min: 5\n"...), nil }
	d.serve()
	refused("shown before", with(limits, `"of":"`+of+`",`+anna), http.StatusConflict)
	attack.Report(t, "settings: rides on a supervisor's PIN", tries, through)
}

// TestPermits: a PIN permits to try one broker, as one user, or to listen to the keys; nothing else, and nothing is
// changed.
func TestPermits(t *testing.T) {
	d := newDesk(t, false)
	const broker, elsewhere = `{"answers":[{"key":"mqtt.broker","text":"tcp://127.0.0.1:1"}],"about":"pit"}`,
		`{"answers":[{"key":"mqtt.broker","text":"tcp://127.0.0.1:2"}]}`
	if _, said := answered(d, request("POST", "/settings/broker", broker)); !said.Untried || said.Wrong != "" ||
		!slices.Equal(said.Changes, []string{"Try the broker tcp://127.0.0.1:1"}) {
		t.Errorf("nobody is proven, and of the broker is said %+v", said)
	}
	if status, said := answered(d, request("POST", "/settings/permit",
		with(broker, `"name":"anna","pin":"1"`))); status != http.StatusForbidden || said.Permit != "" || !said.Failed {
		t.Errorf("a wrong PIN is answered %d %+v", status, said)
	}
	_, said := answered(d, request("POST", "/settings/permit", with(broker, `"name":"anna","pin":"58219"`)))
	for body, tried := range map[string]bool{broker: true, elsewhere: false} {
		if _, came := answered(d, request("POST", "/settings/broker",
			with(body, `"permit":"`+said.Permit+`"`))); came.Untried == tried || (came.Wrong != "") != tried {
			t.Errorf("%s is answered %+v", body, came)
		}
	}
	if _, came := answered(d, request("POST", "/settings/press", `{"permit":"`+said.Permit+`"}`)); !came.Untried {
		t.Errorf("keys are listened to: %+v", came)
	}
	if status, _ := answered(d, request("POST", "/settings/save", limits)); status != http.StatusForbidden &&
		status != http.StatusConflict {
		t.Errorf("what is permitted changes settings: %d", status)
	}
}

// TestNeverRemoved: why somebody stays is told so that the page can say it in the screen's language.
func TestNeverRemoved(t *testing.T) {
	d := newDesk(t, false)
	const body = `{"answers":[{"key":"min","text":"20","pin":""}],"name":"anna","pin":"58219"}`
	for err, want := range map[error]never{
		settings.ErrLast: lastOne, settings.ErrSelf: oneself,
		errors.New("the disk is full"): "", nil: "",
	} {
		d.options.Change = func(context.Context, Change) (bool, error) { return false, err }
		d.serve()
		_, said := answered(d, request("POST", "/settings/save",
			with(body, `"of":"`+d.of(t, limits, "Minimum: 20.00 instead of –")+`"`)))
		if said.Never != want || (said.Wrong == "") != (err == nil) {
			t.Errorf("%v is told as %+v", err, said)
		}
	}
}

// TestJudged: a question's own answers are judged, after those before it.
func TestJudged(t *testing.T) {
	d := newDesk(t, true)
	for body, want := range map[string]string{
		limits: "",
		`{"answers":[{"key":"box_max","text":"5"}],"about":"limits"}`:                                              "the box maximum 5.00 is below",
		`{"answers":[{"key":"house","text":"st-moritz"},{"key":"min","text":"0.3"}],"about":"limits"}`:             "min ",
		`{"answers":[{"key":"table","text":"BJ 1"}],"about":"table"}`:                                              `table "BJ 1" cannot be part of an MQTT topic`,
		`{"answers":[{"key":"journal.path","text":"/tmp"}],"about":"table"}`:                                       "nothing was answered",
		`{"answers":[{"key":"supervisors.names","text":"anna","pin":"1234"}],"about":"supervisor"}`:                "too easy to guess",
		`{"answers":[{"key":"shoe.driver","text":"bee-tek"},{"key":"shoe.port","text":"nowhere"}],"about":"shoe"}`: "nowhere",
	} {
		if status, said := answered(d, request("POST", "/settings/check", body)); status != http.StatusOK ||
			(said.Wrong == "") != (want == "") || !strings.Contains(said.Key+" "+said.Wrong, want) {
			t.Errorf("%s: %d %+v, want %q", body, status, said, want)
		}
	}
}

// TestDrawnInEveryLanguage: the page has all words, in every language, and no hash of a PIN.
func TestDrawnInEveryLanguage(t *testing.T) {
	for _, name := range display.Spoken() {
		for _, first := range []bool{true, false} {
			w := httptest.NewRecorder()
			newDesk(t, first).ServeHTTP(w, request("GET", "/settings/?lang="+name, ""))
			page := w.Body.String()
			if w.Code != http.StatusOK || strings.Contains(page, "first.") || strings.Contains(page, "argon2id") ||
				!strings.Contains(page, "</html>") {
				t.Errorf("%s: %d\n%s", name, w.Code, page)
			}
		}
	}
}

// FuzzPosts sends anything to every address: none crashes.
func FuzzPosts(f *testing.F) {
	f.Add("check", limits)
	f.Add("check", `{"answers":[{"key":"supervisors.names","text":"a","pin":"58219"}],"about":"supervisor"}`)
	f.Add("save", `{"answers":[{"key":"\u0000","text":"\u202e"}]}`)
	f.Fuzz(func(t *testing.T, where, body string) {
		if where != "check" && where != "save" && where != "permit" {
			return // the others look for devices, and connect
		}
		answered(newDesk(t, false), request("POST", "/settings/"+where, body))
	})
}

// TestPressed: a press is told with its line, once a supervisor is proven, and lines that are for something else are
// left alone. What keeps it from listening is said; without a press the page asks again.
func TestPressed(t *testing.T) {
	desk := func(first bool, heard string, err error) (*asked, *[]string) {
		d, others := newDesk(t, first), []string{}
		d.options.Text = func() ([]byte, error) {
			return []byte("keys: {supervisor: GPIO24 active-high}\nsignals: {lock: GPIO23}\n"), nil
		}
		d.options.Pressed = func(_ context.Context, lines []gpio.Line) (string, error) {
			for _, l := range lines {
				others = append(others, l.Address())
			}
			return heard, err
		}
		d.serve()
		return d, &others
	}
	press := request("POST", "/settings/press", "{}")
	d, others := desk(true, "GPIO5", nil)
	if _, said := answered(d, press); said.Line != "GPIO5" || said.Wrong != "" ||
		!slices.Equal(*others, []string{"GPIO24", "GPIO23"}) {
		t.Errorf("a press is told as %+v, and %v are left alone", said, *others)
	}
	d, _ = desk(true, "", nil)
	if status, said := answered(d, request("POST", "/settings/press", "{}")); status != http.StatusOK ||
		said.Line != "" || said.Wrong != "" {
		t.Errorf("no press is told as %d %+v", status, said)
	}
	d, _ = desk(true, "", errors.New("no lines here"))
	if _, said := answered(d, request("POST", "/settings/press", "{}")); said.Wrong != "no lines here" {
		t.Errorf("a computer without lines is told as %+v", said)
	}
	d, others = desk(false, "GPIO5", nil)
	if _, said := answered(d, request("POST", "/settings/press", "{}")); !said.Untried || said.Line != "" ||
		len(*others) > 0 {
		t.Errorf("without a supervisor it is told %+v, having listened", said)
	}
	_, given := answered(d, request("POST", "/settings/permit", `{"about":"keys","name":"anna","pin":"58219"}`))
	if _, said := answered(d, request("POST", "/settings/press", `{"permit":"`+given.Permit+
		`"}`)); said.Line != "GPIO5" {
		t.Errorf("to a supervisor it is told %+v", said)
	}
}
