package journal

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"strings"

	"github.com/sabot-table/sabot/table/plaintext"
)

// checker follows the frames of a part and checks each one: its hash and its numbers.
type checker struct {
	state  state
	linker linker
	rec    Record
	seal   Seal
	note   note
	// pin is how far the table's key had moved on, nil where that is not known.
	pin *keptKey
}

// check takes the next frame. Its content is then in rec, seal or note.
func (c *checker) check(f *frame) (err error) {
	return c.takeFrame(f, c.linker.fits(&c.state.hash, f, c.keyed()))
}

// keyed says that the key of the next frame's code is known.
func (c *checker) keyed() bool { return c.state.keys.frame > 0 && c.state.keys.frame == c.state.frame }

// takeFrame takes the next frame; fits says whether its hash fits.
func (c *checker) takeFrame(f *frame, fits bool) (err error) {
	if !fits {
		return c.changed(f)
	}
	if err := c.authentic(f); err != nil {
		return err
	}
	switch {
	case f.is(beginRecord):
		if err := parseRecord(f, &c.rec); err != nil {
			return err
		}
		if err := c.state.fits(&c.rec); err != nil {
			return err
		}
		c.state.takeRecord(&c.rec)
	case f.is(beginSeal):
		c.seal, err = c.state.parseSeal(f)
	default:
		c.note, err = c.state.parseNote(f)
	}
	return err
}

// authentic checks the code of the next frame, as far as the key is known, and moves past it.
func (c *checker) authentic(f *frame) error {
	s := &c.state
	switch {
	case f.coded && s.frame == 0:
		return c.forged(f, "has a code, in a part whose frames have none")
	case !f.coded && s.frame > 0:
		return c.forged(f, "has no code, in a part whose frames have one")
	case s.frame == 0:
		return nil
	}
	if err := c.pin.under(s); err != nil {
		return err
	}
	if c.keyed() {
		if !s.keys.made(f) {
			return c.forged(f, "has a code that was not made with the table's key")
		}
		s.keys.step()
	}
	s.frame++
	return nil
}

// forged says what is wrong with the code of a frame.
func (c *checker) forged(f *frame, what string) error {
	b := &BrokenError{Seq: c.state.seq, Forged: true}
	if line, err := parseCommit(f.close); f.is(beginRecord) && err == nil {
		b.Seq, b.What = line.seq, what
	} else {
		b.What = fmt.Sprintf("is followed by a line `%s` that %s", kindOfFrame(f), what)
	}
	b.What += ": somebody else has written or changed it"
	return b
}

// kindOfFrame is how a frame that is no record begins, for people.
func kindOfFrame(f *frame) string {
	name, _, _ := bytes.Cut(f.close[:min(len(f.close), 16)], []byte{':'})
	return plaintext.Visible(strings.Trim(string(name), `{"`))
}

// changed returns what is known about a frame that does not fit its hash: records are
// missing before it, or it was changed.
func (c *checker) changed(f *frame) error {
	next := c.state.seq + 1
	if line, err := parseCommit(f.close); f.is(beginRecord) && err == nil && line.seq > next {
		return missing(next, line.seq)
	}
	return brokenf(next, "or what comes before it does not fit its hash")
}

// seals are the seals of the newest part, as a start checks them.
type seals struct {
	key   ed25519.PrivateKey // nil if there must be no seals
	id    string
	first bool
	// open is a record that ended a round or set the table up, and has no seal after it
	// yet.
	open uint64
	// kept are the first seal of the part and the last ones.
	kept []Seal
}

// mostKept is how many of the last seals a start verifies.
const mostKept = 3

func (s *seals) see(c *checker, f *frame) {
	switch {
	case f.is(beginSeal):
		s.open, s.first = 0, false
		if len(s.kept) > mostKept {
			s.kept = append(s.kept[:1], s.kept[2:]...)
		}
		s.kept = append(s.kept, c.seal)
	case f.is(beginRecord) && len(c.rec.Carry) > 0:
		s.open = c.rec.Seq
	}
}

// batch is called after each write.
func (s *seals) batch() error {
	switch {
	case s.key == nil:
		return nil
	case s.first:
		return fmt.Errorf("%w: its beginning is not sealed", ErrDamaged)
	case s.open != 0:
		return brokenf(s.open, "ended a round or set the table up, but has no seal: seals were removed")
	}
	return nil
}

// verify checks the signatures of the seals that were kept.
func (s *seals) verify() error {
	if s.key == nil {
		return nil
	}
	for i := range s.kept {
		seal := &s.kept[i]
		if !s.key.Public().(ed25519.PublicKey).Equal(seal.Key) || !seal.Valid(s.id) {
			return brokenf(seal.Seq,
				"is followed by a seal that is not this table's: the journal was rewritten without the key")
		}
	}
	return nil
}
