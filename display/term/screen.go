// Package term shows a table in a terminal of at least 80 columns and 24 rows: it follows the table's display from
// another program, and draws each view as text.
//
// It stands beside web and lcd, the other two that draw a view: what one draws must not depend on another.
package term

import (
	"bytes"
	"io"
	"strings"

	"github.com/sabot-table/sabot/display"
)

// Screen is the terminal to draw on. The zero value is 80 by 24 without colour, in English.
type Screen struct {
	Width, Height int
	// Colour allows colours and bold type; without them the text is the same.
	Colour   bool
	Language display.Language
}

// Colours reports whether the user wants colours, by the variables NO_COLOR and TERM.
func Colours(getenv func(string) string) bool {
	return getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}

// Text returns the view in at most Height lines, each at most Width columns wide and ending
// with a newline.
func (s Screen) Text(v display.View) string {
	s = s.filled()
	return strings.Join(s.lines(v), "\n") + "\n"
}

// Draw paints the view over the previous one, in one write and without clearing
// first, so that nothing flickers.
func (s Screen) Draw(w io.Writer, v display.View) error {
	s = s.filled()
	return paint(w, s.lines(v))
}

// DrawLost says that there is no connection to the table, and why.
func (s Screen) DrawLost(w io.Writer, cause error) error {
	s = s.filled()
	p := painter{screen: s}
	p.rule()
	p.line("", stopped, "!! "+s.word("lost"))
	p.line("", bold, "   "+s.word("lost-detail"))
	p.line("", plain, "   "+safe(cause.Error()))
	p.rule()
	return paint(w, p.out)
}

func (s Screen) filled() Screen {
	if s.Width <= 0 {
		s.Width = 80
	}
	if s.Height <= 0 {
		s.Height = 24
	}
	return s
}

func (s Screen) word(name string) string {
	return s.Language.Label(display.LabelWord, name)
}

func paint(w io.Writer, lines []string) error {
	const home, endOfLine, below = "\x1b[H", "\x1b[K", "\x1b[J"
	var b bytes.Buffer
	b.WriteString(home)
	for i, l := range lines {
		if i > 0 {
			b.WriteString("\r\n")
		}
		b.WriteString(l + endOfLine)
	}
	b.WriteString(below)
	_, err := w.Write(b.Bytes())
	return err
}
