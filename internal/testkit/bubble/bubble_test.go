package bubble

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestPass: time passes in a bubble, and what is due then happens. Outside of one nobody waits.
func TestPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, rang := time.Now(), false
		time.AfterFunc(time.Hour, func() { rang = true })
		Settle(time.Hour)
		Pass(time.Hour)
		if got := time.Since(begun); got != 2*time.Hour || !rang {
			t.Errorf("%v passed, rang %t", got, rang)
		}
	})
	begun := time.Now()
	defer func() {
		if took := time.Since(begun); recover() == nil || took > 10*time.Minute {
			t.Errorf("outside of a bubble it waited %v", took)
		}
	}()
	Pass(time.Hour)
}
