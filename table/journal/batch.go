package journal

import (
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// batch is the content of one write: frames, all but the last of which say that more follow.
type batch struct {
	text   []byte
	state  state
	linker linker
	// open is where the unfinished frame begins in text, -1 for none. A frame is closed
	// when it is known whether another one follows.
	open     int
	isRecord bool
	seals    []byte
}

// begin starts a batch after a state. The buffer is reused.
func (b *batch) begin(s *state) {
	b.text, b.open, b.state = b.text[:0], -1, *s
}

// frame begins a frame, and closes the one before.
func (b *batch) frame() {
	b.settle()
	b.open = len(b.text)
}

// close writes the code and the hash of the open frame.
func (b *batch) close() {
	b.code()
	b.state.hash = b.linker.sum(&b.state.hash, b.text[b.open:])
	b.text = hex.AppendEncode(append(b.text, beforeHash...), b.state.hash[:])
	b.text = append(b.text, afterHash...)
	if b.isRecord {
		b.state.last = b.state.hash
	}
	b.open, b.isRecord = -1, false
}

// code writes the code of the open frame, and moves the key on.
func (b *batch) code() {
	s := &b.state
	if s.frame == 0 {
		return
	}
	digest := b.linker.sum(&s.hash, b.text[b.open:])
	code := s.keys.code(&digest)
	b.text = append(hex.AppendEncode(append(b.text, beforeCode...), code[:]), '"')
	s.keys.step()
	s.frame++
}

// end closes the last frame.
func (b *batch) end() {
	if b.open >= 0 {
		b.close()
	}
}

// settle closes the open frame, if any, so that its hash is known, and says that more follow.
func (b *batch) settle() {
	if b.open >= 0 {
		b.text = append(b.text, moreFollows...)
		b.close()
	}
}

// record adds an entry, and the text of its rules if it is not in the part yet.
func (b *batch) record(e *Entry) Record {
	r := b.state.link(e)
	if len(r.Rules) > 0 {
		b.rules(r.Rules, e.RulesText)
	}
	b.frame()
	b.text = append(append(b.text, r.Input...), '\n')
	b.text = append(b.text, r.Outputs...)
	b.text = appendCommit(b.text, &r)
	r.Hash = b.state.hash // the previous frame's, until this one is closed
	b.state.takeRecord(&r)
	b.isRecord = true
	return r
}

// rules adds the text of rules, if it is known.
func (b *batch) rules(sum, text []byte) {
	b.state.rulesText = slices.Clone(text)
	if text == nil {
		return
	}
	b.frame()
	b.text = hex.AppendEncode(append(append(b.text, beginRules...), '"'), sum)
	b.text = append(append(b.text, `","text":`...), text...)
}

// cursors adds the publishers' cursors that have changed.
func (b *batch) cursors(now map[string]uint64) {
	if maps.Equal(b.state.cursors, now) {
		return // nearly always
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if b.state.cursors[name] == now[name] {
			continue
		}
		b.frame()
		quoted, err := json.Marshal(name)
		if err != nil {
			panic(err) // a string always encodes
		}
		b.text = append(append(b.text, beginCursor...), quoted...)
		b.text = strconv.AppendUint(append(b.text, `,"event":`...), now[name], 10)
	}
	b.state.cursors = now
}

// raw adds a line that has only the fields of its own kind.
func (b *batch) raw(fields []byte) {
	b.frame()
	b.text = append(b.text, fields...)
}

// seal adds a seal under everything in the batch.
func (b *batch) seal(j *Journal) {
	b.settle()
	line := appendSeal(b.seals[:0], j.key, j.id, &b.state, j.now().UnixNano())
	b.raw(line)
	b.seals = line
	b.state.sealed, b.state.underSeal = b.state.seq, b.state.frame+1
}

// header adds the header of a part, which comes first.
func (b *batch) header(h *Header) error {
	b.frame()
	text, err := h.fields(b.text)
	b.text = text
	return err
}

// sealable reports whether a seal belongs after the entries: one of them ends a round or
// sets the table up.
func sealable(entries []Entry) bool {
	return slices.ContainsFunc(entries, func(e Entry) bool { return len(e.Carry) > 0 })
}
