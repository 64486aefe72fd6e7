package floor

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
)

// remembered is how many alerts that are over are kept in memory.
const remembered = 500

// key is one alert at one table: there is at most one open.
type key struct {
	table topic.Table
	code  string
}

// ledger has the alerts of the whole floor.
type ledger struct {
	escalation []Escalation
	open       map[key]*Alert
	over       []*Alert        // the latest last
	last       map[key]*Alert  // the last one that is over, by which its copies are known
	unsaved    map[*Alert]bool // what has changed since Unkept
	pace       paceOf          // of the tables' own
	// answers says for which tables this pit answers, nil for all; unsaid is what was said of alerts of others.
	answers func(topic.Table) bool
	unsaid  []Word
}

func newLedger(escalation []Escalation, answers func(topic.Table) bool) ledger {
	return ledger{
		escalation: escalation, answers: answers, open: map[key]*Alert{}, last: map[key]*Alert{},
		unsaved: map[*Alert]bool{}, pace: paceOf{},
	}
}

// all takes the alerts of a table's view: those, and no others.
func (l *ledger) all(p *place, alerts []display.Alert, at time.Time) {
	there := map[string]bool{}
	for i := range alerts {
		there[alerts[i].Code.String()] = true
		l.heard(p, limited(alerts[i]), at)
	}
	for k := range l.open {
		if k.table == p.table && !there[k.code] {
			l.gone(p, k.code, at)
		}
	}
}

// heard takes an alert of a table.
func (l *ledger) heard(p *place, s display.Alert, at time.Time) {
	if s.Code == irregularity.PitMessage {
		return // the pit's own word to a dealer: nobody of the pit has to see it
	}
	k := key{p.table, s.Code.String()}
	a := l.open[k]
	if a == nil {
		if last := l.last[k]; s.Standing == 0 && last != nil && last.raised == s.Raised && last.Times >= s.Times {
			return // put right and seen here, and not yet seen at the table
		}
		if !l.pace.takeTurn(p.table, at) {
			return // its view says it again
		}
		a = l.begin(k, timeOf(s.Raised, at), at)
		a.raised, a.journal = s.Raised, p.journal()
	}
	was := *a
	if s.Times > a.Times || s.Raised != a.raised {
		a.again(&s, at)
	}
	a.Round, a.Times, a.Reason, a.Caller = s.Round, s.Times, s.Reason.String(), s.Caller
	a.raised, a.journal = s.Raised, p.journal()
	a.stand(&s, at)
	if s.AcknowledgedBy != "" && !a.Seen() {
		a.see(s.AcknowledgedBy, "", at)
		a.AtTable = true
	}
	l.finish(k, a, at)
	if !reflect.DeepEqual(&was, a) {
		l.unsaved[a] = true
	}
}

// begin opens an alert.
func (l *ledger) begin(k key, raised, at time.Time) *Alert {
	r := rankOf(k.code)
	a := &Alert{ID: idOf(k, raised, l.last[k]), Table: k.table, Code: k.code, Gravity: r.gravity, Raised: raised}
	a.call(r.calls, at)
	l.open[k], l.unsaved[a] = a, true
	return a
}

// idOf names an alert by what it is about and when it was raised. One that came again after it was over, and
// that the table counts as the same, has another name.
func idOf(k key, raised time.Time, last *Alert) string {
	at := k.table.Site() + "." + k.table.Name()
	if k.table == (topic.Table{}) {
		at = "pit"
	}
	id := at + "." + k.code + "." + strconv.FormatInt(raised.UnixNano(), 10)
	if last == nil {
		return id
	}
	if nth, again := strings.CutPrefix(last.ID, id); again {
		n, _ := strconv.Atoi(strings.TrimPrefix(nth, ".")) // 0 for the first
		id += "." + strconv.Itoa(n+1)
	}
	return id
}

// again: it was raised again, so that somebody has to look again.
func (a *Alert) again(s *display.Alert, at time.Time) {
	a.step(timeOf(s.Raised, at), Raised, s.Caller, s.Reason.String())
	a.unsee(at)
}

// unsee: nobody has seen the alert as it is. Who came for what is put right does not come for this.
func (a *Alert) unsee(at time.Time) {
	a.Acknowledged, a.AcknowledgedBy, a.Note, a.AtTable = time.Time{}, "", "", false
	if a.Standing == 0 {
		a.Comes, a.ComesSince = "", time.Time{}
	}
	a.escalated = 0
	a.call(rankOf(a.Code).calls, at)
}

// stand takes how often it stands, and how it was put right.
func (a *Alert) stand(s *display.Alert, at time.Time) {
	if s.Standing == 0 && a.Standing > 0 {
		a.step(timeOf(s.Cleared, at), PutRight, s.By, s.With.String())
	}
	a.Standing = s.Standing
	a.Cleared, a.With, a.By = time.Time{}, "", ""
	if s.Standing == 0 {
		a.Cleared, a.With, a.By = timeOf(s.Cleared, at), s.With.String(), s.By
	}
}

func (a *Alert) see(by, note string, at time.Time) {
	a.Acknowledged, a.AcknowledgedBy, a.Note = at, by, note
	if by != "" {
		a.step(at, Acknowledged, by, note)
	}
}

// gone: the table has the alert no longer, which it says once it is put right and was seen there. A table with
// another journal knows nothing of it; then somebody of the pit has to see it.
func (l *ledger) gone(p *place, code string, at time.Time) {
	k := key{p.table, code}
	a := l.open[k]
	if a == nil || isOwn(code) {
		return
	}
	l.unsaved[a] = true
	if a.Standing > 0 {
		a.Standing, a.Cleared = 0, at
		a.step(at, PutRight, "", "")
	}
	if !a.Seen() && (a.journal == "" || a.journal == p.journal()) {
		a.see("", "", at)
		a.AtTable = true
	}
	l.finish(k, a, at)
}

// seenAtTable notes who has seen an alert at the table, before the view says so.
func (l *ledger) seenAtTable(table topic.Table, s Seen) {
	a := l.open[key{table, s.Code}]
	if a == nil || a.Seen() || s.At.Before(a.Raised) {
		return
	}
	a.see(s.By, "", s.At)
	a.AtTable = true
	l.unsaved[a] = true
}

// raise raises one of the pit's own alerts.
func (l *ledger) raise(table topic.Table, code, text string, at time.Time) bool {
	if !l.answersFor(table) {
		return false
	}
	k := key{table, code}
	a := l.open[k]
	switch {
	case a == nil:
		a = l.begin(k, at, at)
	case a.Standing > 0 && a.Text == text:
		return false
	case a.Standing == 0:
		a.unsee(at)
	}
	if a.Standing == 0 {
		a.Times, a.Standing, a.Cleared = a.Times+1, 1, time.Time{}
		a.step(at, Raised, "", text)
	}
	a.Text = text
	l.unsaved[a] = true
	return true
}

// clear says that one of the pit's own alerts is put right.
func (l *ledger) clear(table topic.Table, code string, at time.Time) bool {
	k := key{table, code}
	a := l.open[k]
	if a == nil || a.Standing == 0 || !l.answersFor(table) {
		return false
	}
	a.Standing, a.Cleared = 0, at
	a.step(at, PutRight, "", "")
	l.unsaved[a] = true
	l.finish(k, a, at)
	return true
}

// finish moves an alert that is over to the others.
func (l *ledger) finish(k key, a *Alert, at time.Time) {
	if a.endAlert(at); a.Over.IsZero() {
		return
	}
	delete(l.open, k)
	l.close(k, a)
}

// close remembers an alert that is over.
func (l *ledger) close(k key, a *Alert) {
	l.last[k] = a
	if l.over = append(l.over, a); len(l.over) > remembered {
		l.over = slices.Delete(l.over, 0, 1)
	}
}

func (l *ledger) find(id string) (key, *Alert, error) {
	for k, a := range l.open {
		if a.ID == id {
			return k, a, nil
		}
	}
	return key{}, nil, errors.New("there is no such alert: it was put right and seen meanwhile")
}

func (l *ledger) acknowledge(id, by, note string, at time.Time) error {
	k, a, err := l.find(id)
	if err != nil {
		return err
	}
	l.unsaved[a] = true
	l.say(a, Acknowledged, by, note, at)
	a.see(by, note, at)
	l.finish(k, a, at)
	return nil
}

func (l *ledger) coming(id, by string, at time.Time) error {
	_, a, err := l.find(id)
	if err != nil {
		return err
	}
	l.unsaved[a] = true
	l.say(a, Coming, by, "", at)
	a.Comes, a.ComesSince = by, at
	a.step(at, Coming, by, "")
	return nil
}

// notAhead has an alert call from now on that was kept by a clock that was ahead: nobody waits for that time to come.
func (a *Alert) notAhead(now time.Time) {
	ahead := later(a.CallsSince, a.ComesSince).Sub(now)
	if ahead <= 0 {
		return
	}
	a.CallsSince = a.CallsSince.Add(-ahead)
	if !a.ComesSince.IsZero() {
		a.ComesSince = a.ComesSince.Add(-ahead)
	}
}

// escalate calls the next role for alerts that nobody has seen.
func (l *ledger) escalate(now time.Time) (changed bool) {
	for _, a := range l.open {
		if a.Seen() || a.Standing == 0 || a.escalated >= len(l.escalation) || !l.answersFor(a.Table) {
			continue
		}
		a.notAhead(now)
		next := l.escalation[a.escalated]
		if now.Sub(later(a.CallsSince, a.ComesSince)) < next.After {
			continue
		}
		a.escalated++
		a.call(next.Calls, now)
		a.step(now, Escalated, "", string(next.Calls))
		l.unsaved[a], changed = true, true
	}
	return changed
}

// stops says whether an alert stands that holds a table, and since when one does. The pit's own hold none.
func (l *ledger) stops(table topic.Table) (since time.Time, stops bool) {
	for k, a := range l.open {
		if k.table == table && a.Standing > 0 && a.Gravity >= Stop && !isOwn(k.code) &&
			(!stops || a.Raised.Before(since)) {
			since, stops = a.Raised, true
		}
	}
	return since, stops
}

func (l *ledger) list() []Alert {
	list := make([]*Alert, 0, len(l.open))
	for _, a := range l.open {
		list = append(list, a)
	}
	slices.SortFunc(list, compare)
	return values(list)
}

func (l *ledger) history() []Alert {
	list := slices.Clone(l.over)
	slices.Reverse(list)
	return values(list)
}

func (l *ledger) unkept() []Alert {
	list := make([]*Alert, 0, len(l.unsaved))
	for a := range l.unsaved {
		if l.answersFor(a.Table) {
			list = append(list, a)
		}
	}
	clear(l.unsaved)
	slices.SortFunc(list, func(a, b *Alert) int {
		return cmp.Or(a.Raised.Compare(b.Raised), strings.Compare(a.ID, b.ID))
	})
	return values(list)
}

func (l *ledger) restore(kept []Alert) {
	slices.SortStableFunc(kept, func(a, b Alert) int { return a.Over.Compare(b.Over) })
	for _, one := range kept {
		a, k := &one, key{one.Table, one.Code}
		if a.Over.IsZero() {
			l.open[k] = a
			continue
		}
		l.last[k] = a
		l.over = append(l.over, a)
	}
	l.over = l.over[max(0, len(l.over)-remembered):]
}

// values copies alerts, so that what is shown does not change.
func values(list []*Alert) []Alert {
	all := make([]Alert, len(list))
	for i, a := range list {
		all[i] = *a
		all[i].Steps = slices.Clone(a.Steps)
	}
	return all
}

// timeOf reads a time of a table's alert; where it carries none, now is it.
func timeOf(text string, now time.Time) time.Time {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || at.Before(time.Unix(0, 0)) || at.Year() > 2200 { // later ones have no number of nanoseconds
		return now
	}
	return at
}

// journal is the name of the table's journal, "" while it is not known.
func (p *place) journal() string {
	if p.health == nil || p.health.Journal.Head == nil {
		return ""
	}
	return p.health.Journal.Head.ID
}
