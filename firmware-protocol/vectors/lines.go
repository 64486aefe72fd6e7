package vectors

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

const longestLine = 200

// lines are the lines of a file that have not been read yet, and the first fault.
type lines struct {
	left []string
	err  error
}

func split(text string) *lines {
	l := &lines{}
	body, ended := strings.CutSuffix(text, "\n")
	if !ended {
		l.fault("the last line has no line feed")
	}
	l.left = strings.Split(body, "\n")
	for _, line := range l.left {
		if len(line) > longestLine {
			l.fault("a line has %d characters; the most is %d", len(line), longestLine)
		}
		if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) {
			l.fault("%q is not printable ASCII", line)
		}
	}
	return l
}

func (l *lines) fault(format string, values ...any) {
	if l.err == nil {
		l.err = fmt.Errorf(format, values...)
	}
}

// next says whether the next line has this key.
func (l *lines) next(key string) bool {
	return l.err == nil && len(l.left) > 0 && strings.HasPrefix(l.left[0], key+":")
}

// one takes the next line, which must have this key, and returns its value.
func (l *lines) one(key string) string {
	if !l.next(key) {
		l.fault("%q must come next, in %q", key, l.left)
		return ""
	}
	value := strings.TrimPrefix(l.left[0], key+":")
	if value != "" && value[0] != ' ' {
		l.fault("%q has no blank after the colon", l.left[0])
	}
	l.left = l.left[1:]
	return strings.TrimPrefix(value, " ")
}

func (l *lines) hex(key string) []byte {
	value := l.one(key)
	if value == "" {
		return nil
	}
	var b []byte
	for digits := range strings.SplitSeq(value, " ") {
		one, err := hex.DecodeString(digits)
		if err != nil || len(one) != 1 {
			l.fault("%s: %q is not a byte of two hexadecimal digits", key, digits)
			return nil
		}
		b = append(b, one[0])
	}
	return b
}

func (l *lines) bytes(key string, into []byte) {
	if b := l.hex(key); copy(into, b) != len(into) || len(b) != len(into) {
		l.fault("%s: %d bytes, not %d", key, len(b), len(into))
	}
}

func (l *lines) number(key string, most uint64) uint64 {
	value := l.one(key)
	n, err := strconv.ParseUint(value, 10, 64)
	if err != nil || n > most {
		l.fault("%s: %q is not a number from 0 to %d", key, value, most)
	}
	return n
}

// end expects that nothing is left, and returns the first fault.
func (l *lines) end() error {
	if len(l.left) > 0 {
		l.fault("what is %q?", l.left[0])
	}
	return l.err
}
