package replica

import "github.com/sabot-table/sabot/pit/topic"

// mostAnswered limits the answers that wait to be kept, in bytes: those of all tables that may be asked at once.
// mostOneAnswered limits those of one table, which cannot take the room of all others: two of the longest.
const (
	mostAnswered    = 64 << 20
	mostOneAnswered = 8 << 20
)

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
	of      map[topic.Table]int // bytes
}

// holds says whether there is room for one more of a table.
func (b *backlog) holds(table topic.Table, payload []byte) bool {
	return b.bytes+len(payload) <= mostAnswered && b.of[table]+len(payload) <= mostOneAnswered
}

func (b *backlog) put(a answer) {
	if b.of == nil {
		b.of = map[topic.Table]int{}
	}
	b.answers = append(b.answers, a)
	b.bytes += len(a.payload)
	b.of[a.table] += len(a.payload)
}

// take takes the first, nil where none waits.
func (b *backlog) take() *answer {
	if len(b.answers) == 0 {
		return nil
	}
	first := &b.answers[0]
	b.answers = b.answers[1:]
	b.bytes -= len(first.payload)
	if b.of[first.table] -= len(first.payload); b.of[first.table] == 0 {
		delete(b.of, first.table)
	}
	return first
}
