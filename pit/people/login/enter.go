package login

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/people"
)

type enterModel struct {
	Page pageModel
	// Then is the page to which who enters is led.
	Then string
	// By names the provider, "" for none; ByWhere is where it is asked.
	By, ByWhere string
	// Refused says why somebody for whom a provider was asked does not enter.
	Refused string
}

// enterPage is where people enter. Of the floor it tells nothing.
func (d *Door) enterPage(w http.ResponseWriter, r *http.Request) {
	then := within(r.URL.Query().Get("then"))
	switch who, known, err := d.present(r, false); {
	case err == nil && known && who.MustChoose():
		http.Redirect(w, r, passwordPath, http.StatusSeeOther)
		return
	case err == nil && known:
		http.Redirect(w, r, then, http.StatusSeeOther)
		return
	}
	d.enterAgain(w, r, http.StatusOK, then, "")
}

func (d *Door) enterAgain(w http.ResponseWriter, r *http.Request, status int, then, refused string) {
	l := d.speaking(r)
	m := enterModel{Page: d.page(r, l, "people.enter-title"), Then: then, Refused: refused}
	if d.o.Provider != nil {
		m.By = l.With("people.enter-by", "provider", d.o.ProviderName)
		m.ByWhere = "/enter/sso?" + url.Values{"then": {then}}.Encode()
	}
	site.Send(w, status, site.HTML, drawEnter(nil, l, &m))
}

// within is an address of the pit's own, "/" for any other. A browser takes \ for /, and
// leaves line breaks out.
func within(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || !strings.HasPrefix(address, "/") ||
		strings.HasPrefix(address, "//") || strings.ContainsAny(address, "\\\r\n\t") || u.Path == enterPath {
		return "/"
	}
	return address
}

// enter takes {"name":"…","password":"…","then":"/…"}. 200 with where to go; 403 for a wrong
// name or password; 429 in a pause.
func (d *Door) enter(w http.ResponseWriter, r *http.Request) {
	var given struct{ Name, Password, Then string }
	if !d.readForm(w, r, &given) {
		return
	}
	in, err := d.o.People.Enter(r.Context(), d.attempt(r, given.Name, given.Password))
	if err != nil {
		d.refused(w, r, err)
		return
	}
	d.enters(w, r, in)
	then := within(given.Then)
	if !in.Person.StartUntil.IsZero() {
		then = passwordPath
	}
	site.Answer(w, http.StatusOK, answer{Then: then})
}

func (d *Door) attempt(r *http.Request, name, password string) people.Attempt {
	return people.Attempt{
		Name: name, Password: password, From: From(r),
		Browser: d.cookie(r, browserCookie), Session: d.cookie(r, sessionCookie),
	}
}

// enters gives the browser of somebody who entered what it keeps.
func (d *Door) enters(w http.ResponseWriter, r *http.Request, in people.Admitted) {
	lasts := time.Duration(0)
	if in.Person.Role == people.Viewer {
		lasts = site.LongestCookie // a screen on a wall comes back by itself
	}
	setCookie(w, r, sessionCookie, in.Token, lasts)
	if in.Browser != "" {
		setCookie(w, r, browserCookie, in.Browser, site.LongestCookie)
	}
}

// leave ends the session.
func (d *Door) leave(w http.ResponseWriter, r *http.Request) {
	if !d.readForm(w, r, &struct{}{}) {
		return
	}
	if err := d.o.People.Leave(r.Context(), d.cookie(r, sessionCookie), From(r)); err != nil {
		d.refused(w, r, err)
		return
	}
	dropCookie(w, r, sessionCookie)
	site.Answer(w, http.StatusOK, answer{Then: enterPath})
}

// pending is what a browser keeps while the provider is asked.
type pending struct {
	Pending
	Then string `json:"then"`
}

// ssoBegin leads a browser to the provider.
func (d *Door) ssoBegin(w http.ResponseWriter, r *http.Request) {
	then := within(r.URL.Query().Get("then"))
	address, asked, err := d.o.Provider.Begin(r.Context())
	if err != nil {
		d.o.Log.Error("pit: nobody can log in with the identity provider; passwords still work", "err", err)
		d.enterAgain(w, r, http.StatusBadGateway, then, d.speaking(r).With("people.provider"))
		return
	}
	kept, err := json.Marshal(pending{asked, then})
	if err != nil {
		panic(err) // texts can be written
	}
	setCookie(w, r, ssoCookie, base64.RawURLEncoding.EncodeToString(kept), ssoFor)
	http.Redirect(w, r, address, http.StatusSeeOther)
}

// ssoBack lets in whom the provider sends back.
func (d *Door) ssoBack(w http.ResponseWriter, r *http.Request) {
	var kept pending
	text, err := base64.RawURLEncoding.DecodeString(d.cookie(r, ssoCookie))
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	dropCookie(w, r, ssoCookie)
	if err != nil {
		kept = pending{} // which Finish refuses
	}
	vouched, err := d.o.Provider.Finish(r.Context(), kept.Pending, r.URL.Query())
	if err != nil {
		how := string(people.WhyProvider)
		if kept.Pending == (Pending{}) {
			how += ", which nobody had asked" // anybody can send that, over and over
		}
		if d.paces.refusals.First(refusal{"", From(r), how}) {
			d.o.Log.Warn("pit: a log-in with the identity provider failed: compare people.openid with what the "+
				"provider knows; passwords still work",
				"err", err, "from", From(r))
			if err := d.o.People.VouchFailed(r.Context(), From(r), err.Error()); err != nil {
				d.o.Log.Error("pit: the log could not be written: look at the database", "err", err)
			}
		}
		d.enterAgain(w, r, http.StatusForbidden, within(kept.Then), d.speaking(r).With("people.provider"))
		return
	}
	in, err := d.o.People.EnterVouched(r.Context(), vouched, d.attempt(r, "", ""))
	if err != nil {
		status, text, _ := d.said(r, err)
		d.enterAgain(w, r, status, within(kept.Then), text)
		return
	}
	d.enters(w, r, in)
	http.Redirect(w, r, within(kept.Then), http.StatusSeeOther)
}

// answer is what a page is answered.
type answer struct {
	// Then is the page to go to.
	Then string `json:"then,omitempty"`
	// Start is a starting password, to be shown once, with Title above it.
	Start string `json:"start,omitempty"`
	Title string `json:"title,omitempty"`
	// Error is what is wrong, in the language of the screen, and Wait for how many seconds.
	Error string `json:"error,omitempty"`
	Wait  int    `json:"wait,omitempty"`
}

// refused answers an error.
func (d *Door) refused(w http.ResponseWriter, r *http.Request, err error) {
	status, text, wait := d.said(r, err)
	site.WaitAfter(w, wait)
	site.Answer(w, status, answer{Error: text, Wait: wait})
}

// errorKeys are the texts of errors, and their statuses.
var errorKeys = []struct {
	err    error
	key    string
	status int
}{
	{people.ErrPasswordShort, "people.short", http.StatusBadRequest},
	{people.ErrPasswordLong, "people.long", http.StatusBadRequest},
	{people.ErrPasswordSimple, "people.simple", http.StatusBadRequest},
	{people.ErrPasswordSame, "people.same", http.StatusBadRequest},
	{people.ErrName, "people.bad-name", http.StatusBadRequest},
	{people.ErrRole, "people.no-such-role", http.StatusBadRequest},
	{people.ErrSites, "people.no-such-site", http.StatusBadRequest},
	{people.ErrNobody, "people.nobody", http.StatusNotFound},
	{people.ErrThere, "people.there", http.StatusConflict},
	{people.ErrAlike, "people.alike", http.StatusConflict},
	{people.ErrYourself, "people.yourself", http.StatusConflict},
	{people.ErrRemoved, "people.is-removed", http.StatusConflict},
	{people.ErrNoNeed, "people.no-need", http.StatusConflict},
	{people.ErrProvider, "people.by-provider", http.StatusConflict},
	{people.ErrNoSession, "people.over", http.StatusUnauthorized},
}

// said is an error's status and text, and for how many seconds to wait.
func (d *Door) said(r *http.Request, err error) (status int, text string, wait int) {
	l := d.speaking(r)
	var refused *people.Refusal
	if errors.As(err, &refused) {
		status = http.StatusForbidden
		if refused.Why == people.WhyPaused || refused.Why == people.WhyBusy {
			status = http.StatusTooManyRequests
		}
		wait = site.Seconds(max(0, refused.Wait))
		text = l.With("people." + string(refused.Why))
		if wait > 0 && refused.Why != people.WhyBusy {
			text += " " + l.With("people.wait", "n", strconv.Itoa(wait))
		}
		return status, text, wait
	}
	for _, one := range errorKeys {
		if errors.Is(err, one.err) {
			return one.status, l.With(one.key), 0
		}
	}
	d.o.Log.Error("pit: a request could not be carried out, and nothing was changed: look at the database",
		"what", r.Method+" "+r.URL.Path, "err", err)
	return http.StatusServiceUnavailable, l.With("people.store"), 0
}

// readForm reads an object of a fixed form; anything else is refused without repeating any of it.
func (d *Door) readForm(w http.ResponseWriter, r *http.Request, into any) bool {
	const most = 4096
	if !site.IsJSON(r) {
		site.Answer(w, http.StatusUnsupportedMediaType, answer{Error: "this is posted as application/json"})
		return false
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if err != nil || bytes.Contains(text, []byte(`\u0000`)) || site.Decode(text, into) != nil { // see written
		site.Answer(w, http.StatusBadRequest, answer{Error: site.ErrUnread.Error()})
		return false
	}
	return true
}
