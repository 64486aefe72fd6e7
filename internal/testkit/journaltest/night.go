package journaltest

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// Night is a table that is dealt at by the engine, and recorded as the runner does.
type Night struct {
	// Now is the table's clock.
	Now time.Time
	// Mistakes is how many of twelve inputs are anything, sensible or not.
	Mistakes int
	// Apart is how long each input takes on average.
	Apart time.Duration
	// Flushed is how many records are written at once.
	Flushed int
	// Dealers take turns, one each hour; none by default.
	Dealers []string
	// Kills is how many of a thousand inputs the table is killed behind.
	Kills int
	// Cash deals instead of the player that the night has, and sees what follows.
	Cash *tabletest.Cash
	// BeforeCount is called before the tray is counted between two rounds, when all that was before is recorded.
	BeforeCount func()

	tb      testing.TB
	folder  string
	Journal *journal.Journal
	table   table.Table
	player  tabletest.Player
	clock   *rand.Rand
	seq     uint64
	entries []journal.Entry
	hour    int
	playing uint64 // the round that Play deals, 0 between two
}

// NewNight begins a journal in a folder, which may exist, at a table of a house. The same seed
// deals the same.
func NewNight(tb testing.TB, folder, house string, seed uint64) *Night {
	tb.Helper()
	j, err := journal.Open(folder, journal.Options{Program: "test"})
	if err != nil {
		tb.Fatal(err)
	}
	n := OnJournal(tb, j, house, seed)
	n.folder = folder
	tb.Cleanup(func() {
		if err := n.Journal.Close(); err != nil {
			tb.Error(err)
		}
	})
	return n
}

// OnJournal is NewNight on a journal that is open, and that the caller closes.
func OnJournal(tb testing.TB, j *journal.Journal, house string, seed uint64) *Night {
	tb.Helper()
	return onJournal(tb, j, rules.Setup{House: house}, seed)
}

// Quick is OnJournal for a table whose inputs come faster than a hand presses two keys: no two of its calls contradict
// each other.
func Quick(tb testing.TB, j *journal.Journal, house string, seed uint64) *Night {
	tb.Helper()
	return onJournal(tb, j, rules.Setup{House: house, KeysApart: -1}, seed)
}

func onJournal(tb testing.TB, j *journal.Journal, setup rules.Setup, seed uint64) *Night {
	tb.Helper()
	dice := rand.New(rand.NewPCG(seed, 15))
	n := &Night{
		Now: time.Date(2026, 3, 28, 19, 0, 0, 0, time.UTC), Apart: 2 * time.Second, Flushed: 64,
		tb: tb, Journal: j, player: tabletest.Player{Dice: dice, Boxes: 1 + dice.IntN(5), Freely: true},
		clock: rand.New(rand.NewPCG(seed, 16)),
	}
	last, _, err := j.Head()
	if err != nil {
		tb.Fatal(err)
	}
	n.seq = last
	n.setUp(setup)
	return n
}

// SetUp sets the table up for a house, between two rounds.
func (n *Night) SetUp(house string) { n.setUp(rules.Setup{House: house}) }

func (n *Night) setUp(setup rules.Setup) {
	set := tabletest.SetUp(setup)
	set.Setup.Profile = set.Rules.Fingerprint
	n.Take(*set)
}

// Count counts a tray in which so many chips of 100.00 lie, or of 10,000 yen.
func (n *Night) Count(event vocab.CountEvent, pieces int64) {
	n.Take(vocab.Input{
		Kind: vocab.InCount, By: "s1", Tray: &vocab.Tray{Count: event, Dealer: "d1", Chips: hundreds(pieces)},
	})
}

// AskFill asks for so many of these chips.
func (n *Night) AskFill(pieces int64) {
	n.Take(vocab.Input{Kind: vocab.InFill, By: "d1", Tray: &vocab.Tray{Step: vocab.SlipAsked, Chips: hundreds(pieces)}})
}

// Sell sells chips for cash, which goes into the drop box.
func (n *Night) Sell(amount int64) {
	n.Take(vocab.Input{Kind: vocab.InBuyIn, Amount: amount, By: "d1"})
}

func hundreds(pieces int64) []vocab.Chips { return []vocab.Chips{{Value: 10_000, Pieces: pieces}} }

// Take puts an input in; Flush records it.
func (n *Night) Take(in vocab.Input) {
	if in.Kind == vocab.InCount && n.BeforeCount != nil && n.table.Settled() {
		n.Flush()
		n.BeforeCount()
	}
	n.seq++
	n.Now = n.Now.Add(n.Apart/2 + time.Duration(n.clock.Int64N(int64(n.Apart)+1)))
	in.Line, in.Time = n.seq, n.Now.UnixNano()
	outs := n.table.Step(&in)
	if n.Cash != nil {
		n.Cash.See(&in, outs)
	}
	n.entries = append(n.entries, runner.Recorded(&n.table, &in, outs, shoe.Position{}))
}

// Flush writes what was taken.
func (n *Night) Flush() {
	n.tb.Helper()
	if err := n.Journal.Append(n.entries); err != nil {
		n.tb.Fatal(err)
	}
	n.entries = n.entries[:0]
}

// Deal puts so many inputs in and records them.
func (n *Night) Deal(inputs int) {
	n.tb.Helper()
	for range inputs {
		n.turn()
		if len(n.entries) >= n.Flushed {
			n.Flush()
		}
	}
	n.Flush()
}

// Rounds deals until so many more rounds have ended, and records them.
func (n *Night) Rounds(rounds int) {
	n.tb.Helper()
	for end := n.table.Round() + uint64(rounds); n.table.Round() < end || !n.table.Settled(); {
		n.turn()
		if len(n.entries) >= n.Flushed {
			n.Flush()
		}
	}
	n.Flush()
}

// Stack has the shoe filled with these cards alone, so that what is rare comes often.
func (n *Night) Stack(pack []card.Card) { n.player.Pack = pack }

// Marks has nobody enter an amount from now on.
func (n *Night) Marks() { n.player.Marks = true }

// Asks says which round stands to hear what it has won of a jackpot of several tables.
func (n *Night) Asks() (round uint64, is bool) { return n.table.Round(), n.table.AsksJackpot() }

// Play deals until one more round has ended, and records it; or until the table asks what it has won of a jackpot, and
// the caller takes the answer and goes on. It says whether the round has ended.
func (n *Night) Play() (ended bool) {
	n.tb.Helper()
	if n.playing == 0 {
		n.playing = n.table.Round() + 1
	}
	for n.table.Round() < n.playing || !n.table.Settled() {
		if n.table.AsksJackpot() {
			n.Flush()
			return false
		}
		n.turn()
		if len(n.entries) >= n.Flushed {
			n.Flush()
		}
	}
	n.playing = 0
	n.Flush()
	return true
}

// Day is a gaming day: the tray is counted, so many rounds are dealt, what is under way is received, and it is counted
// again.
func (n *Night) Day(rounds int) {
	n.tb.Helper()
	n.Take(n.Cash.Count(vocab.CountOpening))
	n.Rounds(rounds)
	for slips := n.table.Tray().Slips; len(slips) > 0; slips = n.table.Tray().Slips {
		n.Take(tabletest.NextStep(&slips[0]))
	}
	n.Take(n.Cash.Count(vocab.CountClosing))
	n.Flush()
	if !n.table.Opening().Closed {
		n.tb.Error("the tray was counted to close, and the table is open")
	}
}

// Kill ends the program behind what it has recorded, and starts it anew.
func (n *Night) Kill() {
	n.tb.Helper()
	n.Flush()
	if err := n.Journal.Close(); err != nil {
		n.tb.Fatal(err)
	}
	j, err := journal.Open(n.folder, journal.Options{Program: "test"})
	if err != nil {
		n.tb.Fatal(err)
	}
	n.Journal = j
	restored, err := runner.Restore(j, profile.Built(), n.table.Rules())
	switch {
	case err != nil:
		n.tb.Fatal(err)
	case restored.Differs != nil:
		n.tb.Fatal(restored.Differs)
	}
	n.table = *restored.Table
}

func (n *Night) turn() {
	if n.Kills > 0 && n.clock.IntN(1000) < n.Kills {
		n.Kill()
	}
	if hour := n.Now.Hour() + 24*n.Now.YearDay(); len(n.Dealers) > 0 && n.table.Settled() && hour != n.hour {
		n.hour = hour
		n.Take(vocab.Input{
			Kind: vocab.InDealer, By: n.Dealers[hour%len(n.Dealers)], Dealer: vocab.DealerChange{Shift: "late"},
		})
	}
	if n.Cash != nil {
		n.Take(n.Cash.Next(&n.table))
		return
	}
	in := n.player.Next(&n.table)
	if n.Mistakes > 0 && n.player.Dice.IntN(12) < n.Mistakes {
		if in = n.player.Anything(&n.table); in.Kind == vocab.InSetup {
			in = n.player.Next(&n.table) // the house stays
		}
	}
	n.Take(in)
}
