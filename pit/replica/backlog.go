package replica

import (
	"fmt"

	"github.com/sabot-table/sabot/pit/topic"
)

// mostAnswered limits the answers that wait to be kept, or are being kept, in bytes: those of all tables that may be
// asked at once. mostOneAnswered limits those of one table, which cannot take the room of all others: two of the
// longest.
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

// records reads an answer.
func (a *answer) records() (r topic.Records, err error) {
	r, err = topic.ParseRecords(a.payload)
	if err == nil && (r.Site != a.table.Site() || r.Table != a.table.Name()) {
		err = fmt.Errorf("the records are those of %s/%s", r.Site, r.Table)
	}
	return r, err
}

// backlog are the answers that wait, those of each table in the order in which they came. Tables have turns: a table
// whose turn it is has no other before that one is done, so that its order is kept where several hands take turns.
type backlog struct {
	turns []topic.Table // the one that waits longest first
	of    map[topic.Table]*waits
	bytes int
}

// waits is what waits of one table.
type waits struct {
	answers []answer
	bytes   int
	// turn says that it waits for its turn, or that it is its turn.
	turn bool
}

// holds says whether there is room for one more of a table.
func (b *backlog) holds(table topic.Table, payload []byte) bool {
	has := 0
	if w := b.of[table]; w != nil {
		has = w.bytes
	}
	return b.bytes+len(payload) <= mostAnswered && has+len(payload) <= mostOneAnswered
}

func (b *backlog) put(a answer) {
	b.add(a.table)
	w := b.of[a.table]
	w.answers = append(w.answers, a)
	w.bytes += len(a.payload)
	b.bytes += len(a.payload)
}

// add gives a table a turn.
func (b *backlog) add(table topic.Table) {
	if b.of == nil {
		b.of = map[topic.Table]*waits{}
	}
	w := b.of[table]
	if w == nil {
		w = &waits{}
		b.of[table] = w
	}
	if !w.turn {
		w.turn = true
		b.turns = append(b.turns, table)
	}
}

// more says whether any table waits for its turn.
func (b *backlog) more() bool { return len(b.turns) > 0 }

// next begins the turn of the table that waits longest. There must be one.
func (b *backlog) next() topic.Table {
	table := b.turns[0]
	b.turns = b.turns[1:]
	return table
}

// take takes the first answer of the table whose turn it is, nil where none waits. It keeps its room until it is done.
func (b *backlog) take(table topic.Table) *answer {
	w := b.of[table]
	if len(w.answers) == 0 {
		return nil
	}
	first := w.answers[0]
	w.answers[0] = answer{} // what is done holds no room of the next ones
	w.answers = w.answers[1:]
	return &first
}

// done ends the turn of a table, in which an answer was taken, or none. It has another one if more of it waits.
func (b *backlog) done(table topic.Table, taken *answer) {
	w := b.of[table]
	if taken != nil {
		w.bytes -= len(taken.payload)
		b.bytes -= len(taken.payload)
	}
	if w.turn = false; len(w.answers) > 0 {
		b.add(table)
	} else {
		delete(b.of, table)
	}
}

// first takes the first answer of the table that waits longest, for one who is done with it at once; nil for none.
func (b *backlog) first() *answer {
	if !b.more() {
		return nil
	}
	table := b.next()
	a := b.take(table)
	b.done(table, a)
	return a
}
