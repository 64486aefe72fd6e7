package devicetest

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
)

// TestFaults: what a real display would not understand is noticed.
func TestFaults(t *testing.T) {
	const eight = 0x30
	pulse := []byte{eight, eight | enable, eight}
	for _, c := range []struct {
		name  string
		bytes []byte
		after time.Duration // power-on
		want  string
	}{
		{"good", pulse, settling, ""},
		{"no wait for the power", pulse, 20 * time.Millisecond, "too early after: power"},
		{"no wait after the first half", append(pulse, pulse...), settling, "too early after: function bits=8"},
		{
			"RS comes with E",
			[]byte{eight, eight | enable | registerSelect, eight | registerSelect},
			settling,
			"RS or R/W changes together with E",
		},
		{"data go with E", []byte{eight, eight | enable, 0}, settling, "the lines change while E falls"},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := NewDisplay(0x27, 1)
			if err := d.Tx(0x27, []byte{registerSelect | readNotWrite, 0}, nil); err != nil {
				t.Fatal(err)
			}
			bubble.Pass(c.after)
			if err := d.Tx(0x27, c.bytes, nil); err != nil {
				t.Fatal(err)
			}
			got := strings.Join(d.Faults(), "; ")
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("%s: the faults are %q, want %q", c.name, got, c.want)
			}
		})
	}
}

// TestUntouched: a display that was never started shows nothing, not even blanks in its memory.
func TestUntouched(t *testing.T) {
	d := NewDisplay(0x3F, 7)
	if rows, lit := d.Screen(); strings.TrimSpace(strings.Join(rows[:], "")) != "" || !lit {
		t.Errorf("shows %q, light %t", rows, lit)
	}
	if err := d.Tx(0x27, []byte{0}, nil); err == nil {
		t.Error("it answers at another address")
	}
}
