package simtest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Finding is something that must not be.
type Finding struct {
	// Kind is the sort of finding, by which a shrunk script is compared with the whole one.
	Kind string
	What string
}

func (f Finding) String() string { return f.Kind + ": " + f.What }

// Result is what a storm leaves.
type Result struct {
	Rounds, Cards, Lives int
	// Faults counts those that happened, by name.
	Faults map[string]int
	// Held counts what a supervisor put right, by name.
	Held map[string]int
	// Inputs counts those that were taken, by their kind, and corrections by theirs.
	Inputs   map[string]int
	Findings []Finding
	// Tampered is 1 where somebody was at the table's files, and Unnoticed where the audit found nothing of that.
	Tampered, Unnoticed int
}

// calmRounds are dealt after the storm.
const calmRounds = 2

// stuckAfter is how long the table may do nothing before somebody must have been told what to do.
const stuckAfter = 10 * time.Minute

// longest is how long the rounds may take: things may move, and get nowhere.
const longest = 12 * time.Hour

// World is everything around the table.
type World struct {
	script Script
	start  Start
	folder string
	log    *slog.Logger
	rack   *rack
	broker *broker
	hand   *hand
	dealer *keysim.Dealer
	round  uint64 // the last one whose bets the dealer saw being taken
	key    *wire.Secret

	mu      sync.Mutex
	counts  map[Clock]int
	disk    *disktest.Disk
	life    *life
	noisyTo int // the card at which the line is good again
	rates   shoesim.FaultRates
	calm    bool
	dealt   bool // all rounds are, those of the calm too
	voided  bool // the round was void: what does not lie on the display is settled by hand
	result  Result
	moved   chan struct{} // holds one if something moved
	answers []answered
	damages []damage
	boxMax  int64
	named   int             // lost cards that the supervisor has named, and the table has taken
	next    map[string]bool // what the hand does at its next movement
	rules   *rules.Rules
	shift   time.Duration   // of the wall clock
	shifts  []time.Duration // all that there were
	panel   *panel          // nil without
	// unanswered are the inputs by the screen of which it is not known whether they were taken.
	unanswered []string
	house      house
	mishaps    []Args // for which somebody has stopped the round
	errands    []Args // that wait until no round is under way
	slips      uint32 // that were asked for
	tampered   bool   // somebody was at the table's files
}

// answered is an input that the table said is stored.
type answered struct {
	seq  uint64
	kind vocab.InputKind
}

// Run plays a storm, and says what it left. It must be called in a bubble of testing/synctest. folder is a real folder
// that no other storm uses.
func Run(ctx context.Context, s Script, start Start, folder string, log *slog.Logger) Result {
	w := &World{
		script: s, start: start, folder: folder, log: log,
		counts: map[Clock]int{}, next: map[string]bool{}, disk: disktest.New(s.Seed), moved: make(chan struct{}, 1),
		result: Result{Faults: map[string]int{}, Held: map[string]int{}, Inputs: map[string]int{}},
	}
	if s.Key {
		w.key = &wire.Secret{1, 2, 3}
	}
	var err error
	if w.rack, err = newRack(s, w.key); err != nil {
		w.find("storm", "no shoes: %v", err)
		return w.result
	}
	defer w.rack.close()
	if w.rules, err = Houses().Set(rules.Setup{House: s.House}); err != nil {
		w.find("storm", "no rules: %v", err)
		return w.result
	}
	w.shifts = []time.Duration{0}
	if s.Panel {
		w.panel = newPanel(w)
	}
	w.broker = newBroker(w)
	w.hand = &hand{world: w, felt: 1}
	w.dealer = &keysim.Dealer{
		Shoe: w.hand, Rounds: uint64(s.Rounds), Seed: s.Seed, Pace: s.Pace, Log: log, PutRight: w.putRight,
		Rules:   w.rules,
		Decided: func(display.View) { w.result.Rounds++ },
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var beside sync.WaitGroup
	beside.Go(func() { w.watch(ctx, stop) })
	beside.Go(func() { w.broker.read(ctx) })
	w.live(ctx)
	stop()
	beside.Wait()
	bubble.Pass(time.Minute) // what the table has left ends: no time passes once the bubble's first goroutine has
	w.check()
	w.result.Cards = len(w.hand.all)
	return w.result
}

// find takes note of something that must not be.
func (w *World) find(kind, what string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.findLocked(kind, what, args...)
}

func (w *World) findLocked(kind, what string, args ...any) {
	f := Finding{kind, fmt.Sprintf(what, args...)}
	w.log.Error("FINDING", "kind", f.Kind, "what", f.What)
	same := func(other Finding) bool { return other.Kind == kind }
	if len(w.result.Findings) < 20 || !slices.ContainsFunc(w.result.Findings, same) {
		w.result.Findings = append(w.result.Findings, f)
	}
}

// takes says once that the hand's next movement is a wrong one.
func (w *World) takes(what string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	is := w.next[what]
	delete(w.next, what)
	return is
}

func (w *World) isVoid() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.voided
}

// shuffler says whether the house plays with a shuffler.
func (w *World) shuffler() bool { return shuffles(w.script.House) }

// heldBy takes note of what a supervisor is asked to put right.
func (w *World) heldBy(code irregularity.Code) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.result.Held[code.String()]++
}

// tick counts on a clock, and lets happen what is due.
func (w *World) tick(c Clock) {
	w.mu.Lock()
	if w.calm {
		w.mu.Unlock()
		return
	}
	w.counts[c]++
	n := w.counts[c]
	quiet := c == Card && n == w.noisyTo
	var due []Fault
	for _, f := range w.script.Faults {
		if f.On == c && f.At == n {
			due = append(due, f)
			w.result.Faults[f.What]++
		}
	}
	w.mu.Unlock()
	if quiet {
		w.setNoise(shoesim.FaultRates{})
	}
	for _, f := range due {
		w.log.Info("FAULT", "fault", f.String())
		kindNamed(f.What).happen(w, f.Args)
	}
}

// progress says that the table moved.
func (w *World) progress() {
	select {
	case w.moved <- struct{}{}:
	default:
	}
}

// watch ends a storm in which nothing moves any more.
func (w *World) watch(ctx context.Context, stop context.CancelFunc) {
	late := time.After(longest)
	for {
		select {
		case <-ctx.Done():
			return
		case <-late:
			w.find("endless", "the rounds are not dealt after %v; %s", longest, w.sight())
			stop()
			return
		case <-w.moved:
		case <-time.After(stuckAfter):
			if w.isDealt() {
				continue
			}
			w.find("stuck", "nothing moves: the felt has %v; %s", w.hand.cards(), w.sight())
			stop()
			return
		}
	}
}

// sight is what the display shows.
func (w *World) sight() string {
	v, err := w.lookNow()
	if errors.Is(err, errNoTable) {
		return err.Error()
	}
	held := "nothing"
	if v.Held != nil {
		held = v.Held.Code.String()
	}
	return fmt.Sprintf("the display shows %v in phase %s, held by %s, due to %s, shoe %+v, %v; the shoe is %+v",
		shown(v), v.Phase, held, v.Due.To, v.Shoe, err, w.rack.shoe().State())
}

// errNoTable: the table has not started yet.
var errNoTable = errors.New("there is no table")

// lookNow is what the display shows at this moment.
func (w *World) lookNow() (display.View, error) {
	w.mu.Lock()
	table, ok := w.dealer.Display.(screen)
	w.mu.Unlock()
	if !ok {
		return display.View{}, errNoTable
	}
	return sight(context.Background(), table)
}

// live lets the table live, life after life, until the rounds are dealt, those of the calm too.
func (w *World) live(ctx context.Context) {
	for failed := 0; ctx.Err() == nil; {
		l := &life{world: w, disk: w.disk, dead: make(chan struct{})}
		w.mu.Lock()
		w.life = l
		w.result.Lives++
		w.mu.Unlock()
		table, err := w.start(w.surroundings(l))
		var done bool
		switch {
		case err == nil:
			failed = 0
			done = w.play(ctx, l, table)
		case l.killed():
		default:
			w.log.Warn("the table does not start", "err", err)
			if failed++; failed > 3 && !w.isCalm() {
				w.repair()
			}
			if failed > 10 {
				w.find("no-start", "the table does not start: %v", err)
				return
			}
		}
		if done {
			return
		}
		w.mu.Lock()
		if l.killed() {
			w.disk = l.leaves()
			w.visited()
		}
		w.mu.Unlock()
		pause(ctx, time.Second)
	}
}

func (w *World) isDealt() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.dealt
}

func (w *World) isCalm() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calm
}

// repair is somebody who mends the disk.
func (w *World) repair() {
	w.disk.Mend()
	w.disk.SetSpace(-1)
}

func (w *World) surroundings(l *life) Surroundings {
	var bank *keysim.Bank
	if w.panel != nil {
		bank = w.panel.board()
	}
	return Surroundings{
		Keys:   bank,
		Folder: w.folder, Disk: lifeDisk{l.disk, l}, Shoe: l.openShoe, Broker: l.dial, Now: w.now,
		Make: w.script.Make, Key: w.key, House: w.script.House, BoxMax: w.boxMax, Apart: w.script.Pace >= apartFrom,
		Log: w.log,
	}
}

// now is the wall clock, which may be wrong.
func (w *World) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Now().Add(w.shift)
}

// play plays one life of the table. It returns true if all rounds are dealt.
func (w *World) play(ctx context.Context, l *life, table Table) (done bool) {
	living, die := context.WithCancel(ctx)
	defer die()
	stopped := context.AfterFunc(ctx, die)
	defer stopped()
	ended := make(chan error, 1)
	go func() { ended <- table.Run(living) }()
	go func() {
		select {
		case <-l.dead:
			die()
		case <-living.Done():
		}
	}()
	w.mu.Lock()
	w.dealer.Display, w.dealer.Press = screen{w, table},
		func(ctx context.Context, in vocab.Input) (vocab.Reason, error) {
			return w.press(ctx, table, in, true)
		}
	w.mu.Unlock()
	if !w.keeps() && len(w.hand.cards()) == 0 { // the first start is between two rounds
		_, _ = table.Await(living, func(v display.View) bool { return v.Shoe.Online })
		pause(living, time.Second)
	}
	done = w.deal(living)
	if done {
		w.mu.Lock()
		w.dealt = true
		w.mu.Unlock()
		w.settle(living)
	}
	die()
	err := <-ended
	if cerr := table.Close(); !l.killed() {
		err = errors.Join(err, cerr)
	}
	if err != nil && !l.killed() {
		w.log.Warn("the table ended", "err", err)
		if done {
			w.find("end", "the table ended with %v", err)
		}
	}
	return done && !l.killed()
}

// deal deals until the rounds are dealt or the table dies.
func (w *World) deal(ctx context.Context) (done bool) {
	for ctx.Err() == nil {
		err := w.dealer.Run(ctx)
		switch {
		case ctx.Err() != nil:
			return false
		case err != nil:
			w.log.Warn("the dealer looks again", "err", err)
			pause(ctx, time.Second)
		case w.isCalm():
			return true
		default:
			w.calmDown()
		}
	}
	return false
}

// calmDown ends the storm.
func (w *World) calmDown() {
	w.mu.Lock()
	w.calm = true
	w.mu.Unlock()
	w.log.Info("calm", "counts", fmt.Sprint(w.counts), "rounds", w.result.Rounds)
	w.setNoise(shoesim.FaultRates{})
	w.rack.calm()
	w.repair()
	w.broker.calm()
	if w.panel != nil {
		w.panel.calm()
	}
	w.dealer.Rounds += calmRounds
}

// settle waits until the pit has everything, and the shoe has nothing left.
func (w *World) settle(ctx context.Context) {
	for range 120 {
		if s := w.rack.shoe().State(); s.Queued == 0 && s.Quiet {
			break
		}
		pause(ctx, time.Second)
	}
	for range 60 { // requests bring 200 events a second
		if w.broker.complete() {
			break
		}
		pause(ctx, 10*time.Second)
	}
	w.mu.Lock()
	denied := w.result.Faults["broker-denies"] > 0
	w.mu.Unlock()
	if denied {
		pause(ctx, triedAgain)
	}
	pause(ctx, 20*time.Second)
}

// triedAgain is after how long a table has tried a topic again that was denied.
const triedAgain = 17 * time.Minute

// look is what the display shows now.
func (w *World) look(ctx context.Context) (display.View, error) {
	w.mu.Lock()
	table := w.dealer.Display.(screen).Table
	w.mu.Unlock()
	return sight(ctx, table)
}

// sight is what a table's display shows now.
func sight(ctx context.Context, table Table) (display.View, error) {
	return table.Await(ctx, func(display.View) bool { return true })
}

// press is the dealer's finger, and the supervisor's. With keys, what they can say is pressed on them too.
func (w *World) press(ctx context.Context, table Table, in vocab.Input, byDealer bool) (vocab.Reason, error) {
	lost := false
	switch in.Kind {
	case vocab.InOpen:
		if byDealer { // who does nothing else meanwhile
			if err := w.betweenRounds(ctx, table); err != nil {
				return 0, err
			}
		}
		if v, err := sight(ctx, table); err == nil && isIdle(v) {
			w.hand.clear()
		}
	case vocab.InPaid:
		v, err := sight(ctx, table)
		if err == nil && v.Held == nil && v.Phase == vocab.Payment {
			w.compare(v)
			if byDealer {
				in = w.paysWrong(in, v)
			}
		}
	case vocab.InResolve:
		if v, err := sight(ctx, table); err == nil && v.Held != nil {
			lost = v.Held.Code == irregularity.LostCards && in.With == irregularity.Identify
		}
		if in.With == irregularity.VoidRound {
			w.mu.Lock()
			w.voided = true
			w.mu.Unlock()
		}
	}
	if w.panel != nil {
		if key, ok := w.panel.reach(in); ok && byDealer {
			return w.panel.press(ctx, table, key)
		}
		if needsSupervisor(in.Kind) {
			defer w.panel.prove(ctx)()
		}
	}
	answer, err := table.Submit(ctx, in)
	if err != nil {
		w.mu.Lock()
		w.unanswered = append(w.unanswered, said(in))
		w.mu.Unlock()
		return 0, err
	}
	w.progress()
	w.mu.Lock()
	if lost && answer.Rejected == 0 {
		w.named++
	}
	w.answers = append(w.answers, answered{answer.Seq, in.Kind})
	w.mu.Unlock()
	if in.Kind == vocab.InPaid && byDealer && answer.Rejected == 0 && w.takes(takenBack) {
		_, err = w.press(ctx, table, vocab.Input{Kind: vocab.InUndo}, false)
	}
	return answer.Rejected, err
}

// isIdle says whether no round is under way, and nothing holds the table.
func isIdle(v display.View) bool { return v.Known() && v.Held == nil && v.Phase == vocab.Idle }

// needsSupervisor says whether somebody who is proven puts it in. A shoe is loaded by one where no cut card has come
// yet.
func needsSupervisor(kind vocab.InputKind) bool {
	switch kind {
	case vocab.InResolve, vocab.InShoe, vocab.InHold, vocab.InCorrect, vocab.InAdjust, vocab.InCount, vocab.InFill,
		vocab.InCredit, vocab.InDrop, vocab.InTable:
		return true
	}
	return false
}

// screen is the display as the dealer looks at it: after a card was drawn, until it is there.
type screen struct {
	world *World
	Table
}

// Await returns the first wanted view that shows every card on the felt, as far as it should.
func (s screen) Await(ctx context.Context, wanted func(display.View) bool) (display.View, error) {
	lies := len(s.world.hand.cards())
	complete := func(v display.View) bool {
		if s.world.opened(v) {
			lies = 0
		}
		if !wanted(v) {
			return false
		}
		return v.Held != nil || s.world.isTampered() || v.Phase == vocab.Idle || v.Phase == vocab.Bets ||
			v.Phase == vocab.Payment && s.world.isVoid() || len(shown(v)) >= lies || v.Seq == 0
	}
	if s.world.keeps() {
		return s.Table.Await(ctx, complete)
	}
	return s.await(ctx, complete)
}

// opened clears the felt at the first look at a round in which bets are taken, whoever opened it: a key that was held,
// or one that waited for a slow disk, says nothing to the dealer.
func (w *World) opened(v display.View) bool {
	w.mu.Lock()
	first := v.Phase == vocab.Bets && v.Held == nil && len(shown(v)) == 0 && v.Round > w.round
	if first {
		w.round = v.Round
	}
	w.mu.Unlock()
	if first {
		w.hand.clear()
	}
	return first
}

// pause lets time pass.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// Plan makes the script of a seed.
func Plan(seed uint64, makes []string) Script {
	dice := rand.New(rand.NewPCG(seed, 0x570B1))
	s := Script{
		Seed: seed, Make: makes[dice.IntN(len(makes))], House: houses[dice.IntN(len(houses))], Rounds: 40,
		Pace: []time.Duration{20 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond}[dice.IntN(3)],
	}
	s.Key = s.Make == "sabot" && dice.IntN(4) == 0
	s.Panel = dice.IntN(2) == 0
	s.Faults = plan(dice, &s)
	slices.SortStableFunc(s.Faults, func(a, b Fault) int { return a.At - b.At })
	return s
}

// apartFrom is from which pace on the house's least time between two calls is kept.
const apartFrom = 300 * time.Millisecond
