package angeleye

import (
	"bytes"
	"embed"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/internal/testkit/datatest"
	"github.com/sabot-table/sabot/internal/testkit/shoetest"
)

//go:embed testdata/wire
var testdata embed.FS

// TestWire plays the files of testdata/wire:
//
//	shoe       a fresh decoder hears the bytes below; each line is one piece. The line
//	           LATER lets so much time pass that no copies can come any more
//	known      the same with a decoder that has heard all numbers from 0 to 9, long before
//	then       the same decoder hears more
//	pass ms=N  time passes
//	pause      nothing comes for a while
//	reopened   the port was closed and opened again
//	recorded ago=N
//	           a fresh decoder that starts N ms after these reports were put on record
//
// A byte is two hex digits, or the name of a control character; '1D' are characters. BCC is the correct checksum of
// what precedes it, from the first ENQ on. A line that ends in x3 is sent three times.
//
// The output shows events, what is to be logged, and what was counted besides plain reports.
func TestWire(t *testing.T) {
	datatest.Each(t, testdata, "testdata/wire", func(t *testing.T, path string) {
		var b *shoetest.UnackedBench
		datatest.Run(t, testdata, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "shoe":
				b = &shoetest.UnackedBench{Decoder: new(Decoder)}
			case "known":
				known := new(Decoder)
				learn(known, rings[0], 1)
				b = &shoetest.UnackedBench{Decoder: known}
				b.Told()
				b.Pass(2 * repeatWithin)
			case "recorded":
				var ago int
				d.ScanArgs(t, "ago", &ago)
				fresh := new(Decoder)
				for line := range strings.Lines(d.Input) {
					p, err := piece(strings.TrimSpace(line))
					if err != nil {
						d.Fatalf(t, "%s: %v", line, err)
					}
					fresh.Recall(string(p), time.Duration(ago)*time.Millisecond)
				}
				fresh.Reset()
				b = &shoetest.UnackedBench{Decoder: fresh}
				return b.Told()
			case "then":
			case "pass":
				var ms int
				d.ScanArgs(t, "ms", &ms)
				b.Pass(time.Duration(ms) * time.Millisecond)
			case "pause":
				b.Quiet()
			case "reopened":
				b.Decoder.Reset()
			default:
				d.Fatalf(t, "unknown command %q", d.Cmd)
			}
			for line := range strings.Lines(d.Input) {
				if line == "LATER\n" {
					b.Pass(repeatWithin)
					continue
				}
				p, err := piece(strings.TrimSpace(line))
				if err != nil {
					d.Fatalf(t, "%s: %v", line, err)
				}
				b.Feed(p)
			}
			return b.Told()
		})
	})
}

var controls = map[string]byte{"STX": stx, "ETX": etx, "ENQ": enq, "ACK": ack, "NAK": nak}

// piece reads a line of bytes.
func piece(line string) (p []byte, err error) {
	line, thrice := strings.CutSuffix(line, " x3")
	for word := range strings.FieldsSeq(line) {
		control, named := controls[word]
		switch {
		case named:
			p = append(p, control)
		case word == "BCC":
			p = fmt.Appendf(p, "%02X", xor(p[bytes.IndexByte(p, enq)+1:]))
		case strings.HasPrefix(word, "'"):
			p = append(p, strings.Trim(word, "'")...)
		default:
			b, err := hex.DecodeString(word)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", word, err)
			}
			p = append(p, b...)
		}
	}
	if thrice {
		p = append(append(append([]byte{}, p...), p...), p...)
	}
	return p, nil
}
