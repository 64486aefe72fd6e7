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

// frame is one view with what it looks like. It is drawn when the first client
// asks, and once for all of them.
type frame struct {
	view  display.View
	drawn func() ([]section, error)
	json  func() ([]byte, error)
}

func newFrame(v display.View, r renderer) *frame {
	return &frame{
		view:  v,
		drawn: sync.OnceValues(func() ([]section, error) { return r.sections(v) }),
		json:  sync.OnceValues(func() ([]byte, error) { return json.Marshal(v) }),
	}
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
