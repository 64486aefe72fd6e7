package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/cmd/internal/rig"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/broker/brokertest"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
)

// TestKilledInMidRound runs the built daemon with a shoe on a pseudo-terminal, a
// real broker and a dealer at the page, and kills it over and over. Every card
// must be in the journal once and in order, every event must reach the pit, and
// the rounds must have been settled as if nothing had happened.
func TestKilledInMidRound(t *testing.T) {
	const rounds, kills = 12, 6
	w := newWorld(t)
	process := w.start()
	remote := rig.NewRemote(process.URL)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go remote.Follow(ctx)

	hand := &recordingHand{Shoe: w.shoe}
	dealt := make(chan error, 1)
	go func() {
		dealer := &keysim.Dealer{
			Shoe: hand, Display: remote, Press: remote.Press, Rounds: rounds, Seed: 7, Pace: 2 * time.Millisecond, Log: quiet(),
		}
		dealt <- dealer.Run(ctx)
	}()
	rng := rand.New(rand.NewPCG(1, 2))
	for range kills {
		cards := 1 + rng.IntN(20)
		was := hand.count()
		v, err := remote.Await(ctx, func(v display.View) bool {
			return hand.count() >= was+cards && v.Phase != display.PhaseIdle && v.Phase != display.PhaseBets
		})
		if err != nil {
			t.Fatal(err)
		}
		process.Kill()
		t.Logf("killed in round %d, phase %s, after %d cards", v.Round, v.Phase, hand.count())
		process = w.start()
	}
	if err := <-dealt; err != nil {
		t.Fatalf("the dealer could not go on: %v\n%s", err, process.Log())
	}
	process.Stop()
	w.check(hand.cards(), rounds)
}

// world is everything around the daemon.
type world struct {
	t      *testing.T
	binary string
	config string
	path   string
	shoe   *shoesim.Shoe
	floor  *rig.Floor
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{t: t, binary: rig.Build(t, "sabotd", raceFlags...), path: filepath.Join(dir, "journal.db")}
	shoe, err := shoesim.New(shoesim.Options{Decks: 6, Jokers: 1, Seed: 3, Continuous: true})
	if err != nil {
		t.Fatal(err)
	}
	w.shoe = shoe
	t.Cleanup(func() { shoe.Close() })
	broker := brokertest.StartMosquitto(t)
	name, err := topic.NewTable("test", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	w.floor = rig.Listen(t, broker.Addr(), name, nil)
	w.config = filepath.Join(dir, "sabot.yaml")
	text := fmt.Sprintf(`site: test
table: bj-1
house: wiesbaden
shoe: {port: %s}
journal: {path: %s}
mqtt: {broker: "tcp://%s"}
web: {listen: "%s"}
`, shoe.Path(), w.path, broker.Addr(), freeAddress(t))
	if err := os.WriteFile(w.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) start() *rig.Process {
	w.t.Helper()
	return rig.Start(w.t, w.binary, "--config", w.config)
}

// check compares what the journal has with what the hand drew, what the pit heard,
// and what a replay from nothing answers.
func (w *world) check(drawn []card.Card, rounds int) {
	t := w.t
	t.Helper()
	j, err := journal.OpenReadOnly(w.path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := j.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
	var inputs, outputs bytes.Buffer
	for r, err := range j.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		inputs.Write(append(r.Input, '\n'))
		outputs.Write(r.Outputs)
	}
	if got := cardsOf(inputs.String()); got != names(drawn) {
		t.Errorf("the journal has other cards than were drawn\ndrawn   %s\njournal %s", names(drawn), got)
	}
	if n := strings.Count(outputs.String(), `{"out":"finished"`); n != rounds {
		t.Errorf("%d rounds were finished, not %d", n, rounds)
	}
	if strings.Contains(outputs.String(), `"irregular"`) && !strings.Contains(outputs.String(), "shoe-offline") {
		t.Errorf("there were irregularities:\n%s", outputs.String())
	}
	var again bytes.Buffer
	if err := transcript.Replay(&inputs, transcript.NewParser(rules.Built()), &again); err != nil {
		t.Fatal(err)
	}
	sameLines(t, "replay", again.Bytes(), outputs.Bytes())
	heard := w.floor.Lines(t, uint64(bytes.Count(outputs.Bytes(), []byte("\n"))))
	sameLines(t, "pit", append(bytes.Join(heard, []byte("\n")), '\n'), outputs.Bytes())
}

// sameLines compares two texts line by line.
func sameLines(t *testing.T, what string, got, want []byte) {
	t.Helper()
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || !bytes.Equal(g[i], w[i]) {
			t.Fatalf("%s differs from the journal at event %d of %d and %d", what, i+1, len(g), len(w))
		}
	}
}

// cardsOf lists the cards in a transcript.
func cardsOf(lines string) string {
	var cards []string
	for line := range strings.Lines(lines) {
		if _, rest, found := strings.Cut(line, `"card":"`); found && strings.HasPrefix(line, `{"in":"card"`) {
			cards = append(cards, rest[:strings.IndexByte(rest, '"')])
		}
	}
	return strings.Join(cards, " ")
}

func names(cards []card.Card) string {
	list := make([]string, len(cards))
	for i, c := range cards {
		list[i] = c.String()
	}
	return strings.Join(list, " ")
}

// recordingHand remembers what was drawn.
type recordingHand struct {
	*shoesim.Shoe
	mu    sync.Mutex
	drawn []card.Card
}

func (h *recordingHand) Draw() (card.Card, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c, err := h.Shoe.Draw()
	if err == nil {
		h.drawn = append(h.drawn, c)
	}
	return c, err
}

func (h *recordingHand) count() int { return len(h.cards()) }

func (h *recordingHand) cards() []card.Card {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]card.Card(nil), h.drawn...)
}
