package dashboard

import (
	"context"
	"html"
	"net/http"
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// floorModel is the floor: every table a tile.
type floorModel struct {
	Top topModel
	// Class says how many columns and rows the room has.
	Class string
	Tiles []tileModel
	// Counts are how many tables stand how.
	Counts []countModel
	// Arranges says that whoever looks may move tiles.
	Arranges bool
	None     bool
}

type countModel struct{ Class, Sign, Name, Count string }

// tileModel is one table at a glance.
type tileModel struct {
	ID, Table, Where, Name, Class string
	X, Y                          int
	Sign, Standing, Since         string
	Limits, House, Dealer         string
	Round, Pace, Boxes            string
	Seats                         seats
	// Rounds are those of the gaming day, and Won is what the house has won in it, for those who may know. A tile on
	// which anything is wrong has neither.
	Rounds, Whose, Won string
	Alert, AlertSince  string
	// Comes is who is on the way, and Coming says so.
	Comes, Coming, Calls, More string
	Trouble                    string
}

// seats draws the boxes of a table in an arc: those played full.
type seats struct {
	played, of int
	// said says so for a screen reader.
	said string
}

// AppendMarkup draws them.
func (s seats) AppendMarkup(b []byte) []byte {
	if s.of == 0 {
		return b
	}
	b = append(b, `<svg class="seats" viewBox="0 0 90 30" role="img" aria-label="`...)
	b = append(append(b, html.EscapeString(s.said)...), `">`...)
	for i := range s.of {
		at := 0.0
		if s.of > 1 {
			at = 2*float64(i)/float64(s.of-1) - 1
		}
		x, y := int(45+at*38), int(22-at*at*14)
		class := "free"
		if i < s.played {
			class = "played"
		}
		b = append(b, `<circle class="`...)
		b = append(b, class...)
		b = append(b, `" cx="`...)
		b = strconv.AppendInt(b, int64(x), 10)
		b = append(b, `" cy="`...)
		b = strconv.AppendInt(b, int64(y), 10)
		b = append(b, `" r="4.5"/>`...)
	}
	return append(b, `</svg>`...)
}

var _ site.Markup = seats{}

// Named is a table's name for whoever reads it: with its site where there are several.
func Named(t topic.Table, sites bool) string {
	if sites {
		return t.String()
	}
	return t.Name()
}

func (d *Dashboard) named(t topic.Table) string { return Named(t, d.options.Group != nil) }

// tableAt is where a table's page is.
func tableAt(t topic.Table) string { return "/table/" + t.Site() + "/" + t.Name() + "/" }

// mood is how a tile looks: what comes first, and what cannot be missed.
type mood struct {
	class string
	// rank is higher for what is worse.
	rank int
	sign string
}

var standings = map[floor.Standing]mood{
	floor.Unknown: {"unknown", 3, "?"},
	floor.Closed:  {"closed", 0, "○"},
	floor.Open:    {"open", 1, "●"},
	floor.Offline: {"offline", 2, "✕"},
	floor.Held:    {"held", 8, "!"},
}

// moodOf is a tile's mood: how it stands, and what is wrong on top of that.
func moodOf(t *floor.Tile) mood {
	m := standings[t.Standing]
	if len(t.Alerts) == 0 {
		return m
	}
	switch a := &t.Alerts[0]; {
	case a.Standing == 0:
		m.class, m.rank = m.class+" latched", max(m.rank, 4)
	case a.Gravity >= floor.Stop:
		m.class, m.rank = m.class+" alarm", 9
	case a.Gravity == floor.Call:
		m.class, m.rank = m.class+" call", max(m.rank, 7)
	default:
		m.class, m.rank = m.class+" notice", max(m.rank, 6)
	}
	if a := &t.Alerts[0]; a.Comes != "" && a.Taken() && a.Standing > 0 {
		m.class += " coming"
	}
	return m
}

func (d *Dashboard) tile(r renderer, who people.Person, t *floor.Tile, at store.Spot) tileModel {
	l := r.language.In(t.House)
	mood := moodOf(t)
	name := t.Table.Name()
	shown := d.named(t.Table)
	m := tileModel{
		ID: "tile-" + t.Table.Site() + "-" + name, Table: t.Table.String(), Where: tableAt(t.Table), Name: shown,
		X: at.X, Y: at.Y,
		Class: mood.class + " w" + strconv.Itoa(mood.rank) + " x" + strconv.Itoa(at.X) + " y" + strconv.Itoa(at.Y),
		Sign:  mood.sign, Standing: r.say("pit.is-" + t.Standing.String()), House: display.HouseName(t.House),
		Dealer: t.Dealer,
	}
	if t.Standing != floor.Open && len(t.Alerts) == 0 {
		m.Since = stamp(t.Since)
	}
	if t.Currency != "" {
		m.Limits = whole(l, t)
	}
	if t.Standing == floor.Open || t.Standing == floor.Held {
		if t.Round > 0 {
			m.Round = l.RoundName(t.Round)
		}
		if t.PerHour > 0 {
			m.Pace = r.with("pit.per-hour", "n", strconv.Itoa(t.PerHour))
		}
		if t.Of > 0 {
			m.Boxes = r.with("pit.boxes", "n", strconv.Itoa(t.Boxes), "all", strconv.Itoa(t.Of))
			m.Seats = seats{t.Boxes, t.Of, m.Boxes}
		}
	}
	if calm := len(t.Alerts) == 0 && t.Trouble == ""; calm && (t.Standing == floor.Open || t.Standing == floor.Closed) {
		if totals, ok := d.options.Floor.Totals(t.Table); ok {
			m.Rounds = r.language.Count("pit-rounds", int(totals.Day.Rounds))
			if who.May(Supervisor) {
				m.Whose, m.Won = r.say("pit.house-won"), won(l, takenIn(&totals.Day), t)
			}
		}
	}
	if len(t.Alerts) > 0 {
		a := &t.Alerts[0]
		m.Alert, m.AlertSince = r.alertName(a), stamp(a.Raised)
		if a.Standing > 0 && a.Comes != "" && a.Taken() {
			m.Comes, m.Coming = a.Comes, r.with("floor.coming", "by", a.Comes)
		} else if a.Standing > 0 && !a.Seen() && a.Calls != "" && a.Calls != floor.Supervisor {
			m.Calls = r.say("pit.calls-" + string(a.Calls))
		}
		if n := len(t.Alerts) - 1; n > 0 {
			m.More = "+" + strconv.Itoa(n)
		}
	}
	if t.Trouble != "" {
		m.Trouble = r.say("pit.trouble-" + t.Trouble)
	}
	return m
}

// whole writes a table's limits, without decimals where those say nothing.
func whole(l display.Language, t *floor.Tile) string {
	least, most, digits := t.Min, t.BoxMax, t.Digits
	for ; digits > 0 && least%10 == 0 && most%10 == 0; digits-- {
		least, most = least/10, most/10
	}
	if digits > 0 {
		least, most, digits = t.Min, t.BoxMax, t.Digits
	}
	return l.Limits(least, most, digits, t.Currency)
}

// counted are the standings in the order in which they are counted.
var counted = []floor.Standing{floor.Held, floor.Offline, floor.Unknown, floor.Open, floor.Closed}

func (d *Dashboard) floorMain(_ context.Context, r renderer, at looked) []byte {
	tiles := d.options.Floor.Tiles()
	if at.query.Site != "" {
		tiles = slices.DeleteFunc(tiles, func(t floor.Tile) bool { return t.Table.Site() != at.query.Site })
	}
	m := floorModel{
		Top: d.top(r, at, d.options.Floor.Alerts()), None: len(tiles) == 0,
		Arranges: d.options.Rooms != nil && at.who.May(Supervisor),
	}
	room, err := d.layout()
	if err != nil || at.query.Site != "" { // where a tile lies is among all
		m.Arranges = false
	}
	lies, size := room.lay(tablesOf(tiles))
	m.Class = "cols" + strconv.Itoa(size.X) + " rows" + strconv.Itoa(size.Y)
	stand := map[floor.Standing]int{}
	for i := range tiles {
		m.Tiles = append(m.Tiles, d.tile(r, at.who, &tiles[i], lies[tiles[i].Table.String()]))
		stand[tiles[i].Standing]++
	}
	for _, s := range counted {
		if n := stand[s]; n > 0 {
			m.Counts = append(m.Counts, countModel{
				Class: s.String(), Sign: standings[s].sign,
				Name: r.say("pit.is-" + s.String()), Count: strconv.Itoa(n),
			})
		}
	}
	return drawFloor(nil, r.language, &m)
}

// layout is how the room is arranged. It is read once; while it cannot be, it is asked for again.
func (d *Dashboard) layout() (Room, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.room != nil || d.options.Rooms == nil {
		return d.room, nil
	}
	room, err := d.options.Rooms.Room(context.Background())
	if err != nil {
		if d.unread == nil {
			d.options.Log.Error("pit: the arrangement of the room cannot be read; the tables are shown in the order "+
				"of their names", "err", err)
		}
		d.unread = err
		return nil, err
	}
	if room == nil {
		room = Room{}
	}
	d.room, d.unread = room, nil
	return room, nil
}

// put is where somebody puts a table.
type put struct {
	Table string `json:"table"`
	store.Spot
}

// arrange puts a table's tile where somebody dragged it.
func (d *Dashboard) arrange(w http.ResponseWriter, r *http.Request) {
	var p put
	if !d.decode(w, r, &p) {
		return
	}
	if _, err := d.layout(); err != nil {
		http.Error(w, d.speaking(r).say("pit.room-unkept"), http.StatusServiceUnavailable)
		return
	}
	tables := tablesOf(d.options.Floor.Tiles())
	d.mu.Lock()
	defer d.mu.Unlock()
	room, ok := d.room.Move(tables, p.Table, p.Spot)
	if !ok {
		http.Error(w, d.speaking(r).say("pit.no-place"), http.StatusBadRequest)
		return
	}
	if err := d.options.Rooms.PutRoom(r.Context(), room); err != nil {
		d.options.Log.Error("pit: the arrangement of the room cannot be stored, and stays as it was: look at the "+
			"database",
			"err", err)
		http.Error(w, d.speaking(r).say("pit.room-unkept"), http.StatusServiceUnavailable)
		return
	}
	d.room = room
	close(d.moved)
	d.moved = make(chan struct{})
	w.WriteHeader(http.StatusNoContent)
}
