package main

import (
	"context"
	"fmt"

	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/host/paneldriver"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/sim-hardware/bench"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/vocab"
)

// fullPanel gives the demonstration's table every key, sensor and signal that a panel can
// have, on lines that no board has.
func fullPanel(c *config.Config, boxes int) {
	lines := 0
	line := func() string {
		lines++
		return fmt.Sprintf("simulated:%d", lines)
	}
	k, s := &c.Keys, &c.Signals
	k.Dealer, k.Supervisor, k.Boxes = config.PerKey{}, line(), config.PerBox{}
	for _, key := range k.Dealer.Keys() {
		k.Dealer[key] = line()
	}
	for _, box := range k.Boxes.Keys()[:boxes] {
		k.Boxes[box] = line()
	}
	for _, signal := range []*string{&s.Green, &s.Amber, &s.Red, &s.Buzzer, &s.Lock, &s.Floor} {
		*signal = line()
	}
	c.LongPress.Does = config.PerKey{"insurance": "even_money"}
	c.Supervisors.Proof, c.Supervisors.KeyHolder = authority.PINOrKey, "demo-pit-key"
}

// simulatedPanel opens a panel whose keys are at the bench.
func simulatedPanel(made **bench.Panel, seed uint64) host.PanelOpener {
	return func(inputs, outputs []gpio.Line) (paneldriver.Board, error) {
		*made = bench.NewPanel(uses(inputs), uses(outputs), seed)
		return *made, nil
	}
}

func uses(lines []gpio.Line) (names []string) {
	for _, l := range lines {
		names = append(names, l.Use)
	}
	return names
}

// benchTable is the table as the bench sees it.
type benchTable struct{ *host.Daemon }

func (t benchTable) Look() (display.View, <-chan struct{}) { return t.Board.Look() }

func (t benchTable) Press(ctx context.Context, in vocab.Input) (vocab.Reason, error) {
	return putIn(ctx, t.Daemon, in)
}
