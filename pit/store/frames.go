package store

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// A stretch is kept as its frames, one after the other, compressed with a dictionary of what
// such frames mostly say. Most of what is left would be hashes, which nothing compresses: so
// a hash that follows from the frame and the hash before it is left out, and made again when
// the frames are read. (README.md of table/journal defines it.)

// dictionary was made by go test ./pit/store -run TestDictionary -update. Stretches name it by
// its number: those that are kept need it for ever. A better one gets another number.
//
//go:embed frames.dict
var dictionary []byte

const dictionaryID = 1

var (
	beginRecord = []byte(`{"record":`)
	beforeHash  = []byte(`,"hash":"`)
	afterHash   = []byte("\"}\n")
)

const hexHash = 2 * sha256.Size

// packer compresses stretches that get no more records, and quickPacker those that do.
var packer, quickPacker = encoder(zstd.SpeedBetterCompression), encoder(zstd.SpeedFastest)

func encoder(level zstd.EncoderLevel) func() *zstd.Encoder {
	return sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderDict(dictionary), zstd.WithEncoderLevel(level),
			zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
		if err != nil {
			panic(fmt.Sprintf("store: %v", err)) // the options are constants
		}
		return e
	})
}

// mostStretch bounds what a damaged stretch can make the reader allocate.
const mostStretch = 1 << 30

var unpacker = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderDicts(dictionary), zstd.WithDecoderConcurrency(0),
		zstd.WithDecoderMaxMemory(mostStretch))
	if err != nil {
		panic(fmt.Sprintf("store: %v", err)) // the options are constants
	}
	return d
})

// packing is a stretch that is being written.
type packing struct {
	chain
	text   []byte // before it is compressed
	frames int
	// quick is the text as it is kept while frames are added: what came at one time is compressed by itself, once. The
	// first done bytes of the text are in it.
	quick []byte
	done  int
}

// add adds the frame that follows.
func (p *packing) add(frame []byte) {
	p.text = p.shorten(p.text, frame)
	p.frames++
}

// full says that it gets no more frames.
func (p *packing) full() bool { return p.frames >= mostOpen || len(p.text) >= mostOpenText }

// open is the stretch as it is kept while it gets more frames, and closed as it is kept for ever.
func (p *packing) open() []byte {
	p.quick, p.done = quickPacker().EncodeAll(p.text[p.done:], p.quick), len(p.text)
	return p.quick
}

func (p *packing) closed() []byte { return packer().EncodeAll(p.text, nil) }

// unpack reads the frames of a stretch.
func unpack(kept []byte) (frames [][]byte, err error) {
	text, err := unpacker().DecodeAll(kept, nil)
	if err != nil { // its own kind says nothing here: one that was cut short would look like a line that was
		return nil, fmt.Errorf("a stretch of records cannot be read: %v", err)
	}
	var chain chain
	for len(text) > 0 {
		size := frameSize(text)
		if size < 0 {
			return nil, errors.New("a stretch of records cannot be read: it does not end with a whole one")
		}
		frame, err := chain.restore(text[:size])
		if err != nil {
			return nil, err
		}
		frames, text = append(frames, frame), text[size:]
	}
	return frames, nil
}

// frameSize is how long the first frame of a text is: it ends with the first line that closes a
// record. It is -1 if there is none.
func frameSize(text []byte) int {
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return -1
		}
		if bytes.HasPrefix(text[at:], beginRecord) {
			return at + n + 1
		}
		at += n + 1
	}
}

// chain computes the hashes of frames that follow each other.
type chain struct {
	before []byte // the hash before, in hexadecimal digits; nil before the first
	buf    []byte
}

// next is the hash of a frame that covers a text, "" if the hash before is not known.
func (c *chain) next(covered []byte) []byte {
	if c.before == nil {
		return nil
	}
	c.buf = append(append(append(c.buf[:0], c.before...), afterHash...), covered...)
	sum := sha256.Sum256(c.buf)
	return hex.AppendEncode(nil, sum[:])
}

// shorten adds a frame to text, without its hash if that follows.
func (c *chain) shorten(text, frame []byte) []byte {
	end := len(frame) - len(afterHash) - hexHash
	covered, digits := frame[:end-len(beforeHash)], frame[end:end+hexHash]
	if bytes.Equal(c.next(covered), digits) {
		text = append(append(append(text, covered...), beforeHash...), afterHash...)
	} else {
		text = append(text, frame...)
	}
	c.before = digits
	return text
}

// restore is the frame that was shortened to a text.
func (c *chain) restore(text []byte) ([]byte, error) {
	open := bytes.TrimSuffix(text, afterHash)
	if covered, without := bytes.CutSuffix(open, beforeHash); without {
		digits := c.next(covered)
		if digits == nil {
			return nil, errors.New("a stretch of records cannot be read: its first one has no hash")
		}
		c.before = digits
		return bytes.Join([][]byte{covered, beforeHash, digits, afterHash}, nil), nil
	}
	if end := len(open) - hexHash; end > len(beforeHash) && bytes.HasSuffix(open[:end], beforeHash) &&
		len(open) < len(text) {
		c.before = open[end:]
		return text, nil
	}
	return nil, errors.New("a stretch of records cannot be read: one has no hash")
}
