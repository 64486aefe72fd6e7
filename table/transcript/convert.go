package transcript

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/sabot-table/sabot/table/vocab"
)

// The first bytes of what is packed: of zstd, and of the form in which earlier releases
// wrote archives. No text begins so.
const (
	zstdMagic = "\x28\xb5\x2f\xfd"
	oldMagic  = "\x89SABOT\n"
)

// errOldForm is what is said of an archive of an earlier release.
var errOldForm = errors.New("the file is in the compact form of release 1, which is not read any more: `sabot expand` of that release makes JSON lines of it")

// Unpack gives what r holds, taken out of zstd where it is packed so. A file of the
// compact form of earlier releases is an error that says what to do with it. Close is for
// when nobody reads on.
func Unpack(r io.Reader) (io.ReadCloser, error) {
	in := bufio.NewReaderSize(r, maxLine)
	// What is shorter is none of both; why it is, reading says.
	if first, _ := in.Peek(len(oldMagic)); string(first) == oldMagic {
		return nil, errOldForm
	}
	if first, _ := in.Peek(len(zstdMagic)); string(first) != zstdMagic {
		return io.NopCloser(in), nil
	}
	lines, err := zstd.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("reading zstd: %w", err)
	}
	return lines.IOReadCloser(), nil
}

// Compact writes a transcript, packed or not, packed by zstd: its lines stay as they are.
// No house is looked up. It stops at the first input that is not valid, with an *Error;
// what was written by then has no end, and nobody takes it for the whole.
func Compact(r io.Reader, w io.Writer) error {
	lines, err := Unpack(r)
	if err != nil {
		return err
	}
	defer lines.Close()
	packed, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBetterCompression))
	if err != nil {
		return err
	}
	if err := check(io.TeeReader(lines, packed)); err != nil {
		return errors.Join(err, packed.Flush())
	}
	return packed.Close()
}

// check reads a transcript to its end.
func check(r io.Reader) error {
	p := NewParser(nil)
	p.AnyHouse = true
	reader := NewReader(r, p)
	var in vocab.Input
	for {
		switch err := reader.Read(&in); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// MostExpanded is more than the transcript of any table comes to, in bytes.
const MostExpanded = 4 << 30

// ErrExpanded is a transcript that comes to more than it may: few packed bytes can be made to come to any number.
var ErrExpanded = errors.New("it comes to more than a transcript of a table does")

// Expand writes a transcript, packed or not, as the JSON lines that it is, as far as they have no more than most bytes.
func Expand(r io.Reader, w io.Writer, most int64) error {
	lines, err := Unpack(r)
	if err != nil {
		return err
	}
	defer lines.Close()
	n, err := io.Copy(w, io.LimitReader(lines, most+1))
	switch {
	case err != nil:
		return fmt.Errorf("expanding: %w", err)
	case n > most:
		return fmt.Errorf("expanding: %w: %d bytes were written; say --most if it is one all the same", ErrExpanded, n)
	}
	return nil
}
