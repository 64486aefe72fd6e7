package beetek

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
)

// message is how the shoe writes a card; card.Unread is one it could not read.
func message(c card.Card, mode string) string {
	if c == card.Unread {
		return fmt.Sprintf(" [%s]<Game> ", mode)
	}
	return fmt.Sprintf(" [%s]<Card:%s> ", mode, c)
}

func drawnCards(t *rapid.T) []card.Card {
	all := slices.Collect(card.All)
	one := rapid.SampledFrom(append(all, card.Unread))
	return rapid.SliceOfN(one, 1, 12).Draw(t, "cards")
}

func write(t *rapid.T, cards []card.Card) []byte {
	mode := rapid.SampledFrom([]string{"Manual Burn Cards", "Game"}).Draw(t, "mode")
	var b []byte
	for _, c := range cards {
		b = append(b, message(c, mode)...)
	}
	return b
}

// heard is what a decoder made of some bytes.
type heard struct {
	cards []card.Card
	lost  int // gaps, and cards with an invalid code
}

// hear feeds a decoder the pieces that cut gives, and then a pause.
func hear(b []byte, cut func(n int) int) (h heard) {
	var d Decoder
	emit := func(e shoe.Event) {
		switch {
		case e.Kind == shoe.Gap, e.Kind == shoe.Drawn && e.Err != nil:
			h.lost++
		case e.Kind == shoe.Drawn:
			h.cards = append(h.cards, e.Card)
		}
	}
	for len(b) > 0 {
		n := cut(len(b))
		d.Feed(0, b[:n], emit)
		b = b[n:]
	}
	d.Quiet(emit)
	return h
}

func whole(n int) int { return n }

// Messages cut anywhere are put together.
func TestPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cards := drawnCards(t)
		h := hear(write(t, cards), func(n int) int { return rapid.IntRange(1, n).Draw(t, "piece") })
		if !slices.Equal(h.cards, cards) || h.lost != 0 {
			t.Fatalf("sent %v, heard %+v", cards, h)
		}
	})
}

// A message is heard whatever came before it.
func TestAfterGarbage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		garbage := rapid.SliceOf(rapid.SampledFrom([]byte("[]<>: CardGme4S\x00\xff\n"))).Draw(t, "garbage")
		cards := drawnCards(t)
		h := hear(append(garbage, write(t, cards)...), whole)
		if n := len(h.cards) - len(cards); n < 0 || !slices.Equal(h.cards[n:], cards) {
			t.Fatalf("after %q sent %v, heard %+v", garbage, cards, h)
		}
	})
}

// spoil does one thing to bytes that a bad line may do.
func spoil(t *rapid.T, b []byte) []byte {
	b = bytes.Clone(b)
	from := rapid.IntRange(0, len(b)-1).Draw(t, "from")
	run := rapid.IntRange(1, min(60, len(b)-from)).Draw(t, "run")
	switch rapid.IntRange(0, 3).Draw(t, "fault") {
	case 0:
		return slices.Delete(b, from, from+run)
	case 1:
		return slices.Insert(b, from+run, bytes.Clone(b[from:from+run])...)
	case 2:
		b[from] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
	case 3:
		return slices.Insert(b, from, rapid.SliceOfN(rapid.Byte(), 8, 40).Draw(t, "burst")...)
	}
	return b
}

// clean matches text that shows no damage.
var clean = regexp.MustCompile(
	`(?i)(\[(Manual Burn Cards|Game)\])?<(Card:([2-9TJQKA][CDHS]|[CDHS][2-9TJQKA])|Game|Manual Burn Cards)>|[ \r\n]`)

// Damage that the text shows is reported if a card is lost by it.
func TestNoCardIsLostUnseen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cards := drawnCards(t)
		sent := write(t, cards)
		arrived := spoil(t, sent)
		h := hear(arrived, whole)
		left := clean.ReplaceAll(arrived, nil)
		if !slices.Equal(h.cards, cards) && h.lost == 0 && len(left) > 0 {
			t.Fatalf("sent %q\narrived %q\nheard %v, and nothing reports %q", sent, arrived, h.cards, left)
		}
	})
}

// No input breaks the decoder, and each event comes from something. What a decoder keeps has a fixed size.
func FuzzDecoder(f *testing.F) {
	f.Add([]byte(" [Manual Burn Cards]<Card:4S> "))
	f.Add([]byte(" [Game]<Game>  [GameAlarm]<Alarm:E3 Card Not Read> <W0x01>"))
	f.Add([]byte("[[]<>Card:\xff10H>"))
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
		if most := 2*bytes.Count(b, []byte(">")) + 1; events > most {
			t.Errorf("%d events, of %d words at most", events, most)
		}
		if c := d.Counts(); c.Dropped > 2*uint64(len(b)) {
			t.Errorf("%[2]d of %[1]d bytes were dropped", len(b), c.Dropped)
		}
		cards := []card.Card{card.Of(4, card.Spades)}
		var last card.Card
		d.Feed(0, []byte(message(cards[0], "Game")), func(e shoe.Event) { last = e.Card })
		if last != cards[0] {
			t.Errorf("the next message was not heard: %v", last)
		}
	})
}

// BenchmarkBeeTekCard is a card in text: nothing is allocated.
func BenchmarkBeeTekCard(b *testing.B) {
	var d Decoder
	p := []byte(message(card.Of(4, card.Spades), "Manual Burn Cards"))
	cards := 0
	emit := func(shoe.Event) { cards++ }
	b.ReportAllocs()
	b.SetBytes(int64(len(p)))
	for b.Loop() {
		d.Feed(0, p, emit)
	}
	if c := d.Counts(); uint64(cards) != c.Messages || c.Damaged != 0 {
		b.Fatalf("%d cards of %+v", cards, c)
	}
}
