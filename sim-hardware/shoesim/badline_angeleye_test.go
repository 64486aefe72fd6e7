package shoesim_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/angeleye"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// TestAngelEyeLosses: the shoe's own record says for each report whether one of its copies arrived whole. Those that
// did are reported, in order, and a gap in their place counts each run of those that did not.
func TestAngelEyeLosses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad := shoesim.FaultRates{Bits: 1e-4, Lost: 0.15, Repeated: 0.01, Cut: 0.1, Run: 0.05, Burst: 0.02}
		all := watch(t, shoesim.AngelEye, bad, func(o shoe.Options) shoe.Shoe { return angeleye.New(o) })
		wire := angelWire{last: -1}
		var got []string
		for _, h := range all {
			switch {
			case h.opened:
				wire.open()
			case h.sent != nil:
				wire.sent(h.sent)
			case h.arrived != nil:
				wire.arrived(h.arrived)
			default:
				got = tell(got, h.event)
			}
		}
		differ(t, "angel-eye", got, wire.shows)
		t.Logf("%d reports in %d copies; %d reports lost in all copies and reported in %d gaps, %d lost with the "+
			"cable; %d damaged copies passed the checksum",
			wire.reports, wire.copies, wire.lost, wire.gaps, wire.unseen, wire.passed)
		if wire.lost == 0 || wire.gaps == 0 || wire.unseen == 0 {
			t.Error("the line was not bad enough to show anything")
		}
	})
}

// angelWire is what the wire can show, derived from what was sent and what arrived.
type angelWire struct {
	shows []string

	line            []byte // what arrived and does not belong to a report yet
	frame           []byte // the report being sent, in its copies
	reports, copies int
	last            int    // the last report that arrived
	believed        []byte // as its first copy had it
	differed        bool   // a later one had it otherwise
	fresh           bool   // the port was opened since

	lost, gaps, unseen, passed int
}

// open: what is missing since the last report to arrive cannot be counted.
func (w *angelWire) open() {
	if len(w.shows) > 0 {
		w.shows = append(w.shows, "down")
	}
	w.shows = append(w.shows, "up angel-eye", "gap unsure")
	w.fresh, w.line = true, nil
}

// sent records one copy. Copies of a report follow each other.
func (w *angelWire) sent(p []byte) {
	for len(p) > 0 {
		n := bytes.IndexByte(p, 0x03) + 3
		if !bytes.Equal(p[:n], w.frame) || w.copies%3 == 0 {
			w.frame = bytes.Clone(p[:n])
			w.reports++
		}
		w.copies++
		p = p[n:]
	}
}

// arrived takes what the host read of the copy just sent. Damage can pass the short checksum: then the copy says
// something else, and the next good one shows it.
func (w *angelWire) arrived(p []byte) {
	w.line = append(w.line, p...)
	for copied, end := valid(w.line); copied != nil; copied, end = valid(w.line) {
		w.line = w.line[end:]
		w.copyCame(copied)
	}
	w.line = w.line[max(len(w.line)-longest, 0):]
}

// copyCame takes an apparently whole copy of the report being sent.
func (w *angelWire) copyCame(copied []byte) {
	if !bytes.Equal(copied, w.frame) {
		w.passed++
	}
	number := w.reports - 1
	if number == w.last {
		if !w.differed && !bytes.Equal(copied, w.believed) {
			w.differed = true
			w.shows = append(w.shows, "alarm-raised copies-differ")
		}
		return
	}
	if missing := number - w.last - 1; w.fresh {
		w.unseen += max(missing, 0)
	} else if missing > 0 {
		w.lost += missing
		w.gaps++
		w.shows = append(w.shows, fmt.Sprintf("gap missing=%d", missing))
	}
	w.last, w.fresh, w.believed, w.differed = number, false, copied, false
	if s := meaning(copied); s != "" {
		w.shows = append(w.shows, s)
	}
}

// longest is the length of the longest report.
const longest = 8

// valid finds a report of a known length with a correct checksum, and where it ends. Two copies, one without its end
// and the other without its beginning, can form one.
func valid(p []byte) (frame []byte, end int) {
	lengths := map[byte]int{'S': 6, 'P': 6, 'G': 7, 'D': 8}
	for start := range p {
		if start+3 > len(p) {
			break
		}
		n := lengths[p[start+2]]
		if p[start] != 0x05 || n == 0 || start+n > len(p) {
			continue
		}
		frame = p[start : start+n]
		var sum byte
		for _, b := range frame[1 : n-2] {
			sum ^= b
		}
		if check := fmt.Sprintf("%02X", sum); frame[n-3] == 0x03 && strings.EqualFold(check, string(frame[n-2:])) {
			return append(bytes.Clone(frame[:n-2]), check...), start + n
		}
	}
	return nil, 0
}

// meaning reads a card's report as specified.
func meaning(frame []byte) string {
	if frame[2] != 'D' {
		return ""
	}
	face := frame[4] & 0x7F
	suits := []card.Suit{1: card.Diamonds, 2: card.Clubs, 3: card.Spades, 4: card.Hearts}
	c := card.None
	if face>>4 > 0 && int(face>>4) < len(suits) {
		c = card.Of(card.Rank(face&15), suits[face>>4])
	}
	if c == card.None {
		c = card.Unread
	}
	return "card " + c.String()
}
