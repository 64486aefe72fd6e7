package practice

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// What the tray's exercises are about: how much lies in it, how much must be in it, and how much is missing.
const (
	trayCount   = "tray/count"
	trayMust    = "tray/must"
	trayMissing = "tray/missing"
)

// Float is the tray that an exercise shows.
type Float struct {
	// Lies are the chips in it, the largest first; none where only the record is asked.
	Lies []vocab.Chips
	// Moves are what is on record of it.
	Moves []Move
}

// Move is one line of a tray's record.
type Move struct {
	// What names it: opening, fill, credit, buy-in, tips, change, drop, taken, paid, and what is still under-way.
	What string
	// Amount is what it was about, and Adds how much more is in the tray by it.
	Amount, Adds int64
}

// trayTopics are those of a level: first chips are counted, then a record is added up, and then both are compared.
func trayTopics(level int) []string {
	return []string{trayCount, trayMust, trayMissing}[:min(level, 3)]
}

// askTray makes an exercise about a tray; none where its amounts cannot be laid in the house's chips.
func askTray(house *profile.House, id ID, dice *rand.Rand) (found []Exercise, err error) {
	topics := trayTopics(id.Level)
	about := id.Topic
	if !slices.Contains(topics, about) {
		about = topics[dice.IntN(len(topics))]
	}
	f := &float{round: round{house: unheld(house.Rules), kind: Tray, level: id.Level, dice: dice}}
	if err := f.play(about != trayCount); err != nil {
		return nil, err
	}
	must := f.holds()
	if must < 0 { // the guests have won more than there was
		return nil, nil
	}
	e := Exercise{ID: id, About: about, Shows: display.From(f.table, "", 1), Float: &Float{Moves: f.moves}}
	e.Shows.Boxes, e.Shows.Due, e.Shows.Phase = nil, display.Due{}, vocab.Idle
	switch about {
	case trayCount:
		e.Float.Lies, e.Float.Moves, e.Right.Amount = f.opening, nil, must
	case trayMust:
		e.Right.Amount = must
	case trayMissing:
		chip := f.values[dice.IntN(len(f.values))]
		e.Right.Amount = chip * dice.Int64N(3)
		var rest int64
		if e.Float.Lies, rest = f.laid(must - e.Right.Amount); must < e.Right.Amount || rest != 0 {
			return nil, nil // what is there cannot be laid in these chips
		}
	}
	e.After = e.Shows
	return []Exercise{e}, nil
}

// float is a tray that the engine keeps for an exercise, and the second book beside it.
type float struct {
	round
	values  []int64 // of the house's chips, the smallest first
	opening []vocab.Chips
	moves   []Move
}

// play counts the tray and, where there is a record of it, fills it, sells from it, and deals.
func (f *float) play(recorded bool) error {
	f.begin(f.house)
	for _, chip := range display.ChipsOf(f.house) {
		f.values = append(f.values, int64(chip.Value))
	}
	least := 0
	if f.level == 1 { // a few values first
		least = max(0, len(f.values)-4)
	}
	for _, value := range slices.Backward(f.values[least:]) {
		f.opening = append(f.opening, vocab.Chips{Value: value, Pieces: f.pieces()})
	}
	if err := f.put("opening", 0, vocab.Input{Kind: vocab.InCount, Tray: &vocab.Tray{
		Count: vocab.CountOpening, Dealer: "d1", Chips: f.opening,
	}}); err != nil || !recorded {
		return err
	}
	steps := []func() error{f.filled, f.credited, f.sale}
	if f.level >= 3 {
		steps = append(steps, f.rounds, f.tips)
	}
	if f.level >= Levels {
		steps = append(steps, f.underWay, f.change, f.drop)
	}
	f.dice.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// holds is what must be in the tray.
func (f *float) holds() int64 {
	y := f.table.Tray()
	must, _ := y.Holds()
	return must
}

// pieces is how many chips of a value lie in a tray: whole stacks first, later as they come.
func (f *float) pieces() int64 {
	if f.level == 1 {
		return 5 * int64(1+f.dice.IntN(8))
	}
	return int64(1 + f.dice.IntN(60))
}

// laid is an amount in chips of many values, as a tray has them; rest is what no chip lays.
func (f *float) laid(amount int64) (chips []vocab.Chips, rest int64) {
	rest = amount
	for _, value := range slices.Backward(f.values) {
		n := max(0, rest/value)
		if n > 1 {
			n = n/2 + f.dice.Int64N(n/2+1)
		}
		chips, rest = append(chips, vocab.Chips{Value: value, Pieces: n}), rest-n*value
	}
	stacks, rest := display.InChips(rest, f.values)
	for _, s := range stacks {
		chips[len(f.values)-1-slices.Index(f.values, s.Value)].Pieces += s.Count
	}
	return slices.DeleteFunc(chips, func(c vocab.Chips) bool { return c.Pieces == 0 }), rest
}

// put has something recorded of the tray, and notes it.
func (f *float) put(what string, amount int64, inputs ...vocab.Input) error {
	before := f.holds()
	for _, in := range inputs {
		in.Role, in.By = vocab.Supervisor, "s1"
		if in.InTray().Step == vocab.SlipAsked {
			in.By = "d1"
		}
		if err := f.must(in); err != nil {
			return err
		}
	}
	after := f.holds()
	if inputs[0].Kind == vocab.InCount {
		amount = after
	}
	f.moves = append(f.moves, Move{What: what, Amount: amount, Adds: after - before})
	return nil
}

// some are chips of one value or two.
func (f *float) some() (chips []vocab.Chips, sum int64) {
	at := f.dice.IntN(len(f.values) - 1)
	for _, value := range f.values[at : at+1+f.dice.IntN(2)] {
		n := 5 * int64(1+f.dice.IntN(8))
		chips, sum = append(chips, vocab.Chips{Value: value, Pieces: n}), sum+n*value
	}
	return chips, sum
}

// slip is a fill or a credit, as far as some of its steps.
func slip(kind vocab.InputKind, number uint32, chips []vocab.Chips, last vocab.SlipStep) (list []vocab.Input) {
	for step := vocab.SlipAsked; step <= last; step++ {
		y := vocab.Tray{Step: step, Slip: number, Chips: chips}
		switch step {
		case vocab.SlipAsked:
			y.Slip = 0
		case vocab.SlipApproved:
			y.Chips = nil
		}
		list = append(list, vocab.Input{Kind: kind, Tray: &y})
	}
	return list
}

func (f *float) slip(what string, kind vocab.InputKind, last vocab.SlipStep) error {
	chips, sum := f.some()
	if kind == vocab.InCredit {
		chips, sum = f.spare()
	}
	return f.put(what, sum, slip(kind, f.table.Tray().Slip+1, chips, last)...)
}

// spare is half of what lay there of a value.
func (f *float) spare() (chips []vocab.Chips, sum int64) {
	one := f.opening[f.dice.IntN(len(f.opening))]
	one.Pieces = (one.Pieces + 1) / 2
	return []vocab.Chips{one}, one.Value * one.Pieces
}

func (f *float) filled() error   { return f.slip("fill", vocab.InFill, vocab.SlipReceived) }
func (f *float) credited() error { return f.slip("credit", vocab.InCredit, vocab.SlipReceived) }

// underWay is a fill that is not here yet, or a credit that has not left.
func (f *float) underWay() error {
	if f.dice.IntN(2) == 0 {
		return f.slip("fill-sent", vocab.InFill, vocab.SlipSent)
	}
	return f.slip("credit-approved", vocab.InCredit, vocab.SlipApproved)
}

func (f *float) sale() error {
	const note = 5000
	amount := note * min(int64(1+f.dice.IntN(20)), max(1, f.holds()/4/note))
	return f.put("buy-in", amount, vocab.Input{Kind: vocab.InBuyIn, Amount: amount})
}

func (f *float) tips() error {
	amount := f.values[0] * int64(1+f.dice.IntN(10))
	return f.put("tips", amount, vocab.Input{Kind: vocab.InTips, Amount: amount})
}

func (f *float) drop() error {
	return f.put("drop", f.table.Tray().Cash, vocab.Input{Kind: vocab.InDrop})
}

// change gives a chip for as much in the smallest.
func (f *float) change() error {
	value := f.values[len(f.values)-1-f.dice.IntN(2)]
	return f.put("change", value, vocab.Input{Kind: vocab.InChange, Tray: &vocab.Tray{
		Chips: []vocab.Chips{{Value: f.values[0], Pieces: value / f.values[0]}},
		For:   []vocab.Chips{{Value: value, Pieces: 1}},
	}})
}

// rounds deals one round, whose stakes are taken and payouts paid.
func (f *float) rounds() error {
	var taken, paid int64
	f.asks = func(m moment) {
		for i := range m.outs {
			if out := &m.outs[i]; out.Kind == vocab.RoundDecided {
				taken, paid = out.Sums.Staked-out.Sums.Returned, out.Sums.Won
			}
		}
	}
	before := f.holds()
	if err := f.deal(); err != nil {
		return err
	}
	if err := f.must(vocab.Input{Kind: vocab.InPaid}); err != nil {
		return err
	}
	f.asks = nil
	if after := f.holds(); after-before != taken-paid {
		return fmt.Errorf("%w: the tray has %d more, and the round brought %d", errRefused, after-before, taken-paid)
	}
	f.moves = append(f.moves, Move{"taken", taken, taken}, Move{"paid", paid, -paid})
	return nil
}
