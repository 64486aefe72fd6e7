package dashboard

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// Floor is what is known of all tables now. floor.Floor is one.
type Floor interface {
	Tiles() []floor.Tile
	View(topic.Table) (display.View, bool)
	Health(topic.Table) (topic.Health, bool)
	// Totals is what a table has come to in its gaming day.
	Totals(topic.Table) (topic.Totals, bool)
	// Alerts are those that are open, those that stand and the gravest first; History are those that are over.
	Alerts() []floor.Alert
	History() []floor.Alert
	Acknowledge(id, by, note string) error
	Coming(id, by string) error
	// Changed is closed with the next change.
	Changed() <-chan struct{}
}

// Past is what the pit keeps of the tables' rounds: a store.Store, with Recall. It is asked by several requests at
// once.
type Past interface {
	Rounds(context.Context, store.RoundQuery) ([]store.Round, error)
	// Recall reads the rounds of one of a table's journals, "" for the present one; nil if none of it is kept.
	Recall(ctx context.Context, table topic.Table, journal string) (web.Recall, error)
	// UnlaidUntil is when the last round was opened of which it is not known what lay on its boxes, zero for none.
	UnlaidUntil(context.Context) (time.Time, error)
}

// Rooms keeps how the tiles are arranged, and Ended the alerts that are over: a store.Store is both.
type (
	Rooms interface {
		Room(context.Context) (map[string]store.Spot, error)
		PutRoom(context.Context, map[string]store.Spot) error
	}
	Ended interface {
		AlertHistory(context.Context, store.AlertQuery) ([]floor.Alert, error)
	}
)

// Options are what a Dashboard is made of. Without a Past there are no past rounds, and without Rooms nothing is
// arranged.
type Options struct {
	Floor Floor
	Past  Past
	// Kept is closed when more of a table's rounds are kept; nil where nobody says so.
	Kept  func(topic.Table) <-chan struct{}
	Rooms Rooms
	// Ended has the alerts that are over; without it only those that the floor remembers are listed.
	Ended Ended
	// Trays says what is known of the tables' trays; without it there is no page of them. Close is where a gaming day
	// is closed, "" for nowhere.
	Trays Trays
	// Jackpots says what is in the jackpots that several tables play for; without it there is no page of them.
	Jackpots Jackpots
	Close    string
	// Group are the houses of which this pit is the hub; nil for a pit of one house.
	Group Group
	// Commands sends commands to tables; nil where none are given.
	Commands Commands
	// Audit is the log of what people do; nil where nobody is asked who they are.
	Audit Audit
	// Answer is how long a page waits for a table's answer to a command, 0 for 20 s. Commands must have expired by
	// then.
	Answer time.Duration
	// People says who asks; nil lets everybody on this machine do everything, and asks for names.
	People People
	// Push calls browsers while no page is open; nil for a pit that calls none.
	Push Push
	// Name is what the floor is called.
	Name string
	// Language is what pages speak until a screen has chosen another of its Menu.
	Language display.Language
	// Zone is that of the house's clock, which the pages tell whatever the machine's is; nil for the machine's.
	Zone *time.Location
	// Links are further pages in the head of each, such as the figures.
	Links []Link
	// Within are the options for somebody who is limited to sites: they see what these have, and nothing else. Nobody
	// is without it.
	Within func(people.Sites) (Options, error)
	// Pages are those further pages: they draw themselves, and who may ask for them is said here.
	Pages []site.Row
	// Menu are those in the menu: what a person may do about themselves and others, and what is seldom asked for.
	Menu []Link
	// Heartbeat is how often an idle stream says that it lives, 0 for 500 ms; pages call the pit away after 1500 ms.
	Heartbeat time.Duration
	// Gather is how long changes are gathered before they are sent, 0 for 100 ms.
	Gather time.Duration
	// WriteTimeout is how long a message may take before its screen is given up, 0 for 5 s.
	WriteTimeout time.Duration
	Log          *slog.Logger
}

// Link leads to a page of another part of the pit.
type Link struct {
	// Key is the text that names it.
	Key, Where string
	Least      people.Role
	// Strangers says that it is for those alone who have not said who they are, on a site that lets them in.
	Strangers bool
	// Posts says that it is done by a POST, after which the page is loaded again: leaving, for one.
	Posts bool
	// Whole says that it is for those alone who may see all sites.
	Whole bool
}

// Dashboard serves the pit's pages. Its methods may be called from any goroutine.
type Dashboard struct {
	options Options
	menu    site.Menu
	renders []renderer

	mu   sync.Mutex
	room Room
	// unread is why the room could not be read, nil once it was.
	unread error
	// moved is closed when the room was rearranged.
	moved chan struct{}
	pasts map[pastKey]*web.Server
	// limits are the pages for those who are limited to sites.
	limits map[people.Sites]limited

	lastTrays readTrays
	lastDay   reading[[]store.Sum]
	// lastElsewhere is what was read last of how far other nodes keep records.
	lastElsewhere reading[map[string]uint64]
}

// New returns a Dashboard.
func New(o Options) (*Dashboard, error) {
	if o.Floor == nil {
		return nil, errors.New("pit/dashboard: there is no floor to show")
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Zone == nil {
		o.Zone = time.Local
	}
	if o.Heartbeat == 0 {
		o.Heartbeat = 500 * time.Millisecond
	}
	if o.Gather == 0 {
		o.Gather = 100 * time.Millisecond
	}
	if o.WriteTimeout == 0 {
		o.WriteTimeout = 5 * time.Second
	}
	if o.Answer == 0 {
		o.Answer = 20 * time.Second
	}
	d := &Dashboard{
		options: o, moved: make(chan struct{}), pasts: map[pastKey]*web.Server{}, limits: map[people.Sites]limited{},
	}
	d.menu, d.renders = renderers(o)
	return d, nil
}
