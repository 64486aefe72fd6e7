package bench

import (
	"fmt"
	"slices"
	"sync"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// mostFrames is how many frames of the line are kept for display.
const mostFrames = 12

// Wire is a tap on the shoe's line: the last frames, as the shoe itself sent and received them, unaffected by faults of
// the line.
type Wire struct {
	mu         sync.Mutex
	up, down   func([]byte)
	lastFrames []frame
}

// frame is something that was sent, once or several times in a row.
type frame struct {
	Up    bool // from the shoe to the table
	Text  string
	Times int
	beat  bool
}

// NewWire returns the tap for a make of shoe. Its methods ToHost and FromHost are those
// of shoesim.Options.
func NewWire(kind shoesim.Kind) *Wire {
	m, _ := makes.Named(string(kind)) // for an unknown make the bytes are shown
	w := &Wire{}
	w.up, w.down = w.heard(m, true), w.heard(m, false)
	return w
}

// ToHost records what the shoe sends.
func (w *Wire) ToHost(p []byte) []byte { return w.hear(w.up, p) }

// FromHost records what the shoe receives.
func (w *Wire) FromHost(p []byte) []byte { return w.hear(w.down, p) }

func (w *Wire) hear(feed func([]byte), p []byte) []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	feed(p)
	return p
}

// heard notes what is sent in one direction: the frames or, for a make without frames, the bytes.
func (w *Wire) heard(m makes.Make, up bool) (feed func([]byte)) {
	if m.Frames != nil {
		return m.Frames(func(f shoe.Frame) { w.note(frame{Up: up, Text: textOf(f), beat: f.Beat}) })
	}
	format := "% X"
	if m.Text {
		format = "%q"
	}
	return func(p []byte) { w.note(frame{Up: up, Text: fmt.Sprintf(format, p)}) }
}

func textOf(f shoe.Frame) string {
	switch {
	case f.Err != nil:
		return f.Err.Error()
	case f.Card != card.None:
		return f.Card.String() + " " + f.Text
	}
	return f.Text
}

// note keeps a frame. Repeated frames, such as heartbeats, are kept as one.
func (w *Wire) note(f frame) {
	f.Times = 1
	for i, last := range w.lastFrames[:min(len(w.lastFrames), 2)] {
		if last.Up == f.Up && (last.beat && f.beat || last.Text == f.Text) {
			f.Times += last.Times
			w.lastFrames = slices.Delete(w.lastFrames, i, i+1)
			break
		}
	}
	w.lastFrames = slices.Insert(w.lastFrames, 0, f)
	w.lastFrames = w.lastFrames[:min(len(w.lastFrames), mostFrames)]
}

// frames returns the last frames, the newest first.
func (w *Wire) frames() []frame {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.lastFrames)
}
