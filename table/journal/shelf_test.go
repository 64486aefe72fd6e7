package journal

import (
	"io"
	"runtime"
	"strings"
	"testing"
)

// endless is a text without an end.
type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

// TestReadPart: of a part that is too long a command takes little more than the most that a part has, however long it
// is; one that is not too long is read whole.
func TestReadPart(t *testing.T) {
	for _, size := range []int{0, 1, 64 << 10, 64<<10 + 1, 9 << 20, mostPart} {
		want := strings.Repeat("a record\n", size/9+1)[:size]
		got, err := readPart(strings.NewReader(want))
		if err != nil || string(got) != want {
			t.Errorf("of %d bytes %d are read: %v", size, len(got), err)
		}
	}
	if _, err := readPart(io.LimitReader(endless{}, mostPart+1)); err == nil {
		t.Error("a part that is a byte too long is read")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := readPart(endless{})
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > mostPart+8<<20 {
		t.Errorf("a part without an end took %d MB: %v", took>>20, err)
	}
}
