package jackpot_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/jackpot"
	"github.com/sabot-table/sabot/table/vocab"
)

// heard is what a table says, in a round that its record first has opened.
func heard(table int64, first, record uint64, event vocab.JackpotEvent, m vocab.MeterTold) *jackpot.Told {
	m.Event, m.Name, m.Currency, m.Seed = event, "ticino", "EUR", seed
	return &jackpot.Told{
		Key: jackpot.Key{Journal: table, First: first}, Place: table, Number: first, Record: record,
		At:        time.Unix(1, 0),
		MeterTold: m,
	}
}

// TestHostileWords: what no table can have to say changes nothing, and has nobody else win more than there is.
func TestHostileWords(t *testing.T) {
	m := &memory{rounds: map[jackpot.Key]jackpot.Round{}}
	take := func(told *jackpot.Told) error { return jackpot.Take(m, told) }
	if err := take(heard(1, 10, 11, vocab.JackpotRound, vocab.MeterTold{Fed: 700})); err != nil {
		t.Fatal(err)
	}
	for name, told := range map[string]*jackpot.Told{
		"it feeds less than nothing": heard(2, 10, 11, vocab.JackpotRound, vocab.MeterTold{Fed: -700}),
		"it feeds all there is":      heard(2, 10, 11, vocab.JackpotRound, vocab.MeterTold{Fed: math.MaxInt64}),
		"it is paid less than nothing": heard(2, 10, 11, vocab.JackpotRound,
			vocab.MeterTold{Paid: -1 << 40, Winners: 1}),
		"it is paid all there is": heard(2, 10, 11, vocab.JackpotRound,
			vocab.MeterTold{Paid: math.MaxInt64, Winners: 1}),
		"its winners take from others": heard(2, 10, 11, vocab.JackpotHit, vocab.MeterTold{Winners: -1}),
		"nobody has won":               heard(2, 10, 11, vocab.JackpotHit, vocab.MeterTold{}),
		"no number comes after it": heard(2, 10, 11, vocab.JackpotRound,
			vocab.MeterTold{Winners: 1, Entry: math.MaxInt64}),
		"its number is below nothing": heard(2, 10, 11, vocab.JackpotRound, vocab.MeterTold{Winners: 1, Entry: -1}),
	} {
		before := m.clone()
		if err := take(told); !errors.Is(err, jackpot.ErrImpossible) {
			t.Errorf("%s: %v", name, err)
		}
		if *m.meter != *before.meter || len(m.rounds) != len(before.rounds) || len(m.entries) != len(before.entries) {
			t.Errorf("%s: it has changed the meter to %+v", name, m.meter)
		}
	}
}

// TestAWinThatIsLeft: a table whose journal is rolled back behind a win, or set aside, and that deals on does not keep
// what the win was given: it goes back, and the next win is the table's own. If it speaks of it all the same, that
// counts.
func TestAWinThatIsLeft(t *testing.T) {
	for name, other := range map[string]int64{"rolled back": 1, "set aside": 7} {
		t.Run(name, func(t *testing.T) {
			m := &memory{rounds: map[jackpot.Key]jackpot.Round{}}
			take := func(told *jackpot.Told, as int64) {
				t.Helper()
				told.Journal = as
				if err := jackpot.Take(m, told); err != nil {
					t.Fatal(err)
				}
			}
			take(heard(1, 10, 12, vocab.JackpotHit, vocab.MeterTold{Winners: 1}), 1)
			if decided, err := jackpot.Decide(m, "ticino", time.Unix(0, 0)); !decided || err != nil {
				t.Fatalf("nothing is decided by a clock that was set back: %v", err)
			}
			take(heard(1, 30, 33, vocab.JackpotRound, vocab.MeterTold{Fed: 700}), other)
			if m.meter.Amount != seed+700 {
				t.Errorf("%d are in it, not the seed and what was fed since", m.meter.Amount)
			}
			if open, err := m.Open(1, "ticino"); len(open) > 0 || err != nil {
				t.Errorf("it is given yet: %+v, %v", open, err)
			}
			take(heard(1, 10, 14, vocab.JackpotRound, vocab.MeterTold{Fed: 350, Paid: 9_950, Winners: 1, Entry: 2}), 1)
			if m.meter.Amount != 2*seed+700+350-9_950 {
				t.Errorf("%d are in it once the table has paid all the same", m.meter.Amount)
			}
			sum := int64(0)
			for _, e := range m.entries {
				sum += e.Amount
			}
			if sum != m.meter.Amount {
				t.Errorf("the entries add up to %d, and the meter has %d", sum, m.meter.Amount)
			}
		})
	}
}

// TestAnEarlierRoundLeavesNothing: what was missing of an earlier round or journal may come while a win waits.
func TestAnEarlierRoundLeavesNothing(t *testing.T) {
	m := &memory{rounds: map[jackpot.Key]jackpot.Round{}}
	hit := heard(1, 10, 12, vocab.JackpotHit, vocab.MeterTold{Winners: 1})
	hit.Journal = 7
	earlier := heard(1, 5, 8, vocab.JackpotRound, vocab.MeterTold{Fed: 700})
	earlier.Journal = 7
	for _, told := range []*jackpot.Told{
		hit, earlier,
		heard(1, 30, 33, vocab.JackpotRound, vocab.MeterTold{Fed: 700}),
	} {
		if err := jackpot.Take(m, told); err != nil {
			t.Fatal(err)
		}
	}
	if waits, err := m.Waiting("ticino"); len(waits) != 1 || err != nil {
		t.Errorf("%d wins wait: %v", len(waits), err)
	}
}

// TestPaidWhatNobodyGave: a table that says that it has paid more than it was given, or without having asked, is named;
// one that has paid no more than that, or alone, is not.
func TestPaidWhatNobodyGave(t *testing.T) {
	for name, c := range map[string]struct {
		asks    bool
		paid    int64
		entry   int
		ungiven bool
	}{
		"what it was given":       {true, 9_950, 2, false},
		"more":                    {true, 10_050, 2, true},
		"by a decision of others": {true, 9_950, 1, true},
		"without having asked":    {false, 9_950, 2, true},
		"alone":                   {true, 7_500, 0, false},
	} {
		m := &memory{rounds: map[jackpot.Key]jackpot.Round{}}
		ended := vocab.MeterTold{Paid: c.paid, Winners: 1, Entry: c.entry}
		says := []*jackpot.Told{heard(1, 10, 14, vocab.JackpotRound, ended)}
		if c.asks {
			says = append([]*jackpot.Told{heard(1, 10, 12, vocab.JackpotHit, vocab.MeterTold{Winners: 1})}, says...)
		}
		for _, told := range says {
			if err := jackpot.Take(m, told); err != nil {
				t.Fatal(err)
			}
			if _, err := jackpot.Decide(m, "ticino", time.Unix(2, 0)); err != nil {
				t.Fatal(err)
			}
		}
		r := m.rounds[jackpot.Key{Journal: 1, First: 10}]
		if r.Ungiven() != c.ungiven {
			t.Errorf("it has paid %s: %+v", name, r)
		}
	}
}
