package replica

import "github.com/sabot-table/sabot/pit/topic"

// mostAnswered limits the answers that wait to be kept, in bytes: those of all tables that may be asked at once.
const mostAnswered = 64 << 20

// answer is what a table says to a fetch.
type answer struct {
	table   topic.Table
	payload []byte
	// streamed says that the table says it by itself.
	streamed bool
}

// backlog are the answers that wait to be kept, in the order in which they came.
type backlog struct {
	answers []answer
	bytes   int
}

// holds says whether there is room for one more.
func (b *backlog) holds(payload []byte) bool { return b.bytes+len(payload) <= mostAnswered }

func (b *backlog) put(a answer) {
	b.answers = append(b.answers, a)
	b.bytes += len(a.payload)
}

// take takes the first, nil where none waits.
func (b *backlog) take() *answer {
	if len(b.answers) == 0 {
		return nil
	}
	first := &b.answers[0]
	b.answers = b.answers[1:]
	b.bytes -= len(first.payload)
	return first
}
