package host

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/ops/devices"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/site"
)

// WithDevices serves the page of devices and log of this daemon at /devices/.
func WithDevices(pages func(*Daemon) []site.Row) Option {
	return func(d *Daemon) { d.given.inspected = pages }
}

// devicesPage is the page of devices and log, nil for a table without.
func (d *Daemon) devicesPage() []site.Row {
	if d.given.inspected == nil {
		return nil
	}
	return d.given.inspected(d)
}

// States says how each part of the table does. Nothing in it waits for the disk.
func (d *Daemon) States() []devices.State {
	all := make([]devices.State, len(devices.Names))
	for i, name := range devices.Names {
		all[i] = parts[name](d)
		all[i].Name = name
	}
	return all
}

// parts looks at each part.
var parts = map[devices.Name]func(*Daemon) devices.State{
	devices.Shoe: (*Daemon).shoeState, devices.Panel: (*Daemon).panelState,
	devices.Characters: (*Daemon).charactersState,
	devices.Network:    (*Daemon).networkState, devices.Pit: (*Daemon).pitState,
	devices.Journal:  (*Daemon).journalState,
	devices.Computer: (*Daemon).computerState,
}

// good is a part that works, or does not.
func good(works bool, about ...string) devices.State {
	s := devices.State{Works: devices.Bad}
	if works {
		s.Works = devices.Good
	}
	about = slices.DeleteFunc(about, func(one string) bool { return one == "" })
	s.About = strings.Join(about, "; ")
	return s
}

// none is a part that the table does not have.
var none = devices.State{Works: devices.None}

func (d *Daemon) shoeState() devices.State {
	up, lost := d.shoe.link.look()
	about := []string{d.config.Shoe.Driver + " " + d.config.Shoe.Port}
	if !up && lost.err != nil {
		about = append(about, lost.err.Error())
	}
	counters := d.shoe.driver.Counters()
	for _, name := range slices.Sorted(maps.Keys(counters)) {
		if n := counters[name]; n > 0 {
			about = append(about, fmt.Sprintf("%s %d", name, n))
		}
	}
	return good(up, about...)
}

func (d *Daemon) panelState() devices.State {
	var lines []string
	for _, w := range d.config.Wires() {
		if w.Line != "" {
			lines = append(lines, w.Path+" "+w.Line)
		}
	}
	if len(lines) == 0 {
		return none
	}
	view, _ := d.Board.Look()
	if len(view.Missing) > 0 {
		return good(false, strings.Join(view.Missing, ", "))
	}
	return good(true, strings.Join(lines, ", "))
}

func (d *Daemon) charactersState() devices.State {
	return d.awayState(display.NoDisplay, d.config.LCD.Bus)
}

func (d *Daemon) networkState() devices.State {
	if d.config.Web.Local() {
		return none
	}
	return d.awayState(display.NoNetwork, d.config.Web.Listen)
}

// awayState is that of a part that may be away; which is what the configuration calls it, "" for a table without.
func (d *Daemon) awayState(lack display.Lack, which string) devices.State {
	if which == "" {
		return none
	}
	list, fault := d.shows.away.look()
	away := slices.ContainsFunc(list, func(a display.Away) bool { return a.Lack == lack })
	why := ""
	if away && fault != nil {
		why = fault.Text
	}
	return good(!away, which, why)
}

func (d *Daemon) pitState() devices.State {
	p := d.pit.health()
	if p == nil {
		return none
	}
	about := []string{d.config.MQTT.Broker, fmt.Sprintf("%d events wait", p.Waiting)}
	if !p.Up && p.Why != nil {
		about = append(about, p.Why.Text)
	}
	if len(p.Denied) > 0 {
		about = append(about, "denied: "+strings.Join(p.Denied, ", "))
	}
	return good(p.Up, about...)
}

func (d *Daemon) journalState() devices.State {
	about := []string{d.config.Journal.Path}
	if s := d.program.computer.state(); s.DiskFree != nil && s.DiskSize != nil {
		const mb = 1_000_000
		about = append(about, fmt.Sprintf("%d of %d MB free", *s.DiskFree/mb, *s.DiskSize/mb))
	}
	_, _, err := d.kept.journal.Head()
	trouble, _ := d.kept.storage.look()
	switch {
	case trouble != nil:
		about = append(about, trouble.Text)
	case err != nil:
		about = append(about, err.Error())
	}
	return good(err == nil && trouble == nil, about...)
}

// computerState is good unless something is wrong with the computer itself, such as too little power.
func (d *Daemon) computerState() devices.State {
	s := d.program.computer.state()
	var about []string
	if s.Celsius != nil {
		about = append(about, fmt.Sprintf("%d °C", *s.Celsius))
	}
	if s.Wear != nil {
		about = append(about, fmt.Sprintf("card worn by %d percent", s.Wear.Percent))
	}
	if s.Synchronized != nil {
		about = append(about, map[bool]string{
			true:  "clock synchronized",
			false: "clock not synchronized",
		}[*s.Synchronized])
	}
	return good(!d.Health().Touches(health.AreaComputer), about...)
}

// Inside answers what /health and /metrics answer, to the daemon itself.
func (d *Daemon) Inside(path string) (status int, body []byte, err error) {
	pages := map[string]http.Handler{"health": http.HandlerFunc(d.serveHealth), "metrics": d.program.metrics.Handler()}
	page, there := pages[path]
	if !there {
		return http.StatusNotFound, nil, nil
	}
	r, err := http.NewRequest(http.MethodGet, "/"+path, http.NoBody)
	if err != nil {
		return 0, nil, err
	}
	kept := &keptAnswer{status: http.StatusOK, header: http.Header{}}
	page.ServeHTTP(kept, r)
	return kept.status, kept.body.Bytes(), nil
}

// keptAnswer is an answer in memory.
type keptAnswer struct {
	status int
	header http.Header
	body   bytes.Buffer
}

func (k *keptAnswer) Header() http.Header { return k.header }

func (k *keptAnswer) WriteHeader(status int) { k.status = status }

func (k *keptAnswer) Write(b []byte) (int, error) { return k.body.Write(b) }
