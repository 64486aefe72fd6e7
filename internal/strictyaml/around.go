package strictyaml

import (
	"fmt"
	"regexp"
	"strings"
)

// This file looks at the lines above a mistake: for what somebody has most likely done there.

var (
	// joined is a key and its value without the space between them. An address such as tcp://broker is none.
	noSpace = regexp.MustCompile(`^ *([a-z][a-z0-9_]*):([^ /].*)$`)
	// hidden is a group's key behind a '#'.
	commented = regexp.MustCompile(`^ *# *([a-z][a-z0-9_]*):$`)
)

// lines is the text of a document, by its lines.
type lines []string

func linesOf(text []byte) lines { return strings.Split(string(text), "\n") }

// number is the line of a number from 1, "" for one that is not there.
func (l lines) number(n int) string {
	if n < 1 || n > len(l) {
		return ""
	}
	return strings.TrimRight(l[n-1], " ")
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// above is the number of the nearest line above that has something on it other than a comment, 0 for none.
func (l lines) above(n int) int {
	for n--; n > 0; n-- {
		if text := strings.TrimSpace(l.number(n)); text != "" && text[0] != '#' {
			return n
		}
	}
	return 0
}

// noSpace finds a key without the space after its colon, in a line or the one above it.
func (l lines) noSpace(n int) (at int, hint string) {
	for _, at := range []int{n, l.above(n)} {
		if m := noSpace.FindStringSubmatch(l.number(at)); m != nil {
			return at, fmt.Sprintf("write '%s: %s', with a space after the colon", m[1], excerpt(m[2]))
		}
	}
	return 0, ""
}

// commented finds the key of a group that is a comment, between a line that is indented more and what stands above it.
func (l lines) commented(n int) (hint string) {
	indent := indentOf(l.number(n))
	for at, top := n-1, l.above(n); at > top; at-- {
		line := l.number(at)
		if m := commented.FindStringSubmatch(line); m != nil && indentOf(line) < indent {
			return fmt.Sprintf("if it belongs to %s:, remove the '#' before that in line %d", m[1], at)
		}
	}
	return ""
}

// outside says that a line is the value of the key above it, if it were indented: that key has none.
func (l lines) outside(n int) (hint string) {
	above := l.number(l.above(n))
	key, is := strings.CutSuffix(strings.TrimSpace(above), ":")
	if !is || indentOf(l.number(n)) > indentOf(above) {
		return ""
	}
	return fmt.Sprintf("indent it by two spaces more if it belongs to %s:", key)
}
