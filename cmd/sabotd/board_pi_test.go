//go:build board

package main

import (
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/board"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestBoardPi deals the same round on an emulated Raspberry Pi 3, with the shoe on its
// UART and the dealer at the screen.
func TestBoardPi(t *testing.T) {
	e := newEmulated(t, board.Pi, nil)
	e.begin("pi.yaml")
	devices := e.runs("sabot", "devices", "--config", configInBoard)
	contains(t, devices, "Raspberry Pi 3 Model B", "/dev/ttyAMA0", "pinctrl-bcm2835")
	t.Log(devices)
	e.deal(round(touch, stake(vocab.Input{Box: 3, Bettor: "1", Wager: vocab.WagerMain})))
}
