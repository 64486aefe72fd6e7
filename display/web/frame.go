package web

import (
	"encoding/json"
	"strconv"
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

// number names the frame, by the input that its view is after.
func (f *frame) number() string { return strconv.FormatUint(f.view.Seq, 10) }
