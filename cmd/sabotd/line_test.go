package main

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/irregularity"
)

// TestGarbageOnTheLine damages bytes of the shoe's frames and puts others between
// them. The rounds continue, and the pit's health shows the bad frames.
func TestGarbageOnTheLine(t *testing.T) {
	tier.Soak(t, "built programs run for seconds")
	t.Parallel()
	rounds := tier.Times[uint64](2, 5)
	w := newWorld(t, noise())
	w.hurry()
	health := brokertest.Subscribe(t, w.broker.Addr(), "sabot/v1/test/bj-1/health")
	process := w.start()
	told := w.deal(rounds).finish()

	// The health is sent with each new connection.
	w.gate.Shut()
	w.gate.Open()
	brokertest.Until(t, "the pit knows of bad frames", func() bool {
		messages := health.Messages()
		return len(messages) > 0 && counters(t, messages[len(messages)-1].Payload)["bad_frames"] > 0
	})
	w.check(told, int(rounds))
	process.Stop()
}

// noise changes one byte in 300, and puts some garbage before one frame in 12.
func noise() func([]byte) []byte {
	rng := rand.New(rand.NewPCG(3, 4))
	return func(p []byte) []byte {
		var out []byte
		for _, b := range p {
			if rng.IntN(300) == 0 {
				b ^= byte(1 + rng.IntN(255))
			}
			out = append(out, b)
			if b == 0 && rng.IntN(12) == 0 {
				for range 1 + rng.IntN(90) {
					out = append(out, byte(rng.IntN(256)))
				}
			}
		}
		return out
	}
}

func counters(t *testing.T, payload []byte) map[string]uint64 {
	t.Helper()
	var h topic.Health
	if err := json.Unmarshal(payload, &h); err != nil {
		t.Fatal(err)
	}
	return h.Shoe.Counters
}

// TestUnknownProtocolVersion: a shoe that is too new cannot be understood. The
// table says so and waits; a shoe that it understands may take its place.
func TestUnknownProtocolVersion(t *testing.T) {
	t.Parallel()
	// The protocol's vector "unknown-version": a frame of version 3.
	tooNew := []byte{0x07, 0x03, 0x85, 0x93, 0x36, 0x26, 0xf7, 0x00}
	var updated atomic.Bool
	w := newWorld(t, func(p []byte) []byte {
		if updated.Load() {
			return p
		}
		return tooNew
	})
	process := w.start()
	d := w.deal(2)
	d.awaitHeld(irregularity.ShoeOffline)
	logs(t, process, "the shoe speaks version 3, the table version 2", "update the table's software")

	if err := w.shoe.Unplug(); err != nil {
		t.Fatal(err)
	}
	updated.Store(true)
	if err := w.shoe.Replug(); err != nil {
		t.Fatal(err)
	}
	w.check(d.finish(), 2)
	process.Stop()
}

// TestAnotherMake: a table configured for another make of shoe says which one it hears; its log
// has the bytes.
func TestAnotherMake(t *testing.T) {
	tier.Soak(t, "built programs run for seconds")
	t.Parallel()
	w := newWorldWith(t, shoesim.Options{Kind: shoesim.BeeTek})
	w.driver = string(shoesim.Sabot)
	process := w.start()
	logs(t, process, "nothing is heard from the shoe")
	for range 10 {
		if _, err := w.shoe.Draw(); err != nil {
			t.Fatal(err)
		}
	}
	const looks = "what comes from the shoe is not a sabot frame: check the kind of shoe, the baud rate and the " +
		"cable: " +
		"this looks like another make of shoe: set shoe.driver: bee-tek"
	logs(t, process, looks, "shoe: bytes came that make no frame", "3c 43 61 72 64 3a", "<Card:")
	process.Stop()

	w.driver = string(shoesim.BeeTek)
	process = w.start()
	logs(t, process, "shoe: link is up")
	process.Stop()
}

// TestWrongCardCode: the code of no card counts as a card that could not be read, and the
// round waits until a person has looked at it.
func TestWrongCardCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	process := w.start()
	d := w.deal(2)
	d.stop(3)
	seen := make(chan card.Card, 1)
	d.goOn(func(s *shoesim.Shoe) (card.Card, []card.Card, error) {
		drawn, err := s.DrawWrong(99, 9)
		seen <- drawn
		return drawn, []card.Card{card.Unread}, err
	})
	d.awaitHeld(irregularity.UnreadCard, irregularity.Identify, irregularity.Burn, irregularity.VoidRound)
	d.resolve(irregularity.Identify, processes.Take(t, "the card", seen))
	w.check(d.finish(), 2, "unread-card")
	process.Stop()
}

// TestCable pulls the shoe's cable out in mid-round and draws a card meanwhile.
func TestCable(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	process := w.start()
	d := w.deal(3)
	for range 2 {
		d.stop(5)
		d.goOn(func(s *shoesim.Shoe) (card.Card, []card.Card, error) {
			unplugged := s.Unplug()
			drawn, told, err := asUsual(s)
			return drawn, told, errors.Join(unplugged, err)
		})
		d.awaitHeld(irregularity.ShoeOffline)
		logs(t, process, "the port is gone", "no such port") // two reasons, one loss
		if err := w.shoe.Replug(); err != nil {
			t.Fatal(err)
		}
	}
	w.check(d.finish(), 3)
	process.Stop()
}

// TestShoeRestarted cuts the shoe's power while it has a card that it could not report: a
// person must say which one it was.
func TestShoeRestarted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	process := w.start()
	d := w.deal(3)
	d.stop(4)
	lost := make(chan card.Card, 1)
	d.goOn(func(s *shoesim.Shoe) (card.Card, []card.Card, error) {
		unplugged := s.Unplug()
		drawn, err := s.Draw()
		lost <- drawn
		return drawn, nil, errors.Join(unplugged, err, s.Reboot(), s.Replug())
	})
	choices := []irregularity.Choice{irregularity.Identify, irregularity.NoneDrawn, irregularity.VoidRound}
	d.awaitHeld(irregularity.LostCards, choices...)
	d.resolve(irregularity.Identify, processes.Take(t, "the card", lost))
	// Nobody knows how many cards there were: the table asks for another one.
	d.awaitHeld(irregularity.LostCards, choices...)
	d.resolve(irregularity.NoneDrawn, card.None)
	w.check(d.finish(), 3, slices.Repeat([]string{"lost-cards"}, 2)...)
	process.Stop()
}
