package dashboard

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
)

// alertModel is an alert, as it is shown in every place.
type alertModel struct {
	ID, Class string
	// Table and Where are whose it is, "" for the pit's own.
	Table, Where string
	What         string
	// Text is what one of the pit's own alerts means and what to do, and Detail what its cause says, in English; "" for
	// none.
	Text, Detail string
	Round        string
	Past         string
	Since, Clock string
	// Stands says what is to be done, or how it was put right.
	Stands string
	Times  string
	// Coming is who is on the way, Seen who has seen it, Calls who is called.
	Coming     string
	Seen, Note string
	Calls      string
	// MayCome and MaySee are the keys.
	MayCome, MaySee bool
	// Code is what the table is told that somebody has seen, and Called says that it is told who is coming; "" and
	// false where it is told nothing.
	Code   string
	Called bool
	Steps  []stepModel
	// Loud says that it makes a sound: it stands and nobody has taken it up. It names this call.
	Loud string
}

type stepModel struct{ Clock, Text, Note string }

type alertsModel struct {
	Top  topModel
	Open []alertModel
	Over []alertModel
	// Right is the key that has all seen that were put right, "" where that is not more than one.
	Right string
	// Kept says that there are earlier ones, on a page of their own.
	Kept bool
}

// number writes a count, "" for none.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// alertName says what an alert is about.
func (r renderer) alertName(a *floor.Alert) string {
	switch {
	case a.Reason != "":
		return r.with("floor.called-for", "reason", r.language.Label(display.LabelFloor, a.Reason))
	case isOwn(a.Code):
		return r.say("pit." + a.Code)
	}
	return display.Capital(r.language.Label(display.LabelHeld, a.Code))
}

// isOwn says whether an alert is one of the pit's own.
func isOwn(code string) bool { return slices.Contains(floor.Codes(), code) }

// toldOnce are those of the pit's own that are put right at once, and stay until they are seen.
var toldOnce = map[string]bool{floor.RecordsMissing: true, floor.JournalUnseen: true}

// alert is one, for a person who looks.
func (d *Dashboard) alert(r renderer, who people.Person, a *floor.Alert) alertModel {
	m := alertModel{
		ID: a.ID, Class: alertClass(a), What: r.alertName(a), Detail: a.Text, Since: stamp(a.Raised),
		Clock: r.clock(a.Raised), Stands: r.stands(a),
	}
	if isOwn(a.Code) && (a.Standing > 0 || toldOnce[a.Code]) {
		m.Text = r.say("pit.why-" + a.Code)
	}
	if awayKeys[a.Code] != "" && !who.May(Technician) {
		m.Detail = "" // an error of a program, for who mends it
	}
	if a.Times > 1 {
		m.Times = r.with("alerts.times", "n", strconv.Itoa(a.Times))
	}
	d.alertPlace(r, who, a, &m)
	r.alertTaken(a, &m)
	m.MayCome = mayTake(who, a.Code) && a.Over.IsZero() && a.Standing > 0 && (a.Comes == "" || !a.Taken())
	m.MaySee = mayTake(who, a.Code) && a.Over.IsZero() && !a.Seen()
	if a.Waits() {
		m.Loud = a.ID + "-" + string(a.Calls)
	}
	for i := range a.Steps {
		m.Steps = append(m.Steps, r.alertStep(&a.Steps[i]))
	}
	return m
}

// alertPlace says where an alert is: at a table, with the way to its round and what the table is told, or at the pit
// itself.
func (d *Dashboard) alertPlace(r renderer, who people.Person, a *floor.Alert, m *alertModel) {
	if a.Table == (topic.Table{}) {
		m.Table = r.say("pit.pit")
		return
	}
	m.Table, m.Where = d.named(a.Table), tableAt(a.Table)
	if a.Round > 0 {
		m.Round = r.language.RoundName(a.Round)
		if d.options.Past != nil && who.May(Supervisor) {
			m.Past = m.Where + "recall/" + strconv.FormatUint(a.Round, 10)
		}
	}
	if code, ok := irregularity.ParseCode(a.Code); ok && d.tells(a.Table, who) {
		m.Code, m.Called = a.Code, code == irregularity.FloorCalled
	}
}

// alertClass is how an alert looks.
func alertClass(a *floor.Alert) string {
	class := a.Gravity.String()
	switch {
	case a.Standing > 0 && a.Comes != "" && a.Taken():
		class += " stands coming"
	case a.Standing > 0:
		class += " stands"
	default:
		class += " right"
	}
	if a.Seen() {
		class += " seen"
	}
	return class
}

// stands says what is to be done about an alert, or how it was put right.
func (r renderer) stands(a *floor.Alert) string {
	with := display.Capital(r.language.Label(display.LabelChoice, a.With))
	switch {
	case a.Standing > 0:
		return r.say("alerts.standing")
	case a.With != "" && a.By != "":
		return r.with("alerts.cleared", "with", with, "by", a.By)
	case a.With != "":
		return with
	case !a.Cleared.IsZero():
		return r.say("pit.right")
	}
	return ""
}

// alertTaken says who is on the way, who has seen an alert, and who is called.
func (r renderer) alertTaken(a *floor.Alert, m *alertModel) {
	if a.Comes != "" && a.Over.IsZero() {
		m.Coming = r.with("floor.coming", "by", a.Comes)
	}
	if a.Seen() {
		m.Seen, m.Note = r.with("alerts.seen", "by", a.AcknowledgedBy), a.Note
		if a.AcknowledgedBy == "" {
			m.Seen = r.say("pit.seen-at-table")
		}
	}
	if a.Calls != "" && a.Calls != floor.Supervisor && a.Standing > 0 && !a.Seen() {
		m.Calls = r.say("pit.calls-" + string(a.Calls))
	}
}

// alertStep is one thing that became of an alert.
func (r renderer) alertStep(s *floor.Step) stepModel {
	step := stepModel{Clock: r.clock(s.At), Text: r.say("pit.step-" + string(s.What)), Note: s.Note}
	if s.By != "" {
		step.Text += r.with("past.by", "by", s.By)
	}
	if s.What == floor.Escalated {
		step.Note = r.say("pit.calls-" + s.Note)
	}
	return step
}

// mayTake says whether a person may take alerts of a code up: a supervisor any, and others those that call their role.
func mayTake(who people.Person, code string) bool {
	least, err := people.ParseRole(string(floor.CallsFirst(code)))
	return who.May(Supervisor) || err != nil || who.May(least)
}

// reachOver is how many alerts that are over are listed.
const reachOver = 100

func (d *Dashboard) alertsMain(_ context.Context, r renderer, at looked) []byte {
	open := d.options.Floor.Alerts()
	m := alertsModel{Top: d.top(r, at, open), Kept: d.options.Ended != nil}
	right := 0
	for i := range open {
		m.Open = append(m.Open, d.alert(r, at.who, &open[i]))
		if open[i].Standing == 0 && m.Open[i].MaySee {
			right++
		}
	}
	if right > 1 {
		m.Right = r.with("pit.see-all", "n", strconv.Itoa(right))
	}
	over := d.options.Floor.History()
	slices.SortStableFunc(over, func(a, b floor.Alert) int { return b.Raised.Compare(a.Raised) }) // as they are shown
	for i := range over[:min(len(over), reachOver)] {
		m.Over = append(m.Over, d.alert(r, at.who, &over[i]))
	}
	return drawAlerts(nil, r.language, &m)
}

// told is what somebody says about an alert.
type told struct {
	// By is who says so, where nobody is asked who they are.
	By   string `json:"by"`
	Note string `json:"note"`
}

const (
	longestName = 40
	longestNote = 500
)

// seen notes that somebody has seen an alert.
func (d *Dashboard) seen(w http.ResponseWriter, r *http.Request) {
	if t, ok := d.hear(w, r); ok {
		of := d.alertSaid(r)
		d.did(w, r, "seen", of, t, d.options.Floor.Acknowledge(r.PathValue("id"), t.By, t.Note))
	}
}

// coming notes that somebody is on the way.
func (d *Dashboard) coming(w http.ResponseWriter, r *http.Request) {
	if t, ok := d.hear(w, r); ok {
		of := d.alertSaid(r)
		d.did(w, r, "coming", of, t, d.options.Floor.Coming(r.PathValue("id"), t.By))
	}
}

// asksAbout is the alert of a request, nil where it is not open any more.
func (d *Dashboard) asksAbout(r *http.Request) *floor.Alert {
	for _, a := range d.options.Floor.Alerts() {
		if a.ID == r.PathValue("id") {
			return &a
		}
	}
	return nil
}

// alertSaid names the alert of a request for the log of what people do: its table, - for the pit itself, and its code.
func (d *Dashboard) alertSaid(r *http.Request) string {
	switch a := d.asksAbout(r); {
	case a == nil:
		return ""
	case a.Table == (topic.Table{}):
		return ofPit + " " + a.Code
	default:
		return a.Table.String() + " " + a.Code
	}
}

// hear reads what somebody says; where it cannot be taken, it has been answered.
func (d *Dashboard) hear(w http.ResponseWriter, r *http.Request) (t told, ok bool) {
	if !d.takes(r) {
		d.deny(w, r, r.Method+" "+r.URL.Path)
		return t, false
	}
	if !d.decode(w, r, &t) {
		return t, false
	}
	if name := who(r).Name; name != "" {
		t.By = name
	}
	t.By, t.Note = plain(visible(t.By), longestName), plain(visible(t.Note), longestNote)
	if t.By == "" {
		http.Error(w, d.speaking(r).say("pit.say-who"), http.StatusBadRequest)
		return t, false
	}
	return t, true
}

// takes says whether a person may take up the alert of a request. Of one that is not there, none but supervisors are
// told.
func (d *Dashboard) takes(r *http.Request) bool {
	a := d.asksAbout(r)
	return who(r).May(Supervisor) || a != nil && mayTake(who(r), a.Code)
}

// decode reads a request's JSON.
func (d *Dashboard) decode(w http.ResponseWriter, r *http.Request, to any) bool {
	if !site.IsJSON(r) {
		http.Error(w, d.speaking(r).say("pit.not-understood"), http.StatusUnsupportedMediaType)
		return false
	}
	if err := site.Read(r, site.LongestBody, to); err != nil {
		d.options.Log.Warn("pit: a page's request cannot be read, and nothing was done: load that page again",
			"what", r.URL.Path, "from", r.RemoteAddr, "err", err)
		http.Error(w, d.speaking(r).say("pit.not-understood"), http.StatusBadRequest)
		return false
	}
	return true
}

// visible is a text without what cannot be seen, such as what turns the direction of the text around it.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || unicode.IsSpace(r) {
			return r
		}
		return -1
	}, s)
}

// plain is a text on one line, and no longer than it may be.
func plain(s string, most int) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most])
	}
	return s
}

func (d *Dashboard) did(w http.ResponseWriter, r *http.Request, what, of string, t told, err error) {
	if err != nil {
		d.options.Log.Info("pit: an alert could not be taken up", "what", what, "alert", of, "by", t.By, "err", err)
		http.Error(w, d.speaking(r).say("pit.quicker"), http.StatusConflict)
		return
	}
	if said := strings.TrimSpace(of + saidBy(r, t.By)); said != "" && d.options.Audit != nil {
		d.options.Audit.Outcome(r, said)
	}
	d.options.Log.Info("pit: an alert was taken up", "what", what, "alert", of, "by", t.By, "note", t.Note)
	w.WriteHeader(http.StatusNoContent)
}
