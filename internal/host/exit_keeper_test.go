package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/shoe"
)

// stubbornExit is an exit that does not do as it is told while fails says why.
type stubbornExit struct {
	mu    sync.Mutex
	fails error
	done  []string
}

func (e *stubbornExit) do(what string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.done = append(e.done, what)
	return e.fails
}

func (e *stubbornExit) fail(why error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.fails = why
}

// told is what the exit was told by now.
func (e *stubbornExit) told() []string {
	synctest.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.done)
}

func (e *stubbornExit) SetLock(_ context.Context, locked bool) error {
	return e.do(fmt.Sprint("locked ", locked))
}

func (e *stubbornExit) SetLamp(wire.Light) {}

func (e *stubbornExit) PutRight(_ context.Context, alarm string) error { return e.do("right " + alarm) }

// keeping has a keeper at work on an exit; stop returns what was logged.
func keeping(t *testing.T, e shoe.Exit, alarm string) (k *exitKeeper, board *Board, stop func() string) {
	t.Helper()
	var log strings.Builder
	board = newBoard()
	k = newExitKeeper(e, alarm, board, slog.New(slog.NewTextHandler(&log, nil)))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { k.run(ctx); close(ended) }()
	synctest.Wait()
	return k, board, func() string { cancel(); <-ended; return log.String() }
}

func alarmed(v display.View, alarm string) display.View {
	v.Shoe.Alarm = alarm
	return v
}

// TestExitThatDoesNotFollow is told again and again, but the log only once for each
// cause; that there is no port is the link's to say. Nothing is told twice that was done.
func TestExitThatDoesNotFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &stubbornExit{fails: errors.New("the shoe is busy")}
		_, board, stop := keeping(t, e, "")
		if told := e.told(); len(told) != 0 {
			t.Errorf("before the first view: %v", told)
		}
		board.Show(displaytest.Named("idle"))
		bubble.Settle(2500 * time.Millisecond)
		e.fail(shoe.ErrNoPort)
		bubble.Settle(time.Second)
		e.fail(nil)
		bubble.Settle(time.Second)
		board.Show(displaytest.Named("bets")) // locked as well
		synctest.Wait()
		board.Show(displaytest.Named("deal"))
		if got, want := e.told(), []string{
			"locked true", "locked true", "locked true", "locked true", "locked true",
			"locked false",
		}; !slices.Equal(got, want) {
			t.Errorf("the shoe was told %v", got)
		}
		if log := stop(); strings.Count(log, "\n") != 1 || !strings.Contains(log, "why=\"the shoe is busy\"") {
			t.Errorf("the log has\n%s", log)
		}
	})
}

// TestWhichAlarmsArePutRight: those that hold the table no more, and that the shoe has
// not taken back, each once; also one of before the start, and one behind another.
func TestWhichAlarmsArePutRight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &stubbornExit{}
		k, _, stop := keeping(t, e, "cover")
		held := displaytest.Named("held")
		shows := func(alarm string) { k.durable(alarmed(held, alarm)) }
		raised := func(code string) { k.heard(shoe.Event{Kind: shoe.AlarmRaised, Code: code}) }
		cleared := func(code string) { k.heard(shoe.Event{Kind: shoe.AlarmCleared, Code: code}) }
		for _, step := range []func(){
			func() { shows("cover") },
			func() { shows("") }, // accepted: right cover
			func() { raised("overdraw"); shows("overdraw"); cleared("overdraw"); shows("") },
			func() { raised("overdraw"); shows("overdraw"); raised("card-code"); shows("overdraw") },
			func() { shows("card-code") }, // right overdraw
			func() { shows("") },          // right card-code
			func() { raised("overdraw"); shows("overdraw"); cleared(""); shows("") },
			func() { shows("overdraw"); shows("") }, // that no shoe has raised
		} {
			step()
			synctest.Wait()
		}
		stop()
		if got, want := e.told(), []string{
			"right cover", "right overdraw",
			"right card-code",
		}; !slices.Equal(got, want) {
			t.Errorf("put right were %v", got)
		}
	})
}
