package transcript

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/sabot-table/sabot/table/vocab"
)

// again is what to do about a file that is not as it was written.
const again = "what comes before it can be trusted; copy the file again, or make it again from the journal"

// nextBlock reads a block, and its checksum before anything in it is believed. After
// the end mark it returns io.EOF.
func (d *Decoder) nextBlock() error {
	if d.block == nil {
		if err := d.readHead(); err != nil {
			return err
		}
	}
	d.start += int64(len(d.block))
	d.block, d.at = d.block[:0], 0
	if err := d.readMore(frameSize); err != nil {
		return d.cut(err, "the file ends without its end mark")
	}
	size := binary.LittleEndian.Uint32(d.block)
	if size > maxBlock {
		return d.wrong("a block of %d bytes begins here, and none has more than %d: the file is damaged; %s", size, maxBlock, again)
	}
	if err := d.readMore(int(size)); err != nil {
		return d.cut(err, "the file ends in the middle of a block")
	}
	return d.beginBlock()
}

// beginBlock looks whether the block that was read is whole and the next one.
func (d *Decoder) beginBlock() error {
	if binary.LittleEndian.Uint32(d.block[12:]) != checksum(d.block) {
		return d.wrong("the block of %d bytes that begins here is damaged: its checksum is wrong; %s", len(d.block), again)
	}
	if before := binary.LittleEndian.Uint64(d.block[4:]); before != d.line {
		return d.wrong("the block that begins here follows line %d: blocks are missing, or not in their order; %s", before, again)
	}
	d.at = frameSize
	d.words, d.time = d.words[:0], 0
	if len(d.block) > frameSize {
		return nil
	}
	switch _, err := d.r.ReadByte(); {
	case err == nil:
		d.at = len(d.block)
		return d.wrong("something follows the end of the transcript: it is no part of it")
	case !errors.Is(err, io.EOF):
		return d.broken(err)
	}
	return io.EOF
}

// readHead reads what the file begins with.
func (d *Decoder) readHead() error {
	d.block = make([]byte, 0, frameSize+fullBlock)
	if err := d.readMore(len(magic) + 1); err != nil {
		return d.cut(err, "the file ends in its first bytes")
	}
	switch v := d.block[len(magic)]; {
	case string(d.block[:len(magic)]) != magic:
		return d.wrong("this is no compact transcript, or its line endings were changed on the way: copy it as binary")
	case v != version:
		d.at = len(magic)
		return d.wrong("this is version %d of the compact form, and only version %d is known; %s", v, version, newer)
	}
	return nil
}

// readMore adds so many bytes to the block.
func (d *Decoder) readMore(n int) error {
	have := len(d.block)
	if cap(d.block) < have+n {
		d.block = append(make([]byte, 0, frameSize+maxBlock), d.block...)
	}
	d.block = d.block[:have+n]
	got, err := io.ReadFull(d.r, d.block[have:])
	d.block = d.block[:have+got]
	return err
}

// cut is a file that ends too soon, or cannot be read on.
func (d *Decoder) cut(err error, what string) error {
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return d.broken(err)
	}
	d.at = len(d.block)
	return d.wrong("%s: it was cut off; %s", what, again)
}

func (d *Decoder) broken(err error) error {
	return fmt.Errorf("reading the transcript at line %d: %w", d.line+1, err)
}

// wrong is a place between the inputs at which the transcript cannot be read on.
func (d *Decoder) wrong(format string, args ...any) error {
	return &CompactError{Line: d.line + 1, Byte: d.start + int64(d.at), What: fmt.Sprintf(format, args...)}
}

func (d *Decoder) refuse(in *vocab.Input, what string) error {
	return &CompactError{Line: in.Line, Byte: d.start + int64(d.begin), What: what}
}
