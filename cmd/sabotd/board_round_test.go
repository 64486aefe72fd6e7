//go:build board

package main

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// step is something that is done at the table, and what follows from it.
type step struct {
	do func(*emulated)
	// then begins the last event that follows.
	then string
	// lamps are the outputs that are on in the end, "*" if they are not checked.
	lamps string
}

// round is a round of Wiesbaden: a pair is split, the first of its hands doubled, and the
// bank draws too much. interrupted is what happens at box 3, which has eleven, between
// the call and the card.
func round(press func(key string) func(*emulated), chips step, interrupted ...step) []step {
	steps := []step{
		{press("BETS"), `{"out":"opened"`, "AMBER LOCK"},
		stake(vocab.Input{Box: 1, Bettor: "a", Wager: vocab.WagerMain, Amount: 2000, Stated: true}),
		stake(vocab.Input{Box: 1, Bettor: "a", Wager: vocab.SideWager(sidebet.Twins), Amount: 1000, Stated: true}),
		chips,
		{press("BETS"), `{"out":"due","to":"box","box":1,"hand":1}`, "GREEN"},
		draw("8S", `{"out":"due","to":"box","box":3,"hand":1}`, "GREEN"),
		draw("9D", `{"out":"due","to":"bank"}`, "GREEN"),
		draw("6H", `{"out":"due","to":"box","box":1,"hand":1}`, "GREEN"),
		draw("8H", `{"out":"due","to":"box","box":3,"hand":1}`, "GREEN"),
		draw("2C", `{"out":"due","to":"call","box":1,"hand":1`, "AMBER LOCK"),
		{press("SPLIT"), `{"out":"due","to":"box","box":1,"hand":1}`, "GREEN"},
		draw("3C", `{"out":"due","to":"call","box":1,"hand":1`, "AMBER LOCK"),
		{press("DOUBLE"), `{"out":"due","to":"box","box":1,"hand":1}`, "GREEN"},
		draw("TD", `{"out":"due","to":"box","box":1,"hand":2}`, "GREEN"),
		draw("5D", `{"out":"due","to":"call","box":1,"hand":2`, "AMBER LOCK"),
		{press("REST"), `{"out":"due","to":"call","box":3,"hand":1`, "AMBER LOCK"},
		{press("DOUBLE"), `{"out":"due","to":"box","box":3,"hand":1}`, "GREEN"},
	}
	if len(interrupted) == 0 {
		interrupted = []step{draw("KD", `{"out":"due","to":"bank"}`, "GREEN")}
	}
	return slices.Concat(steps, interrupted, []step{
		draw("TC", `{"out":"dealt","card":"TC"`, "GREEN"),
		draw("7S", `{"out":"due","to":"payment"}`, "AMBER LOCK"),
		{press("PAID"), `{"out":"due","to":"nothing"}`, "AMBER LOCK"},
	})
}

// What the round pays, worked out by hand: eights are Twins at 11:1; the bank has 23; hand
// 1 of box 1 was doubled; on box 3, where nobody entered an amount, two stakes win 1:1.
var settled = []string{
	`{"out":"settled","box":1,"bettor":"a","wager":"twins","outcome":"win","why":"twins","stake":1000,"returned":1000,"won":11000}`,
	`{"out":"settled","box":1,"bettor":"a","wager":"main","hand":1,"outcome":"win","why":"bank-bust","stake":4000,"returned":4000,"won":4000}`,
	`{"out":"settled","box":1,"bettor":"a","wager":"main","hand":2,"outcome":"win","why":"bank-bust","stake":2000,"returned":2000,"won":2000}`,
	`{"out":"settled","box":3,"bettor":"1","wager":"main","hand":1,"outcome":"win","why":"bank-bust","stake":null,"returned":null,"won":null,"ratio":"1:1","times":2}`,
}

// drawn are the round's cards in order.
const drawn = "8S 9D 6H 8H 2C 3C TD 5D KD TC 7S"

// deal deals a round, and checks what it paid.
func (e *emulated) deal(steps []step) {
	e.t.Helper()
	for _, s := range steps {
		s.do(e)
		if s.then != "" {
			e.hears(s.then)
		}
		e.shines(s.lamps)
	}
	e.end(1)
	if got := names(e.told); got != drawn {
		e.t.Errorf("the cards %s were drawn, not %s", got, drawn)
	}
	if got := e.outputs(`{"out":"settled"`); !slices.Equal(got, settled) {
		e.t.Errorf("the round settled\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(settled, "\n"))
	}
}

// draw draws a chosen card.
func draw(name, then, lamps string) step {
	return step{func(e *emulated) {
		c, err := card.Parse(name)
		if err == nil {
			err = e.shoe.DrawCard(c)
		}
		if err != nil {
			e.t.Fatal(err)
		}
		e.told = append(e.told, c)
	}, then, lamps}
}

// stake enters a stake at the screen.
func stake(in vocab.Input) step {
	in.Kind = vocab.InStake
	return step{do: func(e *emulated) { e.atScreen(in) }, lamps: anyLamps}
}

// atScreen puts in what a touch on the screen means.
func (e *emulated) atScreen(in vocab.Input) {
	e.t.Helper()
	if refused, err := e.screen.remote.Press(e.screen.ctx, in); refused != 0 || err != nil {
		e.t.Fatalf("the screen refuses %s: %s, %v", in.Kind, refused, err)
	}
}

// touches are the inputs that the screen sends in place of keys.
var touches = map[string]vocab.Input{
	"SPLIT":  {Kind: vocab.InCall, Call: vocab.CallSplit},
	"DOUBLE": {Kind: vocab.InCall, Call: vocab.CallDouble},
	"REST":   {Kind: vocab.InCall, Call: vocab.CallRest},
	"PAID":   {Kind: vocab.InPaid},
}

// touch does on the screen what a key does.
func touch(key string) func(*emulated) {
	return func(e *emulated) {
		in, isOne := touches[key]
		if v := e.screen.await("a view", func(display.View) bool { return true }); !isOne && v.Phase == vocab.Idle {
			in.Kind = vocab.InOpen
		} else if !isOne {
			in.Kind = vocab.InClose
		}
		e.atScreen(in)
	}
}

// holdKey is how long a finger stays on a key: longer than the time in which two calls
// contradict each other, so that the next press never does.
const holdKey = 200 * time.Millisecond

// pressKey presses a key of the panel, in the board's kernel.
func pressKey(key string) func(*emulated) {
	return pressing(key, func(e *emulated) {
		if err := e.machine.Hand.Press(e.machine.Context(), key, holdKey); err != nil {
			e.t.Fatal(err)
		}
	})
}

// pressing presses a key, and returns when something follows. A board that was too slow for
// it says so, and the dealer presses again.
func pressing(key string, press func(*emulated)) func(*emulated) {
	return func(e *emulated) {
		slow := func() int { return strings.Count(e.machine.Console.String(), "the table was too slow") }
		for {
			before, was := e.screen.await("a view", func(display.View) bool { return true }), slow()
			press(e)
			e.screen.await("what follows from the key "+key, func(v display.View) bool {
				return v.Seq > before.Seq || slow() > was
			})
			if slow() == was {
				return
			}
		}
	}
}

// anyLamps are lamps that are not checked.
const anyLamps = "*"

// shines waits until exactly these outputs are on.
func (e *emulated) shines(lamps string) {
	e.t.Helper()
	if lamps == anyLamps || e.lamps == nil {
		return
	}
	var on string
	brokertest.Until(e.t, "the outputs that are on are "+lamps, func() bool {
		levels, err := e.machine.Hand.Lines(e.machine.Context())
		if err != nil {
			e.t.Fatal(err)
		}
		on = strings.Join(slices.DeleteFunc(slices.Sorted(maps.Keys(levels)), func(name string) bool {
			return !levels[name] || !slices.Contains(e.lamps, name)
		}), " ")
		return on == lamps
	})
}
