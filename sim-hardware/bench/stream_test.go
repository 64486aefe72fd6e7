package bench

import (
	"io"
	"net/http"
	"time"
)

// stream is a browser's end of a connection that receives data as it arrives.
type stream struct {
	*io.PipeWriter
	header http.Header
}

func newStream() (*stream, *io.PipeReader) {
	r, w := io.Pipe()
	return &stream{w, http.Header{}}, r
}

func (s *stream) Header() http.Header              { return s.header }
func (s *stream) WriteHeader(int)                  {}
func (s *stream) Flush()                           {}
func (s *stream) SetWriteDeadline(time.Time) error { return nil }
