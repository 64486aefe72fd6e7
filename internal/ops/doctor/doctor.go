// Package doctor examines a table from outside: it asks the running daemon, the system around it, the configuration and
// the journal, and says on one page what is right, what is wrong, what to do, and what it could not see. An examination
// changes nothing, and needs no rights: what it may not see it says.
//
// A bundle puts what others need to help with the table into one file: logs, configuration, versions, the last rounds,
// and that page, as plain text and without secrets.
//
// A screen shows the same to a proven supervisor at the table, with the end of the daemon's own log and copies to take
// away. It alone changes something: it can have the table begin anew.
package doctor

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/sabot-table/sabot/device/inventory"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/ops/metrics"
	"github.com/sabot-table/sabot/table/profile"
)

// Ask is what to examine.
type Ask struct {
	// Config is the file of the table's configuration.
	Config string
	// User runs the daemon; "" is the user sabot or, where there is none, whoever asks.
	User string
	// Machine is the computer; its Root is where the system's files are.
	Machine inventory.Source
	Houses  profile.Book
	// URL is the address of the table's page; "" is that of the configuration.
	URL string
	// Inside answers what its page would, to a daemon that examines itself: health or metrics. nil is to ask the page.
	Inside func(path string) (status int, body []byte, err error)
	// Outside asks the page at an address, "" for that of a configuration: [OverHTTP.Get], or nil beside Inside. The
	// daemon asks nobody over HTTP, so that nothing that could is linked into it.
	Outside func(ctx context.Context, address string, c *config.Config, path string) (
		status int, body []byte, err error,
	)
	// Version is that of this program.
	Version string
	// Updates is the folder of root's part of updates, "" for none.
	Updates string
	Now     time.Time
}

// Wrong is one thing that is wrong.
type Wrong struct {
	Area health.Area `json:"area"`
	health.Reason
}

// Unseen is what could not be seen, and why.
type Unseen struct {
	Area health.Area `json:"area"`
	What string      `json:"what"`
	Why  string      `json:"why"`
}

// Page is what was found. Its JSON may get more fields, and none is renamed.
type Page struct {
	Site    string    `json:"site,omitempty"`
	Table   string    `json:"table,omitempty"`
	Version string    `json:"version"`
	At      time.Time `json:"at"`
	// Wrong is what is wrong, what stops the table first.
	Wrong []Wrong `json:"wrong"`
	// Advice is what is not wrong, and should be done before something is.
	Advice []Wrong  `json:"advice"`
	Unseen []Unseen `json:"unseen"`
	// Right are the areas in which nothing is wrong or advised, and all was seen.
	Right []health.Area `json:"right"`
	// Untold is what this computer has no means to tell.
	Untold []string `json:"untold"`
}

// Well says that nothing is wrong, as far as it could be seen.
func (p *Page) Well() bool { return len(p.Wrong) == 0 }

// Holds says whether something was found.
func (p *Page) Holds(code health.Code) bool { return holds(p.Wrong, code) || holds(p.Advice, code) }

func holds(list []Wrong, code health.Code) bool {
	return slices.ContainsFunc(list, func(w Wrong) bool { return w.Code == code })
}

// exam is an examination under way.
type exam struct {
	Ask
	page Page
	// config is nil if it could not be read.
	config *config.Config
	// first says that there is no table's configuration yet: fresh is what there is of one, missing why there is no
	// file.
	first   bool
	fresh   []byte
	missing error
	user    inventory.User
	// port is the shoe's serial port; nil if it is not plugged in, is none, or could not be read.
	port *inventory.SerialPort
	// running are the programs that run, by the name that the kernel has of them.
	running map[string]int
	series  metrics.Read
}

// Examine looks at everything. It takes a few seconds at most, where something does not answer.
func Examine(ctx context.Context, ask Ask) Page {
	x := &exam{Ask: ask, page: Page{
		Version: ask.Version, At: ask.Now.UTC(), Wrong: []Wrong{}, Advice: []Wrong{},
		Unseen: []Unseen{}, Right: []health.Area{}, Untold: []string{},
	}}
	x.readConfig()
	x.findUser()
	x.findPrograms()
	if !x.askFirst(ctx) {
		x.askDaemon(ctx)
	}
	x.lookAtComputer()
	x.lookAtDisk()
	x.lookAtJournal()
	x.lookAtDevices()
	x.lookAtPort()
	x.lookAtClocks()
	x.lookAtScreen()
	x.lookAtOwnScreen()
	x.lookAtBroker(ctx)
	x.lookAtUnit()
	x.lookAtUpdate()
	x.close()
	return x.page
}

// close puts what was found into its order, and lists what is right.
func (x *exam) close() {
	wrong, advice, unseen := x.page.Wrong, x.page.Advice, x.page.Unseen
	sort.SliceStable(wrong, func(a, b int) bool {
		if wrong[a].Severity != wrong[b].Severity {
			return wrong[a].Severity == health.Stops
		}
		return wrong[a].Area.Place() < wrong[b].Area.Place()
	})
	sort.SliceStable(advice, func(a, b int) bool { return advice[a].Area.Place() < advice[b].Area.Place() })
	sort.SliceStable(unseen, func(a, b int) bool { return unseen[a].Area.Place() < unseen[b].Area.Place() })
	for _, a := range health.Areas {
		in := func(w Wrong) bool { return w.Area == a }
		seen := !slices.ContainsFunc(unseen, func(u Unseen) bool { return u.Area == a })
		if seen && !slices.ContainsFunc(wrong, in) && !slices.ContainsFunc(advice, in) {
			x.page.Right = append(x.page.Right, a)
		}
	}
}

// wrong notes a reason with what was found; do is "" for what its row says. The same is noted once.
func (x *exam) wrong(code health.Code, what, do string) {
	r := health.Of(code).Reason(what)
	if do != "" {
		r.Do = do
	}
	x.note(r)
}

func (x *exam) note(r health.Reason) {
	list := &x.page.Wrong
	if r.Severity == health.Advises {
		list = &x.page.Advice
	}
	same := func(w Wrong) bool { return w.Code == r.Code && w.What == r.What && w.Do == r.Do }
	if !slices.ContainsFunc(*list, same) {
		*list = append(*list, Wrong{health.AreaOf(r.Code), r})
	}
}

// unseen notes what could not be seen.
func (x *exam) unseen(area health.Area, what, why string) {
	x.page.Unseen = append(x.page.Unseen, Unseen{area, what, why})
}

// untold notes what this computer does not tell anybody.
func (x *exam) untold(what string) { x.page.Untold = append(x.page.Untold, what) }

// withoutConfig notes that something depends on the configuration, which could not be read.
func (x *exam) withoutConfig(area health.Area, what string) bool {
	if x.config != nil {
		return false
	}
	why := "needs the configuration"
	if x.first {
		why = "there is no configuration before the first start"
	}
	x.unseen(area, what, why)
	return true
}

// at is where a file of the system is.
func (x *exam) at(path string) string { return filepath.Join(x.Machine.Root, path) }

// why says why a file could not be seen, and what to do.
func why(err error) string {
	text := err.Error()
	if errors.Is(err, fs.ErrPermission) {
		text += ": ask again as root, sudo sabot doctor"
	}
	return strings.TrimSpace(text)
}
