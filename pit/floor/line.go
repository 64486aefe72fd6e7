package floor

import (
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// lineSilent is how long no table of a house is heard before its line counts as cut: of a hub of several nodes, a house
// has a line to one, and the others hear it all the same.
const lineSilent = topic.HealthEvery + 5*time.Second

// house is what the hub of a group knows of the line to a house.
type house struct {
	down  bool
	since time.Time
	beat  time.Time // when a table of it was heard last
}

// Line says whether there is a line to a house of a group. While there is none, nothing is known of its tables.
func (f *Floor) Line(site string, up bool, at time.Time) {
	f.change(at, func() bool {
		h := f.house(site)
		h.down, h.since = !up, at
		return true
	})
}

func (f *Floor) house(site string) *house {
	h := f.houses[site]
	if h == nil {
		h = &house{}
		f.houses[site] = h
	}
	return h
}

// heardSince is since when a table could have been heard.
func (p *place) heardSince(f *Floor) time.Time {
	since := later(p.first, f.upSince)
	if h := f.houses[p.table.Site()]; h != nil && !h.down {
		since = later(since, h.since)
	}
	return since
}

// cut says whether nothing is heard of a table since the line to its house is down.
func (p *place) cut(f *Floor) bool {
	h := f.houses[p.table.Site()]
	return h != nil && h.down && !h.heard(f.now)
}

func (h *house) heard(now time.Time) bool { return now.Sub(h.beat) <= lineSilent }

// Hears says whether any table of a house is heard, over whatever line.
func (f *Floor) Hears(site string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	h := f.houses[site]
	return h != nil && h.heard(f.now)
}

// watchLines raises an alert at one of a house's open tables while the line to it is down, in place of one for each.
func (f *Floor) watchLines() (changed bool) {
	lost := map[string]topic.Table{}
	for table, p := range f.places {
		if !p.cut(f) || !p.pulse.silent(f.now, p.heardSince(f)) || p.gone() || !p.missed() {
			continue
		}
		if first, known := lost[table.Site()]; !known || byName(table, first) < 0 {
			lost[table.Site()] = table
		}
	}
	for k := range f.alerts.open {
		if k.code != LineLost {
			continue
		}
		if _, is := lost[k.table.Site()]; is {
			lost[k.table.Site()] = k.table
		} else if h := f.houses[k.table.Site()]; h != nil && !h.down || h == nil && f.now.Sub(f.upSince) > silence {
			changed = f.alerts.clear(k.table, LineLost, f.now) || changed
		}
	}
	for _, table := range lost {
		changed = f.alerts.raise(table, LineLost, "", f.now) || changed
	}
	return changed
}
