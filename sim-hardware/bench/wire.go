package bench

import (
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// mostFrames is how many frames of the line are kept to be looked at.
const mostFrames = 12

// Wire is a tap on the shoe's line: what was said last, as the shoe said and heard it
// itself, so that nothing of it is the line's fault.
type Wire struct {
	kind shoesim.Kind

	mu         sync.Mutex
	toHost     wire.Decoder
	toShoe     wire.Decoder
	lastFrames []frame
}

// frame is something that was said, once or several times over.
type frame struct {
	Up    bool // from the shoe to the table
	Kind  string
	Text  string
	Times int
}

// NewWire returns the tap for a make of shoe. Its methods ToHost and FromHost are those
// of shoesim.Options.
func NewWire(kind shoesim.Kind) *Wire { return &Wire{kind: kind} }

// ToHost listens to what the shoe sends.
func (w *Wire) ToHost(p []byte) []byte { return w.hear(true, &w.toHost, p) }

// FromHost listens to what the shoe hears.
func (w *Wire) FromHost(p []byte) []byte { return w.hear(false, &w.toShoe, p) }

func (w *Wire) hear(up bool, d *wire.Decoder, p []byte) []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch w.kind {
	case shoesim.Sabot:
		d.Feed(p, func(m wire.Message, err error) {
			if err != nil {
				w.note(frame{Up: up, Kind: "unknown", Text: err.Error()})
				return
			}
			w.note(frame{Up: up, Kind: m.Type.String(), Text: cardIn(m) + m.String()})
		})
	case shoesim.BeeTek:
		w.note(frame{Up: up, Kind: "text", Text: strconv.Quote(string(p))})
	default:
		w.note(frame{Up: up, Kind: "bytes", Text: fmt.Sprintf("% X", p)})
	}
	return p
}

// cardIn names the card that a message tells, "" for none.
func cardIn(m wire.Message) string {
	switch {
	case m.Type != wire.Card:
		return ""
	case m.Rank == wire.RankJoker:
		return card.Joker.String() + " "
	case m.Suit < wire.Spades:
		return card.Unread.String() + " "
	}
	return card.Of(card.Rank(m.Rank), card.Suit(m.Suit-wire.Spades)).String() + " "
}

// note keeps a frame. What a shoe says over and over, such as that it lives, is one.
func (w *Wire) note(f frame) {
	f.Times = 1
	for i, last := range w.lastFrames[:min(len(w.lastFrames), 2)] {
		if last.Up == f.Up && last.Kind == f.Kind && (f.Kind == wire.Heartbeat.String() || last.Text == f.Text) {
			f.Times += last.Times
			w.lastFrames = slices.Delete(w.lastFrames, i, i+1)
			break
		}
	}
	w.lastFrames = slices.Insert(w.lastFrames, 0, f)
	w.lastFrames = w.lastFrames[:min(len(w.lastFrames), mostFrames)]
}

// frames returns what was said last, the newest first.
func (w *Wire) frames() []frame {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.lastFrames)
}
