package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
)

// inForce are rules, by their fingerprint, with their text, nil if the journal does not have
// it.
type inForce struct {
	fingerprint string
	text        []byte
}

// readRules reads the frame of the text of rules.
func readRules(f *frame) (inForce, error) {
	s := state{cursors: map[string]uint64{}}
	n, err := s.parseNote(f)
	if err == nil && n.Rules == nil {
		err = fmt.Errorf("%w: the text of rules without their fingerprint", errFrame)
	}
	if err != nil {
		return inForce{}, err
	}
	return inForce{*n.Rules, s.rulesText}, nil
}

// lineRules is how the line with the text of rules begins, after the line before.
var lineRules = append([]byte{'\n'}, beginRules...)

// rulesBefore are the rules in force at a place in the part: their text comes right before the
// record that brings them into force, and again at the beginning of each part.
func (t *text) rulesBefore(at int64) (inForce, error) {
	buf := make([]byte, readChunk)
	for end := at; end >= t.begins+int64(len(lineRules)); end -= int64(len(buf) - len(lineRules)) {
		begin := max(t.begins-1, end-int64(len(buf)))
		chunk := buf[:end-begin]
		if _, err := t.ReadAt(chunk, begin); err != nil && !errors.Is(err, io.EOF) {
			return inForce{}, err
		}
		if i := lastRules(chunk); i >= 0 {
			return t.rulesAt(begin + int64(i) + 1)
		}
	}
	return inForce{fingerprint: t.Rules}, nil
}

// lastRules is bytes.LastIndex of such a line, which is ten times as fast forwards.
func lastRules(chunk []byte) (last int) {
	last = -1
	for from := 0; ; {
		i := bytes.Index(chunk[from:], lineRules)
		if i < 0 {
			return last
		}
		last = from + i
		from = last + 1
	}
}

// rulesAt reads the text of rules at a place.
func (t *text) rulesAt(at int64) (inForce, error) {
	f, err := t.frames(at).next()
	if err != nil {
		return inForce{}, damaged(cutShort(err))
	}
	return readRules(&f)
}

// mostPlaces is how many places are remembered.
const mostPlaces = 16

// place is a record, and the part in which to look for the next.
type place struct{ part, record uint64 }

// rulesKept remembers which rules are in force after the records up to which others have read.
type rulesKept struct {
	mu    sync.Mutex
	known map[place]inForce
}

func (k *rulesKept) at(part, record uint64) (inForce, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	rules, ok := k.known[place{part, record}]
	return rules, ok
}

func (k *rulesKept) keep(part, record uint64, rules inForce) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.known) >= mostPlaces || k.known == nil {
		k.known = map[place]inForce{}
	}
	k.known[place{part, record}] = rules
}
