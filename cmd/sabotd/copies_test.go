package main

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/irregularity"
)

// usualCopies is the time between two copies of a report.
const usualCopies = 20 * time.Millisecond

// copiesSent are the copies of cards' reports that an Angel Eye sends.
type copiesSent struct {
	sent chan string
	last string // of the card before
}

// sees is told what the shoe sends.
func (c *copiesSent) sees(p []byte) []byte {
	if len(p) > 2 && p[0] == 0x05 && p[2] == 'D' {
		c.sent <- string(p)
	}
	return p
}

// moment is when the daemon is killed: it waits for that, after the card was drawn.
type moment struct {
	name   string
	before bool // the card is drawn
	await  func()
}

// moments are before the card, and after each of its copies. Make soak adds random ones.
func (c *copiesSent) moments(t *testing.T) []moment {
	after := func(n int) func() {
		return func() {
			for n > 0 {
				if processes.Take(t, "a copy", c.sent) != c.last {
					n--
				}
			}
		}
	}
	all := []moment{
		{name: "before the card", before: true, await: func() {}},
		{name: "after one copy", await: after(1)},
		{name: "after two copies", await: after(2)},
		{name: "after three copies", await: after(3)},
	}
	chance := rand.New(rand.NewPCG(tier.SeedOf(t), 2))
	for range tier.Times(0, 24) {
		late := time.Duration(chance.IntN(80)) * time.Millisecond
		all = append(all, moment{name: late.String(), await: func() { time.Sleep(late) }}) // any moment is right
	}
	return all
}

// next has the next card awaited: more copies of the one before may come.
func (c *copiesSent) next() {
	for len(c.sent) > 0 {
		c.last = <-c.sent
	}
}

// TestKilledBetweenCopies kills the daemon around a card's report, which an Angel Eye sends three times: before it,
// between the copies, after them. The copies that are left reach the next start. Each card is in the journal once, or
// the table asks for it, and a truthful supervisor names it.
func TestKilledBetweenCopies(t *testing.T) {
	tier.Soak(t, "built programs run for seconds")
	tier.Landing(t, "the shoe waits between its copies")
	t.Parallel()
	copies := &copiesSent{sent: make(chan string, 1000)}
	w := newWorldWith(t, shoesim.Options{
		Kind: shoesim.AngelEye, ToHost: copies.sees, AngelEye: shoesim.AngelEyeOptions{CopyEvery: usualCopies},
	})
	process := w.start()
	w.asked()
	d := w.deal(1000)
	chance := rand.New(rand.NewPCG(13, 2))
	var drawn []string
	for _, moment := range copies.moments(t) {
		d.stop(1 + chance.IntN(4))
		drawn = strings.Fields(names(d.hand.cards()))
		// The dealer sees what comes next before it is stored.
		brokertest.Until(t, "the journal has the cards so far, and waits for another", func() bool {
			return len(strings.Fields(w.cardsOnRecord())) == len(drawn) && w.cardIsDue()
		})
		copies.next()
		taken, looked := make(chan card.Card, 1), make(chan struct{})
		d.goOn(func(s *shoesim.Shoe) (card.Card, []card.Card, error) {
			if moment.before {
				process.Kill()
			}
			c, err := s.Draw()
			moment.await()
			process.Kill()
			taken <- c
			// The dealer waits for the supervisor. One who confirmed the payments before the shoe is
			// back would close the round, and nobody would be asked what lies on the table.
			select {
			case <-looked:
			case <-d.ctx.Done():
			}
			return c, []card.Card{c}, err
		})
		drawn = append(drawn, processes.Take(t, "the card", taken).String())
		process = w.start()
		w.quiet()
		w.nameLost(drawn)
		if got := w.cardsOnRecord(); got != strings.Join(drawn, " ") {
			t.Fatalf("killed %s, the journal has other cards\ndrawn   %s\njournal %s\n%s", moment.name,
				strings.Join(drawn, " "), got, process.Log())
		}
		close(looked)
	}
	process.Kill()
	w.audited(w.rounds())
}

// nameLost answers the question for lost cards truthfully: it names what lies on the table and is not on record.
func (w *world) nameLost(drawn []string) {
	now := w.look()
	now.awaitHeld(irregularity.LostCards, whatLies...)
	if missing := drawn[min(len(strings.Fields(w.cardsOnRecord())), len(drawn)):]; len(missing) > 0 {
		c, err := card.Parse(missing[0])
		if err != nil {
			w.t.Fatal(err)
		}
		now.resolve(irregularity.Identify, c)
		now.awaitHeld(irregularity.LostCards, whatLies...)
	}
	now.resolve(irregularity.NoneDrawn, card.None)
}

var recordedCard = regexp.MustCompile(`(?m)^\{"in":"(?:card|resolve)",.*"card":"([^"]*)"`)

// cardsOnRecord are the cards that the journal has, those that a supervisor has named included.
func (w *world) cardsOnRecord() string {
	w.t.Helper()
	inputs, _ := w.records()
	var cards []string
	for _, found := range recordedCard.FindAllStringSubmatch(inputs, -1) {
		cards = append(cards, found[1])
	}
	return strings.Join(cards, " ")
}

var dueOnRecord = regexp.MustCompile(`(?m)^\{"out":"due",.*"to":"([^"]*)"`)

// cardIsDue says whether a card comes next by what is on record.
func (w *world) cardIsDue() bool {
	w.t.Helper()
	_, outputs := w.records()
	all := dueOnRecord.FindAllStringSubmatch(outputs, -1)
	return len(all) > 0 && slices.Contains([]string{"box", "bank"}, all[len(all)-1][1])
}

// rounds counts the rounds on record, the open one included.
func (w *world) rounds() uint64 {
	_, outputs := w.records()
	return uint64(strings.Count(outputs, `{"out":"opened"`))
}
