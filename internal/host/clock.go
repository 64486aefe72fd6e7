package host

import (
	"context"

	"github.com/sabot-table/sabot/table/vocab"
)

// WithClockNoted is an Option that puts on record when the computer's clock follows no other, and when it does again.
func WithClockNoted() Option { return func(d *Daemon) { d.program.computer.clock = make(chan bool) } }

// noteClock puts on record whether times are right from now on, until ctx ends. The one who looks does not do it:
// nobody waits for that one, and a table that has ended writes nothing any more.
func (d *Daemon) noteClock(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case follows := <-d.program.computer.clock:
			code := vocab.ClockFree
			if follows {
				code = vocab.ClockFollows
				d.log.Info("the clock follows another again: times on record are right from here")
			} else {
				d.log.Warn("THE CLOCK FOLLOWS NO OTHER: times on record may be wrong until it does")
			}
			d.record(from(vocab.FromProgram, "", vocab.Input{Kind: vocab.InNote, Code: code}))
		}
	}
}
