package runner_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

var errDisk = errors.New("the disk does not write")

// memory is a journal without a disk. It notes the order in which things happened.
type memory struct {
	mu      sync.Mutex
	records []journal.Record
	appends []int // how many entries shared each append
	failing bool
	steps   []string
	// texts are the texts of rules, by fingerprint.
	texts map[string][]byte
	// writing, if not nil, takes a value when an append begins, and gives one when it may
	// continue.
	writing chan struct{}
}

func (m *memory) Append(entries []journal.Entry) error {
	m.mu.Lock()
	writing := m.writing
	m.mu.Unlock()
	if writing != nil {
		writing <- struct{}{}
		<-writing
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failing {
		m.steps = append(m.steps, "failed")
		return errDisk
	}
	m.appends = append(m.appends, len(entries))
	for _, e := range entries {
		e.Rules = slices.Clone(e.Rules)
		e.Input, e.Outputs, e.Carry = slices.Clone(e.Input), slices.Clone(e.Outputs), slices.Clone(e.Carry)
		m.records = append(m.records, journal.Record{Entry: e, Seq: uint64(len(m.records) + 1)})
		m.steps = append(m.steps, fmt.Sprintf("stored %d", len(m.records)))
	}
	return nil
}

func (m *memory) Next() (seq, event uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	events := 0
	for _, r := range m.records {
		events += strings.Count(string(r.Outputs), "\n")
	}
	return uint64(len(m.records) + 1), uint64(events + 1)
}

func (m *memory) Checkpoint() (seq uint64, carry, setup []byte, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.records {
		if r.Carry == nil {
			continue
		}
		seq, carry = r.Seq, r.Carry
		if strings.HasPrefix(string(r.Input), `{"in":"setup"`) {
			setup = r.Input
		}
	}
	return seq, carry, setup, nil
}

func (m *memory) Records(from uint64) iter.Seq2[journal.Record, error] {
	m.mu.Lock()
	defer m.mu.Unlock()
	records := slices.Clone(m.records)
	return func(yield func(journal.Record, error) bool) {
		for _, r := range records[min(int(from)-1, len(records)):] {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func (m *memory) Rules(fingerprint string) ([]byte, error) { return m.texts[fingerprint], nil }

func (m *memory) fail(failing bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failing = failing
}

// hang makes appends wait as writing says, or no longer with nil.
func (m *memory) hang(writing chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.writing = writing
}

// note adds an event around the journal to its own steps.
func (m *memory) note(format string, args ...any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.steps = append(m.steps, fmt.Sprintf(format, args...))
}

// happened returns the steps since the last time.
func (m *memory) happened() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	steps := m.steps
	m.steps = nil
	return steps
}

// inputs are the records' inputs without their times.
func (m *memory) inputs() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var lines []string
	for _, r := range m.records {
		line := string(r.Input)
		if head, rest, found := strings.Cut(line, `,"t":"`); found {
			_, tail, _ := strings.Cut(rest, `"`)
			line = head + tail
		}
		lines = append(lines, fromWhere.ReplaceAllString(line, ""))
	}
	return lines
}

// fromWhere is where an input came from: TestOrigins has that.
var fromWhere = regexp.MustCompile(`,"from":"[a-z]+"`)

// wiesbaden is a setup with a minimum, in minor units.
func wiesbaden(minimum int64) rules.Setup { return rules.Setup{House: "wiesbaden", Min: minimum} }

// options are the options of a daemon that starts with a journal.
func options(t *testing.T, m *memory, setup rules.Setup) runner.Options {
	t.Helper()
	return optionsOf(t, m, profile.Built(), setup)
}

// optionsOf are options with a book of houses.
func optionsOf(t *testing.T, m *memory, book profile.Book, setup rules.Setup) runner.Options {
	t.Helper()
	set, err := book.Set(setup)
	if err != nil {
		t.Fatal(err)
	}
	restored, err := runner.Restore(m, book, set)
	if err != nil {
		t.Fatal(err)
	}
	return runner.Options{
		Journal: m, Table: restored.Table, Setup: &setup, Rules: set, Last: restored.Setup, Doubts: restored.Doubts(),
		Now: time.Now,
		Log: slog.New(slog.DiscardHandler),
	}
}

// running is a runner that runs until the test stops it.
type running struct {
	*runner.Runner
	t     *testing.T
	stop  context.CancelFunc
	ended chan error
}

func run(t *testing.T, o runner.Options) *running {
	ctx, stop := context.WithCancel(t.Context())
	r := &running{runner.New(o), t, stop, make(chan error, 1)}
	go func() { r.ended <- r.Run(ctx) }()
	t.Cleanup(stop)
	return r
}

// end stops the runner and returns why it ended.
func (r *running) end() error {
	r.stop()
	return <-r.ended
}

// look inspects the table on the runner's goroutine, which may still be at work after it
// has answered. It puts nothing in.
func (r *running) look(at func(*table.Table)) {
	r.t.Helper()
	_, err := r.SubmitIf(r.t.Context(), vocab.Input{}, func(t *table.Table) bool {
		at(t)
		return false
	})
	if !errors.Is(err, runner.ErrMovedOn) {
		r.t.Fatal(err)
	}
}

// put puts inputs in one by one; none may be refused.
func (r *running) put(inputs ...vocab.Input) {
	r.t.Helper()
	for _, in := range inputs {
		if answer, err := r.Submit(r.t.Context(), in); err != nil || answer.Rejected != 0 {
			r.t.Fatalf("%s was refused: %s, %v", in.Kind, answer.Rejected, err)
		}
	}
}

// stake, of a bettor on box 1.
func stake(amount int64) vocab.Input {
	return vocab.Input{Kind: vocab.InStake, Wager: vocab.WagerMain, Box: 1, Bettor: "a", Amount: amount, Stated: true}
}

// pass lets time pass in a bubble, until nothing goes on any more.
func pass(d time.Duration) {
	bubble.Pass(d)
	synctest.Wait()
}

func kind(k vocab.InputKind) vocab.Input { return vocab.Input{Kind: k} }

// tell hands the runner an event of the shoe, and notes what is stored.
func (r *running) tell(m *memory, e shoe.Event) {
	r.Shoe(r.t.Context(), e, func(p shoe.Position) { m.note("acknowledged %d", p.Seq) })
}
