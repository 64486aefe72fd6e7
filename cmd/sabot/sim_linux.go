package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/sim-hardware/scenario"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/rules"
)

// simOptions are the flags of sabot shoe sim.
type simOptions struct {
	driver, port, scenario string
	seed                   uint64
	decks                  int
	shuffler               bool
}

// sim simulates a shoe for the bench, played by keys or by a scenario.
func sim(ctx context.Context, set *flag.FlagSet, args []string, e env) (err error) {
	o, err := parseSim(set, args, e)
	if err != nil {
		return err
	}
	script, err := readScenario(&o)
	if err != nil {
		return err
	}
	shoe, err := shoesim.New(o.shoe())
	if err != nil {
		return fmt.Errorf("starting the simulated shoe: %w", err)
	}
	defer func() { err = errors.Join(err, shoe.Close()) }()
	fmt.Fprintf(e.out, "The shoe is plugged in. For the table's configuration:\n\n    shoe: {driver: %s, port: %q}\n\n",
		o.driver, shoe.Path())
	h := newHands(shoe, o, e.out)
	if err := script.Play(ctx, scenario.Hardware{Shoe: shoe}, h.did); err != nil {
		return interrupted(ctx, err)
	}
	return interrupted(ctx, keys(ctx, h, o, e))
}

// hands are those of whoever deals: they tell what they do, and put the cards of earlier rounds back into a shuffler.
type hands struct {
	shoe *shoesim.Shoe
	out  io.Writer
	// keep is how many of the cards that were dealt last stay out of the shuffler, 0 where there is none.
	keep  int
	dealt []card.Card
}

// mostLying is more cards than a round has in seven boxes.
const mostLying, cardsInDeck = 104, 52

func newHands(shoe *shoesim.Shoe, o simOptions, out io.Writer) *hands {
	h := &hands{shoe: shoe, out: out}
	if o.shuffler {
		h.keep = min(mostLying, o.decks*cardsInDeck/2)
	}
	return h
}

// did tells of a step that was done. c is the card that it brought out of the shoe, card.None for none.
func (h *hands) did(s scenario.Step, c card.Card) {
	fmt.Fprintln(h.out, done(s, c))
	if h.keep == 0 || c == card.None || s.Verb == "foreign" {
		return
	}
	if h.dealt = append(h.dealt, c); len(h.dealt) <= h.keep {
		return
	}
	if err := h.shoe.Return(h.dealt[0]); err != nil {
		fmt.Fprintf(h.out, "putting %s back into the shuffler: %v\n", h.dealt[0], err)
	}
	h.dealt = h.dealt[1:]
}

func parseSim(set *flag.FlagSet, args []string, e env) (o simOptions, err error) {
	set.StringVar(&o.driver, "driver", makes.All[0].Name, "the `make` of shoe: "+strings.Join(makes.Names(), ", "))
	set.StringVar(&o.port, "port", "",
		"where the shoe is plugged in: a `path`, which must not exist, or tcp://host:port; without it, a path of "+
			"its own")
	set.StringVar(&o.scenario, "scenario", "", "play this `file` first; sim-hardware/scenario/README.md describes it")
	set.Uint64Var(&o.seed, "seed", 1,
		"the `number` that decides the cards and all that is random; a scenario has its own")
	set.IntVar(&o.decks, "decks", 6, "how many `decks` are in the shoe")
	set.BoolVar(&o.shuffler, "shuffler", false, "it is a shuffler, into which the cards of earlier rounds go back")
	if err := parse(set, args, e); err != nil {
		return o, err
	}
	_, unknown := makes.Named(o.driver)
	switch {
	case set.NArg() > 0:
		return o, errUsage(fmt.Sprintf("it takes no %q", set.Arg(0)))
	case unknown != nil:
		return o, errUsage(unknown.Error())
	case o.decks < 1 || o.decks > rules.MaxDecks:
		return o, errUsage(fmt.Sprintf("a shoe has 1 to %d decks, and not %d", rules.MaxDecks, o.decks))
	}
	return o, nil
}

// readScenario reads the scenario, if there is one, and uses its seed.
func readScenario(o *simOptions) (scenario.Scenario, error) {
	if o.scenario == "" {
		return scenario.Scenario{}, nil
	}
	text, err := os.ReadFile(o.scenario)
	if err != nil {
		return scenario.Scenario{}, err
	}
	s, err := scenario.Parse(o.scenario, string(text))
	o.seed = s.Seed
	return s, err
}

// shoe returns the options of the simulation.
func (o simOptions) shoe() shoesim.Options {
	s := shoesim.Options{
		Kind: shoesim.Kind(o.driver), Decks: o.decks, Seed: o.seed, Link: o.port,
		Continuous: o.shuffler,
	}
	if address, network := strings.CutPrefix(o.port, "tcp://"); network {
		s.Link, s.Listen = "", address
	}
	return s
}

// done describes a step that was done, with the card that was drawn at random.
func done(s scenario.Step, c card.Card) string {
	text := s.String()
	if c != card.None && s.Card == card.None {
		text += " " + c.String()
	}
	return text
}

// interrupted drops the error if ctx has ended.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// keys lets the user at the terminal play with the shoe, until they quit.
func keys(ctx context.Context, h *hands, o simOptions, e env) error {
	if e.in == nil {
		return nil
	}
	restore, err := keyByKey(e.in)
	if err != nil {
		return err
	}
	defer restore()
	fmt.Fprint(e.out, keyHelp)
	pressed, ended := readKeys(e.in)
	board := newKeyboard(shoesim.Kind(o.driver), o.seed)
	for {
		select {
		case key := <-pressed:
			if quit := press(ctx, board, key, h); quit {
				return nil
			}
		case err := <-ended:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// press does what a key means, and prints it.
func press(ctx context.Context, board *keyboard, key byte, h *hands) (quit bool) {
	steps, say, quit := board.press(key, h.shoe.State())
	fmt.Fprint(h.out, say)
	for _, s := range steps {
		if err := s.Do(ctx, scenario.Hardware{Shoe: h.shoe}, h.did); err != nil {
			fmt.Fprintf(h.out, "%s: %v\n", s, err)
		}
		if s.Verb == simple['l'].Verb { // everything is in the shoe again
			h.dealt = nil
		}
	}
	return quit
}

// readKeys reads one key after another, until the input ends.
func readKeys(in io.Reader) (<-chan byte, <-chan error) {
	pressed, ended := make(chan byte), make(chan error, 1)
	go func() {
		for key := make([]byte, 1); ; {
			_, err := io.ReadFull(in, key)
			switch {
			case errors.Is(err, io.EOF):
				ended <- nil
				return
			case err != nil:
				ended <- fmt.Errorf("reading the keys: %w", err)
				return
			}
			pressed <- key[0]
		}
	}()
	return pressed, ended
}
