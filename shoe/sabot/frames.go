package sabot

import (
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

// Frames returns a function that finds the frames in the bytes of one direction, and passes each to emit.
func Frames(emit func(shoe.Frame)) (feed func([]byte)) {
	var decoder wire.Decoder
	return func(p []byte) {
		decoder.Feed(p, func(m wire.Message, err error) {
			if err != nil {
				emit(shoe.Frame{Err: err})
				return
			}
			f := shoe.Frame{Text: m.String(), Beat: m.Type == wire.Heartbeat}
			if m.Type == wire.Card {
				f.Card = cardOf(m.Rank, m.Suit)
			}
			emit(f)
		})
	}
}

// Speaks says whether bytes contain an intact frame, of whichever version or key.
func Speaks(p []byte) (found bool) {
	var decoder wire.Decoder
	decoder.Feed(p, func(_ wire.Message, err error) { found = found || !wire.Damaged(err) })
	return found
}
