package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
)

// A part is a sequence of frames. A frame is one or more lines of JSON, of which the last
// closes it with a hash over everything since the hash before: README.md defines it. The
// frame of a record is its input, its outputs, and the line that closes it.
//
//	{"in":"card","card":"TH","t":"2026-11-21T20:15:04Z"}
//	{"out":"dealt","card":"TH","to":"bank","total":10,"soft":false}
//	{"record":7,"event":12,"at":1795292104000000000,"round":1,"shoe":[7,3],"setup":1,"checkpoint":1,"code":"…",…}
const (
	// mostFrame limits a frame, so that a damaged part cannot fill the memory.
	mostFrame = 8 << 20
	hexHash   = 2 * sha256.Size
)

// How lines begin, and how a frame ends.
var (
	beginIn     = []byte(`{"in":`)
	beginOut    = []byte(`{"out":`)
	beginRecord = []byte(`{"record":`)
	beginPart   = []byte(`{"part":`)
	beginRules  = []byte(`{"rules":`)
	beginSeal   = []byte(`{"seal":`)
	beginCursor = []byte(`{"cursor":`)
	beginAway   = []byte(`{"away":`)
	beforeHash  = []byte(`,"hash":"`)
	afterHash   = []byte("\"}\n")
	moreFollows = []byte(`,"more":1`)
)

// hashEnd is how many bytes of a closing line there are from its hash's name on.
var hashEnd = len(beforeHash) + hexHash + len(afterHash)

// frame is one frame of a part.
type frame struct {
	// text is the whole frame, and close its last line.
	text, close []byte
	// at is where it begins in its part.
	at   int64
	hash [sha256.Size]byte
	// more says that the next frame was written together with this one.
	more bool
	// coded says that it has a code, and digest is what that is made of, where somebody has computed it.
	coded  bool
	code   [codeSize]byte
	digest [sha256.Size]byte
	// first is the length of the first line, lines the number of lines before close, and
	// inputs how many of those begin as inputs do.
	first, lines, inputs int
}

// end is where the next frame begins.
func (f *frame) end() int64 { return f.at + int64(len(f.text)) }

// covered is the text that the hash covers, besides the hash before.
func (f *frame) covered() []byte { return f.text[:len(f.text)-hashEnd] }

// ending is how much of the covered text only the hash covers, and not the code.
func (f *frame) ending() int {
	if f.coded {
		return codeEnd
	}
	return 0
}

// fields is the closing line without what every closing line ends with.
func (f *frame) fields() []byte {
	line := f.close[:len(f.close)-hashEnd-f.ending()]
	if f.more {
		line = line[:len(line)-len(moreFollows)]
	}
	return line
}

func (f *frame) is(kind []byte) bool { return bytes.HasPrefix(f.close, kind) }

// errFrame is text that is not a whole frame.
var errFrame = errors.New("is not a whole frame")

// cutFrame returns the first frame of text. It needs more text if the error is
// io.ErrUnexpectedEOF; any other error is an errFrame.
func cutFrame(text []byte) (f frame, err error) {
	for from := 0; ; {
		n := bytes.IndexByte(text[from:], '\n')
		if n < 0 {
			return f, io.ErrUnexpectedEOF
		}
		line := text[from : from+n+1]
		from += n + 1
		switch {
		case bytes.HasPrefix(line, beginOut):
		case bytes.HasPrefix(line, beginIn):
			f.inputs++
		default:
			f.text, f.close = text[:from], line
			return f, f.closed()
		}
		if f.lines++; f.lines == 1 {
			f.first = n
		}
	}
}

// closed reads how the frame ends.
func (f *frame) closed() error {
	start := len(f.close) - hashEnd
	if start <= 0 || !bytes.HasPrefix(f.close[start:], beforeHash) || !bytes.HasSuffix(f.close, afterHash) {
		return fmt.Errorf("%w: the line that should close it has no hash", errFrame)
	}
	digits := f.close[start+len(beforeHash) : start+len(beforeHash)+hexHash]
	if !readHash(&f.hash, digits) {
		return fmt.Errorf("%w: its hash is not 64 hexadecimal digits", errFrame)
	}
	line, code, coded := cutCode(f.close[:start])
	f.more, f.coded = bytes.HasSuffix(line, moreFollows), coded
	if coded && !readHex(f.code[:], code) {
		return fmt.Errorf("%w: its code is not %d hexadecimal digits", errFrame, 2*codeSize)
	}
	return nil
}

// cutCode cuts the code off a closing line without its hash. No line without a code ends like this: a quote inside of a
// text is escaped.
func cutCode(line []byte) (rest, digits []byte, coded bool) {
	start := len(line) - codeEnd
	if start <= 0 || !bytes.HasPrefix(line[start:], beforeCode) || line[len(line)-1] != '"' {
		return line, nil, false
	}
	return line[:start], line[start+len(beforeCode) : len(line)-1], true
}

// readHash reads a hash as a part has it: in lower case, so that there is only one way to
// write it.
func readHash(sum *[sha256.Size]byte, digits []byte) bool { return readHex(sum[:], digits) }

// readHex reads as many bytes, of which there are twice as many digits.
func readHex(into, digits []byte) bool {
	var wrong byte
	for i := range into {
		high, low := nibbles[digits[2*i]], nibbles[digits[2*i+1]]
		into[i], wrong = high<<4|low&15, wrong|high|low
	}
	return wrong < noDigit
}

// nibbles are the values of hexadecimal digits; every other byte is noDigit.
const noDigit = 0x80

var nibbles = func() (of [256]byte) {
	for i := range of {
		of[i] = noDigit
	}
	for i, digit := range []byte("0123456789abcdef") {
		of[digit] = byte(i)
	}
	return of
}()

// linker computes hashes. Its buffer is reused from one frame to the next.
type linker struct{ buf []byte }

// sum is the hash of a frame that covers text, after the hash before.
func (l *linker) sum(before *[sha256.Size]byte, text []byte) [sha256.Size]byte {
	l.buf = hex.AppendEncode(l.buf[:0], before[:])
	l.buf = append(append(l.buf, afterHash...), text...)
	return sha256.Sum256(l.buf)
}

// fits reports whether a frame follows from the hash before, and finds what its code is made of, if that is wanted.
func (l *linker) fits(before *[sha256.Size]byte, f *frame, wanted bool) bool {
	fits := l.sum(before, f.covered()) == f.hash
	if f.coded && wanted {
		f.digest = sha256.Sum256(l.buf[:len(l.buf)-codeEnd])
	}
	return fits
}

// origin is the hash before the first frame. It covers the journal's own id, so that parts
// of another journal do not fit.
func origin(id string) [sha256.Size]byte { return sha256.Sum256([]byte("sabot journal " + id)) }

// frames reads the frames of a part in order, through a buffer of its own.
type frames struct {
	from io.ReaderAt
	size int64

	buf   []byte
	at    int64 // where buf begins
	used  int   // how much of buf was returned
	chunk int
	// own is the stretch whose buffer buf is, and free are unused ones: nil for a reader
	// that has one buffer and overwrites it.
	own  *stretch
	free <-chan *stretch
	// digests says that the frames' digests are wanted, for their codes; sum computes them, and linked is the last hash
	// that it found.
	digests bool
	sum     hash.Hash
	linked  []byte
	// skip says that the text up to the next line belongs to a frame that is too long: it is not
	// kept.
	skip bool
}

const (
	// readChunk is how much is read at once.
	readChunk = 128 << 10
	// contextSize is how much of the text before a frame stays in the buffer: the end of
	// the frame before, with its hash, which the frame's own hash also covers.
	contextSize = hexHash + 3
)

func newFrames(from io.ReaderAt, at, size int64) *frames {
	return &frames{from: from, at: at, size: size, chunk: readChunk}
}

// next returns the next frame, which is valid until the next call. The error is io.EOF at
// the end, and io.ErrUnexpectedEOF if the text ends in the middle of a frame.
func (r *frames) next() (f frame, err error) {
	if err := r.skipLine(); err != nil {
		return frame{at: r.at + int64(r.used)}, err
	}
	for {
		f, err = cutFrame(r.buf[r.used:])
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		more, err := r.fill()
		if err != nil {
			return frame{text: r.buf[r.used:], at: r.at + int64(r.used)}, err
		}
		if !more {
			return r.rest()
		}
	}
	f.at = r.at + int64(r.used)
	if err == nil {
		r.used += len(f.text)
	}
	return f, err
}

// skipLine leaves out the rest of a line that is too long, a chunk at a time. It returns an
// errFrame now and then, so that the caller can give up.
func (r *frames) skipLine() error {
	for begin := r.at; r.skip; {
		if r.at-begin > mostFrame {
			return fmt.Errorf("%w: the one before byte %d has more than %d bytes", errFrame, r.at, mostFrame)
		}
		if n := bytes.IndexByte(r.buf[r.used:], '\n'); n >= 0 {
			r.used, r.skip = r.used+n+1, false
			return nil
		}
		r.used = len(r.buf)
		if more, err := r.fill(); err != nil || !more {
			return err
		}
	}
	return nil
}

// rest is what remains after the last whole frame.
func (r *frames) rest() (frame, error) {
	f := frame{text: r.buf[r.used:], at: r.at + int64(r.used)}
	if len(f.text) == 0 {
		return f, io.EOF
	}
	return f, io.ErrUnexpectedEOF
}

// room is the size of a new buffer for a text: one that is reused for other stretches of a
// long part has some to spare.
func (r *frames) room(size int) int {
	if r.free != nil && size > r.chunk {
		return max(size, 2*r.chunk)
	}
	return size
}

// fill reads more text, and reports whether there was any.
func (r *frames) fill() (bool, error) {
	left := len(r.buf) - r.used
	if left > mostFrame {
		return false, fmt.Errorf("%w: the one at byte %d has more than %d bytes", errFrame,
			r.at+int64(r.used), mostFrame)
	}
	ends := r.at + int64(len(r.buf))
	n := int(min(int64(max(r.chunk, left)), int64(mostFrame+1-left), r.size-ends))
	if n <= 0 {
		return false, nil
	}
	kept := left + min(r.used, contextSize)
	into := r.buf[:0]
	if r.free != nil && (r.own == nil || len(r.own.found) > 0) {
		r.own = <-r.free
		into = r.own.buf[:0]
	}
	if cap(into) < kept+n {
		into = make([]byte, 0, r.room(kept+n))
	}
	into = into[:kept]
	copy(into, r.buf[len(r.buf)-kept:])
	r.at += int64(len(r.buf) - kept)
	r.buf, r.used = into, kept-left
	got, err := r.from.ReadAt(r.buf[kept:kept+n], ends)
	r.buf = r.buf[:kept+got]
	if r.own != nil {
		r.own.buf = r.buf
	}
	if got > 0 {
		return true, nil // the next one fails again
	}
	return false, err
}
