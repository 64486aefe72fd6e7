package strictyaml

import (
	"bytes"
	"cmp"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// explanation explains a message of the YAML parser in plain words.
type explanation struct {
	message, what, hint string
	// open: the message is about something begun but not ended, so that the text up to any point inside it would give
	// the same message.
	open bool
}

var explanations = []explanation{
	{
		message: "mapping values are not allowed", what: "a key does not belong here",
		hint: "indent it like the keys around it; text that has ': ' in it needs quotes",
	},
	{
		message: "did not find expected key", what: "this belongs to nothing around it",
		hint: "check its indentation, and the quotes and brackets before it",
	},
	{
		message: "did not find expected '-' indicator", what: "this does not belong to the list above it",
		hint: "begin it with '- ', or indent it like the list's key",
	},
	{message: "did not find expected node content", what: "a value is expected here", hint: "write one"},
	{
		message: "block sequence entries are not allowed", what: "a list does not begin here",
		hint: "begin it on a line of its own, below its key",
	},
	{
		message: "cannot start any token", what: "a value cannot begin with this character",
		hint: "put the value in quotes",
	},
	{
		message: "unknown escape character", what: "a backslash in this text begins nothing known",
		hint: "use single quotes, in which a backslash is a plain character",
	},
	{message: "found a tab character", what: "a tab is used for indentation", hint: "indent with spaces"},
	{
		message: "found unexpected end of stream", what: "a quotation begins on this line and never ends",
		hint: "close it with the same quote", open: true,
	},
	{
		message: "did not find expected ',' or ']'",
		what:    "a list in [ ] begins on this line and does not end properly",
		hint:    "separate its items with ', ' and close it with ]", open: true,
	},
	{
		message: "did not find expected ',' or '}'",
		what:    "a group in { } begins on this line and does not end properly",
		hint:    "separate its entries with ', ' and close it with }", open: true,
	},
	{
		message: "could not find expected ':'", what: "this line has no ': '", hint: "write it as 'key: value'",
		open: true,
	},
}

func explain(message string) explanation {
	if _, alias, ok := strings.Cut(message, "unknown anchor '"); ok {
		alias = excerpt(strings.TrimSuffix(alias, "' referenced"))
		return explanation{
			what: "*" + alias + " is an alias, which this file may not have",
			hint: "write the value out; text that begins with * needs quotes",
		}
	}
	for _, e := range explanations {
		if strings.Contains(message, e.message) {
			return e
		}
	}
	return explanation{message: message, what: "cannot be read as YAML: " + message, open: true}
}

// syntaxFault explains the parser's error in plain words, and where to look for the mistake: where something begins
// that does not end, or otherwise at the word that breaks the rules.
func syntaxFault(text []byte, err error) Fault {
	var failed *yaml.LoadError
	if !errors.As(err, &failed) {
		failed = &yaml.LoadError{Message: err.Error()}
	}
	e, at := explain(failed.Message), failed.Mark
	if e.open && failed.ContextMark.Line > 0 {
		at = failed.ContextMark
	}
	fault := Fault{Line: max(at.Line, 1), Column: max(at.Column, 1), What: e.what, Hint: e.hint}
	rows := linesOf(text)
	if fault.Line > len(rows) {
		return fault
	}
	line := rows[fault.Line-1]
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if tab := strings.IndexByte(indent, '\t'); tab >= 0 {
		return Fault{
			Line: fault.Line, Column: tab + 1, What: "the line is indented with a tab",
			Hint: "indent with spaces",
		}
	}
	if !e.open {
		fault.Column = wordBegin([]rune(line), fault.Column)
	}
	return likelier(rows, fault)
}

// likelier gives the hint, and the place, that the lines above a fault suggest.
func likelier(l lines, f Fault) Fault {
	if at, hint := l.noSpace(f.Line); at > 0 {
		return Fault{
			Line: at, Column: indentOf(l.number(at)) + 1, What: "a key has no space after its colon",
			Hint: hint,
		}
	}
	if hint := cmp.Or(l.commented(f.Line), l.outside(f.Line)); hint != "" {
		f.Hint = hint
	}
	return f
}

// wordBegin returns the column at which the word around column begins.
func wordBegin(line []rune, column int) int {
	for column > 1 && column <= len(line) && !unicode.IsSpace(line[column-2]) {
		column--
	}
	return column
}

// position turns an offset into a line and column, both from 1.
func position(text []byte, offset int) (line, column int) {
	before := text[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}
