package transcript

import "github.com/sabot-table/sabot/table/vocab"

// Waking a goroutine costs more than playing some inputs, so that batches are large:
// these are the smallest with which both sides work most of the time.
const (
	// aheadMost is how many batches there are, and may be read before the table comes
	// to them.
	aheadMost = 4
	batchMost = 2048
)

// batch is some inputs, and why no more follow them.
type batch struct {
	inputs []vocab.Input
	err    error
}

// ahead reads inputs on a goroutine of its own, while others are played.
type ahead struct {
	full, free chan *batch
	now        *batch // is being played
}

func readAhead(r *Reader) *ahead {
	a := &ahead{full: make(chan *batch, aheadMost), free: make(chan *batch, aheadMost)}
	for range aheadMost {
		a.free <- &batch{}
	}
	go func() {
		defer close(a.full)
		for b := range a.free {
			b.fill(r)
			a.full <- b // has room for all that there are
			if b.err != nil {
				return
			}
		}
	}()
	return a
}

// fill reads inputs into the batch. Its memory grows with the transcript.
func (b *batch) fill(r *Reader) {
	b.inputs = b.inputs[:cap(b.inputs)]
	for n := range batchMost {
		if n == len(b.inputs) {
			b.inputs = append(b.inputs, vocab.Input{})
		}
		if b.err = r.Read(&b.inputs[n]); b.err != nil {
			b.inputs = b.inputs[:n]
			return
		}
	}
	b.inputs = b.inputs[:batchMost]
}

// next returns the next inputs, which are good until it is called again, and the
// error that follows them if they are the last.
func (a *ahead) next() ([]vocab.Input, error) {
	if a.now != nil {
		a.free <- a.now
	}
	a.now = <-a.full
	return a.now.inputs, a.now.err
}

// end stops reading, and waits until nothing is read any more.
func (a *ahead) end() {
	close(a.free)
	for range a.full {
	}
}
