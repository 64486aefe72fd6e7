// Package bubble lets time pass in a bubble of testing/synctest, where waiting takes none.
package bubble

import (
	"fmt"
	"syscall"
	"testing/synctest"
	"time"
)

// Pass lets so much of the bubble's time pass. Outside of a bubble a test would wait, so there it panics.
func Pass(d time.Duration) {
	if !inside() {
		panic(fmt.Sprintf("bubble.Pass(%v) outside of a bubble of synctest: the test would wait as long", d))
	}
	time.Sleep(d)
}

// Settle lets time pass, and returns when everything that is due by then was done.
func Settle(d time.Duration) {
	synctest.Wait()
	Pass(d)
	synctest.Wait()
}

// near is how far the clock of a bubble is from the kernel's at least: it begins at the year 2000.
const near = time.Hour

// inside asks the kernel, whose clock no bubble changes.
func inside() bool {
	var kernel syscall.Timeval
	if err := syscall.Gettimeofday(&kernel); err != nil {
		panic(fmt.Sprintf("bubble: the kernel does not tell the time: %v", err))
	}
	return time.Since(time.Unix(kernel.Unix())).Abs() > near
}
