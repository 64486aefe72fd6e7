package system

import (
	"testing"
	"time"
)

// Zone is a time zone by its name. A test of whose clock is shown takes "Pacific/Kiritimati", since no machine has it.
func Zone(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatalf("%v; apt-get install tzdata", err)
	}
	return zone
}
