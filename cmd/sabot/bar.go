package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// bar shows the progress of a long command on a terminal. Elsewhere it shows nothing.
type bar struct {
	out   io.Writer // nil: show nothing
	began time.Time
	drawn time.Time
}

// barEvery is the time between two drawings.
const barEvery = 100 * time.Millisecond

// newBar returns a bar, which shows something only at a terminal and unless quiet.
func newBar(e env, quiet bool) *bar {
	b := &bar{began: time.Now()}
	if !quiet && toTerminal(e.err) {
		b.out = e.err
	}
	return b
}

// show draws the bar, at most every barEvery.
func (b *bar) show(done, total uint64) {
	now := time.Now()
	if b.out == nil || total == 0 || now.Sub(b.drawn) < barEvery {
		return
	}
	b.drawn = now
	const width = 40
	full := int(done * width / total)
	left := time.Duration(float64(now.Sub(b.began)) / float64(max(done, 1)) * float64(total-done)).Round(time.Second)
	fmt.Fprintf(b.out, "\r[%s%s] %3d %%, %s left ", strings.Repeat("#", full), strings.Repeat(" ", width-full), done*100/total, left)
}

// clear removes the bar from the terminal.
func (b *bar) clear() {
	if b.out != nil && !b.drawn.IsZero() {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}
