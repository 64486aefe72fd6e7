package angeleye

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/internal/testkit/shoetest"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

var silent = slog.New(slog.DiscardHandler)

// The commands as they go over the wire: the lock is the maker's own example.
func TestCommands(t *testing.T) {
	for what, want := range map[string]string{
		string(command("LK", "02")): "\x02OPLK02\x031B",
		string(command("LK", "01")): "\x02OPLK01\x0318",
		string(command("EC", "07")): "\x02OPEC07\x031F",
		string(command("GP", "00")): "\x02OPGP00\x0309",
	} {
		if what != want {
			t.Errorf("%q, want %q", what, want)
		}
	}
}

// A locked shoe gives no card, and reports its state; errors are cleared.
func TestShoeObeys(t *testing.T) { synctest.Test(t, shoeObeys) }

func shoeObeys(t *testing.T) {
	sim := shoetest.NewUnacked(t, shoesim.Options{Kind: shoesim.AngelEye, Memory: true})
	d := New(shoe.Options{Open: sim.Open, Commands: true, Log: silent})
	if err := d.Lock(t.Context()); !errors.Is(err, shoe.ErrNoPort) {
		t.Errorf("without a port: %v", err)
	}
	l := shoetest.RunUnacked(t, sim, d)
	l.Up()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(d.Lock(t.Context()))
	l.Await(shoe.Locked)
	if _, err := sim.Draw(); !errors.Is(err, shoesim.ErrLocked) {
		t.Errorf("a locked shoe gives a card: %v", err)
	}
	must(d.Unlock(t.Context()))
	l.Await(shoe.Unlocked)
	must(sim.Trouble(shoesim.Overdraw, true))
	if e := l.Await(shoe.AlarmRaised); e.Code != "overdraw" {
		t.Errorf("raised %s", e.Code)
	}
	must(d.ClearError(t.Context(), 2))
	if e := l.Await(shoe.AlarmCleared); e.Code != "overdraw" {
		t.Errorf("cleared %s", e.Code)
	}
	must(d.Confirm(t.Context()))
	l.Cards(shoetest.Draw(t, sim, 2)...)
	if err := d.ClearError(t.Context(), 100); err == nil {
		t.Error("error 100 was cleared")
	}
	if s := d.Stats(); s.Unknown != 0 || s.Damaged != 0 || s.Events == 0 {
		t.Errorf("stats %+v", s)
	}
}

// A table that ends leaves the shoe unlocked, and one that has locked nothing sends nothing.
func TestFarewell(t *testing.T) {
	for _, lock := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			var said atomic.Int32
			sim := shoetest.NewUnacked(t, shoesim.Options{
				Kind: shoesim.AngelEye, Memory: true,
				FromHost: func(p []byte) []byte {
					said.Add(int32(len(p)))
					return p
				},
			})
			d := New(shoe.Options{Open: sim.Open, Commands: true, Log: silent})
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			up := make(chan struct{}, 1)
			go func() {
				ended <- d.Run(ctx, func(e shoe.Event) {
					if e.Kind == shoe.Up {
						up <- struct{}{}
					}
				})
			}()
			<-up
			if lock {
				if err := d.Lock(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			before := said.Load()
			stop()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("Run returned %v", err)
			}
			if _, err := sim.Draw(); err != nil {
				t.Errorf("the shoe gives no card: %v", err)
			}
			if told := said.Load() - before; (told > 0) != lock {
				t.Errorf("locked %t: %d bytes were written at the end", lock, told)
			}
		})
	}
}

// Every alarm that the shoe can raise, and no other, leads back to its code.
func TestErrors(t *testing.T) {
	for code := range 64 {
		r := report{n: 2}
		r.data[0], r.data[1] = 'E', 0xC0|byte(code)
		if got, is := Error(alarm(&r)); got != code || !is {
			t.Errorf("error %d is the alarm %s, which is error %d, %t", code, alarm(&r), got, is)
		}
	}
	for _, other := range []string{"", "copies-differ", "error-", "error-x"} {
		if _, is := Error(other); is {
			t.Errorf("the alarm %q is an error of the shoe", other)
		}
	}
}

// Unless commands are allowed nothing is ever written.
func TestReadOnly(t *testing.T) { synctest.Test(t, readOnly) }

func readOnly(t *testing.T) {
	sim := shoetest.NewUnacked(t, shoesim.Options{
		Kind: shoesim.AngelEye, Memory: true,
		FromHost: func(p []byte) []byte {
			t.Errorf("% x was written to the shoe", p)
			return p
		},
	})
	d := New(shoe.Options{Open: sim.Open, Log: silent})
	l := shoetest.RunUnacked(t, sim, d)
	l.Up()
	for name, err := range map[string]error{
		"lock": d.Lock(t.Context()), "unlock": d.Unlock(t.Context()), "clear": d.ClearError(t.Context(), 1),
		"confirm": d.Confirm(t.Context()),
	} {
		if !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: %v", name, err)
		}
	}
	l.Cards(shoetest.Draw(t, sim, 3)...)
}

// play runs a driver on an exchange.
func play(t *testing.T, lines string, test func(d *Driver)) {
	synctest.Test(t, func(t *testing.T) {
		port := newExchange(t, lines)
		opened := make(chan struct{}, 1)
		d := New(shoe.Options{Commands: true, Log: silent, Open: func(context.Context) (device.Port, error) {
			opened <- struct{}{}
			return port, nil
		}})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- d.Run(ctx, func(shoe.Event) {}) }()
		synctest.Wait()
		test(d)
		cancel()
		<-ended
	})
}

// What is sent to the shoe. At the end one that may be locked is unlocked.
const (
	lockSaid   = "> 02 4f 50 4c 4b 30 32 03 31 42\n"
	unlockSaid = "> 02 4f 50 4c 4b 30 31 03 31 38\n"
)

// What a shoe can answer, even in the middle of its reports.
func TestAnswers(t *testing.T) {
	for name, tc := range map[string]struct {
		recording string
		want      string // of the error; empty for none
	}{
		"obeyed":         {lockSaid + "< 06\n" + unlockSaid + "< 06\n", ""},
		"busy":           {lockSaid + "< 15 21\n", "the shoe is busy"},
		"in two pieces":  {lockSaid + "< 15\n< 13\n", "the command is unknown"},
		"unknown reason": {lockSaid + "< 15 7f\n", "code 7F): for an unknown reason"},
		"reason is lost": {lockSaid + "< 15 05 31 50 03 36 32\n", "no reason given"},
		"no answer":      {lockSaid + unlockSaid + "< 06\n", ErrNoAnswer.Error()},
		"in a report":    {lockSaid + "< 05 06 50 03\n< 35 35 06\n" + unlockSaid + "< 06\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, tc.recording, func(d *Driver) {
				err := d.Lock(context.Background())
				if tc.want == "" && err != nil || tc.want != "" &&
					(err == nil || !strings.Contains(err.Error(), tc.want)) {
					t.Errorf("%v, want %q", err, tc.want)
				}
			})
		})
	}
}

// One command at a time; an answer that comes too late belongs to no command.
func TestOneCommandAtATime(t *testing.T) {
	play(t, lockSaid+unlockSaid+"< 06\n", func(d *Driver) {
		first := make(chan error, 1)
		go func() { first <- d.Lock(context.Background()) }()
		synctest.Wait()
		if err := d.Unlock(context.Background()); !errors.Is(err, ErrBusy) {
			t.Errorf("a second command gives %v", err)
		}
		if err := <-first; !errors.Is(err, ErrNoAnswer) {
			t.Errorf("the first command gives %v", err)
		}
		d.answered(answer{refused: true})
		if err := d.Unlock(context.Background()); err != nil {
			t.Errorf("the next command gives %v", err)
		}
	})
	play(t, lockSaid+unlockSaid+"< 06\n", func(d *Driver) {
		ctx, cancel := context.WithTimeout(context.Background(), answerWithin/2)
		defer cancel()
		if err := d.Lock(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("an impatient command gives %v", err)
		}
	})
	play(t, "", func(d *Driver) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		for _, command := range []func(context.Context) error{d.Lock, d.Unlock, d.Confirm} {
			if err := command(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("after the end: %v", err)
			}
		}
	})
}
