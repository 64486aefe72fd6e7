package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// state is the journal's state after a frame: everything that the next one builds on.
// Append makes frames with it, and readers check them with it.
type state struct {
	seq, event        uint64 // the last record and the last event
	round             uint64
	setup, checkpoint uint64 // as in Record
	// shoe is the last position of a shoe, and shoes are those of other boot ids, the latest
	// first: never changed, only replaced.
	shoe       Position
	shoes      []Position
	rules      []byte // the fingerprint of the rules in force, nil for none
	rulesText  []byte
	setupInput []byte
	cursors    map[string]uint64
	// accepted are the marks of what people have accepted, and aside is what was set aside, the latest first: both are
	// never changed, only replaced.
	accepted []string
	aside    []SetAside
	sealed   uint64 // the last record that has a seal after it in this part
	// frame is the number of the next frame that has a code, 0 where frames have none, and keys its key, where it is
	// known.
	frame uint64
	keys  ratchet
	// underSeal is the frame behind the last seal of this program.
	underSeal uint64
	hash      [sha256.Size]byte
	last      [sha256.Size]byte // the last record's hash; zero if it is in an earlier part
}

// link makes the record that follows. It includes the entry's rules only if they are not
// the same as before.
func (s *state) link(e *Entry) Record {
	r := Record{Entry: *e, Seq: s.seq + 1, FirstEvent: s.event + 1}
	r.Setup, r.Checkpoint = s.pointers(e)
	if bytes.Equal(e.Rules, s.rules) {
		r.Rules = nil
	}
	return r
}

// pointers are the pointers of the entry that follows.
func (s *state) pointers(e *Entry) (setup, checkpoint uint64) {
	setup, checkpoint = s.setup, s.checkpoint
	if len(e.Carry) > 0 {
		checkpoint = s.seq + 1
		if isSetup(e.Input) {
			setup = s.seq + 1
		}
	}
	return setup, checkpoint
}

// takeRecord moves the state past a record, which it trusts.
func (s *state) takeRecord(r *Record) {
	s.seq, s.event, s.round = r.Seq, r.lastEvent(), r.Round
	if r.Setup != s.setup {
		s.setup, s.setupInput = r.Setup, bytes.Clone(r.Input)
	}
	s.checkpoint = r.Checkpoint
	if r.fromShoe() {
		s.place(Position{r.ShoeBoot, r.ShoeSeq})
	}
	if len(r.Rules) > 0 {
		s.rules = bytes.Clone(r.Rules)
	}
	s.hash, s.last = r.Hash, r.Hash
}

// fits returns why r cannot be the record that follows, or nil.
func (s *state) fits(r *Record) error {
	setup, checkpoint := s.pointers(&r.Entry)
	switch {
	case r.Seq != s.seq+1:
		return missing(s.seq+1, r.Seq)
	case r.FirstEvent != s.event+1:
		return brokenf(r.Seq, "starts with event %d, but %d is next", r.FirstEvent, s.event+1)
	case r.Setup != setup:
		return brokenf(r.Seq, "points to record %d for the set-up, which is in record %d", r.Setup, setup)
	case r.Checkpoint != checkpoint:
		return brokenf(r.Seq, "points to record %d for the checkpoint, which is in record %d", r.Checkpoint, checkpoint)
	}
	return nil
}

// missing names the missing records: from next up to the one before found.
func missing(next, found uint64) error {
	switch {
	case found < next:
		return brokenf(found, "comes after record %d", next-1)
	case found == next+1:
		return &BrokenError{Seq: next, What: "is missing", Gone: true}
	}
	return &BrokenError{
		Seq: next, What: fmt.Sprintf("is missing, and so are the %d after it", found-next-1),
		Gone: true,
	}
}

// isSetup reports whether an input sets the table up. Most inputs that it gets end a round,
// which it sees without parsing them.
func isSetup(input []byte) bool {
	if !bytes.Contains(input, []byte("setup")) && !bytes.ContainsRune(input, '\\') {
		return false
	}
	var line struct {
		In string `json:"in"`
	}
	return json.Unmarshal(input, &line) == nil && line.In == "setup"
}

// note is a line between the records. Which of its fields are set depends on its kind.
type note struct {
	Cursor   *string         `json:"cursor"`
	Event    uint64          `json:"event"`
	Rules    *string         `json:"rules"`
	Text     json.RawMessage `json:"text"`
	Away     *uint64         `json:"away"`
	First    uint64          `json:"first"`
	Last     uint64          `json:"last"`
	To       string          `json:"to"`
	At       int64           `json:"at"`
	Accepted *string         `json:"accepted"`
	By       string          `json:"by"`
	Of       []string        `json:"of"`
}

// parseNote reads the frame of such a line, and moves the state past it.
func (s *state) parseNote(f *frame) (n note, err error) {
	if len(f.text) != len(f.close) {
		return n, fmt.Errorf("%w: a note with inputs", errFrame)
	}
	dec := json.NewDecoder(bytes.NewReader(append(bytes.Clone(f.fields()), '}')))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&n); err != nil {
		return n, fmt.Errorf("%w: a line that this format does not have: %w", errFrame, err)
	}
	switch {
	case n.Cursor != nil && n.Event > s.event:
		return n, brokenf(s.seq, "is followed by the cursor %s, which has reached event %d; the last is %d", *n.Cursor,
			n.Event, s.event)
	case n.Cursor != nil:
		s.cursors = maps.Clone(s.cursors) // others may be reading it
		s.cursors[*n.Cursor] = n.Event
	case n.Rules != nil:
		sum := sha256.Sum256(n.Text)
		if hex.EncodeToString(sum[:]) != *n.Rules {
			return n, brokenf(s.seq, "is followed by the text of rules that does not fit their fingerprint")
		}
		s.rulesText = bytes.Clone(n.Text)
	case n.Accepted != nil && slices.ContainsFunc(n.Of, func(m string) bool { return !isMark(m) }):
		return n, fmt.Errorf("%w: a line that accepts something impossible", errFrame)
	case n.Accepted != nil:
		s.accept(n.Of)
	case n.Away == nil:
		return n, fmt.Errorf("%w: a line of an unknown kind", errFrame)
	}
	s.hash = f.hash
	return n, nil
}
