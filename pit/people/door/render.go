package door

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/display/web/markup"
	"github.com/sabot-table/sabot/pit/people"
)

//go:embed templates/*.html
var templates embed.FS

//go:embed assets/*.css assets/*.js
var assets embed.FS

var pages = markup.Parse(templates, "templates/*")

var (
	drawEnter    = markup.Compile[enterModel](pages, "enter.html")
	drawPassword = markup.Compile[passwordModel](pages, "password.html")
	drawPeople   = markup.Compile[peopleModel](pages, "people.html")
	drawLog      = markup.Compile[logModel](pages, "log.html")
	drawRefused  = markup.Compile[refusedModel](pages, "refused.html")
)

// build names the pages' assets: their addresses carry it, so a browser may keep them.
var build = func() string {
	sum := sha256.New()
	sum.Write([]byte(web.Build()))
	err := fs.WalkDir(assets, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		b, err := assets.ReadFile(path)
		sum.Write(b)
		return err
	})
	if err != nil {
		panic("pit/people/door: embedded files cannot be read: " + err.Error())
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}()

// kinds are the media types of the assets: nothing else is served.
var kinds = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}

// asset serves one of the door's files, or one that it shares with the table's pages.
func asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if _, err := fs.Stat(assets, "assets/"+name); err != nil {
		web.Asset(w, r)
		return
	}
	w.Header().Set("Content-Type", kinds[path.Ext(name)])
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeFileFS(w, r, assets, "assets/"+name)
}

// pageModel is what every page of the door has.
type pageModel struct {
	Build, Lang, Title string
	// Who looks, and their role; "" where nobody has entered.
	Who, Role string
	Manager   bool
	// Here is the page's path.
	Here      string
	Languages []offered
}

// offered is a language in the menu.
type offered struct {
	Tag, Name, Link string
	Chosen          bool
}

func (d *Door) page(r *http.Request, l display.Language, title string) pageModel {
	m := pageModel{Build: build, Lang: l.Tag(), Title: say(l, title), Here: r.URL.Path}
	if who := asked(r).who; who != nil && !who.MustChoose() {
		m.Who, m.Role, m.Manager = who.Person.Name, roleName(l, who.Person.Role), who.Person.Role.May(people.Manager)
	}
	query := r.URL.Query()
	for _, one := range d.languages {
		query.Set("lang", one.Code())
		m.Languages = append(m.Languages, offered{one.Tag(), one.Name(), "?" + query.Encode(), one.Code() == l.Code()})
	}
	return m
}

func roleName(l display.Language, role people.Role) string {
	return say(l, "people.role-"+role.String())
}

func say(l display.Language, key string, args ...display.Arg) string {
	return l.Say(display.Message{Key: key, Args: args})
}

// when writes a moment as the house's clock shows it.
func when(l display.Language, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format(say(l, "time.date") + " 15:04")
}

// speaking is the language of a screen: the one that it has chosen, else the pit's.
func (d *Door) speaking(r *http.Request) display.Language {
	if c, err := r.Cookie(web.LanguageCookie); err == nil {
		if l, ok := d.called(c.Value); ok {
			return l
		}
	}
	if l, ok := d.called(d.o.Language.Code()); ok {
		return l
	}
	return d.o.Language
}

// called finds a language by its code, or by a tag such as de-CH.
func (d *Door) called(name string) (display.Language, bool) {
	code, _, _ := strings.Cut(strings.ToLower(name), "-")
	i := slices.IndexFunc(d.languages, func(l display.Language) bool { return l.Code() == code })
	if i < 0 {
		return display.Language{}, false
	}
	return d.languages[i], true
}

// choosing lets a page's address choose the screen's language with ?lang=: the choice is kept
// in a cookie, and the page comes from its address without it.
func (d *Door) choosing(page http.HandlerFunc) http.HandlerFunc {
	const keptFor = 365 * 24 * time.Hour
	return func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		if !query.Has("lang") {
			page(w, r)
			return
		}
		if l, ok := d.called(query.Get("lang")); ok {
			http.SetCookie(w, &http.Cookie{
				Name: web.LanguageCookie, Value: l.Code(), Path: "/", MaxAge: int(keptFor / time.Second),
				HttpOnly: true, Secure: asked(r).secure, SameSite: http.SameSiteStrictMode,
			})
		}
		query.Del("lang")
		there := *r.URL
		there.RawQuery = query.Encode()
		http.Redirect(w, r, there.RequestURI(), http.StatusSeeOther)
	}
}

func (d *Door) draw(w http.ResponseWriter, status int, page []byte) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	if _, err := w.Write(page); err != nil {
		d.o.Log.Debug("pit: the browser left before it had everything", "err", err)
	}
}

type refusedModel struct {
	Page pageModel
	Text string
}

// Refuse says that somebody's role is not enough: on a page to who looks, else as JSON.
func (d *Door) Refuse(w http.ResponseWriter, r *http.Request) {
	d.refuse(w, r, http.StatusForbidden, "people.may-not")
}

// refuse answers with a text in the same way.
func (d *Door) refuse(w http.ResponseWriter, r *http.Request, status int, key string) {
	l := d.speaking(r)
	if r.Method != http.MethodGet {
		d.answer(w, status, answer{Error: say(l, key)})
		return
	}
	d.draw(w, status, drawRefused(nil, l, &refusedModel{d.page(r, l, "people.refused-title"), say(l, key)}))
}
