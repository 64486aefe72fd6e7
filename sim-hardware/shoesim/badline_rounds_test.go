package shoesim_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/shoe/sabot"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// badLine is far worse than a line between shoe and table may be.
var badLine = shoesim.FaultRates{Bits: 1e-4, Lost: 0.01, Repeated: 0.01}

// rounds is how many rounds are dealt over a bad line.
var rounds = tier.Times(500, 10_000)

// replugEvery is after how many rounds the cable is pulled again, in the middle of a frame and of a round.
const replugEvery = 50

// TestSabotRounds deals rounds over a bad line, from the shoe's firmware to the record: no card is lost, duplicated or
// changed.
func TestSabotRounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHand(t)
		record := &memoryJournal{}
		deal(t, h, record)
		h.wasBad(t)
		if err := h.shoe.Close(); err != nil {
			t.Error(err)
		}
		if drawn := h.drawn; !slices.Equal(record.cards, drawn) {
			at := 0
			for at < min(len(drawn), len(record.cards)) && drawn[at] == record.cards[at] {
				at++
			}
			t.Errorf("%d cards were drawn, %d recorded; they differ from card %d on", len(drawn),
				len(record.cards), at+1)
		}
		if record.irregular != "" {
			t.Errorf("the table was held: %s", record.irregular)
		}
	})
}

// hand draws the cards, and now and then pulls the cable while one is being sent.
type hand struct {
	shoe   *shoesim.Shoe
	chance *rand.Rand
	rounds int
	pulls  int
	drawn  []card.Card
	due    bool // the cable is to be pulled with the next card
}

func newHand(t *testing.T) *hand {
	s, err := shoesim.New(shoesim.Options{Seed: 11, Jokers: 1, Continuous: true, Memory: true, Boot: 1})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Cable(func(to, from *shoesim.BadLine, _ time.Duration) {
		to.Set(badLine)
		from.Set(badLine)
	})
	if err != nil {
		t.Fatal(err)
	}
	return &hand{shoe: s, chance: rand.New(rand.NewPCG(1, 2))}
}

func (h *hand) Draw() (card.Card, error) {
	if h.due {
		h.due = false
		h.pulls++
		if err := h.shoe.PullAfter(1 + h.chance.IntN(25)); err != nil {
			return card.None, err
		}
		time.AfterFunc(time.Second, func() { h.shoe.Replug() })
	}
	c, err := h.shoe.Draw()
	if err == nil {
		h.drawn = append(h.drawn, c)
	}
	return c, err
}

func (h *hand) Return(cards ...card.Card) error { return h.shoe.Return(cards...) }

func (h *hand) Reload() error { return errors.New("a shuffler is not loaded") }

// decided counts the rounds.
func (h *hand) decided(display.View) {
	h.rounds++
	h.due = h.rounds%replugEvery == 0
}

// wasBad checks that the line was as bad as intended.
func (h *hand) wasBad(t *testing.T) {
	if h.rounds != rounds || h.pulls < rounds/replugEvery-1 {
		t.Errorf("%d rounds and %d pulled cables, want %d and %d", h.rounds, h.pulls, rounds, rounds/replugEvery)
	}
	err := h.shoe.Cable(func(to, from *shoesim.BadLine, _ time.Duration) {
		for _, c := range []shoesim.LineFaults{to.Counts(), from.Counts()} {
			t.Logf("%+v", c)
			if c.Bits == 0 || c.Lost < c.Frames/200 || c.Repeated < c.Frames/200 {
				t.Errorf("the line was not as bad as intended: %+v", c)
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
}

// deal runs the driver, the table's loop and the dealer until the rounds are dealt.
func deal(t *testing.T, h *hand, record *memoryJournal) {
	log := slog.New(slog.DiscardHandler)
	// The simulated dealer calls faster than a person could.
	setup := rules.Setup{House: "wiesbaden", KeysApart: -1}
	set, err := profile.Built().Set(setup)
	if err != nil {
		t.Fatal(err)
	}
	b := &board{changed: make(chan struct{})}
	loop := runner.New(runner.Options{
		Journal: record, Table: &table.Table{}, Setup: &setup, Rules: set, Now: time.Now, Log: log,
		Shown: func(t *table.Table, seq uint64) { b.show(display.From(t, "bj-1", seq)) },
	})
	driver := sabot.New(shoe.Options{Open: h.shoe.Open, Log: log})
	ctx, stop := context.WithCancel(t.Context())
	var parts errgroup.Group
	parts.Go(func() error { return loop.Run(ctx) })
	parts.Go(func() error {
		err := driver.Run(ctx, func(e shoe.Event) { loop.Shoe(ctx, e, driver.Stored) })
		if errors.Is(err, context.Canceled) {
			return nil
		}
		return err
	})
	dealer := &keysim.Dealer{
		Shoe: h, Display: b, Rounds: uint64(rounds), Seed: 5, Log: log, Decided: h.decided,
		Press: func(ctx context.Context, in vocab.Input) (vocab.Reason, error) {
			answer, err := loop.Submit(ctx, in)
			return answer.Rejected, err
		},
	}
	if err := dealer.Run(ctx); err != nil {
		t.Errorf("the dealer could not continue: %v; %+v", err, h.shoe.State())
	}
	stop()
	if err := parts.Wait(); err != nil {
		t.Error(err)
	}
	s := driver.Stats()
	t.Logf("%d rounds, %d cards: %d bad frames, %d events again, %d ports, %d gaps",
		h.rounds, len(h.drawn), s.BadFrames, s.Duplicates, s.Ports, s.Gaps)
	if s.BadFrames == 0 || s.Duplicates == 0 || s.Gaps != 0 {
		t.Errorf("the driver counts %+v; want bad frames, repetitions, and no gap", s)
	}
}

// board is the display.
type board struct {
	mu      sync.Mutex
	view    display.View
	changed chan struct{}
}

func (b *board) show(v display.View) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.view = v
	close(b.changed)
	b.changed = make(chan struct{})
}

func (b *board) Await(ctx context.Context, wanted func(display.View) bool) (display.View, error) {
	for {
		b.mu.Lock()
		view, changed := b.view, b.changed
		b.mu.Unlock()
		if wanted(view) {
			return view, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return display.View{}, ctx.Err()
		}
	}
}

// memoryJournal keeps the recorded cards, and what held the table besides the shoe's absence.
type memoryJournal struct {
	seq, event uint64
	cards      []card.Card
	irregular  string
}

var (
	cardInput = []byte(`{"in":"card",`)
	cardName  = []byte(`"card":"`)
	irregular = []byte(`{"out":"irregular"`)
	absent    = []byte(`{"out":"irregular","code":"shoe-offline"`)
)

func (j *memoryJournal) Append(entries []journal.Entry) error {
	for _, e := range entries {
		j.seq++
		j.event += uint64(bytes.Count(e.Outputs, []byte("\n")))
		if _, name, found := bytes.Cut(e.Input, cardName); found && bytes.HasPrefix(e.Input, cardInput) {
			c, err := card.Parse(string(name[:bytes.IndexByte(name, '"')]))
			if err != nil {
				return err
			}
			j.cards = append(j.cards, c)
		}
		for line := range bytes.Lines(e.Outputs) {
			if bytes.HasPrefix(line, irregular) && !bytes.HasPrefix(line, absent) {
				j.irregular = string(line)
			}
		}
	}
	return nil
}

func (j *memoryJournal) Next() (seq, event uint64) { return j.seq + 1, j.event + 1 }
