package dashboard

import (
	"strconv"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/fleet"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

// fleetModel is what a technician sees to, and how each table's computer does.
type fleetModel struct {
	Top      topModel
	Drawn    string
	Findings []findingModel
	Tables   []computerModel
}

// findingModel is something that needs a technician.
type findingModel struct {
	Class, Gravity string
	Table, Where   string
	What, Do, Text string
	// At is since or until when, as Clock writes it, and Past says which of the two.
	At, Clock string
	Past      bool
}

// computerModel is one table's row.
type computerModel struct {
	Table, Where, Class, Standing string
	Version, Uptime               string
	Disk, Journal, Memory         string
	Celsius, Certificate          string
	Shoe, Firmware, Sensor        string
	Frames, Waiting               string
}

func (d *Dashboard) fleetMain(r renderer, at looked) []byte {
	tiles, now := d.options.Floor.Tiles(), time.Now()
	m := fleetModel{Drawn: r.drawn(), Top: d.top(r, at, d.options.Floor.Alerts())}
	tables := make([]fleet.Table, len(tiles))
	for i := range tiles {
		t := &tiles[i]
		tables[i] = fleet.Table{Table: t.Table, Offline: t.Standing == floor.Offline, Since: t.Since}
		if h, ok := d.options.Floor.Health(t.Table); ok {
			tables[i].Health = &h
		}
		m.Tables = append(m.Tables, r.computer(t, tables[i].Health))
	}
	for _, f := range fleet.List(tables, now, r.language) {
		m.Findings = append(m.Findings, r.finding(&f, now))
	}
	return drawFleet(nil, r.language, &m)
}

func (r renderer) finding(f *fleet.Finding, now time.Time) findingModel {
	return findingModel{
		Class: f.Gravity.String(), Gravity: r.say("fleet." + f.Gravity.String()),
		Table: f.Table.Name(), Where: tableAt(f.Table),
		What: r.say("fleet.what-"+string(f.Code), display.Arg{Name: "value", Text: f.Value}),
		Do:   r.say("fleet.do-" + string(f.Code)), Text: f.Text,
		At: stamp(f.Since), Clock: r.clock(f.Since), Past: !f.Since.After(now),
	}
}

// computer is a table's row; what is not known is empty.
func (r renderer) computer(t *floor.Tile, h *topic.Health) computerModel {
	m := computerModel{Table: t.Table.Name(), Where: tableAt(t.Table), Class: standings[t.Standing].class, Standing: standings[t.Standing].sign}
	if h == nil {
		return m
	}
	m.Version, m.Memory = h.Version, fleet.Size(h.MemoryBytes, r.language)
	m.Uptime = r.lasted(time.Duration(h.Uptime) * time.Second)
	m.Waiting = fleet.Count(h.Journal.Unacknowledged, r.language)
	if c := h.Computer; c != nil {
		if c.DiskFree != nil {
			m.Disk = fleet.Size(*c.DiskFree, r.language)
		}
		if c.JournalBytes != nil {
			m.Journal = fleet.Size(*c.JournalBytes, r.language)
		}
		if c.Celsius != nil {
			m.Celsius = strconv.FormatUint(*c.Celsius, 10) + " °C"
		}
		if c.Certificate != nil {
			m.Certificate = c.Certificate.Local().Format(r.say("time.date"))
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
		m.Frames = fleet.Count(bad, r.language) + " / " + fleet.Count(frames+bad, r.language)
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
