package sabot

import (
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

// Frames returns what finds the frames in the bytes of one direction, and tells each.
func Frames(tell func(shoe.Frame)) (feed func([]byte)) {
	var decoder wire.Decoder
	return func(p []byte) {
		decoder.Feed(p, func(m wire.Message, err error) {
			if err != nil {
				tell(shoe.Frame{Err: err})
				return
			}
			f := shoe.Frame{Text: m.String(), Beat: m.Type == wire.Heartbeat}
			if m.Type == wire.Card {
				f.Card = cardOf(m.Rank, m.Suit)
			}
			tell(f)
		})
	}
}
