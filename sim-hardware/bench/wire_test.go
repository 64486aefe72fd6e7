package bench

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// TestWire shows what each make sends when a card is drawn, the newest first.
func TestWire(t *testing.T) {
	for kind, want := range map[shoesim.Kind]string{
		shoesim.Sabot:    "true hello protocol=1",
		shoesim.BeeTek:   `true " [Manual Burn Cards]<Card:`,
		shoesim.AngelEye: "true 05 3",
	} {
		synctest.Test(t, func(t *testing.T) {
			w := NewWire(kind)
			s, err := shoesim.New(shoesim.Options{Kind: kind, Memory: true, ToHost: w.ToHost, FromHost: w.FromHost})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Draw(); err != nil {
				t.Fatal(err)
			}
			bubble.Pass(time.Minute)
			frames := w.frames()
			if len(frames) == 0 || len(frames) > mostFrames {
				t.Fatalf("%s: %d frames", kind, len(frames))
			}
			if got := fmt.Sprint(frames[0].Up, " ", frames[0].Text); !strings.HasPrefix(got, want) {
				t.Errorf("%s: the newest is %s", kind, got)
			}
			if kind == shoesim.Sabot && frames[0].Times < 50 {
				t.Errorf("a hello that is said over and over is %+v", frames)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestWireShowsGarbage: what is not a message of the protocol is shown as such.
func TestWireShowsGarbage(t *testing.T) {
	w := NewWire(shoesim.Sabot)
	if got := w.FromHost([]byte{3, 1, 2, 0}); len(got) != 4 {
		t.Errorf("%d bytes arrive", len(got))
	}
	if frames := w.frames(); len(frames) != 1 || frames[0].Text == "" || frames[0].Up {
		t.Errorf("the frames are %+v", frames)
	}
}

// TestWireInWords: a card is named, and a shoe's repeated heartbeats are shown once, however much it has counted
// meanwhile.
func TestWireInWords(t *testing.T) {
	w := NewWire(shoesim.Sabot)
	for _, m := range []wire.Message{
		{Type: wire.Card, Boot: 1, Seq: 1, Rank: 1, Suit: wire.Hearts, Confidence: 99},
		{Type: wire.Heartbeat, Boot: 1, Last: 1, Queued: 1},
		{Type: wire.Heartbeat, Boot: 1, Last: 1},
	} {
		w.ToHost(wire.AppendFrame(nil, m))
	}
	frames := w.frames()
	if len(frames) != 2 || frames[0].Times != 2 || !strings.HasPrefix(frames[1].Text, "AH card") {
		t.Errorf("the frames are %+v", frames)
	}
}
