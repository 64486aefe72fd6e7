package people

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/pit/topic"
)

// Sites are those of a group to which a person is limited: their names in order, apart by spaces. The zero value is no
// limit.
type Sites string

// ErrSites are names that no site has.
var ErrSites = errors.New("this is no list of sites: write the names of sites that this pit hears, apart by spaces; " +
	"nothing for all of them")

// ParseSites reads names, apart by spaces or commas; known are those that there are, nil for any.
func ParseSites(text string, known []string) (Sites, error) {
	names := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
	slices.Sort(names)
	for _, name := range names {
		if _, err := topic.NewTable(name, "any"); err != nil || known != nil && !slices.Contains(known, name) {
			return "", ErrSites
		}
	}
	return Sites(strings.Join(slices.Compact(names), " ")), nil
}

// Limited says whether there is a limit.
func (s Sites) Limited() bool { return s != "" }

// Has says whether a site may be seen.
func (s Sites) Has(site string) bool { return !s.Limited() || slices.Contains(s.List(), site) }

// List are their names, none without a limit.
func (s Sites) List() []string { return strings.Fields(string(s)) }

// String is how the log has them.
func (s Sites) String() string {
	if !s.Limited() {
		return "all"
	}
	return string(s)
}

// SetSites limits a person to sites, and ends their sessions.
func (p *People) SetSites(ctx context.Context, by Actor, name string, sites Sites) error {
	return p.amend(ctx, by, name, func(w *work, one *Person) error {
		switch {
		case one.Subject != "":
			return ErrProvider
		case one.Sites == sites:
			return ErrNoNeed
		}
		detail := one.Sites.String() + " → " + sites.String()
		one.Sites = sites
		return w.note(by, SitesChanged, name, detail)
	})
}
