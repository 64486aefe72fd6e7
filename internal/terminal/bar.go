package terminal

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// Bar shows the progress of a long command on a terminal. Elsewhere it shows nothing.
type Bar struct {
	out   io.Writer // nil: show nothing
	began time.Time
	drawn time.Time
}

// every is the time between two drawings.
const every = 100 * time.Millisecond

// NewBar returns a bar, which shows something only at a terminal and unless quiet.
func NewBar(out io.Writer, quiet bool) *Bar {
	b := &Bar{began: time.Now()}
	if !quiet && atTerminal(out) {
		b.out = out
	}
	return b
}

// Show draws the bar, at most every tenth of a second.
func (b *Bar) Show(done, total uint64) {
	now := time.Now()
	if b.out == nil || total == 0 || now.Sub(b.drawn) < every {
		return
	}
	b.drawn = now
	const width = 40
	full := int(done * width / total)
	left := time.Duration(float64(now.Sub(b.began)) / float64(max(done, 1)) * float64(total-done)).Round(time.Second)
	fmt.Fprintf(b.out, "\r[%s%s] %3d %%, %s left ", strings.Repeat("#", full), strings.Repeat(" ", width-full),
		done*100/total, left)
}

// Clear removes the bar from the terminal.
func (b *Bar) Clear() {
	if b.out != nil && !b.drawn.IsZero() {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}

// atTerminal reports whether w is a terminal, or another device of characters such as /dev/null, which a bar does no
// harm. So no program needs golang.org/x/term for it.
func atTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
