package beetek

import (
	"embed"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/internal/testkit/datatest"
	"github.com/sabot-table/sabot/internal/testkit/shoetest"
)

//go:embed testdata/text
var testdata embed.FS

// TestText plays the files of testdata/text:
//
//	shoe     a fresh decoder hears the lines below, each by itself; the ends of the
//	         lines are not sent, and \x81 is a byte in hex
//	then     the same decoder hears more
//	pause    nothing comes for a while
//	reopened the port was closed and opened again
//
// The output shows events, what is to be logged, and what was counted besides plain messages.
func TestText(t *testing.T) {
	datatest.Each(t, testdata, "testdata/text", func(t *testing.T, path string) {
		var b *shoetest.UnackedBench
		datatest.Run(t, testdata, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "shoe":
				b = &shoetest.UnackedBench{Decoder: new(Decoder)}
			case "then":
			case "pause":
				b.Quiet()
			case "reopened":
				b.Decoder.Reset()
			default:
				d.Fatalf(t, "unknown command %q", d.Cmd)
			}
			for line := range strings.Lines(d.Input) {
				b.Feed(unescape(t, d, strings.TrimSuffix(line, "\n")))
			}
			return b.Told()
		})
	})
}

func unescape(t *testing.T, d *datadriven.TestData, line string) []byte {
	t.Helper()
	plain, err := strconv.Unquote(`"` + strings.ReplaceAll(line, `"`, `\"`) + `"`)
	if err != nil {
		d.Fatalf(t, "%q: %v", line, err)
	}
	return []byte(plain)
}
