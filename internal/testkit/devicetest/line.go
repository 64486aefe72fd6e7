// Package devicetest is what a table is wired to, in software: ports whose recorded bytes are played back, a
// character display on its bus, and whole machines as the kernel shows them.
//
// A recording is a text file with one line for each transfer, in the order in which they happened, seen from this side:
// ">" was written, "<" was read. The bytes follow in hex and, between bars, as characters. Empty lines and lines that
// begin with "#" are for the reader only.
//
//	# the shoe answers the status request
//	> 02 53 54 03                                      |.ST.|
//	< 06                                               |.|
package devicetest

import (
	"encoding/hex"
	"fmt"
	"io"
	"strings"
)

type direction byte

const (
	read    direction = '<'
	written direction = '>'
)

// transfer is one line of a recording.
type transfer struct {
	direction direction
	data      []byte
}

// hexWidth is where the characters begin if at most 16 bytes precede them.
const hexWidth = 16*3 - 1

// String writes the transfer as a line without its end.
func (t transfer) String() string {
	text := []byte(string(t.data))
	for i, b := range text {
		if b < ' ' || b > '~' {
			text[i] = '.'
		}
	}
	return fmt.Sprintf("%c %-*s |%s|", t.direction, hexWidth, fmt.Sprintf("% x", t.data), text)
}

// parse reads a recording. The characters between the bars are ignored.
func parse(recording io.Reader) ([]transfer, error) {
	all, err := io.ReadAll(recording)
	if err != nil {
		return nil, fmt.Errorf("read the recording: %w", err)
	}
	var transfers []transfer
	for i, line := range strings.Split(string(all), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		t, err := parseLine(line)
		if err != nil {
			return nil, fmt.Errorf("recording, line %d: %w", i+1, err)
		}
		transfers = append(transfers, t)
	}
	return transfers, nil
}

func parseLine(line string) (transfer, error) {
	t := transfer{direction: direction(line[0])}
	if t.direction != read && t.direction != written {
		return t, fmt.Errorf("begins with %q: write < for bytes read, > for bytes written, # for a remark", line[:1])
	}
	digits, _, _ := strings.Cut(line[1:], "|")
	data, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
	if err != nil {
		return t, fmt.Errorf("%w: write each byte as two hex digits", err)
	}
	if len(data) == 0 {
		return t, fmt.Errorf("%q moves no bytes: leave the line out", line)
	}
	t.data = data
	return t, nil
}
