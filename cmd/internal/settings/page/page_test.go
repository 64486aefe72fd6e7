package page

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/cmd/internal/settings"
	"github.com/sabot-table/sabot/deploy"
	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table/profile"
)

// asked is a page, and what it has written.
type asked struct {
	http.Handler
	options Options
	proven  bool
	saved   []settings.Answer
}

func newDesk(t testing.TB, first bool) *asked {
	t.Helper()
	english, ok := display.Speak("en")
	if !ok {
		t.Fatal("there is no English")
	}
	d := &asked{}
	var proven func(context.Context) bool
	if !first {
		proven = func(context.Context) bool { return d.proven }
	}
	d.options = Options{
		Proven: proven,
		First:  first, Houses: profile.Built(), Language: english, Log: slog.New(slog.DiscardHandler), Names: []string{"anna"},
		Text:  func() ([]byte, error) { return deploy.Example, nil },
		Tried: func(shoe.Position) {}, Last: func() shoe.Position { return shoe.Position{} },
		Prove: func(_ context.Context, _, pin string) error { d.proven = pin == "58219"; return nil },
		Save: func(_ context.Context, answers []settings.Answer) (bool, error) {
			if !first && !d.proven {
				return false, ErrNotProven
			}
			d.saved = answers
			return false, nil
		},
	}
	d.Handler = New(d.options)
	return d
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
		"the own screen":   {func(*http.Request) {}, http.StatusOK},
		"another computer": {func(r *http.Request) { r.RemoteAddr = "192.0.2.7:40000" }, http.StatusMisdirectedRequest},
		"a foreign name":   {func(r *http.Request) { r.Host = "evil.example:8080" }, http.StatusMisdirectedRequest},
		"a foreign page":   {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, http.StatusForbidden},
		"a foreign origin": {func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, http.StatusForbidden},
		"an opaque origin": {func(r *http.Request) { r.Header.Set("Origin", "null") }, http.StatusForbidden},
		"a form":           {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, http.StatusUnsupportedMediaType},
		"not to be read":   {func(r *http.Request) { r.Body = request("POST", "/", "{").Body }, http.StatusBadRequest},
		"too much": {func(r *http.Request) {
			r.Body = request("POST", "/", `{"name":"`+strings.Repeat("a", mostGiven)+`"}`).Body
		}, http.StatusBadRequest},
		"too many answers": {func(r *http.Request) {
			r.Body = request("POST", "/", `{"answers":[`+strings.Repeat("{},", mostAnswers)+`{}]}`).Body
		}, http.StatusBadRequest},
		"an unknown member": {func(r *http.Request) { r.Body = request("POST", "/", `{"role":"supervisor"}`).Body }, http.StatusBadRequest},
		"another method":    {func(r *http.Request) { r.Method = http.MethodPut }, http.StatusMethodNotAllowed},
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
	attack.Report(t, "settings, from anywhere but the own screen's page", tries-1, through-1) // one of them is the own screen
}

// TestProven: without a proven supervisor nothing is written, and after a PIN it is.
func TestProven(t *testing.T) {
	d := newDesk(t, false)
	if status, said := answered(d, request("POST", "/settings/save", limits)); status != http.StatusForbidden || said.Wrong == "" || d.saved != nil {
		t.Errorf("nobody is proven: %d %+v, %v is written", status, said, d.saved)
	}
	broker := `{"answers":[{"key":"mqtt.broker","text":"tcp://127.0.0.1:1"}]}`
	if _, said := answered(d, request("POST", "/settings/broker", broker)); !said.Untried || said.Wrong != "" {
		t.Errorf("nobody is proven, and of the broker is said %+v", said)
	}
	if status, _ := answered(d, request("POST", "/settings/pin", `{"name":"anna","pin":"58219"}`)); status != http.StatusOK {
		t.Errorf("the PIN: %d", status)
	}
	if status, said := answered(d, request("POST", "/settings/save", limits)); status != http.StatusOK || said.Wrong != "" || len(d.saved) != 1 {
		t.Errorf("anna is proven: %d %+v, %v is written", status, said, d.saved)
	}
	if _, said := answered(d, request("POST", "/settings/broker", broker)); said.Untried || said.Wrong == "" {
		t.Errorf("anna is proven, and of a broker that is not there is said %+v", said)
	}
}

// TestNeverRemoved: why somebody stays is told so that the page can say it in the screen's language.
func TestNeverRemoved(t *testing.T) {
	d := newDesk(t, false)
	var removed []settings.Answer
	for err, want := range map[error]never{settings.ErrLast: lastOne, settings.ErrSelf: oneself, errors.New("the disk is full"): "", nil: ""} {
		d.options.Save = func(_ context.Context, answers []settings.Answer) (bool, error) {
			removed = answers
			return false, err
		}
		d.Handler = New(d.options)
		_, said := answered(d, request("POST", "/settings/save", `{"answers":[{"key":"supervisors.names","text":"anna","pin":"","remove":true}]}`))
		if said.Never != want || (said.Wrong == "") != (err == nil) || len(removed) != 1 || !removed[0].Remove {
			t.Errorf("%v is told as %+v, asked was %+v", err, said, removed)
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
		if status, said := answered(d, request("POST", "/settings/check", body)); status != http.StatusOK || (said.Wrong == "") != (want == "") || !strings.Contains(said.Key+" "+said.Wrong, want) {
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
			if w.Code != http.StatusOK || strings.Contains(page, "first.") || strings.Contains(page, "argon2id") || !strings.Contains(page, "</html>") {
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
		if where != "check" && where != "save" && where != "pin" {
			return // the others look for devices, and connect
		}
		answered(newDesk(t, false), request("POST", "/settings/"+where, body))
	})
}

// TestPressed: a press is told with its line, once a supervisor is proven, and lines that are for something else are left
// alone. What keeps it from listening is said; without a press the page asks again.
func TestPressed(t *testing.T) {
	with := func(first bool, heard string, err error) (*asked, *[]string) {
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
		d.Handler = New(d.options)
		return d, &others
	}
	press := request("POST", "/settings/press", "{}")
	d, others := with(true, "GPIO5", nil)
	if _, said := answered(d, press); said.Line != "GPIO5" || said.Wrong != "" || !slices.Equal(*others, []string{"GPIO24", "GPIO23"}) {
		t.Errorf("a press is told as %+v, and %v are left alone", said, *others)
	}
	d, _ = with(true, "", nil)
	if status, said := answered(d, request("POST", "/settings/press", "{}")); status != http.StatusOK || said.Line != "" || said.Wrong != "" {
		t.Errorf("no press is told as %d %+v", status, said)
	}
	d, _ = with(true, "", errors.New("no lines here"))
	if _, said := answered(d, request("POST", "/settings/press", "{}")); said.Wrong != "no lines here" {
		t.Errorf("a computer without lines is told as %+v", said)
	}
	d, others = with(false, "GPIO5", nil)
	if _, said := answered(d, request("POST", "/settings/press", "{}")); !said.Untried || said.Line != "" || len(*others) > 0 {
		t.Errorf("without a supervisor it is told %+v, having listened", said)
	}
	d.proven = true
	if _, said := answered(d, request("POST", "/settings/press", "{}")); said.Line != "GPIO5" {
		t.Errorf("to a supervisor it is told %+v", said)
	}
}
