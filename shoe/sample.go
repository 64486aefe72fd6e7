package shoe

import (
	"errors"
	"fmt"

	"github.com/sabot-table/sabot/device"
)

const (
	// sampleLimit is how many bytes are kept: several messages of any make.
	sampleLimit = 512
	// shownLimit is how many of them are shown in the log.
	shownLimit = 32
)

// Sample is what came on a line since its last good message. Its zero value is empty.
type Sample struct {
	// Bytes are the last ones, oldest first.
	Bytes []byte
	// Received counts all of them, and Misframed how often the port reported one without a stop bit.
	Received, Misframed uint64
	// Unprintable counts those that occur in no text.
	Unprintable uint64
}

// Add takes bytes that came, and what the port lost meanwhile.
func (s *Sample) Add(p []byte, lost device.Losses) {
	s.Received += uint64(len(p))
	s.Misframed += lost.Framing + lost.Breaks
	for _, b := range p {
		if (b < ' ' || b > '~') && b != '\r' && b != '\n' && b != '\t' {
			s.Unprintable++
		}
	}
	if over := len(s.Bytes) + len(p) - sampleLimit; over > 0 {
		n := copy(s.Bytes, s.Bytes[min(over, len(s.Bytes)):])
		s.Bytes = s.Bytes[:n]
	}
	s.Bytes = append(s.Bytes, p[max(0, len(p)-sampleLimit):]...)
}

// Reset empties the sample.
func (s *Sample) Reset() { *s = Sample{Bytes: s.Bytes[:0]} }

// Last is the last bytes, for the log.
func (s *Sample) Last() error {
	return errors.New(Dump(s.Bytes[max(0, len(s.Bytes)-shownLimit):]))
}

// Dump writes bytes in hex and as characters.
func Dump(p []byte) string {
	text := []byte(string(p))
	for i, b := range text {
		if b < ' ' || b > '~' {
			text[i] = '.'
		}
	}
	return fmt.Sprintf("% x |%s|", p, text)
}
