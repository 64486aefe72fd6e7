package dashboard

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display/web"
)

// keptFor is how long a screen keeps the language that was chosen on it.
const keptFor = 365 * 24 * time.Hour

// renderers are one for each language that a screen may choose, in the order of the menu; home is where the pit's own
// stands among them.
func renderers(o Options) (all []renderer, home int) {
	languages := o.Language.Menu()
	for i, l := range languages {
		if l.Code() == o.Language.Code() {
			home, languages[i] = i, o.Language
		}
	}
	for i, l := range languages {
		all = append(all, renderer{language: l, at: i, all: languages})
	}
	return all, home
}

// speaking returns the renderer of the language that the screen has chosen, else of the pit's.
func (d *Dashboard) speaking(r *http.Request) renderer {
	if cookie, err := r.Cookie(web.LanguageCookie); err == nil {
		if one, ok := d.called(cookie.Value); ok {
			return one
		}
	}
	return d.renders[d.home]
}

// called finds the renderer of a language by its code, or by a tag such as de-CH.
func (d *Dashboard) called(name string) (renderer, bool) {
	code, _, _ := strings.Cut(strings.ToLower(name), "-")
	i := slices.IndexFunc(d.renders, func(r renderer) bool { return r.language.Code() == code })
	if i < 0 {
		return renderer{}, false
	}
	return d.renders[i], true
}

// choosing lets a page's address choose the screen's language with ?lang=: the choice is kept in a cookie, and the page
// comes from its address without it.
func (d *Dashboard) choosing(page http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		if !query.Has("lang") {
			page(w, r)
			return
		}
		one, ok := d.called(query.Get("lang"))
		if !ok {
			http.Error(w, d.speaking(r).say("pit.no-language"), http.StatusBadRequest)
			return
		}
		http.SetCookie(w, &http.Cookie{
			Name: web.LanguageCookie, Value: one.language.Code(), Path: "/", MaxAge: int(keptFor / time.Second),
			HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode,
		})
		query.Del("lang")
		there := *r.URL
		there.RawQuery = query.Encode()
		http.Redirect(w, r, there.RequestURI(), http.StatusSeeOther)
	}
}

// offered is a language in the menu. Link is the address that chooses it for the page that is looked at.
type offered struct {
	Tag, Name, Link string
	Chosen          bool
}

// offers lists the languages under the names that they have for themselves.
func (r renderer) offers() []offered {
	menu := make([]offered, len(r.all))
	for i, l := range r.all {
		menu[i] = offered{Tag: l.Tag(), Name: l.Name(), Link: "?lang=" + l.Code(), Chosen: i == r.at}
	}
	return menu
}
