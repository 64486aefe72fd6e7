package term

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/sabot-table/sabot/display"
)

// The most that a display sends: several times a view of the largest table.
const (
	// mostLine is the length of a line, in bytes.
	mostLine = 256 << 10
	// mostValues is how many objects, lists and values a view has, and mostDepth how deep they
	// lie in each other: few bytes of JSON can become many in memory.
	mostValues = 20_000
	mostDepth  = 16
	// mostDigits is how many decimals a currency has.
	mostDigits = 6
)

var (
	errTooLong = fmt.Errorf("the display sent a line of more than %d bytes, which no table's display does", mostLine)
	errForeign = errors.New("the display sent a line that no table's display sends; look at the address, and " +
		"whether both ends run the same version")
)

// lineBegins are the beginnings of all lines of the stream that have something in them.
var lineBegins = [][]byte{[]byte("data:"), []byte("id:"), []byte("event:")}

// read takes the stream apart: each message is a line of data, and an empty line. It tells
// heard of every line of the stream.
func read(r io.Reader, view func(display.View), heard func()) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 16<<10), mostLine)
	for lines.Scan() {
		line := lines.Bytes()
		if len(line) == 0 {
			continue
		}
		if !known(line) {
			return errForeign
		}
		heard()
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		if !ok {
			continue
		}
		v, err := parseView(data)
		if err != nil {
			return fmt.Errorf("the display sent what is no view; do both ends run the same version? %w", err)
		}
		view(v)
	}
	err := lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		return errTooLong
	}
	if err != nil {
		return err
	}
	return errors.New("the display ended the stream")
}

func known(line []byte) bool {
	for _, begin := range lineBegins {
		if bytes.HasPrefix(line, begin) {
			return true
		}
	}
	return false
}

// parseView reads a view strictly.
func parseView(data []byte) (v display.View, err error) {
	if err := bounded(data); err != nil {
		return v, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		return display.View{}, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return display.View{}, errors.New("something follows it")
	}
	if v.Digits < 0 || v.Digits > mostDigits {
		return display.View{}, fmt.Errorf("a currency with %d decimals", v.Digits)
	}
	return v, nil
}

// bounded refuses JSON with too many values before any of them is made. What is no JSON is for
// the decoder to refuse.
func bounded(data []byte) error {
	values, depth, quoted := 0, 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			depth++
			values++
		case c == '}', c == ']':
			depth--
		case c == ',':
			values++
		}
		if values > mostValues || depth > mostDepth {
			return fmt.Errorf("it has more than %d values, or is nested more than %d deep", mostValues, mostDepth)
		}
	}
	return nil
}
