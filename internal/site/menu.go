package site

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
)

// LanguageCookie keeps the code of the language that was chosen on a screen.
const LanguageCookie = "sabot-language"

// keptFor is how long a screen keeps the language that was chosen on it.
const keptFor = 365 * 24 * time.Hour

// Menu are the languages among which a screen may choose.
type Menu struct {
	// Languages stand in the order of the menu, and Home is where the house's own is among them.
	Languages []display.Language
	Home      int
	// Secure says that nobody can read along between a screen and the house; nil says so of TLS alone.
	Secure func(r *http.Request) bool
	// Unknown answers who has asked for a language that is none of these; nil says in English which there are.
	Unknown func(l display.Language) (said string)
}

// NewMenu is the menu of a house that speaks a language.
func NewMenu(own display.Language) Menu {
	m := Menu{Languages: own.Menu()}
	m.Home = m.find(own.Code())
	if m.Home < 0 {
		m.Languages, m.Home = append(m.Languages, own), len(m.Languages)
	}
	m.Languages[m.Home] = own
	return m
}

func (m Menu) find(code string) int {
	return slices.IndexFunc(m.Languages, func(l display.Language) bool { return l.Code() == code })
}

// Called says where a language stands, by its code or by a tag such as de-CH.
func (m Menu) Called(name string) (at int, known bool) {
	code, _, _ := strings.Cut(strings.ToLower(name), "-")
	at = m.find(code)
	return max(at, 0), at >= 0
}

// Of says where a request's language stands: the one that its address asks for with ?lang=, else the screen's, else the
// house's.
func (m Menu) Of(r *http.Request) int {
	if at, known := m.Called(r.URL.Query().Get("lang")); known {
		return at
	}
	if cookie, err := r.Cookie(LanguageCookie); err == nil {
		if at, known := m.Called(cookie.Value); known {
			return at
		}
	}
	return m.Home
}

// Speaks is the language of a request.
func (m Menu) Speaks(r *http.Request) display.Language { return m.Languages[m.Of(r)] }

// Admitted are the rows of a site: admit says how each answers, and a page's address chooses the screen's language.
func (m Menu) Admitted(rows []Row, admit func(Row) http.HandlerFunc) []Row {
	for i := range rows {
		if rows[i].Page {
			rows[i].Serve = m.choosing(rows[i].Serve)
		}
		rows[i].Serve = admit(rows[i])
	}
	return rows
}

// choosing lets a page's address choose the screen's language with ?lang=: the choice is kept in a cookie, and the page
// comes from its address without it.
func (m Menu) choosing(page http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		if !query.Has("lang") {
			page(w, r)
			return
		}
		at, known := m.Called(query.Get("lang"))
		if !known {
			said := "This display does not speak that language: write ?lang= with one of " + m.Codes() + "."
			if m.Unknown != nil {
				said = m.Unknown(m.Speaks(r))
			}
			http.Error(w, said, http.StatusBadRequest)
			return
		}
		SetCookie(w, http.Cookie{
			Name: LanguageCookie, Value: m.Languages[at].Code(), Secure: m.secure(r), SameSite: http.SameSiteStrictMode,
		}, keptFor)
		query.Del("lang")
		there := *r.URL
		there.RawQuery = query.Encode()
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, there.RequestURI(), http.StatusSeeOther)
	}
}

func (m Menu) secure(r *http.Request) bool {
	if m.Secure != nil {
		return m.Secure(r)
	}
	return r.TLS != nil
}

// Codes are what ?lang= may be, for those who wrote something else.
func (m Menu) Codes() string {
	var codes []string
	for _, l := range m.Languages {
		codes = append(codes, l.Code())
	}
	return strings.Join(codes, ", ")
}

// Offer is a language in the menu of a page. Link is the address that chooses it for the page that is looked at.
type Offer struct {
	Tag, Name, Link string
	Chosen          bool
}

// Offers lists the languages under the names that they have for themselves, on a page in the one at a place. query is
// what else the page's address asks for; nil for nothing.
func (m Menu) Offers(at int, query url.Values) []Offer {
	all := make([]Offer, len(m.Languages))
	for i, l := range m.Languages {
		address := url.Values{"lang": {l.Code()}}
		for name, values := range query {
			if name != "lang" {
				address[name] = values
			}
		}
		all[i] = Offer{Tag: l.Tag(), Name: l.Name(), Link: "?" + address.Encode(), Chosen: i == at}
	}
	return all
}
