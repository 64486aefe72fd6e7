package login

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/people"
)

type passwordModel struct {
	Page pageModel
	// Must says that a password has to be chosen before anything else.
	Must bool
	// Provider says that the provider has the person's password.
	Provider bool
	Name     string
}

func (d *Door) passwordPage(w http.ResponseWriter, r *http.Request) {
	who, l := asked(r).who, d.speaking(r)
	title := "people.change-title"
	if who.MustChoose() {
		title = "people.choose-title"
	}
	site.Send(w, http.StatusOK, site.HTML, drawPassword(nil, l, &passwordModel{
		Page: d.page(r, l, title), Must: who.MustChoose(), Provider: who.Person.Subject != "", Name: who.Person.Name,
	}))
}

// password takes {"had":"…","password":"…"}.
func (d *Door) password(w http.ResponseWriter, r *http.Request) {
	var given struct{ Had, Password string }
	if !d.readForm(w, r, &given) {
		return
	}
	if err := d.o.People.Choose(r.Context(), *asked(r).who, given.Had, given.Password); err != nil {
		d.refused(w, r, err)
		return
	}
	site.Answer(w, http.StatusOK, answer{Then: "/"})
}

// peopleModel is the page on which managers look after people.
type peopleModel struct {
	Page  pageModel
	Here  []personModel
	Gone  []personModel
	Roles []roleModel
	// Sites are those to which people may be limited, "" where there is but one.
	Sites string
}

type personModel struct {
	Name, Role, State string
	// Sites are those to which the person is limited, and Limits says that this may be changed.
	Sites  string
	Limits bool
	// Sessions is how many there are, "" for none, and Last when one was used last, where.
	Sessions, Last string
	You            bool
	// Roles may be chosen for the person; none for one whom a provider vouches for.
	Roles    []roleModel
	Password bool
	Log      string
	// SureRemove and SureReset are asked before that is done.
	SureRemove, SureReset string
}

type roleModel struct {
	Role, Name, May string
	Chosen          bool
}

func roles(l display.Language, chosen people.Role) (all []roleModel) {
	for _, role := range people.Roles() {
		all = append(all, roleModel{
			role.String(), roleName(l, role), l.With("people.may-" + role.String()),
			role == chosen,
		})
	}
	return all
}

func (d *Door) peoplePage(w http.ResponseWriter, r *http.Request) {
	all, sessions, err := d.o.People.All(r.Context())
	if err != nil {
		d.o.Log.Error("pit: the people could not be read: look at the database", "err", err)
		d.refuse(w, r, http.StatusServiceUnavailable, "people.store")
		return
	}
	l := d.speaking(r)
	m := peopleModel{
		Page: d.page(r, l, "people.title"), Roles: roles(l, people.Viewer), Sites: strings.Join(d.o.Sites, " "),
	}
	for _, one := range all {
		row := d.person(l, one, sessions[one.Name])
		row.You = one.Name == asked(r).who.Person.Name
		if one.Here() {
			m.Here = append(m.Here, row)
		} else {
			m.Gone = append(m.Gone, row)
		}
	}
	site.Send(w, http.StatusOK, site.HTML, drawPeople(nil, l, &m))
}

func (d *Door) person(l display.Language, one people.Person, sessions []people.Session) personModel {
	at := func(key, time string) string { return l.With(key, "time", time) }
	m := personModel{
		Name: one.Name, Role: roleName(l, one.Role), Sites: string(one.Sites), Password: one.Subject == "",
		Limits:     one.Subject == "" && len(d.o.Sites) > 0,
		Log:        "/log?" + url.Values{"who": {one.Name}}.Encode(),
		SureRemove: l.With("people.sure-remove", "name", one.Name),
		SureReset:  l.With("people.sure-reset", "name", one.Name),
	}
	switch {
	case !one.Here():
		m.State = at("people.removed-since", d.when(l, one.Removed))
	case one.Subject != "":
		m.State = l.With("people.vouched")
	case !one.StartUntil.IsZero():
		m.State = at("people.starting", d.when(l, one.StartUntil))
	}
	if one.Subject == "" || !one.Here() {
		m.Roles = roles(l, one.Role)
	}
	if len(sessions) > 0 {
		m.Sessions, m.Last = strconv.Itoa(len(sessions)), d.when(l, sessions[0].Used)+" · "+sessions[0].From
	}
	return m
}

// change takes {"do":"…","name":"…","role":"…"}; what may be done are the rows of changes.
func (d *Door) change(w http.ResponseWriter, r *http.Request) {
	var given struct {
		Do, Name    string
		Role, Sites string
	}
	if !d.readForm(w, r, &given) {
		return
	}
	role, err := people.ParseRole(given.Role)
	if given.Role != "" && err != nil {
		d.refused(w, r, people.ErrRole)
		return
	}
	sites, err := people.ParseSites(given.Sites, d.o.Sites)
	if err != nil || sites.Limited() && len(d.o.Sites) == 0 {
		d.refused(w, r, people.ErrSites)
		return
	}
	do, known := changes[given.Do]
	if !known {
		site.Answer(w, http.StatusBadRequest, answer{Error: "this cannot be read"})
		return
	}
	by := asked(r).who.Actor()
	by.From = From(r)
	start, err := do(d.o.People, r, by, given.Name, grant{role, sites})
	if err != nil {
		d.refused(w, r, err)
		return
	}
	a := answer{Start: start}
	if start != "" {
		a.Title = d.speaking(r).With("people.start-title", "name", given.Name)
	}
	site.Answer(w, http.StatusOK, a)
}

// grant is what a person may do, and where.
type grant struct {
	role  people.Role
	sites people.Sites
}

// changes are what managers do to people. One returns a starting password.
var changes = map[string]func(p *people.People, r *http.Request, by people.Actor, name string,
	to grant) (start string, err error){
	"add": func(p *people.People, r *http.Request, by people.Actor, name string, to grant) (string, error) {
		return p.Add(r.Context(), by, name, to.role, "", to.sites)
	},
	"role": func(p *people.People, r *http.Request, by people.Actor, name string, to grant) (string, error) {
		return "", p.SetRole(r.Context(), by, name, to.role)
	},
	"sites": func(p *people.People, r *http.Request, by people.Actor, name string, to grant) (string, error) {
		return "", p.SetSites(r.Context(), by, name, to.sites)
	},
	"reset": func(p *people.People, r *http.Request, by people.Actor, name string, _ grant) (string, error) {
		return p.Reset(r.Context(), by, name, "")
	},
	"remove": func(p *people.People, r *http.Request, by people.Actor, name string, _ grant) (string, error) {
		return "", p.Remove(r.Context(), by, name)
	},
	"restore": func(p *people.People, r *http.Request, by people.Actor, name string, to grant) (string, error) {
		return p.Restore(r.Context(), by, name, to.role)
	},
	"let-in": func(p *people.People, r *http.Request, by people.Actor, name string, _ grant) (string, error) {
		return "", p.EndPause(r.Context(), by, name)
	},
}

// logModel is the log, the newest first.
type logModel struct {
	Page pageModel
	// Who is whose entries these are, "" for everybody's.
	Who     string
	Entries []entryModel
	Older   string
	None    bool
}

type entryModel struct{ Number, When, Who, What, About, Detail, From string }

func (d *Door) logPage(w http.ResponseWriter, r *http.Request) {
	const most = 100
	query := r.URL.Query()
	before, err := strconv.ParseUint(query.Get("before"), 10, 64)
	if err != nil {
		before = 0
	}
	who := query.Get("who")
	entries, err := d.o.People.Log(r.Context(), people.Query{Before: before, Who: who, Most: most + 1})
	if err != nil {
		d.o.Log.Error("pit: the log could not be read: look at the database", "err", err)
		d.refuse(w, r, http.StatusServiceUnavailable, "people.store")
		return
	}
	l := d.speaking(r)
	m := logModel{Page: d.page(r, l, "people.log-title"), Who: who, None: len(entries) == 0}
	if len(entries) > most {
		entries = entries[:most]
		m.Older = "?" + url.Values{"before": {strconv.FormatUint(entries[most-1].Number, 10)}, "who": {who}}.Encode()
	}
	for _, e := range entries {
		m.Entries = append(m.Entries, d.entry(l, e))
	}
	site.Send(w, http.StatusOK, site.HTML, drawLog(nil, l, &m))
}

func (d *Door) entry(l display.Language, e people.Entry) entryModel {
	m := entryModel{
		Number: strconv.FormatUint(e.Number, 10), When: e.At.In(d.o.Zone).Format(l.With("time.date") + " 15:04:05"),
		Who: e.Who, What: string(e.What), About: e.About, Detail: detail(l, e), From: e.From,
	}
	if text, ok := l.Lookup("people.did-" + string(e.What)); ok {
		m.What = text
	}
	if e.What == people.Acted {
		m.What, m.About, m.Detail = acted(l, e)
	}
	return m
}

// detail says what an entry's detail means: names that stay, such as those of roles, are in the log.
func detail(l display.Language, e people.Entry) string {
	switch e.What {
	case people.Entered, people.PersonAdded, people.PersonRestored, people.RoleChanged, people.SitesChanged:
		const to = " → "
		names := strings.Split(e.Detail, to)
		for i, name := range names {
			role, sites, _ := strings.Cut(name, ", ")
			if role, err := people.ParseRole(role); err == nil {
				names[i] = strings.TrimSuffix(roleName(l, role)+", "+sites, ", ")
			}
			if e.What == people.SitesChanged && name == people.Sites("").String() {
				names[i] = l.With("people.all-sites")
			}
		}
		return strings.Join(names, to)
	case people.Refused:
		why, _, _ := strings.Cut(e.Detail, ": ") // what a provider says more is in the program's log
		if text, ok := l.Lookup("people." + why); ok {
			return text
		}
		return outcomeSaid(l, e.Detail)
	case people.Paused:
		if wait, err := time.ParseDuration(e.Detail); err == nil {
			return l.With("pit.seconds", "n", strconv.Itoa(int(wait.Seconds())))
		}
	}
	return e.Detail
}
