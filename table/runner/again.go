package runner

import (
	"context"

	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// mostRefused bounds how many refused inputs are remembered.
const mostRefused = 64

type atScreen struct{}

// AtScreen marks what somebody puts in at a screen, as often as they like: an input that was refused, while nothing has
// changed the table since, is answered as before and not put in again. Options.Again is told of it. The shoe, the keys
// and all else are put in, whatever comes of it.
func AtScreen(ctx context.Context) context.Context { return context.WithValue(ctx, atScreen{}, true) }

// isAtScreen takes nil for what nobody waits for.
func isAtScreen(ctx context.Context) bool {
	if ctx == nil {
		return false
	}
	_, is := ctx.Value(atScreen{}).(bool)
	return is
}

// refusals are the inputs that were refused since the table last changed, with their answers, by their lines. A refused
// input changes nothing, so the same is refused again. Only the runner's goroutine uses it.
type refusals map[string]Answer

// line is an input as it is on record, but for when it came.
func line(in vocab.Input) string {
	in.Time, in.Line = 0, 0
	return string(transcript.AppendInput(nil, &in))
}

// of returns the answer that an input had when it was refused.
func (r refusals) of(it *item) (Answer, bool) {
	if len(r) == 0 || !isAtScreen(it.ctx) {
		return Answer{}, false
	}
	answer, known := r[line(it.in)]
	return answer, known
}

// note remembers what came of an input. What is only noted changes nothing.
func (r refusals) note(in vocab.Input, a Answer) {
	switch {
	case a.Rejected != 0 && len(r) < mostRefused:
		r[line(in)] = a
	case a.Rejected == 0 && in.Kind != vocab.InNote:
		clear(r)
	}
}
