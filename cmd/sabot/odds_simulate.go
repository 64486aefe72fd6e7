package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/rules"
)

// oddsSeed is what the chance of all simulations is made of, so that one can be repeated.
const oddsSeed = 18

// simulated deals rounds with the engine, and compares them with what was worked out.
func (o *oddsAsked) simulated(ctx context.Context, r *rules.Rules) error {
	shoe, err := o.shoe(r)
	if err != nil {
		return err
	}
	state, err := o.readState()
	if err != nil {
		return err
	}
	if err := o.tryState(); err != nil {
		return err
	}
	report, err := odds.Work(ctx, odds.Query{Rules: r, Shoe: shoe, Boxes: o.boxes})
	if err != nil {
		return err
	}
	progress := terminal.NewBar(terminal.Raw(o.e.err), o.json)
	kept := time.Now()
	var keeping error
	result, err := dealt.Deal(ctx, report, dealt.Options{
		Rounds: o.rounds, Seed: oddsSeed, State: state,
		Told: func(s *dealt.State) {
			progress.Show(uint64(s.Rounds), uint64(o.rounds))
			if time.Since(kept) > stateEvery {
				kept, keeping = time.Now(), errors.Join(keeping, o.writeState(s))
			}
		},
	})
	progress.Clear()
	if result == nil || result.State == nil {
		return err
	}
	keeping = errors.Join(keeping, o.writeState(result.State))
	if errors.Is(err, context.Canceled) && keeping == nil {
		return o.endedEarly(report, result)
	}
	if err := errors.Join(err, keeping); err != nil {
		return fmt.Errorf("after %d rounds: %w", result.Rounds, err)
	}
	return o.compareDealt(report, result)
}

// endedEarly shows what was dealt until somebody ended it, and says how to go on.
func (o *oddsAsked) endedEarly(report *odds.Report, result *dealt.Result) error {
	var err error
	if result.Rounds > 0 {
		err = o.compareDealt(report, result)
	}
	on := "with --state FILE the same command goes on where it was ended"
	if o.state != "" {
		on = "the same command goes on from there"
	}
	return errors.Join(err, fmt.Errorf("ended after %d of %d rounds; %s", result.Rounds, o.rounds, on))
}

// stateEvery is how often the state is kept.
const stateEvery = 10 * time.Second

// mostState is far more than a state has.
const mostState = 64 << 10

func (o *oddsAsked) readState() (*dealt.State, error) {
	if o.state == "" {
		return nil, nil
	}
	data, err := securefile.Read(o.state, mostState)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("--state: %w", err)
	}
	var s dealt.State
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("--state: %s is no state: %w; take the name of another file", o.state, err)
	}
	return &s, nil
}

// tryState makes and removes a file where the state will be kept, so that a wrong place is known before the first
// round.
func (o *oddsAsked) tryState() error {
	if o.state == "" {
		return nil
	}
	draft, err := o.draft()
	if err == nil {
		err = errors.Join(draft.Close(), os.Remove(draft.Name()))
	}
	if err != nil {
		return fmt.Errorf("--state: %w", err)
	}
	return nil
}

// draft is a new file beside the state.
func (o *oddsAsked) draft() (*os.File, error) {
	return os.CreateTemp(filepath.Dir(o.state), filepath.Base(o.state)+".*")
}

// writeState replaces the state as a whole, so that a power cut leaves one or the other.
func (o *oddsAsked) writeState(s *dealt.State) error {
	if o.state == "" {
		return nil
	}
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	draft, err := o.draft()
	if err != nil {
		return fmt.Errorf("--state: %w", err)
	}
	_, err = draft.Write(data)
	if err = errors.Join(err, draft.Sync(), draft.Close()); err == nil {
		err = os.Rename(draft.Name(), o.state)
	}
	if err != nil {
		return fmt.Errorf("--state: %w", errors.Join(err, os.Remove(draft.Name())))
	}
	return nil
}

// compareDealt writes both figures of the main game. A difference of more than four standard errors is a fault in one
// of them.
func (o *oddsAsked) compareDealt(report *odds.Report, result *dealt.Result) error {
	sheet := odds.SheetOf(report)
	worked, main := *sheet.Wager(report.Wagers[0].Name), result.Main()
	sheet.Wagers = append([]odds.Wager{worked, main}, result.Sides...)
	if report.James != nil && report.Boxes > 1 {
		sheet.Wagers = sheet.Wagers[1:] // only that of one box was worked out
	}
	var err error
	if o.json {
		err = sheet.JSON(o.e.out)
	} else {
		err = sheet.Text(o.e.out)
	}
	if err != nil || len(sheet.Wagers) == 1 || report.James != nil && report.Boxes > 1 {
		return err
	}
	if main.Error == 0 {
		return o.say("\nevery round that was dealt came to the same: there is no standard error to compare by\n")
	}
	off := (main.Edge - worked.Edge) / main.Error
	if off > 4 || off < -4 {
		return fmt.Errorf("the engine and the analysis differ by %.1f standard errors: one of them is wrong", off)
	}
	return o.say(fmt.Sprintf("\nthe engine is %.2f standard errors off what was worked out\n", off))
}

// say writes what is for people, and not among JSON lines.
func (o *oddsAsked) say(text string) error {
	if o.json {
		return nil
	}
	_, err := io.WriteString(o.e.out, text)
	return err
}
