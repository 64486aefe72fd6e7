package transcript

import (
	"bufio"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// zstdMagic are the first bytes of what zstd has packed. No text begins so.
const zstdMagic = "\x28\xb5\x2f\xfd"

// Unpack gives what r holds, taken out of zstd where it is packed so. Close is for when
// nobody reads on.
func Unpack(r io.Reader) (io.ReadCloser, error) {
	in := bufio.NewReaderSize(r, maxLine)
	// What is shorter is not packed; why it is shorter, reading says.
	if first, _ := in.Peek(len(zstdMagic)); string(first) != zstdMagic {
		return io.NopCloser(in), nil
	}
	lines, err := zstd.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("reading zstd: %w", err)
	}
	return lines.IOReadCloser(), nil
}
