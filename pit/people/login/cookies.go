package login

import (
	"net/http"
	"time"

	"github.com/sabot-table/sabot/internal/site"
)

// What a browser keeps. By TLS each name begins with __Host-: browsers then keep it for this
// very host alone.
const (
	sessionCookie = "sabot-pit"
	browserCookie = "sabot-pit-known"
	ssoCookie     = "sabot-pit-sso"
)

// ssoFor is how long a provider may take to send somebody back.
const ssoFor = 10 * time.Minute

func cookieName(r *http.Request, name string) string {
	if asked(r).secure {
		return "__Host-" + name
	}
	return name
}

func (d *Door) cookie(r *http.Request, name string) string {
	c, err := r.Cookie(cookieName(r, name))
	if err != nil {
		return ""
	}
	return c.Value
}

// setCookie gives the browser a cookie; one for 0 ends with the browser, and the session
// behind it has an end of its own. A link from elsewhere may bring it along, since it changes
// nothing: so a provider can send people back.
func setCookie(w http.ResponseWriter, r *http.Request, name, value string, lasts time.Duration) {
	site.SetCookie(w, http.Cookie{
		Name: cookieName(r, name), Value: value, Secure: asked(r).secure, SameSite: http.SameSiteLaxMode,
	}, lasts)
}

func dropCookie(w http.ResponseWriter, r *http.Request, name string) {
	setCookie(w, r, name, "", -time.Second)
}
