package site

import (
	"context"
	"net/http"
	"slices"
)

// Role is who may ask for something: a role of the site's own, by its name, or Everybody.
type Role interface{ String() string }

// Everybody is the role of a row for which nobody is asked who they are.
const Everybody = everybody("everybody")

type everybody string

func (e everybody) String() string { return string(e) }

// Row is one thing that a site answers.
type Row struct {
	Method, Path string
	// Least is who may ask: the least role.
	Least Role
	// Most is how many bytes a request may bring; 0 is what the site's own pages take.
	Most int64
	// Page says that its address chooses the screen's language, and Seldom that people ask for it a few times an hour.
	Page, Seldom bool
	// Serve answers whoever the site has let in.
	Serve http.HandlerFunc
}

// If are the rows of a site that has what they are about.
func If(there bool, rows ...Row) []Row {
	if there {
		return rows
	}
	return nil
}

// Options are what a Site is made of; Rows are required.
type Options struct {
	Rows []Row
	// Around is what every request meets first, such as a guard. It may ask RowOf which row the request is for.
	Around func(http.Handler) http.Handler
	// Missing answers what no row is for; usual is how a server answers that. nil is usual.
	Missing func(w http.ResponseWriter, r *http.Request, usual http.Handler)
}

// Site is all that a server answers.
type Site struct {
	rows    []Row
	of      map[string]*Row // by the pattern
	table   *http.ServeMux
	handler http.Handler
}

// New makes a site. A row that says not what it is, or for whom, is a mistake in the program.
func New(o Options) *Site {
	s := &Site{rows: slices.Clone(o.Rows), of: map[string]*Row{}, table: http.NewServeMux()}
	for i := range s.rows {
		one := &s.rows[i]
		if one.Method == "" || one.Path == "" || one.Least == nil || one.Serve == nil {
			panic("site: the row of " + one.Method + " " + one.Path +
				" is not whole: it needs a method, a path, a role and what answers")
		}
		pattern := one.Method + " " + one.Path
		s.of[pattern] = one
		s.table.HandleFunc(pattern, one.Serve)
	}
	s.handler = http.Handler(s.table)
	if o.Missing != nil {
		s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, there := RowOf(r); !there {
				o.Missing(w, r, s.table)
				return
			}
			s.table.ServeHTTP(w, r)
		})
	}
	if o.Around != nil {
		s.handler = o.Around(s.handler)
	}
	return s
}

// Rows are all that the site answers.
func (s *Site) Rows() []Row { return slices.Clone(s.rows) }

// ServeHTTP answers a request by its row.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, pattern := s.table.Handler(r)
	s.handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), rowKey{}, s.of[pattern])))
}

type rowKey struct{}

// RowOf is the row of a request that a site is about to answer; there is none for what is not of the site.
func RowOf(r *http.Request) (one Row, there bool) {
	found, _ := r.Context().Value(rowKey{}).(*Row)
	if found == nil {
		return Row{}, false
	}
	return *found, true
}
