package angeleye

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/shoetest"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
)

// frame writes a report.
func frame(number byte, data ...byte) []byte {
	p := append([]byte{enq, number}, data...)
	p = append(p, etx)
	return fmt.Appendf(p, "%02X", xor(p[1:]))
}

// ring is a way to number reports.
type ring struct {
	first byte
	size  int
}

func (r ring) number(i int) byte { return r.first + byte(i%r.size) }

var rings = []ring{{'0', 10}, {0, 256}}

// sent is one report, and how many of its copies arrive whole.
type sent struct {
	data    []byte
	arrived int
}

func anyReport(t *rapid.T) []byte {
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		return []byte{'P'}
	case 1:
		return []byte{'E', 0xC0 | byte(rapid.IntRange(1, 7).Draw(t, "error"))}
	default:
		face := byte(0x80)
		if suit := rapid.IntRange(0, 4).Draw(t, "suit"); suit > 0 {
			face |= byte(suit)<<4 | byte(rapid.IntRange(1, 13).Draw(t, "rank"))
		}
		return []byte{'D', 0x80 | byte(rapid.IntRange(0, 0x5F).Draw(t, "target")), face}
	}
}

// copies writes the three copies of a report as a bad line brings them. The beginnings of damaged ones are kept, so
// that two pieces cannot form one report: the checksum is too short to notice.
func copies(t *rapid.T, number byte, s *sent) (p []byte) {
	for range 3 {
		f := frame(number, s.data...)
		switch rapid.IntRange(0, 6).Draw(t, "line") {
		case 0: // lost
			continue
		case 1: // one bit flipped, which may turn a capital of the checksum into a small letter
			at, bit := rapid.IntRange(1, len(f)-1).Draw(t, "at"), rapid.IntRange(0, 7).Draw(t, "bit")
			if f[at] ^= 1 << bit; at >= len(f)-2 && f[at] >= 'a' && f[at] <= 'f' {
				s.arrived++
			}
		case 2: // cut
			f = f[:rapid.IntRange(1, len(f)-3).Draw(t, "cut")]
		case 3: // repeated
			f = append(f, f...)
			s.arrived++
		case 4: // after garbage
			f = append(rapid.SliceOfN(rapid.SampledFrom([]byte{0, 0xFF, 0x80, enq, 'D'}), 1, 30).Draw(t, "garbage"),
				f...)
			s.arrived++
		default:
			s.arrived++
		}
		p = append(p, f...)
	}
	return p
}

// expected is what the wire can show: each report of which a copy arrived whole, and the gaps between them. The report
// before the first one did arrive.
func expected(reports []sent, size int) (told []string) {
	last := -1
	for i, s := range reports {
		if s.arrived == 0 {
			continue
		}
		missing := (i - last - 1) % size
		switch {
		case missing == 0:
		case size == 256 && missing >= 128:
			told = append(told, "gap missing=0")
		default:
			told = append(told, fmt.Sprintf("gap missing=%d", missing))
		}
		var r report
		r.n = copy(r.data[:], s.data)
		new(Decoder).interpret(&r, func(e shoe.Event) { told = append(told, shoetest.Describe(e)) })
		last = i
	}
	return told
}

// What a bad line does to copies of reports changes nothing as long as one of the three arrives; reports of which none
// arrives are counted in a gap, in their place.
func TestNumbersRevealEveryLoss(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ring := rapid.SampledFrom(rings).Draw(t, "ring")
		begin := rapid.IntRange(0, ring.size-1).Draw(t, "begin")
		reports := make([]sent, rapid.IntRange(1, 40).Draw(t, "reports"))
		var d Decoder
		for i := range ring.size { // all the numbers, so that it knows them
			d.Feed(0, frame(ring.number(begin+i), 'P'), func(shoe.Event) {})
		}
		var told []string
		note := func(e shoe.Event) {
			e.Err = nil
			told = append(told, shoetest.Describe(e))
		}
		for i := range reports {
			reports[i].data = anyReport(t)
			p := copies(t, ring.number(begin+i), &reports[i])
			for len(p) > 0 {
				n := rapid.IntRange(1, len(p)).Draw(t, "piece")
				d.Feed(time.Duration(i+4)*time.Second, p[:n], note)
				p = p[n:]
			}
		}
		if want := expected(reports, ring.size); !slices.Equal(told, want) {
			t.Fatalf("told %q\nwant %q\nof %v", told, want, reports)
		}
	})
}

// arrival is one copy that arrives whole; the number counts all the reports of the shoe. Those of a group are mixed.
type arrival struct{ report, group int }

// mixed are the copies of reports as a converter may mix them: each of the three of a report comes in its turn, or is
// lost, and those of up to as many neighbours as are remembered may lie between. What is lost is lost in all three
// copies of some.
func mixed(t *rapid.T, reports int) (arrive []arrival) {
	for first, groups := 0, 0; first < reports; groups++ {
		group := min(rapid.IntRange(1, remembered).Draw(t, "mixed"), reports-first)
		var left []int
		for i := range group {
			for range rapid.SampledFrom([]int{3, 3, 2, 1, 4, 0}).Draw(t, "copies") {
				left = append(left, first+i)
			}
		}
		if rapid.Bool().Draw(t, "out of order") {
			left = rapid.Permutation(left).Draw(t, "order")
		}
		for _, i := range left {
			arrive = append(arrive, arrival{i, groups})
		}
		first += group
	}
	return arrive
}

// mixedShows is what copies in this order can show: a report that comes after a later one was counted as lost, and is
// not dealt.
func mixedShows(arrive []arrival, data [][]byte, frames [][]byte, size int) (told []string) {
	last, came := -1, map[int]bool{}
	for _, a := range arrive {
		i := a.report
		switch missing := (i - last - 1) % size; {
		case came[i]:
			continue
		case i < last:
			if data[i][0] == 'D' {
				told = append(told, fmt.Sprintf("other out-of-place % X", frames[i]), "gap unsure")
				came[i] = true
				continue
			}
		case missing > 0:
			told = append(told, fmt.Sprintf("gap missing=%d", missing))
		}
		last = max(i, last)
		came[i] = true
		var r report
		r.n = copy(r.data[:], data[i])
		new(Decoder).interpret(&r, func(e shoe.Event) { told = append(told, shoetest.Describe(e)) })
	}
	return told
}

// Copies that come mixed with those of their neighbours, repeated, or not at all: each report is taken once, in its
// place; or its loss is counted, and its copies are not dealt when they come after all. So it is around the end of the
// numbers, and over a new start in the middle.
func TestMixedCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ring := rapid.SampledFrom(append(rings, rings9)).Draw(t, "ring")
		begin := rapid.IntRange(0, ring.size-1).Draw(t, "begin")
		n := rapid.IntRange(1, 60).Draw(t, "reports")
		data, frames := make([][]byte, n), make([][]byte, n)
		for i := range n {
			data[i] = anyReport(t)
			frames[i] = frame(ring.number(begin+i), data[i]...)
		}
		arrive := mixed(t, n)
		var d Decoder
		learn(&d, ring, begin)
		var told []string
		note := func(e shoe.Event) {
			e.Err = nil
			told = append(told, shoetest.Describe(e))
		}
		for _, a := range arrive {
			d.Feed(time.Duration(a.group+1)*repeatWithin, frames[a.report], note)
		}
		if want := mixedShows(arrive, data, frames, ring.size); !slices.Equal(told, want) {
			t.Fatalf("told %q\nwant %q\nof %v", told, want, arrive)
		}
	})
}

// rings9 has no 0.
var rings9 = ring{'1', 9}

// learn shows a decoder all the numbers, up to the one before begin.
func learn(d *Decoder, r ring, begin int) {
	for i := range 2 * r.size {
		d.Feed(0, frame(r.number(begin+i), 'P'), func(shoe.Event) {})
	}
	d.memory, d.newAt = memory{}, -repeatWithin
}

// Killed anywhere in the copies of reports, after those that were put on record: what is left of the copies brings each
// report that is not on record, and none that is.
func TestCopiesAfterAStart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ring := rapid.SampledFrom(append(rings, rings9)).Draw(t, "ring")
		begin := rapid.IntRange(0, ring.size-1).Draw(t, "begin")
		n := rapid.IntRange(1, 30).Draw(t, "reports")
		var arrive []int
		frames := make([][]byte, n)
		for i := range n {
			frames[i] = frame(ring.number(begin+i), []byte{
				'D', 0x80 | byte(rapid.IntRange(0, 0x5F).Draw(t, "target")),
				0xB1 + byte(i%13),
			}...)
			arrive = append(arrive, i, i, i)
		}
		killed := rapid.IntRange(0, len(arrive)).Draw(t, "killed")
		stored := 0 // how many cards are on record: the last that came may not be
		if killed > 0 {
			stored = arrive[killed-1] + rapid.IntRange(0, 1).Draw(t, "stored")
		}
		var d Decoder
		learn(&d, ring, begin)
		for _, f := range frames[:stored] {
			d.Recall(string(f), time.Second)
		}
		d.Reset()
		var got, want []string
		for k, i := range arrive[killed:] {
			d.Feed(time.Duration(k)*time.Second, frames[i], func(e shoe.Event) {
				if e.Kind != shoe.Drawn {
					t.Fatalf("%s was told", shoetest.Describe(e))
				}
				got = append(got, e.Report)
			})
		}
		for i := stored; i < n; i++ {
			if killed < 3*(i+1) { // else all its copies were read before it was on record
				want = append(want, string(frames[i]))
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d reports are on record, and % X came, not % X; killed after %d copies", stored, got,
				want, killed)
		}
	})
}

// With numbers from 1 to 9 only the first missing 0 is taken for a loss.
func TestNineNumbers(t *testing.T) {
	var d Decoder
	gaps, cards := 0, 0
	for i := range 100 {
		p := frame('1'+byte(i%9), 'D', 0x81, 0xB8)
		d.Feed(time.Duration(i)*time.Second, bytes.Repeat(p, 3), func(e shoe.Event) {
			if e.Kind == shoe.Gap {
				gaps++
			} else {
				cards++
			}
		})
	}
	if gaps != 1 || cards != 100 {
		t.Errorf("%d gaps and %d cards, want 1 and 100", gaps, cards)
	}
}

// An intact report is accepted whatever came before it.
func TestAfterGarbage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		garbage := rapid.SliceOf(rapid.SampledFrom([]byte{enq, etx, stx, ack, nak, 'D', '4', 'F', 0xB8})).Draw(t,
			"garbage")
		var d Decoder
		var last card.Card
		d.Feed(0, append(garbage, frame('7', 'D', 0x81, 0xC5)...), func(e shoe.Event) { last = e.Card })
		if last != card.Of(5, card.Hearts) {
			t.Fatalf("%[2]v came after % [1]x", garbage, last)
		}
	})
}

// A report is accepted wherever it begins in the bytes that may contain one: what came before it goes out of them
// first.
func TestAfterAnyLength(t *testing.T) {
	for n := range 3 * windowLimit {
		var d Decoder
		var last card.Card
		garbage := append([]byte{enq}, bytes.Repeat([]byte{'D'}, n)...)
		d.Feed(0, append(garbage, frame('7', 'D', 0x81, 0xC5)...), func(e shoe.Event) { last = e.Card })
		if last != card.Of(5, card.Hearts) {
			t.Errorf("%v came after ENQ and %d bytes", last, n)
		}
	}
}

// No input breaks the decoder, and no event comes from nothing. What a decoder keeps has a fixed size.
func FuzzDecoder(f *testing.F) {
	f.Add(frame('1', 'D', 0x81, 0xB8))
	f.Add(append(bytes.Repeat(frame(0x05, 'd', 3, 0), 3), frame('2', 'E', 0xC2)...))
	f.Add([]byte{nak, enq, ack, enq, 3, 0x30, 0x30})
	f.Add(append(frame('1', 'P', 0x80), bytes.Repeat(frame('3', 'D', 0x81, 0xB8, 0x80), 2)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		events := 0
		var d Decoder
		count := func(e shoe.Event) {
			events++
			if e.Kind == shoe.Drawn && !e.Card.Ranked() && e.Card != card.Unread {
				t.Errorf("the card %v was reported", e.Card)
			}
		}
		d.Feed(0, b, count)
		d.Quiet(count)
		c := d.Counts()
		if uint64(events) > 3*c.Messages || c.Messages > uint64(len(b)/shortest) {
			t.Errorf("%d events of %+v", events, c)
		}
		if c.Dropped > uint64(len(b)) {
			t.Errorf("%[2]d of %[1]d bytes were dropped", len(b), c.Dropped)
		}
		heard := false
		d.Feed(10*time.Second, frame('5', 'D', 0x81, 0xB8), func(e shoe.Event) {
			heard = heard || e.Kind == shoe.Drawn
		})
		if !heard {
			t.Error("the next report was not taken")
		}
	})
}

// BenchmarkAngelEyeCard is a card in its three copies: only the report that goes on record is allocated.
func BenchmarkAngelEyeCard(b *testing.B) {
	var d Decoder
	p := make([][]byte, 10)
	for i := range p {
		p[i] = bytes.Repeat(frame('0'+byte(i), 'D', 0x81, 0xB8), 3)
	}
	cards := 0
	emit := func(e shoe.Event) { cards++ }
	i := 0
	b.ReportAllocs()
	b.SetBytes(int64(len(p[0])))
	for b.Loop() {
		d.Feed(0, p[i%len(p)], emit)
		i++
	}
	if c := d.Counts(); uint64(cards)*3 != c.Messages || c.Damaged != 0 {
		b.Fatalf("%d cards of %+v", cards, c)
	}
}
