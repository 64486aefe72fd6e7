package dashboard

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/people"
)

// kind is which page it is.
type kind string

const (
	pageFloor  kind = "floor"
	pageAlerts kind = "alerts"
	pageTable  kind = "table"
	pageFleet  kind = "fleet"
	pageTrays  kind = "trays"
	pageGroup  kind = "group"
)

// drawn is what a page shows now.
type drawn = func() []byte

// livePage is a page that is kept true over a stream.
type livePage struct {
	kind kind
	// path is where it is, and least who may see it.
	path  string
	least people.Role
	// title is the text of its title, "" for one that is called as the floor or as its table is.
	title string
	// draws returns what draws it again and again. What was searched for is found once.
	draws func(context.Context, renderer, looked) drawn
}

// ofTable is where a table's own pages are.
const ofTable = "/table/{site}/{table}/"

// anew draws a page from what is known when it is drawn.
func anew(draw func(context.Context, renderer, looked) []byte) func(context.Context, renderer, looked) drawn {
	return func(ctx context.Context, r renderer, at looked) drawn {
		return func() []byte { return draw(ctx, r, at) }
	}
}

// live are the rows of a page and of its stream.
func (d *Dashboard) live(p livePage) []site.Row {
	stream := "/stream/" + string(p.kind)
	if strings.HasPrefix(p.path, ofTable) {
		stream += "/{site}/{table}"
	}
	return []site.Row{
		{Method: http.MethodGet, Path: p.path, Least: p.least, Page: true, Serve: d.page(&p)},
		{Method: http.MethodGet, Path: stream, Least: p.least, Serve: d.stream(&p)},
	}
}

// look reads what a request wants to see; where that is nothing, it has been answered.
func (d *Dashboard) look(w http.ResponseWriter, r *http.Request, p *livePage) (at looked, ok bool) {
	at = looked{who: who(r), page: p.kind, query: queryOf(r.URL.Query())}
	if r.PathValue("table") != "" {
		if at.table, ok = d.tableOf(w, r); !ok {
			return at, false
		}
	}
	return at, true
}

// page serves a whole document.
func (d *Dashboard) page(p *livePage) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		at, ok := d.look(w, r, p)
		if !ok {
			return
		}
		render := d.speaking(r)
		m := pageModel{
			Build: build, Drawn: render.drawn(), Lang: render.language.Tag(), Page: string(p.kind),
			Zone:      render.zoneName(),
			Languages: render.languages.Offers(render.at, nil),
			Title:     d.options.Name, Who: at.who.Name, Role: at.who.Role.String(), Asks: at.who.Name == "",
			Push: d.pushKey(at.who), Menu: render.menu(d.options.Menu, at.who),
			// as its stream has it
			Stream: "/stream/" + string(p.kind),
			Main:   site.MarkupText(bytes.Join(site.Sections(p.draws(r.Context(), render, at)()), nil)),
		}
		if at.table != (tableKey{}) {
			m.Title = d.named(at.table)
			m.Stream += "/" + at.table.String()
		} else if p.title != "" {
			m.Title = render.say(p.title)
		}
		if r.URL.RawQuery != "" {
			m.Stream += "?" + r.URL.Query().Encode()
		}
		if p.kind == pageTable {
			m.Shapes = shapes
			m.Orders = d.orderDialogs(render, at.who)
		}
		m.Trays = p.kind == pageTrays && d.options.Commands != nil
		site.Send(w, http.StatusOK, site.HTML, drawPage(nil, render.language, &m))
	}
}

// stream keeps a page true until its screen leaves or cannot keep up.
func (d *Dashboard) stream(p *livePage) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		at, ok := d.look(w, r, p)
		if !ok {
			return
		}
		c := site.NewStream(w, d.options.WriteTimeout)
		render := d.speaking(r)
		draw := p.draws(r.Context(), render, at)
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
