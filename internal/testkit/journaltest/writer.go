package journaltest

import (
	"crypto/ed25519"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// Program is who writes the journals.
const Program = "sabotd test"

// Key signs their seals, and Public is its other half.
var (
	Key    = ed25519.NewKeyFromSeed([]byte("the key of a table in the tests!"))
	Public = Key.Public().(ed25519.PublicKey)
)

// start is when a table is opened.
var start = time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC)

// Table is a table that writes a journal, without the waiting of a real one: what
// belongs together is appended at once.
type Table struct {
	Tab  *table.Table
	Path string
	// PartMost is as in journal.Options, from the next start on.
	PartMost int64
	// Key seals the journal, from the next start on; nil for no seals.
	Key ed25519.PrivateKey

	tb      testing.TB
	book    profile.Book
	journal *journal.Journal
	entries []journal.Entry
	seq     uint64
	now     time.Time
	shoe    shoe.Position
}

// batch is how many records share an append: at a table they are fewer, and take longer.
const batch = 512

// NewTable begins a journal at path, sealed with key if that is not nil.
func NewTable(tb testing.TB, path string, book profile.Book, key ed25519.PrivateKey) *Table {
	tb.Helper()
	t := &Table{Tab: &table.Table{}, Path: path, tb: tb, book: book, Key: key, now: start, shoe: shoe.Position{Boot: 7}}
	t.open()
	return t
}

func (t *Table) open() {
	t.tb.Helper()
	j, err := journal.Open(t.Path, journal.Options{
		Program: Program, Key: t.Key, PartMost: t.PartMost, Now: func() time.Time { return t.now },
	})
	t.must(err)
	t.journal = j
	next, _ := j.Next()
	t.seq = next - 1
}

func (t *Table) must(err error) {
	t.tb.Helper()
	if err != nil {
		t.tb.Fatal(err)
	}
}

// Put puts an input in, one second after the last. What comes from a shoe gets the
// shoe's next number.
func (t *Table) Put(in vocab.Input) {
	t.tb.Helper()
	t.seq++
	t.now = t.now.Add(time.Second)
	in.Line, in.Time = t.seq, t.now.UnixNano()
	var position shoe.Position
	if fromShoe(&in) {
		t.shoe.Seq += 1 + uint32(in.Shoe.Missing)
		position = t.shoe
	}
	e := runner.Record(t.Tab, &in, position)
	if in.Kind == vocab.InSetup && t.Tab.Rules() != nil {
		e.RulesText = t.Tab.Rules().Text()
	}
	t.entries = append(t.entries, e)
	if len(t.entries) == batch {
		t.Flush()
	}
}

// fromShoe says whether a shoe numbers such an input.
func fromShoe(in *vocab.Input) bool {
	return in.Kind == vocab.InCard || in.Kind == vocab.InShoe && in.Shoe.Event != vocab.ShoeWentOffline &&
		in.Shoe.Event != vocab.ShoeCameOnline
}

// PutAll puts inputs in, each of which the table must take.
func (t *Table) PutAll(inputs ...vocab.Input) {
	t.tb.Helper()
	for _, in := range inputs {
		t.Put(in)
		if t.Tab.Rejected() != 0 {
			t.tb.Fatalf("%+v was refused: %s", in, t.Tab.Rejected())
		}
	}
}

// Play puts the lines of a case in, as package tabletest reads them.
func (t *Table) Play(lines string) {
	t.tb.Helper()
	inputs, err := tabletest.Inputs(lines)
	t.must(err)
	t.PutAll(inputs...)
}

// Flush appends what waits.
func (t *Table) Flush() {
	t.tb.Helper()
	t.must(t.journal.Append(t.entries))
	t.entries = t.entries[:0]
}

// Pass lets time go by.
func (t *Table) Pass(d time.Duration) { t.now = t.now.Add(d) }

// Sent notes that a publisher has sent everything that is written.
func (t *Table) Sent(publisher string) {
	t.tb.Helper()
	_, next := t.journal.Next()
	t.must(t.journal.SetCursor(publisher, next-1))
}

// Kill ends the program without a word: nothing is closed, and the next start goes on
// with what is in the files.
func (t *Table) Kill(copied string) {
	t.tb.Helper()
	t.must(os.CopyFS(copied, os.DirFS(t.Path)))
	t.must(t.journal.Close())
	t.Path, t.entries = copied, t.entries[:0]
}

// Close ends the journal in order.
func (t *Table) Close() {
	t.tb.Helper()
	t.Flush()
	t.must(t.journal.Close())
}

// Restart ends the program and starts it again, wherever the round is: the table comes
// back from the journal.
func (t *Table) Restart() {
	t.tb.Helper()
	t.Close()
	t.open()
	restored, err := runner.Restore(t.journal, t.book, t.Tab.Rules())
	t.must(err)
	if restored.Differs != nil {
		t.must(restored.Differs)
	}
	t.Tab = restored.Table
	t.now = t.now.Add(time.Minute)
}

// SetUp sets the table up as a house of its book.
func (t *Table) SetUp(s rules.Setup) {
	t.tb.Helper()
	set, err := t.book.Set(s)
	t.must(err)
	s.Profile = set.Fingerprint
	t.PutAll(vocab.Input{Kind: vocab.InSetup, Setup: &s, Rules: set})
}

// Night plays whole rounds, with what the player does.
func (t *Table) Night(player *tabletest.Player, rounds uint64) {
	t.tb.Helper()
	last := t.Tab.Round() + rounds
	for t.Tab.Round() < last || !t.Tab.Settled() {
		t.Put(player.Next(t.Tab))
	}
}

// Busy is a table on which it goes as in a house: four or five boxes, with a guest on
// each.
func Busy(seed uint64) *tabletest.Player {
	return &tabletest.Player{Dice: rand.New(rand.NewPCG(seed, 1)), Boxes: 4 + int(seed%2), Lone: true}
}

// Year plays rounds at a busy table of a house, with four boxes and with five in turns.
func (t *Table) Year(house string, rounds uint64) {
	t.tb.Helper()
	t.SetUp(rules.Setup{House: house})
	players := [...]*tabletest.Player{Busy(0), Busy(1)}
	for done := range rounds {
		t.Night(players[done/100%2], 1)
		t.Flush() // a seal behind each round, as at a table
	}
	t.Close()
}

// Use takes another book of houses for the set-ups that follow.
func (t *Table) Use(book profile.Book) { t.book = book }

// VoidAndDead writes a journal with a round that is void and came to nothing, and two hours later a good one in which a
// wager of 10.00 was dead and taken.
func VoidAndDead(tb testing.TB, path string) {
	tb.Helper()
	t := NewTable(tb, path, profile.Built(), nil)
	t.SetUp(rules.Setup{House: "mendrisio"})
	t.Play("open; stake 1 a 20; stake 2 a 20; close; TS 8C; hold by=s1; resolve void-round by=s1; paid")
	t.Pass(2 * time.Hour)
	t.Play("open; stake 1 a 20; stake 1 b 10; stake 2 b 30; close; TS 8C 7D 6H 9C; hold by=s1; " +
		"correct dead 1 bettor=b lose by=s1; resolve continue by=s1; rest; rest; TC; paid")
	t.Close()
}
