package dashboard

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/history"
)

// past shows a past round, drawn by the table's own pages.
func (d *Dashboard) past(w http.ResponseWriter, r *http.Request) {
	of, ok := d.tableOf(w, r)
	if !ok {
		return
	}
	one, err := d.pastOf(r.Context(), pastKey{of, r.PathValue("journal")})
	if err != nil {
		d.options.Log.Error("pit: past rounds cannot be read: look at the database; live pages go on",
			"table", of, "err", err)
		http.Error(w, d.speaking(r).say("past.unread"), http.StatusServiceUnavailable)
		return
	}
	if one == nil {
		http.Error(w, d.speaking(r).say("pit.no-page"), http.StatusNotFound)
		return
	}
	if v, ok := d.options.Floor.View(of); ok {
		one.Show(v)
	}
	if site.Accepts(r, "text/event-stream") {
		ctx, done := context.WithCancel(r.Context())
		defer done()
		go d.follow(ctx, of, one)
		r = r.WithContext(ctx)
	}
	one.Past().ServeHTTP(w, r)
}

// follow shows a table's pages of past rounds what the table wants meanwhile.
func (d *Dashboard) follow(ctx context.Context, table topic.Table, one *web.Server) {
	var last uint64
	for {
		changed := d.options.Floor.Changed()
		if v, ok := d.options.Floor.View(table); ok && v.Seq != last {
			last = v.Seq
			one.Show(v)
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}

// pastKey is one of a table's journals, "" for the present one.
type pastKey struct {
	table   topic.Table
	journal string
}

// root is where its pages are.
func (k pastKey) root() string {
	at := strings.TrimSuffix(tableAt(k.table), "/")
	if k.journal != "" {
		at += "/journal/" + k.journal
	}
	return at
}

// RoundAt is where a past round of one of a table's journals is shown.
func RoundAt(table topic.Table, journal string, round uint64) string {
	return pastKey{table, journal}.root() + "/recall/" + strconv.FormatUint(round, 10)
}

// pastOf are the pages of past rounds, nil where none are kept.
func (d *Dashboard) pastOf(ctx context.Context, of pastKey) (*web.Server, error) {
	d.mu.Lock()
	one := d.pasts[of]
	d.mu.Unlock()
	if one != nil {
		return one, nil
	}
	recall, err := d.options.Past.Recall(ctx, of.table, of.journal)
	if err != nil || recall == nil {
		return nil, err
	}
	one = web.New(web.Options{
		Logger: d.options.Log, Language: d.options.Language, Zone: d.options.Zone,
		Recall: latest{d.options.Past, of}, Root: of.root(),
		Heartbeat: d.options.Heartbeat, WriteTimeout: d.options.WriteTimeout,
	})
	d.mu.Lock()
	defer d.mu.Unlock()
	if there := d.pasts[of]; there != nil {
		return there, nil
	}
	d.pasts[of] = one
	return one, nil
}

// ahead leads from where the pages of an earlier journal have the table, and its list of rounds, to those.
func (d *Dashboard) ahead(w http.ResponseWriter, r *http.Request) {
	if of, ok := d.tableOf(w, r); ok {
		http.Redirect(w, r, tableAt(of)+strings.TrimPrefix(r.URL.Path, pastKey{of, r.PathValue("journal")}.root()+"/"),
			http.StatusSeeOther)
	}
}

// latest reads what is kept at the time when it is asked: a table's present journal may become another.
type latest struct {
	past Past
	of   pastKey
}

func (l latest) recall() (web.Recall, error) {
	recall, err := l.past.Recall(context.Background(), l.of.table, l.of.journal)
	if err == nil && recall == nil {
		err = history.ErrNoRound
	}
	return recall, err
}

func asked[T any](l latest, ask func(web.Recall) (T, error)) (t T, err error) {
	recall, err := l.recall()
	if err != nil {
		return t, err
	}
	return ask(recall)
}

// Last returns the last n rounds.
func (l latest) Last(n int) ([]history.Round, error) {
	return asked(l, func(r web.Recall) ([]history.Round, error) { return r.Last(n) })
}

// Round returns one round.
func (l latest) Round(number uint64) (history.Round, error) {
	return asked(l, func(r web.Recall) (history.Round, error) { return r.Round(number) })
}

// State says where the table stood after a record.
func (l latest) State(seq uint64) (string, error) {
	return asked(l, func(r web.Recall) (string, error) { return r.State(seq) })
}

// Table returns the table as it stood after a record.
func (l latest) Table(seq uint64) (*table.Table, error) {
	return asked(l, func(r web.Recall) (*table.Table, error) { return r.Table(seq) })
}

// Proof returns the round's place in the journal.
func (l latest) Proof(round history.Round) (history.Proof, error) {
	return asked(l, func(r web.Recall) (history.Proof, error) { return r.Proof(round) })
}
