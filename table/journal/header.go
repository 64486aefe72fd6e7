package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// format is the version of the parts' format that this program writes. It reads older
// ones, and refuses newer ones. Headers have Shoes since format 2, and frames codes since format 3.
const format = 3

// leastFormat is the earliest form of a part that is read: its frames have no codes.
const leastFormat = 2

// Header is the first line of a part: everything that can be known without the parts before.
type Header struct {
	// Part numbers the parts from 1, possibly with gaps. A journal that replaces another
	// continues that one's numbers.
	Part   uint64 `json:"part"`
	Format int    `json:"format"`
	// Journal is the journal's id, the same in all of its parts.
	Journal string `json:"journal"`
	// Why says why the part was begun.
	Why string `json:"why"`
	// Program is the name and version of the program that writes the part, and Boot
	// counts the openings of the journal for writing.
	Program string `json:"program"`
	Boot    uint64 `json:"boot"`
	// At is when the part was begun, in Unix nanoseconds.
	At int64 `json:"at"`
	// Record and Event are the last before this part.
	Record uint64 `json:"record"`
	Event  uint64 `json:"event"`
	// After is the hash before the header's.
	After string `json:"after"`
	// Before is the number of the part before, 0 for none; Ends is how many of its bytes
	// count, and Over how many more there may be that do not.
	Before uint64 `json:"before,omitempty"`
	Ends   int64  `json:"ends,omitempty"`
	Over   int64  `json:"over,omitempty"`
	// Again is what was last written to the part before, after Ends. It may have been lost
	// there, so it is repeated here, and counts here.
	Again string `json:"again,omitempty"`
	// Setup is the last set-up, and Checkpoint the last record that ended a round or set
	// the table up.
	Setup      *SetUp `json:"setup,omitempty"`
	Checkpoint uint64 `json:"checkpoint,omitempty"`
	// Round is the round of the last record.
	Round uint64 `json:"round,omitempty"`
	// Shoe is the position of the shoe's last event, boot and number, and Shoes are the last
	// positions of other boots, the latest first: see MostPositions.
	Shoe  *[2]uint32  `json:"shoe,omitempty"`
	Shoes [][2]uint32 `json:"shoes,omitempty"`
	// Rules is the fingerprint of the rules in force; their text follows the header.
	Rules string `json:"rules,omitempty"`
	// Cursors are how far the publishers have come.
	Cursors map[string]uint64 `json:"cursors,omitempty"`
	// Key is the public key whose seals must be in the part, a line as PublicLine writes
	// it; empty if the journal is not sealed.
	Key string `json:"key,omitempty"`
	// Coded says that each frame of the part has a code; nil if none has.
	Coded *Coded `json:"coded,omitempty"`
	// Lost says what others were seen to remove from the part before.
	Lost string `json:"lost,omitempty"`
	// Above is the record and the event that the pit had heard of and the journal lacked:
	// numbers continue above them.
	Above *[2]uint64 `json:"above,omitempty"`
	// Accepted are the marks of what people have accepted of findings about the journal's files.
	Accepted []string `json:"accepted,omitempty"`
	// Aside is what was set aside in the place of which this journal, or one before it, was begun, the latest first.
	Aside []SetAside `json:"aside,omitempty"`
	// Former is the journal that this one replaces. Only the first part has it.
	Former *Former `json:"former,omitempty"`
}

// Coded says by which keys the codes of a part's frames are.
type Coded struct {
	// By names the audit key from which they follow, and Frame is the number of the header's own frame among all that
	// the table has made with them, in this journal and in those before.
	By    string `json:"by"`
	Frame uint64 `json:"frame"`
}

// coded is the number of the header's frame among those that have a code, 0 for none.
func (h *Header) coded() uint64 {
	if h.Coded == nil {
		return 0
	}
	return h.Coded.Frame
}

// SetUp is an input that set the table up, and the number of its record.
type SetUp struct {
	Record uint64          `json:"record"`
	Input  json.RawMessage `json:"input"`
}

// Former names the end of a journal that another one replaces.
type Former struct {
	Journal string `json:"journal,omitempty"`
	Record  uint64 `json:"record"`
	Event   uint64 `json:"event"`
	Hash    string `json:"hash,omitempty"`
	// Folder is where it was moved.
	Folder string `json:"folder,omitempty"`
	// Why says why it was not continued.
	Why string `json:"why"`

	// aside is what was set aside before, as far as its headers say.
	aside []SetAside
	// unread says that the disk did not read all of it: it may go further.
	unread bool
}

// Found is Why without the file and the place, for a display with little room.
func (f *Former) Found() string {
	if _, found, cut := strings.Cut(f.Why, ErrDamaged.Error()+": "); cut {
		return found
	}
	return f.Why
}

// The values of Header.Why for a part that a start begins.
const (
	whyNew   = "a new journal"
	whyStart = "a start"
)

// Starts reports whether a program began the part when it started.
func (h *Header) Starts() bool { return h.Why == whyNew || h.Why == whyStart }

// fields writes the header without its hash.
func (h *Header) fields(b []byte) ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(h); err != nil {
		return nil, fmt.Errorf("writing a part's header: %w", err)
	}
	return append(b, bytes.TrimSuffix(text.Bytes(), []byte("}\n"))...), nil
}

// parseHeader reads the frame of a header. The caller checks its hash.
func parseHeader(f *frame) (h Header, err error) {
	if !f.is(beginPart) || len(f.text) != len(f.close) {
		return h, fmt.Errorf("%w: its first line is not a header", errFrame)
	}
	var form struct {
		Format       int
		After, Again string
	}
	line := append(bytes.Clone(f.fields()), '}')
	if err := json.Unmarshal(line, &form); err != nil {
		return h, fmt.Errorf("%w: its header cannot be read: %w", errFrame, err)
	}
	if form.Format > format {
		h.After, h.Again = form.After, form.Again
		return h, fmt.Errorf("%w: format %d; this program knows format %d", ErrNewer, form.Format, format)
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&h); err != nil {
		return h, fmt.Errorf("%w: its header cannot be read: %w", errFrame, err)
	}
	return h, h.validate()
}

func (h *Header) validate() error {
	_, afterOK := h.after()
	switch {
	case h.Format < leastFormat || h.Part < 1 || h.Boot < 1 || h.Journal == "" || !afterOK:
		return fmt.Errorf("%w: its header lacks a field that every header has", errFrame)
	case h.Ends < 0 || h.Over < 0 || h.Before >= h.Part || (h.Before == 0) != (h.Ends == 0):
		return fmt.Errorf("%w: its header names an impossible part before it", errFrame)
	case h.Rules != "" && len(h.Rules) != hexHash:
		return fmt.Errorf("%w: its header names impossible rules", errFrame)
	case max(h.Record, h.Event, h.Boot, h.Part) > mostNumber, h.Above != nil &&
		max(h.Above[0], h.Above[1]) > mostNumber:
		return fmt.Errorf("%w: its header has a number above %d, which no journal reaches", errFrame,
			uint64(mostNumber))
	case !isID(h.Journal):
		return fmt.Errorf("%w: its header names the journal %.40q, and not with 32 hexadecimal digits",
			errFrame, h.Journal)
	case len(h.Program) > mostProgram:
		return fmt.Errorf("%w: its header names a program with %d bytes; the limit is %d", errFrame, len(h.Program),
			mostProgram)
	case len(h.Shoes) > MostPositions:
		return fmt.Errorf("%w: its header has %d positions of shoes; the limit is %d", errFrame, len(h.Shoes),
			MostPositions)
	case h.Coded != nil && (h.Coded.Frame < 1 || h.Coded.Frame > mostFrames || !isBy(h.Coded.By) || h.Format < 3):
		return fmt.Errorf("%w: its header says something impossible of its codes", errFrame)
	case len(h.Accepted) > mostAccepted || slices.ContainsFunc(h.Accepted, func(m string) bool { return !isMark(m) }):
		return fmt.Errorf("%w: its header says something impossible of what was accepted", errFrame)
	case len(h.Aside) > mostAside || slices.ContainsFunc(h.Aside, func(a SetAside) bool { return !a.possible() }):
		return fmt.Errorf("%w: its header says something impossible of what was set aside", errFrame)
	case h.Former != nil && h.Former.Folder != "" && !isAside(h.Former.Folder):
		return fmt.Errorf("%w: its header names the folder %.40q for what was set aside, which no program gives",
			errFrame, h.Former.Folder)
	}
	return nil
}

// mostNumber limits the numbers of parts, starts, records and events, so that there is
// always a next one.
const mostNumber = 1 << 62

// mostProgram limits the name and version of a program, in bytes.
const mostProgram = 256

// isID says whether text can be a journal's id. Folders have it as their name.
func isID(text string) bool {
	id, err := hex.DecodeString(text)
	return err == nil && len(id) == 16 && text == strings.ToLower(text)
}

// isBy says whether text can name an audit key.
func isBy(text string) bool {
	by, err := hex.DecodeString(text)
	return err == nil && len(by) == 8 && text == strings.ToLower(text)
}

// isAside says whether text can be the name of a folder in which parts were set aside: they may
// be moved there, and so nowhere else.
func isAside(text string) bool {
	return strings.HasPrefix(text, setAsideBegin) && len(text) <= 64 && !strings.ContainsAny(text, "/\\\x00") &&
		filepath.IsLocal(text)
}

// after is the hash before the header's.
func (h *Header) after() (sum [sha256.Size]byte, ok bool) {
	n, err := hex.Decode(sum[:], []byte(h.After)[:min(len(h.After), hexHash)])
	return sum, err == nil && n == sha256.Size && len(h.After) == hexHash
}

// state is the journal's state after the header, whose own hash is given.
func (h *Header) state(hash [sha256.Size]byte) state {
	s := state{
		seq: h.Record, event: h.Event, round: h.Round, checkpoint: h.Checkpoint, hash: hash,
		cursors: maps.Clone(h.Cursors), accepted: h.Accepted, aside: h.Aside,
	}
	if s.cursors == nil {
		s.cursors = map[string]uint64{}
	}
	if h.Setup != nil {
		s.setup, s.setupInput = h.Setup.Record, h.Setup.Input
	}
	if h.Shoe != nil {
		s.shoe = Position{h.Shoe[0], h.Shoe[1]}
	}
	for _, p := range h.Shoes {
		s.shoes = append(s.shoes, Position{p[0], p[1]})
	}
	if number := h.coded(); number > 0 {
		s.frame = number + 1
	}
	s.rules, _ = hex.DecodeString(h.Rules)
	return s
}
