package shoesim

import (
	"time"
)

// lookEvery is how often to check a terminal whose shoe cannot know whether a host is there. What has waited for so
// long is lost: a host that is there reads at once.
const lookEvery = time.Second

// cable is the line's two directions, and its plug.
type cable struct {
	begun    time.Time
	to, from *BadLine
	pulls    bool // the cable is pulled after so many bytes to the host
	after    int
	lookAt   time.Time // when to look at the terminal; zero for never
	waits    bool      // bytes were sent to the host since the last look
	in, out  []byte
}

func newCable(seed uint64, frame func([]byte) int) cable {
	return cable{begun: time.Now(), to: NewBadLine(seed, frame), from: NewBadLine(seed+1, nil)}
}

func (c *cable) now() time.Duration { return time.Since(c.begun) }

// toHost and fromHost take what is sent and return what arrives now.
func (c *cable) toHost(p []byte) []byte {
	c.out = c.to.Carry(c.now(), p, c.out[:0])
	return c.out
}

func (c *cable) fromHost(p []byte) []byte {
	c.in = c.from.Carry(c.now(), p, c.in[:0])
	return c.in
}

// forget drops what is on its way.
func (c *cable) forget() {
	c.to.Forget()
	c.from.Forget()
	c.pulls, c.waits, c.lookAt = false, false, time.Time{}
}

// wait is how long nothing is due on the line.
func (c *cable) wait() time.Duration {
	wait := never
	for _, l := range []*BadLine{c.to, c.from} {
		if at, onWay := l.Wake(); onWay {
			wait = min(wait, at-c.now())
		}
	}
	if !c.lookAt.IsZero() {
		wait = min(wait, time.Until(c.lookAt))
	}
	return wait
}

// sent notes that bytes were sent to a terminal.
func (c *cable) sent() {
	c.waits = true
	c.lookAt = time.Now().Add(lookEvery)
}

// look says whether it is time to look at the terminal again.
func (c *cable) look() bool {
	if time.Now().Before(c.lookAt) {
		return false
	}
	c.waits = false
	c.lookAt = time.Now().Add(lookEvery)
	return true
}

// quiet says that nothing is on its way to the host or waiting for it.
func (c *cable) quiet() bool {
	_, onWay := c.to.Wake()
	return !onWay && !c.waits
}

// pull cuts what arrives where the cable is pulled.
func (c *cable) pull(p []byte) (arrives []byte, pulled bool) {
	if !c.pulls {
		return p, false
	}
	if len(p) < c.after {
		c.after -= len(p)
		return p, false
	}
	return p[:c.after], true
}

// Cable lets the caller do something to the line: to what goes to the host, and to what
// comes from it. now is the time on the line's own clock.
func (s *Shoe) Cable(change func(toHost, fromHost *BadLine, now time.Duration)) error {
	return s.do(func(time.Duration) error {
		change(s.cable.to, s.cable.from, s.cable.now())
		return nil
	})
}

// PullAfter pulls the cable once so many more bytes have been sent to the host: in the middle of a message, say.
func (s *Shoe) PullAfter(bytes int) error {
	return s.do(func(time.Duration) error {
		s.cable.pulls, s.cable.after = true, max(bytes, 0)
		return nil
	})
}

// Garbage puts bytes on the line that neither side sent.
func (s *Shoe) Garbage(bytes int) error {
	return s.do(func(time.Duration) error {
		if s.line == nil {
			return nil
		}
		return s.give(s.cable.to.Garbage(bytes))
	})
}
