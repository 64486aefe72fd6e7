package dashboard

import (
	"context"
	"strconv"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

// fleetModel is what a technician sees to, and how each table's computer does.
type fleetModel struct {
	Top      topModel
	Findings []findingModel
	Tables   []computerModel
}

// findingModel is something that needs a technician, at one table or at several.
type findingModel struct {
	Class, Urgency string
	Code, Do       string
	Tables         []foundModel
	// Rest are those after the first tables, and RestText says how many.
	Rest     []foundModel
	RestText string
}

// foundModel is where it was found, and how bad it is there.
type foundModel struct {
	Table, Where, What, Text string
	// At is since or until when, as Clock writes it, and Past says which of the two.
	At, Clock string
	Past      bool
}

// mostFound is how many tables are shown with the same trouble before the rest has to be opened.
const mostFound = 4

// computerModel is one table's row.
type computerModel struct {
	Table, Where, Class, Standing string
	Version, Uptime               string
	Disk, Journal, Memory         string
	Celsius, Certificate          string
	Shoe, Firmware, Sensor        string
	Frames, Waiting               string
}

func (d *Dashboard) fleetMain(_ context.Context, r renderer, at looked) []byte {
	tiles, now := d.options.Floor.Tiles(), time.Now()
	m := fleetModel{Top: d.top(r, at, d.options.Floor.Alerts())}
	tables := make([]floor.FleetTable, len(tiles))
	for i := range tiles {
		t := &tiles[i]
		tables[i] = floor.FleetTable{Table: t.Table, Offline: t.Standing == floor.Offline, Since: t.Since}
		if h, ok := d.options.Floor.Health(t.Table); ok {
			tables[i].Health = &h
		}
		m.Tables = append(m.Tables, d.computer(r, t, tables[i].Health))
	}
	m.Findings = d.findings(r, floor.Findings(tables, now, r.language), now)
	return drawFleet(nil, r.language, &m)
}

// findings groups what is the same trouble at several tables: it is seen to once.
func (d *Dashboard) findings(r renderer, list []floor.Finding, now time.Time) (all []findingModel) {
	for i := range list {
		f := &list[i]
		if i == 0 || list[i-1].Code != f.Code || list[i-1].Told != f.Told || list[i-1].Urgency != f.Urgency {
			all = append(all, findingModel{
				Class: f.Urgency.String(), Urgency: r.say("fleet." + f.Urgency.String()),
				Code: f.Urgency.String() + "-" + string(f.Code), Do: r.does(f),
			})
		}
		m := &all[len(all)-1]
		if len(m.Tables) < mostFound {
			m.Tables = append(m.Tables, d.found(r, f, now))
			continue
		}
		m.Rest = append(m.Rest, d.found(r, f, now))
		m.RestText = r.with("fleet.rest", "n", strconv.Itoa(len(m.Rest)))
	}
	return all
}

// does says what to do, and what what is wrong. A table may tell what this pit does not know yet: then its code does.
func (r renderer) does(f *floor.Finding) string {
	if f.Told {
		text, _ := r.language.Lookup("remedy." + string(f.Code))
		return display.Capital(text)
	}
	return r.say("fleet.do-" + string(f.Code))
}

func (r renderer) what(f *floor.Finding) string {
	if !f.Told {
		return r.with("fleet.what-"+string(f.Code), "value", f.Value)
	}
	if text, known := r.language.Lookup("reason." + string(f.Code)); known {
		return display.Capital(text)
	}
	return string(f.Code)
}

func (d *Dashboard) found(r renderer, f *floor.Finding, now time.Time) foundModel {
	return foundModel{
		Table: d.named(f.Table), Where: tableAt(f.Table), What: r.what(f), Text: f.Text,
		At: stamp(f.Since), Clock: r.clock(f.Since), Past: !f.Since.After(now),
	}
}

// computer is a table's row; what is not known is empty.
func (d *Dashboard) computer(r renderer, t *floor.Tile, h *topic.Health) computerModel {
	m := computerModel{
		Table: d.named(t.Table), Where: tableAt(t.Table), Class: standings[t.Standing].class,
		Standing: standings[t.Standing].sign,
	}
	if h == nil {
		return m
	}
	m.Version, m.Memory = h.Version, floor.WriteSize(h.MemoryBytes, r.language)
	m.Uptime = r.lasted(time.Duration(h.Uptime) * time.Second)
	m.Waiting = floor.WriteCount(h.Journal.Unacknowledged, r.language)
	if c := h.Computer; c != nil {
		if c.DiskFree != nil {
			m.Disk = floor.WriteSize(*c.DiskFree, r.language)
		}
		if c.JournalBytes != nil {
			m.Journal = floor.WriteSize(*c.JournalBytes, r.language)
		}
		if c.Celsius != nil {
			m.Celsius = strconv.FormatUint(*c.Celsius, 10) + " °C"
		}
		if c.Certificate != nil {
			m.Certificate = c.Certificate.In(r.zone).Format(r.say("time.date"))
		}
	}
	m.Shoe, m.Firmware = h.Shoe.Maker, h.Shoe.Firmware
	if h.Shoe.Serial != "" {
		m.Shoe += " " + h.Shoe.Serial
	}
	if c := h.Shoe.Confidence; c != nil {
		m.Sensor = strconv.FormatUint(c.Mean, 10) + "\u202f%"
	}
	if frames, told := h.Shoe.Counters["frames"]; told {
		bad := h.Shoe.Counters["bad_frames"]
		m.Frames = floor.WriteCount(bad, r.language) + " / " + floor.WriteCount(frames+bad, r.language)
	}
	return m
}

// lasted writes how long something has lasted, in the unit that says enough.
func (r renderer) lasted(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Hour:
		return r.with("pit.minutes", "n", strconv.Itoa(int(d/time.Minute)))
	case d < day:
		return r.with("pit.hours", "n", strconv.Itoa(int(d/time.Hour)))
	}
	return r.with("pit.days", "n", strconv.Itoa(int(d/day)))
}
