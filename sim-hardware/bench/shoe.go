package bench

import (
	"context"
	"errors"
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/scenario"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Shoe plays steps of a scenario on the shoe at once: each key of the page is one line.
func (b *Bench) Shoe(ctx context.Context, text string) error {
	s, err := b.parse(text)
	if err != nil {
		return err
	}
	return s.Play(ctx, b.hardware(), b.teller(ctx))
}

// hardware is what a scenario's steps act on: the shoe, and the panel's keys.
func (b *Bench) hardware() scenario.Hardware {
	return scenario.Hardware{Shoe: b.o.Shoe, Panel: b.o.Panel.Bank, Keys: b.o.Panel.contacts}
}

// parse reads steps, and refuses those that would interfere with the simulated dealer.
func (b *Bench) parse(text string) (scenario.Scenario, error) {
	s, err := scenario.Parse(scriptName, text)
	switch {
	case err != nil:
		return s, err
	case len(s.Steps) == 0:
		return s, errors.New(sayNoSteps)
	case b.dealing() && slices.ContainsFunc(s.Steps, func(one scenario.Step) bool { return one.ByHand() }):
		return s, errHandsOff
	}
	return s, nil
}

// teller notes each step once it has happened.
func (b *Bench) teller(ctx context.Context) scenario.Told {
	return func(s scenario.Step, c card.Card) {
		b.tray.note(s, c)
		b.change(func() {
			b.keepInMind(s)
			b.noteCard(sayStep(s), c)
		})
		if s.Verb == "reload" {
			b.loaded(ctx)
		}
	}
}

// keepInMind remembers what one step has begun and another will end. The shoe itself knows whether the cable is in.
func (b *Bench) keepInMind(s scenario.Step) {
	switch s.Verb {
	case "line":
		b.noisy = s.Rates != (shoesim.FaultRates{})
	case "alarm":
		b.on[s.Trouble] = true
	case "reverse-pull":
		b.on[shoesim.ReversePull] = true
	case "clear":
		delete(b.on, s.Trouble)
	case "reboot":
		clear(b.on)
	}
}

// loaded tells the table that its shoe was loaded, as a dealer does.
func (b *Bench) loaded(ctx context.Context) {
	view, _ := b.o.Table.Look()
	pressed := false
	err := b.o.Dealer.Loads(ctx, view, func(in vocab.Input) error {
		pressed = true
		return b.press(ctx, in, sayLoaded)
	})
	if err != nil && !pressed {
		b.change(func() { b.note(fault(sayLoaded, err)) })
	}
}

// press enters an input, and notes the table's answer.
func (b *Bench) press(ctx context.Context, in vocab.Input, done string) error {
	refused, err := b.o.Table.Press(ctx, in)
	if err == nil && refused != 0 {
		err = errors.New(sayRefused(refused))
	}
	b.change(func() {
		if err != nil {
			b.note(fault(done, err))
			return
		}
		b.note(done)
	})
	return err
}

// PutRight resolves what holds the round as a person chose: as the dealer if he may, otherwise in the name of the
// proven supervisor.
func (b *Bench) PutRight(ctx context.Context, with string, named card.Card) error {
	if b.dealing() {
		return errHandsOff
	}
	choice, known := irregularity.ParseChoice(with)
	view, _ := b.o.Table.Look()
	if !known || view.Held == nil || !slices.Contains(view.Held.Choices, choice) {
		return errors.New(sayNoChoice)
	}
	in := vocab.Input{Kind: vocab.InResolve, With: choice, Card: named}
	if slices.Contains(view.Held.Dealer, choice) {
		in.Role, in.By = vocab.Dealer, "dealer"
	}
	if choice == irregularity.Reload {
		if err := b.tray.Reload(); err != nil {
			return err
		}
	}
	name := ""
	if named != card.None {
		name = named.String()
	}
	return b.press(ctx, in, sayPutRight(view.Held.Code.String(), with, name))
}
