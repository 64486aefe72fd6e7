package words

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sabot-table/sabot/internal/diag"
)

// MaxSize is the most bytes that a language file may have: ten times what it needs.
const MaxSize = 1 << 20

// Parse reads a language file; its name is for the faults.
func Parse(name string, data []byte) File {
	if len(data) > MaxSize {
		r := reader{file: File{Name: name}}
		r.fault(1, 1, "", fmt.Sprintf("the file has more than the %d bytes that are read", MaxSize),
			"check that this is the right file")
		return r.file
	}
	text := strings.TrimPrefix(string(data), "\ufeff")
	return read(name, strings.Lines(text), strings.Count(text, " = "))
}

// read reads lines, which have about so many texts.
func read(name string, lines iter.Seq[string], about int) File {
	r := reader{file: File{Name: name, Entries: make([]Entry, 0, about)}, first: make(map[string]int, about)}
	n := 0
	for line := range lines {
		n++
		r.line(n, strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
	}
	return r.file
}

// reader reads a file line by line.
type reader struct {
	file File
	// first is the line on which a key stands first.
	first map[string]int
	// above is the English that the line before noted.
	above Entry
}

func (r *reader) fault(line, column int, key, what, hint string) {
	r.file.Faults = append(r.file.Faults, diag.Fault{
		File: r.file.Name, Line: line, Column: column, Path: key,
		What: what, Hint: hint,
	})
}

func (r *reader) line(n int, line string) {
	above := r.above
	r.above = Entry{}
	if !plain(line) && !r.readable(n, line) {
		return
	}
	trimmed := strings.Trim(line, " \t")
	switch {
	case trimmed == "":
	case trimmed[0] == '#':
		r.remark(n, line, trimmed[1:])
	default:
		r.entry(n, line, above)
	}
}

// plain says quickly that a line is printable ASCII alone.
func plain(line string) bool {
	for i := range len(line) {
		if line[i] < ' ' || line[i] > '~' {
			return false
		}
	}
	return true
}

// readable refuses what is not UTF-8, and what an editor does not show.
func (r *reader) readable(n int, line string) bool {
	column := 0
	for i, c := range line {
		column++
		switch {
		case c == utf8.RuneError && !strings.HasPrefix(line[i:], "\ufffd"):
			r.fault(n, column, "", fmt.Sprintf("byte 0x%02x is not UTF-8 text", line[i]), "save the file as UTF-8")
			return false
		case c != '\t' && !unicode.IsPrint(c):
			r.fault(n, column, "", fmt.Sprintf("the character U+%04X cannot be seen in an editor", c),
				fmt.Sprintf(`write it as \u%04x, or remove it`, c))
			return false
		}
	}
	return true
}

// remark reads the English above a text; other remarks are for people alone.
func (r *reader) remark(n int, line, text string) {
	const noted, kept = " en:", " en, kept:"
	rest, isKept := strings.CutPrefix(text, kept)
	if !isKept {
		var ok bool
		if rest, ok = strings.CutPrefix(text, noted); !ok {
			return
		}
	}
	if english, ok := r.unescaped(n, line, rest, ""); ok {
		r.above = Entry{English: english, Noted: true, Kept: isKept}
	}
}

func (r *reader) entry(n int, line string, e Entry) {
	before, text, found := strings.Cut(line, "=")
	e.Key = strings.Trim(before, " \t")
	e.Line, e.Column = n, columnOf(line, strings.TrimLeft(line, " \t"))
	e.At = columnOf(line, strings.TrimLeft(text, " \t"))
	switch {
	case !found:
		r.fault(n, e.Column, "", `the line has no "="`, "write it as key = text, or begin it with # if it is a remark")
		return
	case !isKey(e.Key):
		r.fault(n, e.Column, "", fmt.Sprintf("%q is no key", e.Key),
			"write key = text; a key is of letters, digits, dots and hyphens")
		return
	case r.first[e.Key] > 0:
		r.fault(n, e.Column, e.Key, "stands here a second time",
			fmt.Sprintf("it is on line %d already: remove one of them", r.first[e.Key]))
		return
	}
	r.first[e.Key] = n
	var ok bool
	if e.Text, ok = r.unescaped(n, line, text, e.Key); ok {
		r.file.Entries = append(r.file.Entries, e)
	}
}

func isKey(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '.' && c != '-' {
			return false
		}
	}
	return s != ""
}

// columnOf is where rest begins, which ends line.
func columnOf(line, rest string) int { return utf8.RuneCountInString(line[:len(line)-len(rest)]) + 1 }

// unescaped reads the end of a line: a text without the spaces around it, and with what
// \ stands for.
func (r *reader) unescaped(n int, line, rest, key string) (string, bool) {
	rest = strings.Trim(rest, " \t")
	if !strings.Contains(rest, `\`) {
		return rest, true
	}
	var b strings.Builder
	for {
		before, after, more := strings.Cut(rest, `\`)
		b.WriteString(before)
		if !more {
			return b.String(), true
		}
		c, rest2, ok := escaped(after)
		if !ok {
			at := columnOf(line, line[strings.LastIndex(line, `\`+after):])
			r.fault(n, at, key, `a \ begins nothing known`,
				`write \uXXXX with the four digits of a character, or \\ for the \ itself`)
			return "", false
		}
		b.WriteRune(c)
		rest = rest2
	}
}

// escaped reads what follows a backslash.
func escaped(s string) (c rune, rest string, ok bool) {
	const digits = 4
	switch {
	case strings.HasPrefix(s, `\`):
		return '\\', s[1:], true
	case len(s) <= digits || s[0] != 'u':
		return 0, "", false
	}
	code, err := strconv.ParseUint(s[1:1+digits], 16, 16)
	return rune(code), s[1+digits:], err == nil && utf8.ValidRune(rune(code))
}
