package device

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
)

func TestKeepReconnectsAfterUnplugging(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	path := filepath.Join(t.TempDir(), "shoe")
	far := plugIn(t, path)
	var changes []string
	received := make(chan byte)
	kept := make(chan error, 1)
	go func() {
		kept <- Keep(ctx, opener(t, path, Settings{}), func(err error) { changes = append(changes, kindOf(err)) },
			func(ctx context.Context, port Port) error { return receive(ctx, port, received) })
	}()
	for i := range byte(3) {
		if _, err := far.Write([]byte{i}); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-received:
			if got != i {
				t.Fatalf("received %d, want %d", got, i)
			}
		case <-ctx.Done():
			t.Fatalf("byte %d never came", i)
		}
		far.Close()
		far = plugIn(t, path)
	}
	cancel()
	if err := <-kept; !errors.Is(err, context.Canceled) {
		t.Errorf("Keep returned %v", err)
	}
	opened, gone := 0, 0
	for _, c := range changes {
		switch c {
		case "open":
			opened++
		case "gone":
			gone++
		}
	}
	if opened < 3 || gone < 2 || changes[0] != "open" || changes[1] != "gone" {
		t.Errorf("told of %v; want open and gone in turn", changes)
	}
}

func kindOf(err error) string {
	switch {
	case err == nil:
		return "open"
	case errors.Is(err, ErrGone):
		return "gone"
	default:
		return err.Error()
	}
}

// receive passes each byte on until the port fails.
func receive(ctx context.Context, port Port, received chan<- byte) error {
	buf := make([]byte, 1)
	for {
		_, err := port.Read(buf)
		if errors.Is(err, ErrTimeout) {
			continue
		}
		if err != nil {
			return err
		}
		select {
		case received <- buf[0]:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// scriptedPort is a port whose Read waits for Close.
type scriptedPort struct{ closed chan struct{} }

func newScriptedPort() *scriptedPort { return &scriptedPort{closed: make(chan struct{})} }

func (p *scriptedPort) Read([]byte) (int, error)    { <-p.closed; return 0, ErrClosed }
func (p *scriptedPort) Write(b []byte) (int, error) { return len(b), nil }
func (p *scriptedPort) String() string              { return "scripted" }
func (p *scriptedPort) Close() error {
	select {
	case <-p.closed:
	default:
		close(p.closed)
	}
	return nil
}

func TestKeepWaitsLongerAndTellsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		begun := time.Now()
		var attempts []time.Duration
		answers := []error{ErrNotFound, ErrNotFound, ErrNotFound, ErrBusy, ErrBusy, ErrBusy, ErrNotFound}
		open := func(context.Context) (Port, error) {
			attempts = append(attempts, time.Since(begun))
			err := answers[len(attempts)-1]
			if len(attempts) == len(answers) {
				cancel()
			}
			return nil, err
		}
		var told []error
		err := Keep(ctx, open, func(err error) { told = append(told, err) }, nil)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Keep returned %v", err)
		}
		const ms = time.Millisecond
		if want := []time.Duration{
			0, 100 * ms, 300 * ms, 700 * ms, 1500 * ms, 3100 * ms,
			5100 * ms,
		}; !reflect.DeepEqual(attempts, want) {
			t.Errorf("tried at %v, want %v", attempts, want)
		}
		if want := []error{ErrNotFound, ErrBusy}; !reflect.DeepEqual(told, want) {
			t.Errorf("told of %v, want %v", told, want)
		}
	})
}

func TestKeepIsQuickAgainAfterAGoodPort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		begun := time.Now()
		var opened []time.Duration
		uses := []time.Duration{0, 0, 0, time.Minute, 0, 0}
		open := func(context.Context) (Port, error) {
			opened = append(opened, time.Since(begun).Round(time.Millisecond))
			return newScriptedPort(), nil
		}
		var told []error
		Keep(ctx, open, func(err error) { told = append(told, err) }, func(context.Context, Port) error {
			if len(opened) == len(uses) {
				cancel()
			}
			bubble.Pass(uses[len(opened)-1])
			return nil
		})
		const ms = time.Millisecond
		want := []time.Duration{0, 100 * ms, 300 * ms, 700 * ms, time.Minute + 800*ms, time.Minute + 1000*ms}
		if !reflect.DeepEqual(opened, want) {
			t.Errorf("opened at %v, want %v", opened, want)
		}
		if len(told) != 11 || told[0] != nil || told[1] != errUnused || told[10] != nil {
			t.Errorf("told of %v", told)
		}
	})
}

func TestKeepClosesThePortWhenItEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		port := newScriptedPort()
		kept := make(chan error, 1)
		go func() {
			kept <- Keep(ctx, func(context.Context) (Port, error) { return port, nil }, func(error) {},
				func(_ context.Context, p Port) error {
					_, err := io.ReadAll(p)
					return err
				})
		}()
		synctest.Wait()
		cancel()
		if err := <-kept; !errors.Is(err, context.Canceled) {
			t.Errorf("Keep returned %v", err)
		}
		<-port.closed
	})
}
