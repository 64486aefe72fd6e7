package web

import (
	"encoding/json"
	"sync"

	"github.com/sabot-table/sabot/display"
)

// section is one part of the page that is replaced as a whole, by its id.
type section struct {
	id   string
	html string
}

// frame is one view with what it looks like in each language. It is drawn when the
// first client of a language asks, and once for all of them.
type frame struct {
	view  display.View
	drawn []picture
	json  func() ([]byte, error)
}

// picture is a frame in one language.
type picture struct {
	once     sync.Once
	sections []section
	err      error
}

func newFrame(v display.View, languages int) *frame {
	return &frame{
		view:  v,
		drawn: make([]picture, languages),
		json:  sync.OnceValues(func() ([]byte, error) { return json.Marshal(v) }),
	}
}

// in returns the frame's sections in a renderer's language.
func (f *frame) in(r renderer) ([]section, error) {
	p := &f.drawn[r.at]
	p.once.Do(func() { p.sections, p.err = r.sections(f.view) })
	return p.sections, p.err
}

// changed returns the sections of now that differ from what the client has. Where
// the sections themselves are others, every one of them differs: whole is true.
func changed(had, now []section) (diff []section, whole bool) {
	if len(had) != len(now) {
		return now, true
	}
	for i := range now {
		switch {
		case had[i].id != now[i].id:
			return now, true
		case had[i].html != now[i].html:
			diff = append(diff, now[i])
		}
	}
	return diff, false
}
