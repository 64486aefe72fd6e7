package bench

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/sabot-table/sabot/sim-hardware/scenario"
)

// scriptName precedes the line number in a scenario's faults.
const scriptName = "scenario"

// script is the running scenario.
type script struct {
	stop context.CancelFunc // nil while none does
	said string             // how the last one ended
}

//go:embed scenarios/*.txt
var scenarios embed.FS

// ready is a scenario that the page offers.
type ready struct{ Name, Title, Text string }

// readyMade are the scenarios that the page offers. The first line of each says what it
// is.
var readyMade = func() []ready {
	files, err := fs.Glob(scenarios, "scenarios/*.txt")
	if err != nil {
		panic("bench: embedded scenarios cannot be listed: " + err.Error())
	}
	var all []ready
	for _, file := range files {
		text, err := fs.ReadFile(scenarios, file)
		if err != nil {
			panic("bench: an embedded scenario cannot be read: " + err.Error())
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		name := strings.TrimSuffix(path.Base(file), ".txt")
		all = append(all, ready{Name: name, Title: title, Text: string(text)})
	}
	return all
}()

// Play starts a scenario, or returns what is wrong with it. It runs to its end, or until Stop, ctx or Run ends it.
func (b *Bench) Play(ctx context.Context, text string) error {
	s, err := b.parse(text)
	if err != nil {
		return err
	}
	b.change(func() {
		switch {
		case b.over:
			err = errors.New(sayOver)
		case b.script.stop != nil:
			err = errors.New(sayScriptRuns)
		default:
			b.begin(ctx, s)
		}
	})
	return err
}

// begin plays a scenario in the background. The lock is held.
func (b *Bench) begin(ctx context.Context, s scenario.Scenario) {
	playing, stop := context.WithCancel(ctx)
	b.script = script{stop: stop, said: sayScriptBegun}
	b.note(sayScriptBegun)
	b.playing.Go(func() {
		defer stop()
		err := s.Play(playing, b.hardware(), b.teller(playing))
		b.ended(err, playing.Err() != nil)
	})
}

// ended notes a scenario's end.
func (b *Bench) ended(err error, stopped bool) {
	said := sayScriptDone
	switch {
	case stopped:
		said = sayScriptStopped
	case err != nil:
		said = fault(sayScriptFailed, err)
	}
	b.change(func() {
		b.script = script{said: said}
		b.note(said)
	})
}

// Stop ends the running scenario, before its next step.
func (b *Bench) Stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.script.stop != nil {
		b.script.stop()
	}
}

func (b *Bench) running() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.script.stop != nil
}
