package wire

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// vector is one case of ../vectors.
type vector struct {
	name    string
	bytes   []byte
	reports []string // the frame and message lines
	encode  bool
	// key is that of the session for this direction, if there is one, and seen the
	// highest counter that came before.
	key  *Secret
	seen uint32
}

// guard is the receiver's, with its session.
func (v *vector) guard() *Guard {
	if v.key == nil {
		return nil
	}
	return &Guard{current: channel{agreed: true, receive: *v.key, seen: v.seen}}
}

// frame encodes the message again, under the key and counter that it came with.
func (v *vector) frame(m Message) []byte {
	if v.key == nil {
		return AppendFrame(nil, m)
	}
	g := Guard{Limit: math.MaxUint32, current: channel{agreed: true, send: *v.key, sent: m.Counter - 1}}
	return g.Append(nil, m)
}

func TestVectors(t *testing.T) {
	for _, v := range readVectors(t) {
		t.Run(v.name, func(t *testing.T) {
			whole, single := Decoder{Guard: v.guard()}, Decoder{Guard: v.guard()}
			got := feed(&whole, v.bytes)
			if said := reportLines(got); !slices.Equal(said, v.reports) {
				t.Errorf("said\n%s\nwant\n%s", strings.Join(said, "\n"), strings.Join(v.reports, "\n"))
			}
			var pieces []report
			for i := range v.bytes {
				pieces = append(pieces, feed(&single, v.bytes[i:i+1])...)
			}
			if said := reportLines(pieces); !slices.Equal(said, v.reports) {
				t.Errorf("byte by byte said\n%s", strings.Join(said, "\n"))
			}
			if !v.encode {
				return
			}
			if frame := v.frame(got[0].m); !bytes.Equal(frame, v.bytes) {
				t.Errorf("encoded as % x", frame)
			}
		})
	}
}

// Every message of the protocol has a vector that the encoder must match.
func TestVectorsCoverEveryType(t *testing.T) {
	covered := map[string]bool{}
	for _, v := range readVectors(t) {
		if v.encode {
			name, _, _ := strings.Cut(strings.TrimPrefix(v.reports[1], "message: "), " ")
			covered[name] = true
		}
	}
	for kind, name := range typeNames {
		if name != "" && !covered[name] {
			t.Errorf("no vector for %s (type 0x%02x)", name, kind)
		}
	}
}

func readVectors(t *testing.T) []vector {
	t.Helper()
	files, err := filepath.Glob("../vectors/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors found: %v", err)
	}
	var all []vector
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v, err := parseVector(string(text))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if v.name+".txt" != filepath.Base(file) {
			t.Errorf("%s calls itself %q", file, v.name)
		}
		all = append(all, v)
	}
	return all
}

func parseVector(text string) (v vector, err error) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if len(line) > 200 {
			return v, fmt.Errorf("line longer than 200 characters: %s", line)
		}
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch key {
		case "name":
			v.name = value
		case "about":
		case "bytes":
			b, err := hex.DecodeString(strings.ReplaceAll(value, " ", ""))
			if err != nil {
				return v, err
			}
			v.bytes = append(v.bytes, b...)
		case "frame", "message":
			v.reports = append(v.reports, line)
		case "encode":
			v.encode = value == "yes"
		case "key":
			k, err := ParseSecret(strings.ReplaceAll(value, " ", ""))
			if err != nil {
				return v, err
			}
			v.key = &k
		case "seen":
			n, err := strconv.ParseUint(value, 10, 32)
			if err != nil {
				return v, err
			}
			v.seen = uint32(n)
		default:
			return v, fmt.Errorf("unknown key in line %q", line)
		}
	}
	return v, nil
}

func reportLines(reports []report) []string {
	var lines []string
	for _, r := range reports {
		if bad := frameFault(r.err); bad != "" {
			lines = append(lines, "frame: "+bad)
			continue
		}
		lines = append(lines, "frame: ok", "message: "+messageLine(r))
	}
	return lines
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
		return fmt.Sprintf("error wrong-field type=%d field=%s value=%d%s", field.Type, field.Field, field.Value, number)
	case errors.As(r.err, &code):
		return fmt.Sprintf("error wrong-card-code%s rank=%d suit=%d", number, code.Rank, code.Suit)
	}
	return r.m.String()
}
