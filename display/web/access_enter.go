package web

import (
	"net/http"
	"time"

	"github.com/sabot-table/sabot/internal/site"
)

// cookieName is the session's cookie. Browsers keep one of this name only for this
// very host, over TLS, and for all of it.
const cookieName = "__Host-sabot"

func setCookie(w http.ResponseWriter, value string, lasts time.Duration) {
	site.SetCookie(w, http.Cookie{
		Name: cookieName, Value: value, Secure: true, SameSite: http.SameSiteStrictMode,
	}, lasts)
}

// cookieOf is what a screen's cookie holds, "" for none.
func cookieOf(r *http.Request) string {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// Entered is what an entry is answered with.
type Entered struct {
	// Wait is how many seconds no more wrong keys are heard of from there.
	Wait  int    `json:"wait,omitempty"`
	Error string `json:"error,omitempty"`
}

// enterScreen takes {"key":"…"} and gives the screen its session: 200, 403 for a
// wrong key, 429 where there were too many.
func (s *Server) enterScreen(w http.ResponseWriter, r *http.Request) {
	var given struct{ Key string }
	if !s.readForm(w, r, &given, `write it as {"key":"…"}`) {
		return
	}
	if one, known := s.options.Access.owner(given.Key); known {
		if wait := s.paced.people.Take(asker{screen: one.Name}); wait > 0 {
			s.tooOften(w, wait)
			return
		}
	}
	cookie, wait, ok := s.options.Access.enter(time.Now(), given.Key, site.NameOf(r.RemoteAddr))
	switch {
	case ok:
		setCookie(w, cookie, site.LongestCookie)
		site.Answer(w, http.StatusOK, Entered{})
	case wait > 0:
		seconds := site.Seconds(wait)
		site.WaitAfter(w, seconds)
		site.Answer(w, http.StatusTooManyRequests, Entered{Wait: seconds, Error: "too many wrong keys came from there"})
	default:
		site.Answer(w, http.StatusForbidden, Entered{Error: errNoKey.Error()})
	}
}

// leaveScreen ends the screen's session.
func (s *Server) leaveScreen(w http.ResponseWriter, r *http.Request) {
	if s.foreign(w, r) {
		return
	}
	s.options.Access.leave(cookieOf(r))
	setCookie(w, "", -time.Second)
	site.Answer(w, http.StatusOK, Entered{})
}

// enterModel is the page at which a screen enters: of the table it tells nothing.
type enterModel struct{ Build, Lang string }

// enterPage is where a screen enters: with the key behind the # of the address, which
// no browser sends and no log has, or with one that somebody types.
func (s *Server) enterPage(w http.ResponseWriter, r *http.Request) {
	render := s.speaking(r)
	site.Send(w, http.StatusOK, site.HTML, drawEnter(nil, render.language, &enterModel{build, render.language.Tag()}))
}
