package wire_test

import (
	"fmt"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
)

// A card goes over the line twice. The first time one bit of it changes: its frame is reported as damaged, and the next
// one is found nevertheless.
func Example() {
	sent := wire.Message{
		Type: wire.Card, Boot: 523124044, Seq: 1, Micros: 1_500_000, Rank: 1, Suit: wire.Spades,
		Confidence: 98,
	}
	frame := wire.AppendFrame(nil, sent)
	fmt.Printf("% x\n", frame)

	line := append([]byte(nil), frame...)
	line[10] ^= 0x01
	line = append(line, frame...)

	var d wire.Decoder
	d.Feed(line, func(m wire.Message, err error) {
		if err != nil {
			fmt.Println("damaged:", err)
			return
		}
		fmt.Println(m.String(), m == sent)
	})

	// Output:
	// 08 01 11 4c 3d 2e 1f 01 01 01 04 60 e3 16 01 01 01 01 08 01 01 62 69 09 ff 20 00
	// damaged: frame's CRC-32 does not match: dropped; check the line and the baud rate
	// card boot=523124044 seq=1 time=1500000 rank=1 suit=1 confidence=98 true
}

// With a shared key each side seals what it sends. Nobody else can make a frame that
// the other side takes for one of these.
func ExampleGuard() {
	key, err := wire.ParseSecret("5ab0700011223344556677889900aabb")
	if err != nil {
		fmt.Println(err)
		return
	}
	host, shoe := wire.HostGuard(key), wire.ShoeGuard(key, 1) // a shoe uses another seed in each of its lives
	toHost, toShoe := wire.Decoder{Guard: host}, wire.Decoder{Guard: shoe}
	print := func(m wire.Message, err error) { fmt.Println(m.Type, m.Counter, err) }

	host.Ask(42)
	answer := shoe.Answer(host.Challenge().Session.Host)
	if _, err := host.Answered(&answer); err != nil {
		fmt.Println(err)
		return
	}
	toShoe.Feed(host.Append(nil, wire.Message{Type: wire.HostHello, Protocol: 2}), print)
	toHost.Feed(shoe.Append(nil, wire.Message{
		Type: wire.Hello, Protocol: 2, InSession: true, Boot: 7, First: 1,
		Text: wire.TextOf("SB-0042"),
	}), print)

	card := shoe.Append(nil, wire.Message{Type: wire.Card, Boot: 7, Seq: 1, Rank: 13, Suit: wire.Clubs})
	toHost.Feed(card, print)
	toHost.Feed(card, func(_ wire.Message, err error) { fmt.Println("again:", err) })

	// Output:
	// host-hello 1 <nil>
	// hello 1 <nil>
	// card 2 <nil>
	// again: sealed card, counter 2: it came before, or after a later one: dropped
}
