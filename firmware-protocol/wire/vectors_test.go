package wire

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/firmware-protocol/vectors"
)

// receiver is a decoder in the session of a case, if it has one.
func receiver(c vectors.Case) *Decoder {
	if c.Key == nil {
		return &Decoder{}
	}
	return &Decoder{Guard: &Guard{current: channel{agreed: true, receive: Secret(*c.Key), seen: c.Seen}}}
}

// encoded makes a frame of the message again, under the key and counter that it came with.
func encoded(c vectors.Case, m Message) []byte {
	if c.Key == nil {
		return AppendFrame(nil, m)
	}
	g := Guard{Limit: math.MaxUint32, current: channel{agreed: true, send: Secret(*c.Key), sent: m.Counter - 1}}
	return g.Append(nil, m)
}

func TestVectors(t *testing.T) {
	for _, c := range vectors.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			got := feed(receiver(c), c.Bytes)
			if said := said(got); !slices.Equal(said, c.Reports) {
				t.Errorf("said %q\nwant %q", said, c.Reports)
			}
			var pieces []report
			single := receiver(c)
			for i := range c.Bytes {
				pieces = append(pieces, feed(single, c.Bytes[i:i+1])...)
			}
			if said := said(pieces); !slices.Equal(said, c.Reports) {
				t.Errorf("byte by byte said %q", said)
			}
			if !c.Encode {
				return
			}
			if frame := encoded(c, got[0].m); !bytes.Equal(frame, c.Bytes) {
				t.Errorf("encoded as % x", frame)
			}
		})
	}
}

// Every message of the protocol has a vector that the encoder must match.
func TestVectorsCoverEveryType(t *testing.T) {
	covered := map[string]bool{}
	for _, c := range vectors.Cases() {
		if c.Encode {
			name, _, _ := strings.Cut(c.Reports[0].Message, " ")
			covered[name] = true
		}
	}
	for kind, name := range typeNames {
		if name != "" && !covered[name] {
			t.Errorf("no vector for %s (type 0x%02x)", name, kind)
		}
	}
}

func said(reports []report) (all []vectors.Report) {
	for _, r := range reports {
		if bad := frameFault(r.err); bad != "" {
			all = append(all, vectors.Report{Frame: bad})
			continue
		}
		all = append(all, vectors.Report{Frame: "ok", Message: messageLine(r)})
	}
	return all
}

func frameFault(err error) string {
	switch err {
	case ErrTooLong:
		return "too-long"
	case ErrTooShort:
		return "too-short"
	case ErrCOBS:
		return "bad-cobs"
	case ErrCRC:
		return "bad-crc"
	}
	return ""
}

func messageLine(r report) string {
	var (
		version *VersionError
		unknown *UnknownTypeError
		length  *LengthError
		field   *FieldError
		code    *CardCodeError
		seal    *SealError
	)
	number := ""
	if r.m.Numbered() {
		number = fmt.Sprintf(" boot=%d seq=%d time=%d", r.m.Boot, r.m.Seq, r.m.Micros)
	}
	switch {
	case errors.As(r.err, &version):
		return fmt.Sprintf("error unknown-version got=%d want=%d", version.Got, version.Want)
	case errors.As(r.err, &seal):
		faults := [...]string{NoKey: "no-key", BadTag: "bad-tag", OldCounter: "old-counter", Early: "early"}
		return fmt.Sprintf("error %s type=%d counter=%d", faults[seal.Fault], seal.Type, seal.Counter)
	case errors.As(r.err, &unknown):
		return fmt.Sprintf("error unknown-type type=%d%s", unknown.Type, number)
	case errors.As(r.err, &length):
		return fmt.Sprintf("error wrong-length type=%d got=%d", length.Type, length.Got)
	case errors.As(r.err, &field):
		return fmt.Sprintf("error wrong-field type=%d field=%s value=%d%s", field.Type, field.Field,
			field.Value, number)
	case errors.As(r.err, &code):
		return fmt.Sprintf("error wrong-card-code%s rank=%d suit=%d", number, code.Rank, code.Suit)
	}
	return r.m.String()
}
