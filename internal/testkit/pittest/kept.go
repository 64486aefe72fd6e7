package pittest

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// OpenStore is a store that says nothing, and is closed after the test.
func OpenStore(t *testing.T, source string, day store.Day) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Source: source, Day: day, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// Kept are two tables that are dealt at by the engine. The store has their records; the memory is counted from what
// each table itself recalls of its rounds, by the second way: past, not tally, and box by box.
func Kept(t *testing.T, source string) (*store.Store, *Memory) {
	t.Helper()
	zone := system.Zone(t, "Europe/Berlin")
	day := store.Day{Begins: 20*time.Hour + 30*time.Minute, Zone: zone} // within the night, and within an hour
	s := OpenStore(t, source, day)
	m := &Memory{Day: day, Known: map[string]*rules.Rules{}}
	for i, house := range []string{"wiesbaden", "schaffhausen"} {
		folder := filepath.Join(t.TempDir(), "journal")
		n := journaltest.NewNight(t, folder, house, uint64(i)+40)
		n.Mistakes, n.Dealers, n.Apart = 1, []string{"anna", "ben"}, 8*time.Second
		n.Deal(2500)
		r, err := journal.OpenReadOnly(folder)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = r.Close() })
		table, err := topic.NewTable("kursaal", fmt.Sprintf("bj-%d", i+1))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Refill(t.Context(), table, r, nil); err != nil {
			t.Fatal(err)
		}
		rules := profile.Built()[house].Rules
		m.Known[rules.Fingerprint] = rules
		rounds, err := recall.New(r, profile.Built()).Last(1 << 20)
		if err != nil {
			t.Fatal(err)
		}
		m.Played = append(m.Played, playedRound(t, s, table, r.ID(), rules, rounds)...)
	}
	if !slices.ContainsFunc(m.Played, func(p Played) bool { return p.Void }) || len(m.Played) < 150 {
		t.Fatalf("%d rounds, none of them void", len(m.Played))
	}
	return s, m
}

// playedRound counts rounds, the latest first, as they are recalled. How long decisions took is taken from the store.
func playedRound(t *testing.T, s *store.Store, table topic.Table, journal string, r *rules.Rules,
	rounds []history.Round,
) (list []Played) {
	t.Helper()
	kept, err := s.Rounds(t.Context(), store.RoundQuery{Tables: []topic.Table{table}, Limit: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	decided := map[uint64]store.Round{}
	for _, one := range kept {
		decided[one.Number] = one
	}
	for i := range rounds {
		one := &rounds[i]
		if !one.Finished() {
			continue
		}
		p := Played{Round: store.Round{Table: table, Journal: journal, Round: tally.Round{
			Dealer: one.Dealer, House: r.House, Rules: r.Fingerprint, Currency: r.Table.Currency,
			Number: one.Number, Opened: one.Began, Ended: one.Ended, Void: one.Void,
			Places: int(r.Table.Boxes), Calls: decided[one.Number].Calls,
			Dealt: min(one.Ended.Sub(one.Began), 5*time.Minute),
		}}}
		if i > 0 { // the one before it in the list is the next
			p.Dealt = min(rounds[i-1].Began.Sub(one.Began), 5*time.Minute)
		}
		bet(&p, one)
		list = append(list, p)
	}
	return list
}

// bet counts what lay on each box, and what came back.
func bet(p *Played, r *history.Round) {
	bets := map[vocab.Wager]*Bet{}
	for _, box := range r.Boxes {
		staked, hands := map[vocab.Wager]int64{}, map[uint8]bool{}
		for i := range box.Settled {
			out := &box.Settled[i].Out
			b := bets[out.Wager]
			if b == nil {
				b = &Bet{Wager: out.Wager.String()}
				bets[out.Wager] = b
			}
			if out.Kind == vocab.Settled {
				b.Count++
				if out.Wager == vocab.WagerMain {
					hands[out.Hand] = true
				}
			}
			switch {
			case out.Unstated && out.Kind == vocab.Settled:
				b.Unknown++
			case !out.Unstated:
				b.Returned += out.Returned + out.Won
				if out.Kind == vocab.Settled {
					staked[out.Wager] += out.Stake
				}
			}
		}
		for i := range box.Paid {
			out := &box.Paid[i].Out
			bets[out.Wager].Returned += out.Payment.Given - out.Payment.Owed
			bets[out.Wager].Over += out.Payment.Given - out.Payment.Owed
		}
		for wager, amount := range staked {
			bets[wager].Boxes = append(bets[wager].Boxes, amount)
		}
		p.Hands += len(hands)
		if len(hands) > 0 {
			p.Boxes++
		}
	}
	for i := range r.Adjusted { // it counts where its round does
		out := &r.Adjusted[i].Line.Out
		bets[out.Wager].Returned += out.Adjusted
		bets[out.Wager].Over += out.Adjusted
	}
	for _, b := range bets {
		p.Bets = append(p.Bets, *b)
	}
}
