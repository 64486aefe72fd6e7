package transcript

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/vocab"
)

// enumeration is a type whose values have names in transcripts.
type enumeration interface {
	~uint8
	String() string
}

// written is a field of a line for each value of an enumeration, put together
// beforehand: comma, key, name and quotation marks are one copy.
type written[T enumeration] [256]string

func (w *written[T]) append(b []byte, v T) []byte { return append(b, w[v]...) }

// writtenAs makes the fields that begin with what stands before the name.
func writtenAs[T enumeration](before string) *written[T] {
	var w written[T]
	for i := range w {
		w[i] = before + T(i).String() + `"`
	}
	return &w
}

var (
	writtenIn      = writtenAs[vocab.InputKind](`{"in":"`)
	writtenOut     = writtenAs[vocab.Kind](`{"out":"`)
	writtenCard    = writtenAs[card.Card](`,"card":"`)
	writtenTo      = writtenAs[vocab.To](`,"to":"`)
	writtenCall    = writtenAs[vocab.Call](`,"call":"`)
	writtenDone    = writtenAs[vocab.Done](`,"why":"`)
	writtenWager   = writtenAs[vocab.Wager](`,"wager":"`)
	writtenOutcome = writtenAs[vocab.Outcome](`,"outcome":"`)
	writtenWhy     = writtenAs[vocab.Why](`,"why":"`)
)
