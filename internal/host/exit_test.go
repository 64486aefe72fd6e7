package host_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/sabot"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// commanded is a table in a bubble of testing/synctest whose shoe is of some make.
type commanded struct {
	*host.Daemon
	t    *testing.T
	path string
	shoe *shoesim.Shoe
	end  func()

	mu   sync.Mutex
	said []byte // to the shoe
}

func startCommanded(t *testing.T, make shoesim.Kind, commands bool) *commanded {
	t.Helper()
	s := newCommanded(t, make)
	s.start(commands)
	return s
}

// newCommanded is a shoe whose table has not started.
func newCommanded(t *testing.T, make shoesim.Kind) *commanded {
	t.Helper()
	s := &commanded{t: t, path: filepath.Join(processes.FastDir(t), "journal")}
	t.Cleanup(func() { bubble.Settle(time.Minute) }) // what table and shoe have left behind ends
	shoe, err := shoesim.New(shoesim.Options{Kind: make, Seed: 11, Memory: true, FromHost: func(p []byte) []byte {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.said = append(s.said, p...)
		return p
	}})
	if err != nil {
		t.Fatal(err)
	}
	s.shoe = shoe
	t.Cleanup(func() {
		if err := shoe.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// start starts the table, and returns when nothing is to come from the shoe by itself: a
// shoe that keeps no card has the round held if it says in its midst that it has started.
func (s *commanded) start(commands bool) {
	s.t.Helper()
	s.shoeIs("quiet", func(is shoesim.State) bool { return s.shoe.Kind() == shoesim.Sabot || is.Quiet })
	t, make := s.t, s.shoe.Kind()
	c := config.Default()
	c.Site, c.Table, c.House = "test", "bj-1", "schaffhausen"
	c.Shoe.Driver, c.Shoe.Port, c.Shoe.Commands = string(make), "/dev/simulated", commands
	c.Journal.Path, c.Web.Listen = s.path, "127.0.0.1:0"
	c.Supervisors.Proof = authority.None
	outside := host.Outside{Shoe: s.shoe.Open, Page: bubble.Listen()}
	d, err := host.Open(c, profile.Built(), "test", slog.New(slog.DiscardHandler), host.WithOutside(outside))
	if err != nil {
		t.Fatal(err)
	}
	s.Daemon = d
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := goRun(ctx, s.Daemon)
	s.end = sync.OnceFunc(func() {
		stop()
		if err := errors.Join(<-ended, s.Close()); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(s.end)
	s.shows("the shoe", func(v display.View) bool { return v.Seq > 0 && v.Shoe.Online && v.Held == nil })
	if make != shoesim.Sabot {
		brokertest.Until(t, "the start without a round is on record", func() bool {
			return s.recorded(`"code":"gap between rounds"`)
		})
	}
}

// recorded says whether the journal has an input with this in it.
func (s *commanded) recorded(text string) bool {
	j, err := journal.OpenReadOnly(s.path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer j.Close()
	for r, err := range j.Records(1) {
		if err != nil {
			s.t.Fatal(err)
		}
		if strings.Contains(string(r.Input), text) {
			return true
		}
	}
	return false
}

func goRun(ctx context.Context, d *host.Daemon) <-chan error {
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	return ended
}

func (s *commanded) shows(what string, wanted func(display.View) bool) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), processes.Deadline)
	defer cancel()
	if v, err := s.Board.Await(ctx, wanted); err != nil {
		s.t.Fatalf("no screen shows %s: %+v", what, v)
	}
}

// shoeIs waits until the shoe is so.
func (s *commanded) shoeIs(what string, is func(shoesim.State) bool) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), processes.Deadline)
	defer cancel()
	if _, err := s.shoe.Await(ctx, is); err != nil {
		s.t.Fatalf("the shoe is not %s: %v", what, err)
	}
}

func (s *commanded) put(inputs ...vocab.Input) {
	s.t.Helper()
	for _, in := range inputs {
		if answer, err := s.Submit(s.t.Context(), in); err != nil || answer.Rejected != 0 {
			s.t.Fatalf("%s was refused: %s, %v", in.Kind, answer.Rejected, err)
		}
	}
}

// told is what was said to the shoe so far.
func (s *commanded) told() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.said)
}

// draw draws a card as soon as the shoe gives one.
func (s *commanded) draw() {
	s.t.Helper()
	before, _ := s.Board.Look()
	s.shoeIs("free", func(is shoesim.State) bool { return !is.Locked })
	if _, err := s.shoe.Draw(); err != nil {
		s.t.Fatal(err)
	}
	s.shows("the card", func(v display.View) bool { return v.Shoe.Dealt > before.Shoe.Dealt })
}

// play plays until somebody on box 1 decides, and calls look at each new state of the
// table: with the bets to be opened, a card due, a call due.
func (s *commanded) play(look func()) {
	s.t.Helper()
	look()
	s.put(vocab.Input{Kind: vocab.InOpen}, vocab.Input{
		Kind: vocab.InStake, Box: 1, Bettor: "a",
		Wager: vocab.WagerMain,
	}, vocab.Input{Kind: vocab.InClose})
	for range 3 {
		look()
		s.draw()
	}
	look()
}

func inBubble(t *testing.T, name string, test func(*testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

// TestExitFollows: the shoe's lock and lamp are as those of the panel, where its make has
// them and they are allowed; in the end the exit is free, and the lamp dark.
func TestExitFollows(t *testing.T) {
	lights := map[panel.Lights]wire.Light{
		{Amber: panel.On, Locked: true}: wire.LightAmber, {Green: panel.On}: wire.LightGreen,
		{Red: panel.On, Locked: true}: wire.LightRed,
	}
	for _, c := range []struct {
		make            shoesim.Kind
		commands        bool
		locks, lit, any bool
	}{
		{make: shoesim.Sabot, commands: true, locks: true, lit: true, any: true},
		{make: shoesim.Sabot, lit: true, any: true},
		{make: shoesim.AngelEye, commands: true, locks: true, any: true},
		{make: shoesim.AngelEye},
		{make: shoesim.BeeTek},
	} {
		inBubble(t, fmt.Sprint(c.make, " ", c.commands), func(t *testing.T) {
			s := startCommanded(t, c.make, c.commands)
			locked := map[bool]int{}
			follows := func() {
				v, _ := s.Board.Look()
				want := panel.Light(v)
				s.shoeIs(fmt.Sprintf("as the panel, %+v", want), func(is shoesim.State) bool {
					return is.Locked == (c.locks && want.Locked) && (!c.lit || is.Light == lights[want])
				})
				locked[want.Locked]++
			}
			s.play(follows)
			if c.make != shoesim.BeeTek {
				if err := s.shoe.Trouble(shoesim.ReversePull, true); err != nil {
					t.Fatal(err)
				}
				s.shows("the alarm", func(v display.View) bool { return v.Held != nil })
				follows()
			}
			if locked[true] < 2 || locked[false] < 3 {
				t.Errorf("the table wanted the exit locked or free %v times", locked)
			}
			s.end()
			s.shoeIs("free and dark in the end", func(is shoesim.State) bool {
				return !is.Locked && is.Light == wire.LightOff
			})
			if said := s.told(); (said != "") != c.any {
				t.Errorf("%q was said to the shoe", said)
			}
		})
	}
}

// TestExitAfterALostLink: a shoe that was away, or lost its power, is as the table has
// it once it is back.
func TestExitAfterALostLink(t *testing.T) {
	for _, make := range []shoesim.Kind{shoesim.Sabot, shoesim.AngelEye} {
		inBubble(t, string(make), func(t *testing.T) {
			s := startCommanded(t, make, true)
			isLocked := func(is shoesim.State) bool { return is.Locked }
			s.shoeIs("locked", isLocked)
			for _, step := range []func() error{s.shoe.Unplug, s.shoe.Reboot} {
				if err := step(); err != nil {
					t.Fatal(err)
				}
			}
			s.shows("the loss", func(v display.View) bool { return !v.Shoe.Online })
			if s.shoe.State().Locked {
				t.Fatal("a shoe that has just started is locked")
			}
			if err := s.shoe.Replug(); err != nil {
				t.Fatal(err)
			}
			s.shows("the shoe", func(v display.View) bool { return v.Shoe.Online })
			s.shoeIs("locked again", isLocked)
		})
	}
}

// TestLockLeftBehind: a lock that a killed table has left is taken back by one that may
// lock nothing itself.
func TestLockLeftBehind(t *testing.T) { synctest.Test(t, lockLeftBehind) }

func lockLeftBehind(t *testing.T) {
	s := newCommanded(t, shoesim.Sabot)
	killed := sabot.New(shoe.Options{Open: s.shoe.Open, Commands: true, Log: slog.New(slog.DiscardHandler)})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- killed.Run(ctx, func(shoe.Event) {}) }()
	if err := killed.SetLock(ctx, true); err != nil {
		t.Fatal(err)
	}
	s.shoeIs("locked", func(is shoesim.State) bool { return is.Locked })
	if err := s.shoe.Unplug(); err != nil {
		t.Fatal(err)
	}
	stop()
	<-ended
	if !s.shoe.State().Locked {
		t.Fatal("the shoe has lost its lock with the cable")
	}
	if err := s.shoe.Replug(); err != nil {
		t.Fatal(err)
	}
	s.start(false)
	s.shoeIs("free", func(is shoesim.State) bool { return !is.Locked })
}

// TestAlarmPutRight: an error that a supervisor has put right is cleared at the shoe, and
// the shoe goes on; one that the shoe takes back itself is left alone.
func TestAlarmPutRight(t *testing.T) { synctest.Test(t, alarmPutRight) }

func alarmPutRight(t *testing.T) {
	s := startCommanded(t, shoesim.AngelEye, true)
	raise := func(on bool) {
		t.Helper()
		if err := s.shoe.Trouble(shoesim.Overdraw, on); err != nil {
			t.Fatal(err)
		}
		s.shows("the alarm", func(v display.View) bool { return (v.Shoe.Alarm == "overdraw") == on })
	}
	raise(true)
	raise(false)
	if said := s.told(); strings.Contains(said, "OPEC") || strings.Contains(said, "OPGP") {
		t.Errorf("before anything was put right, %q was said", said)
	}
	raise(true)
	s.put(vocab.Input{Kind: vocab.InResolve, With: irregularity.Accept, Role: vocab.Supervisor, By: "anna"})
	cleared := regexp.MustCompile("OPEC02\x03..\x02OPGP00")
	brokertest.Until(t, "the error is cleared, and the game confirmed", func() bool {
		return cleared.MatchString(s.told())
	})
	s.shows("no alarm", func(v display.View) bool { return v.Held == nil })
	if n := strings.Count(s.told(), "OPEC"); n != 1 {
		t.Errorf("errors were cleared %d times", n)
	}
}
