package web

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// chosen is the cookie that keeps a screen's language, by the language's code.
const chosen = "sabot-language"

// keptFor is how long a screen keeps the language that was chosen on it.
const keptFor = 365 * 24 * time.Hour

// renderers are one for each language that a screen may choose, in the order of the
// menu; home is where the table's own stands among them.
func renderers(o Options) (all []renderer, home int) {
	languages := o.Language.Menu()
	for i, l := range languages {
		if l.Code() == o.Language.Code() {
			home, languages[i] = i, o.Language
		}
	}
	for i, l := range languages {
		all = append(all, renderer{language: l, at: i, all: languages, recalls: o.Recall != nil, root: o.Root, helps: o.Houses != nil, hands: o.Press != nil, badges: o.Badges, settles: o.Settings, inspects: o.Devices != nil})
	}
	return all, home
}

// offered is a language in the menu. Link is the address that chooses it for the page
// that is looked at.
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

// speaking returns the renderer of a request's language: the one that its address
// asks for, else the screen's, else the table's.
func (s *Server) speaking(r *http.Request) renderer {
	if one, ok := s.called(r.URL.Query().Get("lang")); ok {
		return one
	}
	if cookie, err := r.Cookie(chosen); err == nil {
		if one, ok := s.called(cookie.Value); ok {
			return one
		}
	}
	return s.renders[s.home]
}

// called finds the renderer of a language by its code, or by a tag such as de-CH.
func (s *Server) called(name string) (renderer, bool) {
	code, _, _ := strings.Cut(strings.ToLower(name), "-")
	i := slices.IndexFunc(s.renders, func(r renderer) bool { return r.language.Code() == code })
	if i < 0 {
		return renderer{}, false
	}
	return s.renders[i], true
}

// choosing lets a page's address choose the screen's language with ?lang=: the choice
// is kept in a cookie, and the page comes from its address without it.
func (s *Server) choosing(page http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		if !query.Has("lang") {
			page(w, r)
			return
		}
		one, ok := s.called(query.Get("lang"))
		if !ok {
			http.Error(w, "This display does not speak that language: write ?lang= with one of "+s.codes()+".", http.StatusBadRequest)
			return
		}
		http.SetCookie(w, &http.Cookie{
			Name: chosen, Value: one.language.Code(), Path: "/", MaxAge: int(keptFor / time.Second),
			HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode,
		})
		query.Del("lang")
		there := *r.URL
		there.RawQuery = query.Encode()
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, there.RequestURI(), http.StatusSeeOther)
	}
}

func (s *Server) codes() string {
	var codes []string
	for _, r := range s.renders {
		codes = append(codes, r.language.Code())
	}
	return strings.Join(codes, ", ")
}
