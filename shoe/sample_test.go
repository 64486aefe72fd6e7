package shoe_test

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/device"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/shoe"
)

// TestSample: a sample keeps the end of what came, however it is cut, and counts all of it.
func TestSample(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s shoe.Sample
		var all []byte
		for _, p := range rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 1500)).Draw(t, "pieces") {
			s.Add(p, device.Losses{Framing: 1})
			all = append(all, p...)
		}
		end := all[max(0, len(all)-512):]
		if !bytes.Equal(s.Bytes, end) || s.Received != uint64(len(all)) {
			t.Fatalf("of %d bytes it keeps %d, and counts %d", len(all), len(s.Bytes), s.Received)
		}
		if cap(s.Bytes) > 2048 {
			t.Fatalf("it grew to %d bytes", cap(s.Bytes))
		}
		s.Reset()
		if len(s.Bytes) != 0 || s.Received != 0 || s.Misframed != 0 || s.Unprintable != 0 {
			t.Fatalf("after a reset it is %+v", s)
		}
	})
}

func TestSampleShown(t *testing.T) {
	var s shoe.Sample
	s.Add(slices.Repeat([]byte{'x'}, 100), device.Losses{})
	s.Add([]byte("<\x05\r\xff"), device.Losses{Framing: 2, Breaks: 1, Overruns: 9})
	want := "78 78 78 78 78 78 78 78 78 78 78 78 78 78 78 78 78 78 78 78 78 78 78 78 78 78 78 78 3c 05 0d ff " +
		"|xxxxxxxxxxxxxxxxxxxxxxxxxxxx<...|"
	if got := s.Last().Error(); got != want {
		t.Errorf("it shows %s, not %s", got, want)
	}
	if s.Misframed != 3 || s.Unprintable != 2 {
		t.Errorf("it counts %d bytes without stop bits, %d of no text", s.Misframed, s.Unprintable)
	}
}
