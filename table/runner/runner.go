// Package runner is the only loop around the round engine: inputs come in from the shoe,
// the keys and the screen, go through the engine one after the other, and are durable in
// the journal before they are acknowledged.
//
// The dealer may see what happened before it is durable, since nothing follows from a
// picture. The shoe learns that a card is stored, and the floor learns of the card, only
// after the journal's fsync. Inputs that wait at the same time share one fsync.
package runner

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// batchMost limits how many inputs share one write to the journal.
const batchMost = 64

// ErrStopped is returned to callers that wait for an input when the runner ends.
var ErrStopped = errors.New("the table has stopped: start the daemon again, nothing that was confirmed is lost")

// ErrMovedOn is returned for an input that was meant for a moment that had passed when its
// turn came.
var ErrMovedOn = errors.New("the table had moved on: look again, and press again")

// Journal is what the runner needs of the journal.
type Journal interface {
	Append(entries []journal.Entry) error
	Next() (seq, event uint64)
}

// Options say what a runner runs. All but Shown, Durable, Trouble, Again, CardShown, CardDurable, Alive and Log are
// required.
type Options struct {
	Journal Journal
	// Table is the table as Restore left it.
	Table *table.Table
	// Setup is the configured setup. If the journal's last setup differs, it is put in as
	// soon as no round is running; if only its limits differ from those that the
	// configuration put in last, these are.
	Setup *rules.Setup
	Rules *rules.Rules
	// Last is the journal's last setup; nil if there is none.
	Last *rules.Setup
	// Closed says that a table that nobody has ever opened or closed is closed when it
	// starts, unless a round is under way.
	Closed bool
	// Doubts are what the start found wrong with the record: see Doubt. They are put in
	// before anything else, except the setup of a table that never had one.
	Doubts []vocab.Input
	// Found returns, once, what others were found to have done to the journal's files; nil
	// for a journal that does not check.
	Found func() []string
	// Shown is called after each step, on the runner's goroutine, possibly before the step
	// is durable. It must not block.
	Shown func(t *table.Table, seq uint64)
	// Durable is like Shown, but is called only with what the journal has.
	Durable func(t *table.Table, seq uint64)
	// Trouble is called when there is trouble with writing the journal, when the trouble
	// changes, and with nil when it is over: then Durable follows. It may be called from
	// any goroutine, but never concurrently, and must not block.
	Trouble func(*Trouble)
	// Again is told of an input that came from a screen and was refused before, with the same reason: see AtScreen. It
	// is called on the runner's goroutine and must not block.
	Again func(vocab.Input, vocab.Reason)
	// Alive is called on the runner's goroutine, about every AliveEvery, for as long as the runner takes inputs or
	// tries again to write them: one that hangs calls it no more. It must not block. AliveEvery is 0 for never.
	Alive      func()
	AliveEvery time.Duration
	// Faces is the key of the cards that lie face down, and JournalID the id of the journal in which their seals stand.
	// Without one it is a key that ends with the runner.
	Faces     *FacesKey
	JournalID string
	// CardShown and CardDurable are told how long a card took since its arrival until Shown had it, and until it was
	// durable. They are called on the runner's goroutine, and must not block.
	CardShown, CardDurable func(took time.Duration)
	Now                    func() time.Time
	Log                    *slog.Logger
}

// Runner runs one table.
type Runner struct {
	o     Options
	queue chan item
	lifts chan lift
	ended chan struct{}
	// seq is the number of the last input that the engine has taken.
	seq uint64
	// configured is what the configuration puts in as soon as no round is running.
	configured configured
	faces      faces
	entries    []journal.Entry
	answers    []Answer
	storage    storage
	refused    refusals
	// alive says when Alive is due; nil for never.
	alive <-chan time.Time
}

// item is one input on its way in.
type item struct {
	in       vocab.Input
	position shoe.Position
	// report is the shoe's own report of a card, which goes on record together with it; empty for none.
	report string
	// detail is what a note of the shoe says beyond its code, which may tell a card; empty for none.
	detail string
	// came is when a card of the shoe arrived at this computer, zero for anything else.
	came time.Time
	// at is when it happened, if that was before its turn came.
	at time.Time
	// unsure: a gap that may or may not contain a card.
	unsure bool
	// ctx is that of whoever waits for the input: once it has ended, the input is not taken any more. It is nil for
	// what the shoe and the runner itself put in.
	ctx context.Context
	// still reports whether the input still applies; nil for one that always does.
	still func(*table.Table) bool
	// done is called when the input is durable, or with the reason why it never will be.
	done func(Answer, error)
}

// unheard is the done of the runner's own inputs: no caller waits for them.
func unheard(Answer, error) {}

// Answer is the result of an input.
type Answer struct {
	// Seq is the input's number in the journal.
	Seq uint64
	// Rejected is why the input was refused, 0 if it was taken.
	Rejected vocab.Reason
	Due      vocab.Due
	Phase    vocab.Phase
	// Held says that an irregularity must still be put right.
	Held bool
}

// New returns the runner of a table. Run starts it.
func New(o Options) *Runner {
	if o.Shown == nil {
		o.Shown = func(*table.Table, uint64) {}
	}
	if o.Found == nil {
		o.Found = func() []string { return nil }
	}
	if o.Durable == nil {
		o.Durable = func(*table.Table, uint64) {}
	}
	if o.Trouble == nil {
		o.Trouble = func(*Trouble) {}
	}
	if o.Again == nil {
		o.Again = func(vocab.Input, vocab.Reason) {}
	}
	if o.Alive == nil {
		o.Alive = func() {}
	}
	if o.CardShown == nil {
		o.CardShown = func(time.Duration) {}
	}
	if o.CardDurable == nil {
		o.CardDurable = func(time.Duration) {}
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Faces == nil {
		key := NewFacesKey()
		o.Faces = &key
	}
	next, _ := o.Journal.Next()
	return &Runner{
		o: o, queue: make(chan item, batchMost), lifts: make(chan lift), ended: make(chan struct{}),
		seq:        next - 1,
		configured: configuredAt(&o),
		refused:    refusals{},
		faces:      faces{key: *o.Faces, journal: o.JournalID},
		storage:    storage{report: o.Trouble, now: o.Now, log: o.Log},
	}
}

// Run takes inputs until ctx ends; whatever it took by then is durable. It returns an
// error only if the journal could not be written.
func (r *Runner) Run(ctx context.Context) error {
	defer close(r.ended)
	defer r.live()()
	if err := r.begin(ctx); err != nil {
		return err
	}
	r.o.Shown(r.o.Table, r.seq)
	r.o.Durable(r.o.Table, r.seq)
	for {
		select {
		case <-ctx.Done():
			return nil
		case first := <-r.queue:
			if err := r.run(ctx, r.collect(first)); err != nil {
				return err
			}
		case l := <-r.lifts:
			if err := r.lift(ctx, l); err != nil {
				return err
			}
		case <-r.alive:
			r.o.Alive()
		}
	}
}

// live begins to say that the runner is alive, and returns what ends that.
func (r *Runner) live() (end func()) {
	if r.o.AliveEvery <= 0 {
		return func() {}
	}
	tick := time.NewTicker(r.o.AliveEvery)
	r.alive = tick.C
	return tick.Stop
}

// begin puts in the doubts, or what the configuration changes. A journal begins with a
// setup, even if it is in doubt.
func (r *Runner) begin(ctx context.Context) error {
	if len(r.o.Doubts) == 0 {
		return r.setUp(ctx)
	}
	var items []item
	if r.o.Table.Rules() == nil {
		items = r.configured.take(&r.o)
	}
	for _, doubt := range r.o.Doubts {
		r.o.Log.Error("THE TABLE'S RECORD IS IN DOUBT: the table is held until a supervisor decides", "what",
			doubt.Storage, "found", doubt.Code)
		items = append(items, item{in: doubt, done: unheard})
	}
	return r.run(ctx, items)
}

// Submit puts an input in and waits until it is durable. If ctx has ended before the
// input's turn comes, nothing is recorded, and the error wraps why it ended.
func (r *Runner) Submit(ctx context.Context, in vocab.Input) (Answer, error) {
	return r.SubmitAt(ctx, in, time.Time{})
}

// SubmitAt is Submit for an input that happened at a known time, before its turn comes.
func (r *Runner) SubmitAt(ctx context.Context, in vocab.Input, at time.Time) (Answer, error) {
	return r.submit(ctx, item{in: in, at: at})
}

// SubmitIf is Submit for an input that applies only while the table is as its sender saw
// it. still is called on the runner's goroutine when the input's turn comes; if it returns
// false, the error is ErrMovedOn and nothing is recorded.
func (r *Runner) SubmitIf(ctx context.Context, in vocab.Input, still func(*table.Table) bool) (Answer, error) {
	return r.submit(ctx, item{in: in, still: still})
}

func (r *Runner) submit(ctx context.Context, it item) (Answer, error) {
	if err := it.in.CheckTexts(); err != nil {
		return Answer{}, err
	}
	type reply struct {
		answer Answer
		err    error
	}
	replies := make(chan reply, 1)
	it.ctx = ctx
	it.done = func(a Answer, err error) { replies <- reply{a, err} }
	if err := r.enqueue(ctx, it); err != nil {
		return Answer{}, err
	}
	select {
	case got := <-replies:
		return got.answer, got.err
	case <-r.ended:
	}
	// The runner may have answered on its way out.
	select {
	case got := <-replies:
		return got.answer, got.err
	default:
		return Answer{}, ErrStopped
	}
}

func (r *Runner) enqueue(ctx context.Context, it item) error {
	if ctx.Err() != nil { // select would choose by chance
		return withdrawn(ctx)
	}
	select {
	case r.queue <- it:
		return nil
	case <-r.ended:
		return ErrStopped
	case <-ctx.Done():
		return withdrawn(ctx)
	}
}

// withdrawn is why an input was not taken whose context had ended.
func withdrawn(ctx context.Context) error {
	return fmt.Errorf("nothing was put in: whoever sent it has gone: %w", context.Cause(ctx))
}

// collect takes whatever else is waiting, so that all share one fsync.
func (r *Runner) collect(first item) []item {
	items := []item{first}
	for len(items) < batchMost {
		select {
		case next := <-r.queue:
			items = append(items, next)
		default:
			return items
		}
	}
	return items
}

// run puts items through the engine, shows the result, makes it durable, and then answers
// those who wait.
func (r *Runner) run(ctx context.Context, items []item) error {
	r.entries, r.answers = r.entries[:0], r.answers[:0]
	items = r.stepAll(items)
	if len(items) == 0 {
		return nil
	}
	r.o.Shown(r.o.Table, r.seq)
	timed(items, r.o.CardShown)
	failed, err := r.write(ctx)
	if err == nil {
		timed(items, r.o.CardDurable)
	}
	for i := range items {
		items[i].done(r.answers[i], err)
	}
	if err != nil {
		return err
	}
	if !failed.IsZero() {
		// The trouble lasts until it is on record: it must not be reported as over in
		// between.
		r.o.Durable(r.o.Table, r.seq)
		return r.run(ctx, storageFailed(failed))
	}
	r.storage.over()
	r.o.Durable(r.o.Table, r.seq)
	if found := r.touched(); len(found) > 0 {
		return r.run(ctx, found)
	}
	return r.setUp(ctx)
}

// timed tells how long the cards among some items have taken.
func timed(items []item, told func(time.Duration)) {
	for i := range items {
		if came := items[i].came; !came.IsZero() {
			told(time.Since(came))
		}
	}
}

// touched makes the inputs that hold the table for what was done to the journal's files,
// before any other input is taken.
func (r *Runner) touched() (items []item) {
	for _, found := range r.o.Found() {
		r.o.Log.Error("SOMEBODY HAS CHANGED THE JOURNAL'S FILES: the table is held until a supervisor decides",
			"found", found)
		items = append(items, item{in: Doubt(vocab.StorageTouched, found), done: unheard})
	}
	return items
}

// storageFailed puts on record that nothing could be recorded for a time.
func storageFailed(at time.Time) []item {
	return []item{
		{
			in: vocab.Input{Kind: vocab.InStorage, Storage: vocab.StorageFailed, Origin: byProgram}, at: at,
			done: unheard,
		},
		{in: vocab.Input{Kind: vocab.InStorage, Storage: vocab.StorageBack, Origin: byProgram}, done: unheard},
	}
}

// stepAll puts items through the engine. It returns those that still applied, and answers
// the others.
func (r *Runner) stepAll(items []item) []item {
	applied := items[:0]
	for i := range items {
		it := &items[i]
		if it.ctx != nil && it.ctx.Err() != nil {
			it.done(Answer{}, withdrawn(it.ctx))
			continue
		}
		if it.still != nil && !it.still(r.o.Table) {
			it.done(Answer{}, ErrMovedOn)
			continue
		}
		if err := lookAlike(r.o.Table, &it.in); err != nil {
			it.done(Answer{}, err)
			continue
		}
		if err := r.answer(&it.in); err != nil {
			it.done(Answer{}, err)
			continue
		}
		if answer, known := r.refused.of(it); known {
			r.o.Again(it.in, answer.Rejected)
			it.done(answer, nil)
			continue
		}
		r.step(it)
		applied = append(applied, *it)
	}
	return applied
}

// step puts one input through the engine and prepares its record.
func (r *Runner) step(it *item) {
	t := r.o.Table
	in := it.in
	if it.unsure && t.Phase() == vocab.Idle {
		in = gapBetweenRounds
	}
	if it.detail != "" && !r.hides() {
		in.Code += " " + it.detail
	}
	in.Time = r.o.Now().UnixNano()
	if !it.at.IsZero() {
		in.Time = it.at.UnixNano()
	}
	r.turnFirst(&in, in.Time)
	if !r.down(&in, r.seq+1, it.report) && it.report != "" {
		r.record(reportNote(it.report, in.Time), shoe.Position{})
	}
	before, _ := t.Held()
	r.record(in, it.position)
	if before.Code == irregularity.JournalTouched && in.Kind == vocab.InResolve && in.With == irregularity.Accept &&
		t.Rejected() == 0 {
		r.entries[len(r.entries)-1].AcceptedBy = in.By
	}
	seq, rejected := r.seq, t.Rejected()
	r.openAll(in.Time)
	held, _ := t.Held()
	answer := Answer{
		Seq: seq, Rejected: rejected, Due: t.Due(), Phase: t.Phase(),
		Held: held.Choices != irregularity.Choices{},
	}
	r.answers = append(r.answers, answer)
	r.refused.note(in, answer)
}

// record puts an input into the table and prepares its record.
func (r *Runner) record(in vocab.Input, position shoe.Position) {
	r.seq++
	in.Line = r.seq
	r.entries = append(r.entries, Record(r.o.Table, &in, position))
}

// Record puts an input into a table and returns its entry in the journal. The input must
// have its line and its time; position is zero for an input that no shoe has numbered.
func Record(t *table.Table, in *vocab.Input, position shoe.Position) journal.Entry {
	return Recorded(t, in, t.Step(in), position)
}

// Recorded is the record of an input that was put in, and of what the table answered.
func Recorded(t *table.Table, in *vocab.Input, outs []vocab.Output, position shoe.Position) journal.Entry {
	e := journal.Entry{At: in.Time, ShoeBoot: position.Boot, ShoeSeq: position.Seq}
	e.Input = transcript.AppendInput(nil, in)
	for i := range outs {
		e.Outputs = append(transcript.AppendOutput(e.Outputs, &outs[i]), '\n')
	}
	e.Round, e.Rules, e.Carry = t.Round(), fingerprint(t.Rules()), Checkpoint(t, in.Kind, outs)
	if in.Kind == vocab.InSetup && t.Rejected() == 0 {
		e.RulesText = t.Rules().Text()
	}
	return e
}

// fingerprint is what a record keeps of the rules in force, nil for none.
func fingerprint(r *rules.Rules) []byte {
	if r == nil {
		return nil
	}
	sum, err := hex.DecodeString(r.Fingerprint)
	if err != nil {
		panic(err) // a fingerprint is always hexadecimal
	}
	return sum
}

// write appends the records. While the journal cannot be written, the table stands still
// and write tries again: the inputs stay in memory, the shoe keeps its cards. failed is
// when writing began to fail, the zero time if it did not.
func (r *Runner) write(ctx context.Context) (failed time.Time, err error) {
	began := r.o.Now()
	if err = r.append(); err == nil {
		return time.Time{}, nil
	}
	r.o.Log.Error("the journal cannot be written: the table stands still until it can", "err", err)
	retry := time.NewTicker(time.Second)
	defer retry.Stop()
	for {
		r.storage.fails(began, err)
		select {
		case <-ctx.Done():
			return began,
				fmt.Errorf("stopped while the journal could not be written; the last %d inputs are not in it: %w",
					len(r.entries), err)
		case <-r.alive:
			r.o.Alive()
			continue
		case <-retry.C:
		}
		if err = r.append(); err == nil {
			r.o.Log.Info("the journal can be written again: the table continues")
			return began, nil
		}
	}
}

// append makes one attempt to write the records.
func (r *Runner) append() error {
	defer r.storage.watch()()
	return r.o.Journal.Append(r.entries)
}

// setUp puts in what the configuration changes, once no round is running.
func (r *Runner) setUp(ctx context.Context) error {
	if r.configured == (configured{}) || !r.o.Table.Settled() {
		return nil
	}
	return r.run(ctx, r.configured.take(&r.o))
}
