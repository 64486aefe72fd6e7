package topic

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// head is what an event's envelope repeats of its output.
type head struct {
	out []byte // part of the line
	// round is only set where hasRound says that the line names one.
	round    uint64
	hasRound bool
}

// parseHead reads the type and the round of a transcript's output line. The line
// must be one JSON object and nothing else, with exactly one "out" of lower-case
// words and at most one "round" that is a whole number. Other fields are not looked
// into.
func parseHead(line []byte) (head, error) {
	if len(line) < 2 || line[0] != '{' || line[len(line)-1] != '}' {
		return head{}, errors.New("the line is not one JSON object from its first byte to its last")
	}
	if !utf8.Valid(line) {
		return head{}, errors.New("the line is not UTF-8")
	}
	if !json.Valid(line) {
		return head{}, errors.New("the line is not valid JSON")
	}
	return readFields(line)
}

// readFields goes through the fields of a valid JSON object.
func readFields(line []byte) (head, error) {
	var h head
	for at := skipSpace(line, 1); line[at] != '}'; {
		key := line[at:skipString(line, at)]
		start := skipSpace(line, skipSpace(line, at+len(key))+1)
		end := skipValue(line, start)
		if err := h.takeField(key[1:len(key)-1], line[start:end]); err != nil {
			return head{}, err
		}
		if at = skipSpace(line, end); line[at] == ',' {
			at = skipSpace(line, at+1)
		}
	}
	if h.out == nil {
		return head{}, errors.New(`the line has no "out"`)
	}
	return h, nil
}

// takeField looks at one field.
func (h *head) takeField(key, value []byte) error {
	for _, c := range key {
		if c == '\\' {
			return fmt.Errorf("field name %q is written with an escape, which outputs never are", key)
		}
	}
	switch string(key) {
	case "out":
		if h.out != nil {
			return errors.New(`the line has two "out"`)
		}
		if !isType(value) {
			return fmt.Errorf(`"out" is %.40s: an output's name is lower-case words joined by "-"`, value)
		}
		h.out = value[1 : len(value)-1]
	case "round":
		if h.hasRound {
			return errors.New(`the line has two "round"`)
		}
		round, err := strconv.ParseUint(string(value), 10, 63)
		if err != nil {
			return fmt.Errorf(`"round" is %.40s: a round's number is a whole number from 0`, value)
		}
		h.round, h.hasRound = round, true
	}
	return nil
}

// isType says whether a JSON value is a string that names an output.
func isType(value []byte) bool {
	if len(value) < 3 || len(value) > 66 || value[0] != '"' {
		return false
	}
	for _, c := range value[1 : len(value)-1] {
		if c != '-' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// The skip functions return the index after what stands at an index. They rely on
// the line being valid JSON.

func skipSpace(line []byte, at int) int {
	for line[at] == ' ' || line[at] == '\t' || line[at] == '\n' || line[at] == '\r' {
		at++
	}
	return at
}

func skipString(line []byte, at int) int {
	for at++; line[at] != '"'; at++ {
		if line[at] == '\\' {
			at++
		}
	}
	return at + 1
}

func skipValue(line []byte, at int) int {
	for depth := 0; ; {
		switch line[at] {
		case '"':
			at = skipString(line, at)
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		case ',', ':', ' ', '\t', '\n', '\r':
			at++
		default:
			at = skipWord(line, at)
		}
		if depth == 0 {
			return at
		}
	}
}

// skipWord passes over a number, true, false or null.
func skipWord(line []byte, at int) int {
	for {
		switch line[at] {
		case ',', '}', ']', ' ', '\t', '\n', '\r':
			return at
		}
		at++
	}
}
