package login

import (
	"net/http"
	"time"
)

// What a browser keeps. By TLS each name begins with __Host-: browsers then keep it for this
// very host alone.
const (
	sessionCookie = "sabot-pit"
	browserCookie = "sabot-pit-known"
	ssoCookie     = "sabot-pit-sso"
)

const (
	// browserFor is the longest that browsers keep a cookie.
	browserFor = 400 * 24 * time.Hour
	ssoFor     = 10 * time.Minute
)

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
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(r, name), Value: value, Path: "/", MaxAge: int(lasts / time.Second),
		Secure: asked(r).secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

func dropCookie(w http.ResponseWriter, r *http.Request, name string) {
	setCookie(w, r, name, "", -time.Second)
}
