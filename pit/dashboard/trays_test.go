package dashboard_test

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/pittest"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/tray"
	"github.com/sabot-table/sabot/table/journal"
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

// TestTraysInTheirMoney: after a set-up in euros a tray that was counted in yen was never counted, its drop box has the
// euros alone, and a slip that is asked for in yen is one of yen.
func TestTraysInTheirMoney(t *testing.T) {
	s := pittest.OpenStore(t, filepath.Join(t.TempDir(), "pit.db"), store.Day{Begins: 6 * time.Hour, Zone: time.UTC})
	folder := filepath.Join(t.TempDir(), "journal")
	n := journaltest.NewNight(t, folder, "yen", 43)
	n.Count(vocab.CountOpening, 100)
	n.Sell(20_000)
	n.AskFill(10)
	n.Take(vocab.Input{Kind: vocab.InFill, By: "s1", Tray: &vocab.Tray{Step: vocab.SlipApproved, Slip: 1}})
	n.SetUp("wiesbaden")
	n.Sell(5000)
	n.Flush()
	r, err := journal.OpenReadOnly(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	if err := s.Refill(t.Context(), pittest.Table(1), r, nil); err != nil {
		t.Fatal(err)
	}
	page := open(t, "calm", func(o *dashboard.Options) { o.Trays = s }).get("/trays")
	part := func(id string) string {
		_, text, _ := strings.Cut(page, `id="`+id+`"`)
		text, _, _ = strings.Cut(text, "</li>")
		return text
	}
	if one := part("tray-bj-1"); !strings.Contains(one, "Never counted") || !strings.Contains(one, "<b>50.00</b>") {
		t.Errorf("the tray is %s", one)
	}
	if one := part("slip-bj-1-1"); !strings.Contains(one, `data-sum="100,000 JPY"`) ||
		!strings.Contains(one, "× 10,000") {
		t.Errorf("the slip is %s", one)
	}
	if strings.Contains(page, `id="approve-bj-1-1"`) || !strings.Contains(page, `id="refuse-bj-1-1"`) {
		t.Error("the table takes no step of the slip but its refusal, and another is offered, or none")
	}
	if one := part("slip-bj-1-1"); !strings.Contains(one, "a supervisor refuses it") {
		t.Errorf("nobody but a supervisor can end the slip, and it says %s", one)
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
