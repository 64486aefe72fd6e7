package host

import (
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/topic"
)

// away is what the table works without, besides the lines of its panel.
type away struct {
	mu    sync.Mutex
	list  []display.Away // the gravest first
	fault *topic.Fault   // the last one, even if it is over
}

// look returns what is away, and the last fault.
func (a *away) look() ([]display.Away, *topic.Fault) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.list, a.fault
}

// note notes that something is away, and why, or with nil that it is there. It returns what is away then.
func (a *away) note(what display.Away, err error) []display.Away {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := slices.DeleteFunc(slices.Clone(a.list), func(other display.Away) bool { return other.Lack == what.Lack })
	if err != nil {
		list = append(list, what)
		sort.Slice(list, func(x, y int) bool { return list[x].Lack < list[y].Lack })
		a.fault = &topic.Fault{Time: time.Now(), Text: err.Error()}
	}
	a.list = list
	return list
}

// lacks shows that the table works without something, or with nil that it no longer does.
func (d *Daemon) lacks(what display.Away, err error) {
	list := d.shows.away.note(what, err)
	d.shows.screen.change(func() { d.shows.screen.view.Away = list })
}

// pageLater is told why the page's address is not there, and with nil that it is.
func (d *Daemon) pageLater(err error) {
	what := display.Away{Lack: display.NoNetwork, Of: d.config.Web.Listen}
	d.lacks(what, err)
	if err == nil {
		d.log.Info("the page's address is there, and the page is served at it", "address", what.Of)
		return
	}
	d.log.Error("the page's address is not there: other machines cannot reach the page until it is; the table "+
		"continues, and tries again. Look at the cable and at how the network gives this computer its address, or "+
		"correct web.listen",
		"address", what.Of, "err", err)
}

// charactersLater is told why the character display is not there, and with nil that it is. Its own package logs it.
func (d *Daemon) charactersLater(err error) {
	d.lacks(display.Away{Lack: display.NoDisplay, Of: d.config.LCD.Bus}, err)
}
