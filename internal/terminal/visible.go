package terminal

import (
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sabot-table/sabot/table/plaintext"
)

// OneLine joins the lines of a text into one. What is hidden in it stays hidden: that is for Visible, or for a Writer.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Visible writes a text of unknown origin on one line: see plaintext.Visible.
func Visible(s string) string { return plaintext.Visible(s) }

// Writer escapes what is written through it. Several goroutines may write.
type Writer struct {
	to     io.Writer
	escape func(b []byte, r rune, raw string) []byte

	mu   sync.Mutex
	part []byte // of a character whose rest has not been written yet
	out  []byte
}

// NewWriter returns a Writer of text: line breaks and tabs stay, and all else that is hidden is
// written as Visible does it.
func NewWriter(to io.Writer) *Writer {
	return &Writer{to: to, escape: func(b []byte, r rune, raw string) []byte {
		if r == '\n' || r == '\t' || !hidden(r, raw) {
			return append(b, raw...)
		}
		return plaintext.AppendEscape(b, r, raw)
	}}
}

// Raw is what a Writer writes to, and any other writer itself: for what must reach a terminal
// or a file as it is.
func Raw(w io.Writer) io.Writer {
	if v, ok := w.(*Writer); ok {
		return v.to
	}
	return w
}

func hidden(r rune, raw string) bool {
	return plaintext.Hidden(r) || r == utf8.RuneError && len(raw) == 1
}

// Write writes p, but for the beginning of a character at its end: that waits for the rest.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := p
	if len(w.part) > 0 {
		text = append(w.part, p...)
	}
	w.out = w.out[:0]
	for len(text) > 0 && utf8.FullRune(text) {
		r, size := utf8.DecodeRune(text)
		w.out = w.escape(w.out, r, string(text[:size]))
		text = text[size:]
	}
	w.part = append([]byte(nil), text...)
	if _, err := w.to.Write(w.out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what waits for the rest of a character, as bytes that are none.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.out = w.out[:0]
	for i := range w.part {
		w.out = w.escape(w.out, utf8.RuneError, string(w.part[i:i+1]))
	}
	if w.part = nil; len(w.out) == 0 {
		return nil
	}
	_, err := w.to.Write(w.out)
	return err
}
