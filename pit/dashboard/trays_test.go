package dashboard_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/pittest"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/tray"
	"github.com/sabot-table/sabot/table/vocab"
)

// somebody is everybody, by one name, in one role.
type somebody people.Person

func (s somebody) Who(r *http.Request, _ bool) (people.Person, context.Context, func(), bool) {
	return people.Person(s), r.Context(), func() {}, true
}

// TestTheHeadSaysWhatWaits: on every page that is kept true, the way to the trays has the number of slips that wait for
// who looks, and follows it. Nobody waits for what they have asked for themselves.
func TestTheHeadSaysWhatWaits(t *testing.T) {
	for who, want := range map[somebody]struct{ first, approved string }{
		{Name: "bert", Role: dashboard.Supervisor}: {"1", ""},
		{Name: "Anna", Role: dashboard.Supervisor}: {"", ""},
		{Name: "mia", Role: dashboard.Manager}:     {"1", ""},
		{Name: "cora", Role: dashboard.Cashier}:    {"2", "3"},
		{}:                                         {"3", "3"}, // nobody is asked who they are
	} {
		t.Run(who.Name, func(t *testing.T) {
			t.Parallel()
			trays := &pittest.Trays{From: time.Now().Add(-14 * time.Hour), Table: pittest.Table}
			p := open(t, "calm", func(o *dashboard.Options) {
				if o.Trays = trays; who.Name != "" {
					o.People = who
				}
			})
			for _, page := range []string{"floor", "alerts", "trays", "table/kursaal/bj-3"} {
				said := heads(p.follow(t, "/stream/"+page))
				if got := said(); got != want.first && said() != want.first {
					t.Errorf("at first %q waits on %s", got, page)
				}
			}
			said := heads(p.follow(t, "/stream/floor"))
			said()
			trays.Step(pittest.Table(4), vocab.InFill, vocab.Tray{Step: vocab.SlipApproved, Slip: 83}, "bert")
			if want.approved == want.first {
				return
			}
			if got := said(); got != want.approved {
				t.Errorf("%q waits once a fill is approved", got)
			}
		})
	}
}

// heads waits for the next head of a page, and returns how many slips wait by it.
func heads(next func() string) func() string {
	return func() string {
		for {
			_, way, found := strings.Cut(next(), `href="/trays"`)
			if !found {
				continue
			}
			way, _, _ = strings.Cut(way, "</a>")
			_, count, _ := strings.Cut(way, `<b class="waits">`)
			count, _, _ = strings.Cut(count, "<")
			return count
		}
	}
}

// TestNoNumberWithoutTheDatabase: once the trays cannot be read nobody knows what waits, and the head says no number.
func TestNoNumberWithoutTheDatabase(t *testing.T) {
	trays := &pittest.Trays{From: time.Now().Add(-14 * time.Hour), Table: pittest.Table}
	p := open(t, "calm", func(o *dashboard.Options) { o.Trays = trays })
	said := heads(p.follow(t, "/stream/floor"))
	for got := said(); got != "3"; {
		got = said()
	}
	trays.Away(errors.New("away"))
	if got := said(); got != "" {
		t.Errorf("%q waits, and nobody can know", got)
	}
}

// stuck is a database that does not answer before it is closed; it tells when it is asked.
type stuck struct{ asked, closed chan struct{} }

func (s stuck) Trays(context.Context) (map[topic.Table]*tray.Now, error) {
	s.asked <- struct{}{}
	<-s.closed
	return nil, errors.New("closed")
}

// TestNoPageWaitsForTheTrays: the floor is sent, and follows its tables, while the database does not answer.
func TestNoPageWaitsForTheTrays(t *testing.T) {
	db := stuck{make(chan struct{}, 9), make(chan struct{})}
	p := open(t, "calm", func(o *dashboard.Options) { o.Trays = db })
	next := p.follow(t, "/stream/floor")
	t.Cleanup(func() { close(db.closed) })
	next()
	<-db.asked
	p.floor.Deal(5, "payment")
	if one := next(); !strings.HasPrefix(one, `li id="tile-kursaal-bj-5"`) {
		t.Errorf("a round later comes %.200q", one)
	}
}
