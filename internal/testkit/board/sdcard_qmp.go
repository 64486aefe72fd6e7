package board

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// answers are the lines that QEMU says.
type answers struct{ *bufio.Scanner }

func newLines(r io.Reader) answers {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	return answers{s}
}

// answer returns when the last command is done.
func (a answers) answer() error {
	for a.Scan() {
		switch text := a.Text(); {
		case strings.HasPrefix(text, `{"return"`):
			return nil
		case strings.HasPrefix(text, `{"error"`):
			return fmt.Errorf("QEMU refuses: %s", text)
		}
	}
	return fmt.Errorf("QEMU has ended: %w", io.ErrUnexpectedEOF)
}
