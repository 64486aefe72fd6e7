package nights

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/sim-hardware/croupier"
	"github.com/sabot-table/sabot/sim-hardware/mishap"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// Journal is where a table's nights are written. A *journal.Journal is one.
type Journal interface {
	Append([]journal.Entry) error
	Next() (record, event uint64)
}

// felt is a table with nothing around it: shoe, display and keys act on the engine at once, at a clock of its own.
type felt struct {
	table Table
	rules *rules.Rules
	clock time.Time
	rand  *rand.Rand
	pace  float64 // the present dealer's

	engine  table.Table
	seq     uint64
	view    display.View // of input seen
	seen    uint64
	cards   []card.Card
	full    []card.Card
	drawn   int
	keeps   bool // the shoe keeps and numbers what it tells
	pulled  bool // its cable is out
	untold  int  // cards that left it meanwhile
	boot    uint32
	reports uint32

	into    Journal
	entries []journal.Entry
	bytes   int
	failed  error
	dealt   Dealt
}

var _ mishap.Shoe = (*felt)(nil)

// cutAfter is how much of a shoe comes before its cut card.
const cutAfter = 0.75

func newFelt(t Table, set *rules.Rules, r *rand.Rand, into Journal) (*felt, error) {
	made, err := makes.Named(t.Maker)
	if err != nil {
		return nil, err
	}
	f := &felt{table: t, rules: set, rand: r, pace: 1, into: into, keeps: made.Keeps, boot: max(1, r.Uint32())}
	next, _ := into.Next()
	f.seq = next - 1
	f.full = croupier.Cards(set.Cards)
	f.fill()
	return f, nil
}

// fill shuffles all cards and puts them into the shoe.
func (f *felt) fill() {
	f.cards = append(f.cards[:0], f.full...)
	f.shuffle()
	f.drawn = 0
}

func (f *felt) shuffle() {
	f.rand.Shuffle(len(f.cards), func(i, j int) { f.cards[i], f.cards[j] = f.cards[j], f.cards[i] })
}

// step puts an input in, and writes it down with what follows.
func (f *felt) step(in vocab.Input, position shoe.Position) vocab.Reason {
	f.seq++
	in.Line, in.Time = f.seq, f.clock.UnixNano()
	before := f.engine.Round()
	e := runner.Record(&f.engine, &in, position)
	f.entries = append(f.entries, e)
	f.bytes += len(e.Input) + len(e.Outputs) + len(e.Carry) + len(e.RulesText) + commitLine
	if f.engine.Round() > before {
		f.dealt.Rounds++
	}
	if len(e.Carry) > 0 && f.bytes > batch {
		f.flush()
	}
	return f.engine.Rejected()
}

const (
	// batch is from how many bytes on the records are written at a round's end. Far below the journal's limit of one
	// write, which no round can fill.
	batch = 512 << 10
	// commitLine is about as long as the line with which the journal closes a record.
	commitLine = 300
)

// flush writes what was put in since the last time.
func (f *felt) flush() {
	if len(f.entries) == 0 || f.failed != nil {
		return
	}
	f.failed = f.into.Append(f.entries)
	f.dealt.Records += len(f.entries)
	f.entries, f.bytes = f.entries[:0], 0
}

// shoeSays puts in what the shoe says by itself.
func (f *felt) shoeSays(in vocab.Input) {
	in.Kind = vocab.InShoe
	f.step(in, shoe.Position{})
}

// online is the shoe being heard, as when its cable is in. Only our own says who it is.
func (f *felt) online() {
	in := vocab.Input{Shoe: vocab.ShoeSaid{Event: vocab.ShoeCameOnline}}
	if f.keeps {
		in.Name(vocab.Named{Maker: f.table.Maker, Serial: f.table.Serial(), Firmware: "1.0.0"})
	} else {
		in.Name(vocab.Named{Maker: f.table.Maker})
	}
	f.shoeSays(in)
}

// tells puts in what the shoe tells by an event of its own. A shoe that keeps them numbers them.
func (f *felt) tells(in vocab.Input) {
	var position shoe.Position
	if f.keeps {
		f.reports++
		position = shoe.Position{Boot: f.boot, Seq: f.reports}
	}
	f.step(in, position)
}

// leave takes the next card out of the shoe.
func (f *felt) leave() (card.Card, error) {
	if len(f.cards) == 0 {
		return card.None, errors.New("the shoe is empty")
	}
	c := f.cards[len(f.cards)-1]
	f.cards = f.cards[:len(f.cards)-1]
	f.drawn++
	return c, nil
}

// reads puts in what the sensor makes of a card.
func (f *felt) reads(c card.Card) {
	f.pass(cardTakes)
	f.tells(vocab.Input{Kind: vocab.InCard, Card: c})
	if f.rules.Cards.Source != rules.Shuffler && f.drawn == int(cutAfter*float64(len(f.full))) {
		f.tells(vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeCutCard}})
	}
}

// Draw draws the next card. Of one that leaves the shoe while its cable is out the table hears only that it is
// missing.
func (f *felt) Draw() (card.Card, error) {
	c, err := f.leave()
	switch {
	case err != nil:
	case f.pulled:
		f.pass(cardTakes)
		f.untold++
	default:
		f.reads(c)
	}
	return c, err
}

// Do does what the hand of a dealer who errs does to the shoe, or to its cable.
func (f *felt) Do(step string) (card.Card, error) {
	switch verb, of, _ := strings.Cut(step, " "); verb {
	case "draw":
		return f.Draw()
	case "unread":
		c, err := f.leave()
		if err == nil {
			f.reads(card.Unread)
		}
		return c, err
	case "foreign":
		c, err := card.Parse(of)
		if err == nil {
			f.reads(c)
		}
		return c, err
	case "alarm":
		f.tells(vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeAlarmRaised}, Code: of})
	case "clear":
		f.tells(vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeAlarmCleared}, Code: of})
	case "pull":
		f.pulled = true
		f.shoeSays(vocab.Input{Shoe: vocab.ShoeSaid{Event: vocab.ShoeWentOffline}})
	case "plug":
		f.plug()
	case "reboot": // and what it could not tell is lost
	default:
		return card.None, fmt.Errorf("%q does not happen at a table in memory", step)
	}
	return card.None, nil
}

// plug puts the cable back. A shoe that keeps no card cannot say whether one left it meanwhile, nor how many.
func (f *felt) plug() {
	f.pulled = false
	f.online()
	if !f.keeps || f.untold > 0 {
		in := vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeGap}}
		if f.keeps {
			in.Shoe.Missing = f.untold
		}
		f.tells(in)
	}
	f.untold = 0
}

// Return puts cards back into the shuffler.
func (f *felt) Return(cards ...card.Card) error {
	f.cards = append(f.cards, cards...)
	f.shuffle()
	return nil
}

// Reload shuffles all cards and puts them into the shoe.
func (f *felt) Reload() error {
	f.pass(shuffleTakes)
	f.fill()
	return nil
}

// Await returns what the display shows. Nothing comes later that is not there now.
func (f *felt) Await(ctx context.Context, wanted func(display.View) bool) (display.View, error) {
	if f.seen != f.seq {
		f.view, f.seen = display.From(&f.engine, f.table.Name, f.seq), f.seq
	}
	if !wanted(f.view) {
		return f.view, fmt.Errorf("table %s: somebody waits for what never happens, at input %d in phase %s",
			f.table.Name, f.seq, f.view.Phase)
	}
	return f.view, errors.Join(ctx.Err(), f.failed)
}

// press is a key press after the time that it takes, and at once one right after another.
func (f *felt) press(_ context.Context, in vocab.Input) (vocab.Reason, error) {
	f.pass(takes(in))
	return f.step(in, shoe.Position{}), nil
}

func (f *felt) atOnce(_ context.Context, in vocab.Input) (vocab.Reason, error) {
	f.clock = f.clock.Add(time.Duration(20+f.rand.IntN(80)) * time.Millisecond)
	return f.step(in, shoe.Position{}), nil
}

// wait lets time pass that no dealer's pace shortens.
func (f *felt) wait(_ context.Context, long time.Duration) error {
	f.clock = f.clock.Add(long)
	return nil
}
