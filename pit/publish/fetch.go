package publish

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// The limits of what readers may fetch. They keep readers that fetch without end from wearing
// out the table or the broker.
const (
	// mostReaders is how many readers are answered in turn; each has one fetch that counts, its
	// last.
	mostReaders = 16
	// answerEvery is the least time between two answers, and readerEvery between two to one
	// reader.
	answerEvery = 50 * time.Millisecond
	readerEvery = 100 * time.Millisecond
	// forgetAfter is when a reader counts as gone that does not ask any more. One that waits for
	// an answer asks again sooner.
	forgetAfter = 10 * time.Minute
	// maxFetch limits a fetch, in bytes.
	maxFetch = 1 << 10
)

// fetches are those of the readers, in the order of their turns.
type fetches struct {
	log    *slog.Logger
	waits  []wait
	warned time.Time // when something was last wrong with a fetch
}

// wait is the last fetch of a reader.
type wait struct {
	topic.Fetch
	// count is how many fetches of the reader came: an equal one is another, since there may be
	// more records by now.
	count int
	// open says that the broker does not have the answer yet.
	open bool
	// asked is when it came, and next when it may be answered.
	asked, next time.Time
}

// fetch takes a fetch of a reader.
func (f *fetches) fetch(now time.Time, payload []byte) {
	if len(payload) > maxFetch {
		f.refuse(now, fmt.Errorf("it has %d bytes", len(payload)))
		return
	}
	fetch, err := topic.ParseFetch(payload)
	if err != nil {
		f.refuse(now, err)
		return
	}
	if w := f.of(fetch.Reader); w != nil {
		w.Fetch, w.open, w.asked = fetch, true, now
		w.count++
		return
	}
	f.waits = slices.DeleteFunc(f.waits, func(w wait) bool { return !w.open && !now.Before(w.next) })
	if len(f.waits) == mostReaders {
		f.refuse(now, fmt.Errorf("those of %d readers wait", mostReaders))
		return
	}
	f.waits = append(f.waits, wait{Fetch: fetch, open: true, asked: now})
}

// of is the last fetch of a reader, nil for none.
func (f *fetches) of(reader string) *wait {
	for i := range f.waits {
		if f.waits[i].Reader == reader {
			return &f.waits[i]
		}
	}
	return nil
}

// forgotten takes off the fetches whose readers have long ceased to ask, and returns them.
func (f *fetches) forgotten(now time.Time) (gone []string) {
	f.waits = slices.DeleteFunc(f.waits, func(w wait) bool {
		old := now.Sub(w.asked) >= forgetAfter
		if old {
			gone = append(gone, w.Reader)
		}
		return old
	})
	return gone
}

// turn is the reader whose turn it is, of those that may be answered; nil for none. If that is
// only because it was answered just now, at is when the next may be.
func (f *fetches) turn(now time.Time, may func(reader string) bool) (w *wait, at time.Time) {
	for i := range f.waits {
		w := &f.waits[i]
		switch {
		case !w.open || !may(w.Reader):
		case !now.Before(w.next):
			return w, time.Time{}
		case at.IsZero() || w.next.Before(at):
			at = w.next
		}
	}
	return nil, at
}

// taken puts a reader at the end of the line: its answer is on its way.
func (f *fetches) taken(now time.Time, reader string) {
	i := slices.IndexFunc(f.waits, func(w wait) bool { return w.Reader == reader })
	if i < 0 {
		return
	}
	w := f.waits[i]
	w.next = now.Add(readerEvery)
	f.waits = append(slices.Delete(f.waits, i, i+1), w)
}

// answered notes that the broker has the answer to a fetch, or that there is none.
func (f *fetches) answered(to wait) {
	if w := f.of(to.Reader); w != nil && w.count == to.count {
		w.open = false
	}
}

// reopen notes that the broker may have dropped the last answer to a reader.
func (f *fetches) reopen(reader string) {
	if w := f.of(reader); w != nil {
		w.open = true
	}
}

// refuse logs what is wrong with a fetch, once a minute.
func (f *fetches) refuse(now time.Time, err error) {
	if now.Sub(f.warned) >= time.Minute {
		f.warned = now
		f.log.Warn("a fetch of the table's records is not answered; look at who may write to the table's fetch",
			"error", err)
	}
}

// fetched is what was read for a fetch: the message, or why there is none.
type fetched struct {
	to      wait
	payload []byte
	journal string
	// last is the last record of the message, and more says that the journal has others after it.
	last uint64
	more bool
	err  error
}

// hands is what is handed out to readers on a connection.
type hands struct {
	fetching <-chan fetched   // nil while no records are read
	turn     <-chan time.Time // fires when the next fetch may be answered; nil for at once
}

// handOut answers the next fetch, while nothing new waits.
func (s *session) handOut() {
	f, event := &s.p.fetches, s.p.topics.event
	if s.hands.fetching != nil || s.hands.turn != nil || s.flow.on(laneRecords) > 0 || s.ending.begun {
		return
	}
	if !s.quiet() && !s.p.access.leftOut(event) || s.p.access.suspected(event) {
		return
	}
	now := time.Now()
	s.p.forgetReaders(now)
	w, at := f.turn(now, func(reader string) bool { return s.trials.open(s.p.config.Table.Records(reader)) })
	switch {
	case w != nil:
		s.hands.fetching = s.p.readRecords(*w)
		f.taken(now, w.Reader)
	case !at.IsZero():
		s.hands.turn = time.After(at.Sub(now))
	}
}

// readRecords reads what a reader has fetched; new events do not wait for it.
func (p *Publisher) readRecords(w wait) <-chan fetched {
	done := make(chan fetched, 1)
	go func() {
		records, err := p.config.Fetch(w.Fetch)
		records.Site, records.Table = p.config.Table.Site(), p.config.Table.Name()
		read := fetched{to: w, err: err}
		if err == nil {
			if w.Reader == topic.Stream {
				delete(records.Rules, records.InForce) // who has the records before has their rules
			}
			read.payload = topic.AppendRecords(nil, records)
			read.journal, read.last = records.Journal, records.Last()
			read.more = records.Head.Record > read.last
		}
		done <- read
	}()
	return done
}

// sendRecords sends what was read.
func (s *session) sendRecords(read fetched) {
	s.hands.fetching, s.hands.turn = nil, time.After(answerEvery)
	if read.err != nil {
		s.p.fetches.answered(read.to)
		s.p.fetches.refuse(time.Now(), read.err)
		return
	}
	answers := s.p.config.Table.Records(read.to.Reader)
	if s.ending.begun || !s.trials.open(answers) {
		return // it is read again
	}
	s.send(delivery{lane: laneRecords, topic: answers, payload: read.payload, answers: read.to})
}

// forgetReaders gives up readers that have ceased to ask, and what was in doubt about their
// topics.
func (p *Publisher) forgetReaders(now time.Time) {
	for _, reader := range p.fetches.forgotten(now) {
		delete(p.access.topics, p.config.Table.Records(reader))
		p.showDenials()
	}
}

// readerOf is the reader to whom the topic's messages go, "" for other topics.
func (p *Publisher) readerOf(name string) string {
	reader, _ := strings.CutPrefix(name, p.config.Table.Records(""))
	if reader == name {
		return ""
	}
	return reader
}
