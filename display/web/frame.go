package web

import (
	"bytes"
	"encoding/json"
	"sync"

	"github.com/sabot-table/sabot/display"
)

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
	sections [][]byte
}

func newFrame(v display.View, languages int) *frame {
	return &frame{
		view:  v,
		drawn: make([]picture, languages),
		json:  sync.OnceValues(func() ([]byte, error) { return json.Marshal(v) }),
	}
}

// in returns the frame's sections in a renderer's language.
func (f *frame) in(r renderer) [][]byte {
	p := &f.drawn[r.at]
	p.once.Do(func() { p.sections = r.sections(f.view) })
	return p.sections
}

// changed returns the sections of now that differ from what a client has. Where the
// sections themselves are others, all of it differs.
func changed(had, now [][]byte) (diff [][]byte) {
	if len(had) != len(now) {
		return now
	}
	for i := range now {
		switch {
		case bytes.Equal(had[i], now[i]):
		case i%2 == 0 || !bytes.Equal(idOf(had[i]), idOf(now[i])):
			return now
		default:
			diff = append(diff, now[i])
		}
	}
	return diff
}

// idOf is the first id in a section, which is its own.
func idOf(section []byte) []byte {
	_, id, _ := bytes.Cut(section, []byte(`id="`))
	id, _, _ = bytes.Cut(id, []byte(`"`))
	return id
}
