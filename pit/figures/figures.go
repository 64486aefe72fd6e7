package figures

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/luck"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/table/rules"
)

// Options are what Figures are made of.
type Options struct {
	Source Source
	// Rules are the rules with a fingerprint, nil if they are not known.
	Rules func(ctx context.Context, fingerprint string) (*rules.Rules, error)
	// Day is the house's gaming day.
	Day store.Day
	// Language is what pages speak until a screen has chosen another of its Menu.
	Language display.Language
	// Now is the time, time.Now if nil.
	Now func() time.Time
	// Home is where the floor's page is, / if empty.
	Home string
	// Sites says that the tables are of several sites, so that each is named with its own.
	Sites bool
	// Shifts are those of a gaming day, none where the house does not divide it.
	Shifts []Shift
	// Signatures keeps who has signed which shift report; nil where none are signed.
	Signatures Signatures
	// Trays keeps what was done to the tables' trays; nil where no day is closed.
	Trays Trays
	// Who says who asks, and whether they may see all pages, or the shift report and what it leads to alone. nil is
	// somebody without a name who may.
	Who func(*http.Request) people.Person
	// Outcome puts on record what became of a request; nil for nowhere.
	Outcome func(r *http.Request, detail string)
	// Past is where a past round is shown, "" for nowhere.
	Past func(*store.Round) string
	// Worth works out what rules are worth; nil is one of the Figures' own.
	Worth *Worker
	Log   *slog.Logger
}

// dateOf is the date of the gaming day in which a moment lies.
func (o *Options) dateOf(t time.Time) time.Time { return o.Day.Of(t).Midnight(o.Day.Zone) }

// from is when the gaming day of a date begins. A day on which the clocks change has 23 or 25 hours.
func (o *Options) from(date time.Time) time.Time { return o.Day.Start(store.DateOf(date)) }

func (o *Options) who(r *http.Request) people.Person {
	if o.Who == nil {
		return people.Person{Role: dashboard.Manager}
	}
	return o.Who(r)
}

// Figures serves the pages of figures. Its methods may be called from any goroutine.
type Figures struct {
	options Options
	// languages are those among which a screen may choose.
	languages site.Menu
	mu        sync.Mutex
	// known are the odds of houses by fingerprint, nil for rules that nobody knows.
	known map[string][]*luck.Odds
}

// New returns the Figures of a source.
func New(o Options) (*Figures, error) {
	if o.Source == nil {
		return nil, errors.New("pit/figures: there is no source of sums")
	}
	if o.Day.Zone == nil {
		o.Day.Zone = time.UTC
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Home == "" {
		o.Home = "/"
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Worth == nil {
		o.Worth = NewWorker(o.Log)
	}
	return &Figures{options: o, languages: site.NewMenu(o.Language), known: map[string][]*luck.Odds{}}, nil
}

// odds are those of a wager under the rules with a fingerprint, nil if nobody knows them.
func (f *Figures) odds(ctx context.Context, fingerprint, wager string) (*luck.Odds, error) {
	f.mu.Lock()
	all, known := f.known[fingerprint]
	f.mu.Unlock()
	if !known {
		r, err := f.options.Rules(ctx, fingerprint)
		if err != nil {
			return nil, err
		}
		if r != nil {
			if all, err = luck.Of(r); err != nil {
				return nil, err
			}
		}
		f.mu.Lock()
		f.known[fingerprint] = all
		f.mu.Unlock()
	}
	for _, o := range all {
		if o.Wager == wager {
			return o, nil
		}
	}
	return nil, nil
}
