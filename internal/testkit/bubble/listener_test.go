package bubble_test

import (
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
)

// TestSettle: what is due at the end of the time was done, with all that follows from it at once.
func TestSettle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told, done := make(chan struct{}), false
		go func() {
			<-told
			done = true
		}()
		began := time.Now()
		time.AfterFunc(time.Hour, func() { close(told) })
		bubble.Settle(time.Hour)
		if took := time.Since(began); !done || took != time.Hour {
			t.Errorf("after %v it was done: %t", took, done)
		}
	})
}

// TestListener: who dials is accepted, and nobody is once the listener is closed.
func TestListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := bubble.Listen()
		go func() {
			c, err := l.Accept()
			if err != nil {
				t.Error(err)
				return
			}
			io.WriteString(c, c.RemoteAddr().String())
			c.Close()
		}()
		c, err := l.Dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(c); err != nil || string(text) != "127.0.0.1:40000" {
			t.Errorf("%q, %v", text, err)
		}
		for range 2 {
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		}
		if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
		if _, err := l.Dial(t.Context(), "", ""); !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
}
