package client

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
)

// Whatever a stream holds, reading it ends with an error that says why, and each
// view it delivers was a line of data.
func FuzzRead(f *testing.F) {
	f.Add("id: 7\ndata: {\"seq\":7}\n\n")
	f.Add("event: beat\ndata:\n\n")
	f.Add("data: {\"boxes\":[{\"hands\":[{\"cards\":[\"TH\",\"??\",\"JOKER\"]}]}]}\n\n")
	f.Add("data: {\"aside\":[\"1X\"]}\n\n")
	f.Add("data: \r\ndata\n:\n\n\x00")
	f.Fuzz(func(t *testing.T, stream string) {
		views, lines := 0, 0
		err := read(strings.NewReader(stream), func(display.View) { views++ }, func() { lines++ })
		if err == nil {
			t.Error("the stream ended without a reason")
		}
		if data := strings.Count("\n"+stream, "\ndata: "); views > data || views > lines {
			t.Errorf("%d views from %d lines of data", views, data)
		}
	})
}
