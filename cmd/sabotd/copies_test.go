package main

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/rig"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/irregularity"
)

// copiesKills is how often TestKilledBetweenCopies kills the daemon.
const copiesKills = 24

// TestKilledBetweenCopies kills the daemon at random moments around a card's report, which an Angel Eye sends three
// times: before it, between the copies, after them. The copies that are left reach the next start. Each card is in the
// journal once, or the table asks for it, and a truthful supervisor names it.
func TestKilledBetweenCopies(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, shoesim.Options{Kind: shoesim.AngelEye})
	process := w.start()
	w.asked()
	d := w.deal(1000)
	chance := rand.New(rand.NewPCG(13, 2))
	var drawn []string
	for kill := range copiesKills {
		d.stop(1 + chance.IntN(4))
		drawn = strings.Fields(names(d.hand.cards()))
		// The dealer sees what comes next before it is stored.
		brokertest.Until(t, "the journal has the cards so far, and waits for another", func() bool {
			return len(strings.Fields(w.cardsOnRecord())) == len(drawn) && w.cardIsDue()
		})
		// The three copies take 60 ms. A negative moment is before the card.
		moment := time.Duration(chance.IntN(90)-10) * time.Millisecond
		taken, looked := make(chan card.Card, 1), make(chan struct{})
		d.goOn(func(s *shoesim.Shoe) (card.Card, []card.Card, error) {
			if moment < 0 {
				process.Kill()
			}
			c, err := s.Draw()
			time.Sleep(moment)
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
		drawn = append(drawn, rig.Take(t, "the card", taken).String())
		process = w.start()
		w.quiet()
		w.nameLost(drawn)
		if got := w.cardsOnRecord(); got != strings.Join(drawn, " ") {
			t.Fatalf("after kill %d, %v after the card was drawn, the journal has other cards\ndrawn   %s\njournal %s\n%s", kill+1, moment, strings.Join(drawn, " "), got, process.Log())
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
