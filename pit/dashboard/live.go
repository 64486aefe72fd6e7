package dashboard

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/sabot-table/sabot/internal/site"
)

// kind is which page it is.
type kind string

const (
	pageFloor    kind = "floor"
	pageAlerts   kind = "alerts"
	pageTable    kind = "table"
	pageRounds   kind = "rounds"
	pageFleet    kind = "fleet"
	pageEnded    kind = "history"
	pageTrays    kind = "trays"
	pageJackpots kind = "jackpots"
	pageGroup    kind = "group"
)

// titles are the texts of the pages' titles, of those that are not called as the floor or as a table is.
var titles = map[kind]string{
	pageAlerts: "pit.alerts", pageFleet: "fleet.title", pageTrays: "trays.title", pageJackpots: "pit.jackpots",
	pageGroup: "pit.group", pageRounds: "word.past", pageEnded: "pit.alert-history",
}

// drawing returns what draws that of a page which is kept true. What was searched for is found once.
func (d *Dashboard) drawing(ctx context.Context, r renderer, at looked) func() []byte {
	switch at.page {
	case pageAlerts:
		return func() []byte { return d.alertsMain(r, at) }
	case pageFleet:
		return func() []byte { return d.fleetMain(r, at) }
	case pageTrays:
		return func() []byte { return d.traysMain(ctx, r, at) }
	case pageJackpots:
		return func() []byte { return d.jackpotsMain(ctx, r, at) }
	case pageGroup:
		return func() []byte { return d.groupMain(ctx, r, at) }
	case pageTable:
		return func() []byte { return d.tableMain(ctx, r, at) }
	case pageRounds:
		found := d.rounds(ctx, r, at)
		return func() []byte { return d.roundsMain(r, at, found) }
	case pageEnded:
		found := d.ended(ctx, r, at)
		return func() []byte { return d.endedMain(r, at, found) }
	}
	return func() []byte { return d.floorMain(r, at) }
}

// look reads what a request wants to see; where that is nothing, it has been answered.
func (d *Dashboard) look(w http.ResponseWriter, r *http.Request, page kind) (at looked, ok bool) {
	at = looked{who: who(r), page: page, query: queryOf(r.URL.Query())}
	if page == pageTable || page == pageRounds && r.PathValue("table") != "" {
		if at.table, ok = d.tableOf(w, r); !ok {
			return at, false
		}
	}
	return at, true
}

// page serves a whole document.
func (d *Dashboard) page(page kind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		at, ok := d.look(w, r, page)
		if !ok {
			return
		}
		render := d.speaking(r)
		m := pageModel{
			Build: build, Drawn: render.drawn(), Lang: render.language.Tag(), Page: string(page), Zone: zone(),
			Languages: render.languages.Offers(render.at, nil),
			Title:     d.options.Name, Who: at.who.Name, Role: at.who.Role.String(), Asks: at.who.Name == "",
			Push: d.pushKey(at.who), Menu: render.menu(d.options.Menu, at.who),
			// as its stream has it
			Stream: "/stream/" + string(page),
			Main:   site.MarkupText(bytes.Join(site.Sections(d.drawing(r.Context(), render, at)()), nil)),
		}
		if at.table != (tableKey{}) {
			m.Title = at.table.Name()
			m.Stream += "/" + at.table.String()
		} else if key := titles[page]; key != "" {
			m.Title = render.say(key)
		}
		if r.URL.RawQuery != "" {
			m.Stream += "?" + r.URL.Query().Encode()
		}
		if page == pageTable {
			m.Shapes = shapes
			m.Orders = d.orderDialogs(render, at.who)
		}
		m.Trays = page == pageTrays && d.options.Commands != nil
		site.Send(w, http.StatusOK, site.HTML, drawPage(nil, render.language, &m))
	}
}

// stream keeps a page true until its screen leaves or cannot keep up.
func (d *Dashboard) stream(page kind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		at, ok := d.look(w, r, page)
		if !ok {
			return
		}
		c := site.NewStream(w, d.options.WriteTimeout)
		render := d.speaking(r)
		draw := d.drawing(r.Context(), render, at)
		news := stirs{d.news(at), d.asked(r.Context(), at)}
		err := d.keep(r.Context(), c, news, func() [][]byte { return site.Sections(draw()) })
		if err == nil && d.options.People != nil {
			err = c.Send([]byte(over))
		}
		site.Ended(d.options.Log, "pit", r, err)
	}
}

// stirs tell when a page is worth drawing again, besides the floor and the room: more when there is more of its table's
// past or of the trays, asked when its head says another number.
type stirs struct {
	more  func() <-chan struct{}
	asked <-chan struct{}
}

// keep sends what has changed whenever something has, and heartbeats in between.
func (d *Dashboard) keep(ctx context.Context, c *site.Stream, news stirs, draw func() [][]byte) error {
	heart := time.NewTicker(d.options.Heartbeat)
	defer heart.Stop()
	var gather <-chan time.Time
	for {
		changed, moved, kept := d.options.Floor.Changed(), d.arranged(), news.more()
		if _, err := c.Show("", draw()); err != nil {
			return err
		}
		for waiting := true; waiting; {
			select {
			case <-ctx.Done():
				return nil
			case <-moved:
				waiting = false
			case <-changed:
				changed, gather = nil, time.After(d.options.Gather)
			case <-kept:
				kept, gather = nil, time.After(d.options.Gather)
			case <-news.asked:
				gather = time.After(d.options.Gather)
			case <-gather:
				gather, waiting = nil, false
			case <-heart.C:
				if err := c.Beat("", strconv.FormatInt(time.Now().UnixMilli(), 10)); err != nil {
					return err
				}
			}
		}
	}
}

// news returns what is closed when a page has more to tell of its table's past.
func (d *Dashboard) news(at looked) func() <-chan struct{} {
	if at.page == pageTrays || at.page == pageGroup {
		return soon
	}
	if at.page != pageTable || d.options.Kept == nil || !at.who.May(Supervisor) {
		return func() <-chan struct{} { return nil }
	}
	return func() <-chan struct{} { return d.options.Kept(at.table) }
}

// arranged is closed when the room is rearranged.
func (d *Dashboard) arranged() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.moved
}
