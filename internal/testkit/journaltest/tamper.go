package journaltest

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/journal"
)

// This file edits a journal as somebody does who may write all of its files. It goes by
// the journal's README, and shares no code with the journal.

// Seals says what a tamperer does with the seals.
type Seals int

// The ways with the seals.
const (
	// Leave them as they are.
	Leave Seals = iota
	// Sign them anew with the table's key: the thief of the key, or a program that
	// recorded the wrong thing itself. Signatures of zeros are left.
	Sign
	// Fit their numbers, with the signatures as they are: who has no key.
	Fit
	// Forge all of them with another key, which the headers then name.
	Forge
	// Foreign signs those behind the first change with another key.
	Foreign
	// Drop those behind the first change.
	Drop
	// Strip takes all of them away, and the key out of the headers.
	Strip
	// Zero the signatures behind the first change.
	Zero
)

// Other is a key that is not the table's.
var Other = ed25519.NewKeyFromSeed([]byte("somebody who has no key at all!!"))

// Row is a record.
type Row struct {
	Seq, Event, At, Round, Setup, Checkpoint int64
	ShoeBoot, ShoeSeq                        int64
	Rules                                    string
	Carry                                    json.RawMessage
	Input, Outputs                           string
}

// Seal is a seal, as its line says it.
type Seal struct {
	Seal      int64  `json:"seal"`
	At        int64  `json:"at"`
	Key       string `json:"key"`
	Signature string `json:"signature"`
}

// Frame is a frame: one of Row, Seal and Header is set, or Text, the fields of another line.
type Frame struct {
	Row    *Row
	Seal   *Seal
	Header *journal.Header
	Text   string
	// More says that the next frame was written together with this one.
	More bool
	// Code and Hash are as they stand in the file: nobody without the key can make another code.
	Code, Hash string
}

// Part is a part. Its frames begin with the header's, and end with those that the header
// of the next part repeats, Again in number.
type Part struct {
	Name   string
	Frames []*Frame
	Again  int
	// Rest is what stands in the file after what counts, nil where that is what the next
	// header repeats.
	Rest []byte
	// Edit, if not nil, changes the header after everything in it was made to fit.
	Edit func(*journal.Header)
}

// Header is the part's.
func (p *Part) Header() *journal.Header { return p.Frames[0].Header }

// File is a journal that somebody tampers with.
type File struct {
	Parts []*Part
	// Heard is the head before anything was changed.
	Heard Heard

	tb   testing.TB
	path string
	anew bool
}

// Heard is the head of a journal, as the pit acknowledges it.
type Heard struct {
	ID     string `json:"id"`
	Record uint64 `json:"record"`
	Hash   string `json:"hash"`
	Event  uint64 `json:"event"`
	At     int64  `json:"at"`
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// Open reads a journal's parts.
func Open(tb testing.TB, path string) *File {
	tb.Helper()
	f := &File{tb: tb, path: path}
	names, err := filepath.Glob(filepath.Join(path, "part-*.jsonl"))
	must(tb, err)
	var texts [][]byte
	for _, name := range names {
		text, err := os.ReadFile(name)
		must(tb, err)
		texts = append(texts, text)
		f.Parts = append(f.Parts, &Part{
			Name:   filepath.Base(name),
			Frames: f.parse(string(text[:bytes.IndexByte(text, '\n')+1])),
		})
	}
	for i, p := range f.Parts {
		counts := texts[i]
		if i+1 < len(f.Parts) && f.Parts[i+1].Header().Before == p.Header().Part {
			next := f.Parts[i+1].Header()
			counts, p.Rest = counts[:next.Ends], counts[next.Ends:]
			again := f.parse(next.Again)
			p.Again = len(again)
			p.Frames = append(f.parse(string(counts)), again...)
			if string(p.Rest) == next.Again {
				p.Rest = nil
			}
		} else {
			p.Frames = f.parse(string(counts))
		}
	}
	f.hear()
	return f
}

func (f *File) hear() {
	for _, p := range f.Parts {
		for _, frame := range p.Frames {
			if frame.Row != nil {
				f.Heard = Heard{
					p.Header().Journal, uint64(frame.Row.Seq), frame.Hash, uint64(frame.Row.Event),
					frame.Row.At,
				}
			}
		}
	}
}

// parse reads frames.
func (f *File) parse(text string) (frames []*Frame) {
	var before []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, `{"in":`) || strings.HasPrefix(line, `{"out":`) {
			before = append(before, line)
			continue
		}
		frames = append(frames, f.frame(before, line))
		before = nil
	}
	return frames
}

func (f *File) frame(before []string, line string) *Frame {
	f.tb.Helper()
	fields, hash, _ := strings.Cut(line, `,"hash":"`)
	if at := strings.LastIndex(line, `,"hash":"`); at > 0 {
		fields, hash = line[:at], line[at+len(`,"hash":"`):]
	}
	one := &Frame{Hash: strings.TrimSuffix(hash, "\"}\n")}
	if at := strings.LastIndex(fields, `,"code":"`); at > 0 && strings.HasSuffix(fields, `"`) &&
		at == len(fields)-len(`,"code":""`)-32 {
		fields, one.Code = fields[:at], fields[at+len(`,"code":"`):len(fields)-1]
	}
	fields, one.More = strings.CutSuffix(fields, `,"more":1`)
	switch {
	case strings.HasPrefix(line, `{"record":`):
		one.Row = f.row(before, fields+"}")
	case strings.HasPrefix(line, `{"seal":`):
		one.Seal = new(Seal)
		must(f.tb, json.Unmarshal([]byte(fields+"}"), one.Seal))
	case strings.HasPrefix(line, `{"part":`):
		one.Header = new(journal.Header)
		must(f.tb, json.Unmarshal([]byte(fields+"}"), one.Header))
	default:
		one.Text = fields
	}
	return one
}

func (f *File) row(before []string, fields string) *Row {
	var line struct {
		Record, Event, At, Round, Setup, Checkpoint int64
		Shoe                                        [2]int64
		Rules                                       string
		Carry                                       json.RawMessage
	}
	must(f.tb, json.Unmarshal([]byte(fields), &line))
	return &Row{
		Seq: line.Record, Event: line.Event, At: line.At, Round: line.Round, Setup: line.Setup,
		Checkpoint: line.Checkpoint,
		ShoeBoot:   line.Shoe[0], ShoeSeq: line.Shoe[1], Rules: line.Rules, Carry: line.Carry,
		Input: strings.TrimSuffix(before[0], "\n"), Outputs: strings.Join(before[1:], ""),
	}
}

// text writes a frame up to its hash.
func (one *Frame) text() string {
	text := one.Text
	switch {
	case one.Row != nil:
		text = one.Row.text()
	case one.Seal != nil:
		text = fmt.Sprintf(`{"seal":%d,"at":%d,"key":"%s","signature":"%s"`, one.Seal.Seal, one.Seal.At, one.Seal.Key,
			one.Seal.Signature)
	case one.Header != nil:
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(one.Header); err != nil {
			panic(err) // a header always encodes
		}
		text = strings.TrimSuffix(b.String(), "}\n")
	}
	if one.More {
		text += `,"more":1`
	}
	if one.Code != "" {
		text += `,"code":"` + one.Code + `"`
	}
	return text
}

func (r *Row) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s", r.Input, r.Outputs)
	fmt.Fprintf(&b, `{"record":%d,"event":%d,"at":%d,"round":%d`, r.Seq, r.Event, r.At, r.Round)
	if r.ShoeBoot != 0 || r.ShoeSeq != 0 {
		fmt.Fprintf(&b, `,"shoe":[%d,%d]`, r.ShoeBoot, r.ShoeSeq)
	}
	if r.Setup != 0 {
		fmt.Fprintf(&b, `,"setup":%d`, r.Setup)
	}
	if r.Checkpoint != 0 {
		fmt.Fprintf(&b, `,"checkpoint":%d`, r.Checkpoint)
	}
	if r.Rules != "" {
		fmt.Fprintf(&b, `,"rules":"%s"`, r.Rules)
	}
	if len(r.Carry) > 0 {
		fmt.Fprintf(&b, `,"carry":%s`, r.Carry)
	}
	return b.String()
}

// whole is the frame with its hash.
func (one *Frame) whole() string { return one.text() + `,"hash":"` + one.Hash + "\"}\n" }

// Rows are all records, in order.
func (f *File) Rows() (rows []*Row) {
	for _, p := range f.Parts {
		for _, frame := range p.Frames {
			if frame.Row != nil {
				rows = append(rows, frame.Row)
			}
		}
	}
	return rows
}

// Row finds a record by its number.
func (f *File) Row(seq int64) *Row {
	p, i := f.find(seq)
	return p.Frames[i].Row
}

// find says where a record stands.
func (f *File) find(seq int64) (*Part, int) {
	f.tb.Helper()
	for _, p := range f.Parts {
		for i, frame := range p.Frames {
			if frame.Row != nil && frame.Row.Seq == seq {
				return p, i
			}
		}
	}
	f.tb.Fatalf("there is no record %d", seq)
	return nil, 0
}

// Frame is the n-th frame that a test wants, from 0 on.
func (f *File) Frame(n int, wanted func(*Frame) bool) *Frame {
	f.tb.Helper()
	for _, p := range f.Parts {
		for _, frame := range p.Frames {
			if wanted(frame) {
				if n--; n < 0 {
					return frame
				}
			}
		}
	}
	f.tb.Fatal("there is no such frame")
	return nil
}

// Seal is the n-th seal, from 0 on.
func (f *File) Seal(n int) *Frame {
	f.tb.Helper()
	return f.Frame(n, func(one *Frame) bool { return one.Seal != nil })
}

// Line is the n-th other line that begins so, from 0 on.
func (f *File) Line(n int, begin string) *Frame {
	f.tb.Helper()
	return f.Frame(n, func(one *Frame) bool { return one.Text != "" && strings.HasPrefix(one.Text, begin) })
}

// Remove takes frames out. What was written together with them stays whole.
func (f *File) Remove(unwanted func(*Frame) bool) {
	for _, p := range f.Parts {
		for i := len(p.Frames) - 1; i > 0; i-- {
			if unwanted(p.Frames[i]) {
				p.remove(i)
			}
		}
	}
}

func (p *Part) remove(i int) {
	if i >= len(p.Frames)-p.Again {
		p.Again--
	}
	if one := p.Frames[i]; !one.More && p.Frames[i-1].More {
		p.Frames[i-1].More = false
	}
	p.Frames = slices.Delete(p.Frames, i, i+1)
}

// Drop takes the records from one number to another out.
func (f *File) Drop(from, to int64) {
	f.Remove(func(one *Frame) bool { return one.Row != nil && one.Row.Seq >= from && one.Row.Seq <= to })
}

// Cut takes a record out, and all that follows.
func (f *File) Cut(from int64) {
	p, i := f.find(from)
	f.Parts = f.Parts[:slices.Index(f.Parts, p)+1]
	p.Frames, p.Again, p.Rest = p.Frames[:i], 0, nil
}

// Copy puts a record in a second time, behind itself and under another number.
func (f *File) Copy(seq, as int64) {
	p, i := f.find(seq)
	row := *p.Frames[i].Row
	row.Seq = as
	f.insert(p, i+1, &Frame{Row: &row, More: p.Frames[i].More})
}

// Insert puts a frame in behind a record.
func (f *File) Insert(behind int64, one *Frame) {
	p, i := f.find(behind)
	one.More = p.Frames[i].More
	p.Frames[i].More = true
	f.insert(p, i+1, one)
}

func (f *File) insert(p *Part, i int, one *Frame) {
	if i > len(p.Frames)-p.Again {
		p.Again++
	}
	one.Hash, one.Code = cmp.Or(one.Hash, p.Frames[i-1].Hash), cmp.Or(one.Code, p.Frames[i-1].Code)
	p.Frames = slices.Insert(p.Frames, i, one)
}

// Renumber gives the shoe's events numbers without holes.
func (f *File) Renumber() {
	n := int64(0)
	for _, r := range f.Rows() {
		if r.ShoeSeq != 0 {
			n++
			r.ShoeSeq = n
		}
	}
}

// Rechain has Save number the records anew and compute everything that depends on that,
// as a tamperer would.
func (f *File) Rechain() { f.anew = true }

// Save writes the parts back, doing with the seals what is said.
func (f *File) Save(seals Seals) {
	f.tb.Helper()
	old, err := filepath.Glob(filepath.Join(f.path, "part-*"))
	must(f.tb, err)
	for _, name := range old {
		must(f.tb, os.Remove(name))
	}
	w := rewriting{f: f, seals: seals, cursors: map[string]uint64{}}
	if last := f.Parts[len(f.Parts)-1].Frames; f.anew {
		last[len(last)-1].More = false
	}
	for _, p := range f.Parts {
		must(f.tb, os.WriteFile(filepath.Join(f.path, p.Name), []byte(w.part(p)), 0o640))
	}
}

// rewriting is a journal that is being written again.
type rewriting struct {
	f     *File
	seals Seals
	// hash is behind the last frame, and last before it.
	hash, last string
	changed    bool

	started                       bool
	id                            string
	seq, event, setup, checkpoint int64
	round                         int64
	shoe                          *[2]uint32
	shoes                         [][2]uint32
	input                         string // the set-up's
	rules                         string
	cursors                       map[string]uint64
	// before is the part before, ends how much of it counts, after the hash there, again
	// what follows that, and over how long that is in the file.
	before uint64
	ends   int
	after  string
	again  string
	over   int
}

func (w *rewriting) part(p *Part) string {
	if w.seals == Strip {
		w.strip(p)
	}
	var b strings.Builder
	for i := 0; i < len(p.Frames); i++ {
		if i == len(p.Frames)-p.Again {
			w.ends, w.after = b.Len(), w.hash
		}
		one := p.Frames[i]
		if w.dropped(one) {
			if i >= len(p.Frames)-p.Again {
				p.Again--
			}
			p.Frames = slices.Delete(p.Frames, i, i+1)
			i--
			continue
		}
		w.frame(p, one)
		if i+1 < len(p.Frames) && w.dropped(p.Frames[i+1]) && one.More != p.Frames[i+1].More {
			one.More = p.Frames[i+1].More
			w.link(one)
		}
		b.WriteString(one.whole())
	}
	if p.Again == 0 {
		w.ends, w.after = b.Len(), w.hash
	}
	text := b.String()
	w.again = text[w.ends:]
	w.before = p.Header().Part
	if p.Rest != nil {
		text = text[:w.ends] + string(p.Rest)
	}
	w.over = len(text) - w.ends
	return text
}

func (w *rewriting) dropped(one *Frame) bool { return w.seals == Drop && one.Seal != nil && w.changed }

func (w *rewriting) strip(p *Part) {
	for i := len(p.Frames) - 1; i > 0; i-- {
		if p.Frames[i].Seal != nil {
			p.remove(i)
		}
	}
}

// frame makes a frame fit what was before, and computes its hash.
func (w *rewriting) frame(p *Part, one *Frame) {
	if one.Header != nil {
		w.header(p, one)
	}
	if !w.f.anew {
		w.hash = one.Hash
		return
	}
	switch {
	case one.Row != nil:
		w.row(one.Row)
	case one.Seal != nil:
		w.seal(one.Seal)
	case strings.HasPrefix(one.Text, `{"cursor":`):
		w.cursor(one)
	}
	was := one.Hash
	w.last = w.hash
	w.link(one)
	w.changed = w.changed || one.Hash != was
}

// link computes the hash of the frame after the last.
func (w *rewriting) link(one *Frame) {
	sum := sha256.Sum256([]byte(w.last + "\"}\n" + one.text()))
	one.Hash = hex.EncodeToString(sum[:])
	w.hash = one.Hash
}

func (w *rewriting) header(p *Part, one *Frame) {
	h := one.Header
	if w.f.anew {
		if !w.started {
			w.first(h)
		} else {
			w.fit(h)
		}
		switch {
		case w.seals == Strip:
			h.Key = ""
		case w.seals == Forge:
			h.Key = journal.PublicLine(Other.Public().(ed25519.PublicKey))
		}
	}
	if p.Edit != nil {
		p.Edit(h)
	}
}

// first begins where the first part that is there begins.
func (w *rewriting) first(h *journal.Header) {
	w.started, w.id, w.hash = true, h.Journal, h.After
	w.seq, w.event, w.checkpoint, w.round = int64(h.Record), int64(h.Event), int64(h.Checkpoint), int64(h.Round)
	if h.Setup != nil {
		w.setup, w.input = int64(h.Setup.Record), string(h.Setup.Input)
	}
	w.shoe, w.shoes, w.rules, w.cursors = h.Shoe, h.Shoes, h.Rules, maps.Clone(h.Cursors)
	if w.cursors == nil {
		w.cursors = map[string]uint64{}
	}
}

// fit makes a header say what the parts before it come to.
func (w *rewriting) fit(h *journal.Header) {
	h.Journal = w.id
	h.Before, h.Ends, h.Over, h.After, h.Again = w.before, int64(w.ends), int64(w.over), w.after, w.again
	h.Record, h.Event, h.Checkpoint, h.Round = uint64(w.seq), uint64(w.event), uint64(w.checkpoint), uint64(w.round)
	h.Setup, h.Shoe, h.Shoes, h.Rules = nil, w.shoe, w.shoes, w.rules
	if w.setup != 0 {
		h.Setup = &journal.SetUp{Record: uint64(w.setup), Input: json.RawMessage(w.input)}
	}
	for name, event := range h.Cursors {
		h.Cursors[name] = min(event, uint64(w.event))
	}
}

func (w *rewriting) row(r *Row) {
	w.seq++
	w.event += int64(strings.Count(r.Outputs, "\n"))
	r.Seq, r.Event = w.seq, w.event
	if len(r.Carry) > 0 {
		w.checkpoint = r.Seq
		if strings.Contains(r.Input, `"in":"setup"`) {
			w.setup, w.input = r.Seq, r.Input
		}
	}
	r.Setup, r.Checkpoint = w.setup, w.checkpoint
	if r.ShoeBoot != 0 || r.ShoeSeq != 0 {
		w.place([2]uint32{uint32(r.ShoeBoot), uint32(r.ShoeSeq)})
	}
	w.round, w.rules = r.Round, cmp.Or(r.Rules, w.rules)
}

// place keeps the last position of each boot of a shoe.
func (w *rewriting) place(p [2]uint32) {
	if w.shoe != nil && w.shoe[0] != p[0] {
		w.shoes = slices.DeleteFunc(slices.Clone(w.shoes), func(other [2]uint32) bool { return other[0] == p[0] })
		w.shoes = slices.Insert(w.shoes, 0, *w.shoe)
	}
	w.shoe = &p
}

func (w *rewriting) seal(s *Seal) {
	if w.seals == Leave {
		return
	}
	s.Seal = w.seq
	switch {
	case w.seals == Sign && s.Signature == noSignature:
	case w.seals == Sign:
		w.sign(s, Key)
	case w.seals == Forge, w.seals == Foreign && w.changed:
		w.sign(s, Other)
	case w.seals == Zero && w.changed:
		s.Signature = noSignature
	}
}

var noSignature = strings.Repeat("00", ed25519.SignatureSize)

func (w *rewriting) sign(s *Seal, key ed25519.PrivateKey) {
	s.Key = journal.PublicLine(key.Public().(ed25519.PublicKey))
	sum, err := hex.DecodeString(w.hash)
	must(w.f.tb, err)
	s.Signature = hex.EncodeToString(ed25519.Sign(key, journal.SealText(w.id, uint64(s.Seal), [32]byte(sum), s.At)))
}

// cursor keeps a cursor that was moved by hand, unless it is beyond the last event.
func (w *rewriting) cursor(one *Frame) {
	var line struct {
		Cursor string
		Event  uint64
	}
	must(w.f.tb, json.Unmarshal([]byte(one.Text+"}"), &line))
	one.Text = fmt.Sprintf(`{"cursor":%q,"event":%d`, line.Cursor, min(line.Event, uint64(w.event)))
	w.cursors[line.Cursor] = min(line.Event, uint64(w.event))
}
