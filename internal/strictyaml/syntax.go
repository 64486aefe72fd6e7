package strictyaml

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// explanation says a message of the YAML parser in plain words.
type explanation struct {
	message, what, hint string
	// open: the message is about something begun and not ended, so that the text
	// up to any point inside of it would give the same message.
	open bool
}

var explanations = []explanation{
	{message: "mapping values are not allowed", what: "a key does not belong here", hint: "indent it like the keys around it; text that has ': ' in it needs quotes"},
	{message: "did not find expected key", what: "this belongs to nothing around it", hint: "check its indentation, and the quotes and brackets before it"},
	{message: "did not find expected '-' indicator", what: "this does not belong to the list above it", hint: "begin it with '- ', or indent it like the list's key"},
	{message: "did not find expected node content", what: "a value is expected here", hint: "write one"},
	{message: "did not find expected <document start>", what: "text follows after the end of the document", hint: "keep one document in the file, without '...'"},
	{message: "block sequence entries are not allowed", what: "a list does not begin here", hint: "begin it on a line of its own, below its key"},
	{message: "cannot start any token", what: "a value cannot begin with this character", hint: "put the value in quotes"},
	{message: "unknown escape character", what: "a backslash in this text begins nothing known", hint: "use single quotes, in which a backslash is a plain character"},
	{message: "found a tab character", what: "a tab stands where spaces indent", hint: "indent with spaces"},
	{message: "found unexpected end of stream", what: "a quotation begins on this line and never ends", hint: "close it with the same quote", open: true},
	{message: "did not find expected ',' or ']'", what: "a list in [ ] begins on this line and does not end properly", hint: "separate its items with ', ' and close it with ]", open: true},
	{message: "did not find expected ',' or '}'", what: "a group in { } begins on this line and does not end properly", hint: "separate its entries with ', ' and close it with }", open: true},
	{message: "could not find expected ':'", what: "this line has no ': '", hint: "write it as 'key: value'", open: true},
}

func explain(message string) explanation {
	for _, e := range explanations {
		if strings.Contains(message, e.message) {
			return e
		}
	}
	return explanation{message: message, what: "cannot be read as YAML: " + message, open: true}
}

var (
	parserMessage = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)
	unknownAlias  = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
	word          = regexp.MustCompile(`[^ \t\n]+`)
)

// syntaxFault finds the place of a parser's error, which names no column and
// often another line.
func syntaxFault(text []byte, err error) Fault {
	message, _ := splitError(err)
	if name := unknownAlias.FindStringSubmatch(message); name != nil {
		line, column := position(text, max(0, bytes.Index(text, []byte("*"+name[1]))))
		return Fault{Line: line, Column: column, What: "*" + excerpt(name[1]) + " is an alias, which this file may not have", Hint: "write the value out; text that begins with * needs quotes"}
	}
	e := explain(message)
	offset := beginning(text, message)
	if !e.open {
		offset = breakingWord(text, message, offset)
	}
	line, column := position(text, offset)
	if tab := tabInIndent(text, line); tab > 0 {
		return Fault{Line: line, Column: tab, What: "the line is indented with a tab", Hint: "indent with spaces"}
	}
	return Fault{Line: line, Column: column, What: e.what, Hint: e.hint}
}

func splitError(err error) (message string, line int) {
	if err == nil || errors.Is(err, io.EOF) {
		return "", 0
	}
	parts := parserMessage.FindStringSubmatch(err.Error())
	if parts == nil {
		return err.Error(), 0
	}
	line, err = strconv.Atoi(parts[1])
	if err != nil {
		return parts[2], 0
	}
	return parts[2], line
}

// fail parses text and returns the error.
func fail(text []byte) error {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var n yaml.Node
		if err := decoder.Decode(&n); err != nil {
			return err
		}
	}
}

// fromParser holds the messages whose lines the library counts from 0; those of
// its scanner are counted from 1.
var fromParser = []string{
	"did not find expected key", "did not find expected '-' indicator", "did not find expected node content",
	"did not find expected ',' or", "did not find expected <", "found undefined tag handle", "duplicate %", "incompatible YAML document",
}

// beginning returns the offset of the first word on the line that the parser
// names: that of the construct which it could not finish reading. The parser
// names none on its first line, so a line is put in front.
func beginning(text []byte, message string) int {
	_, line := splitError(fail(slices.Concat([]byte("\n"), text)))
	if !slices.ContainsFunc(fromParser, func(m string) bool { return strings.Contains(message, m) }) {
		line--
	}
	offset := 0
	for range line - 1 {
		next := bytes.IndexByte(text[offset:], '\n')
		if next < 0 {
			break
		}
		offset += next + 1
	}
	if first := word.FindIndex(text[offset:]); first != nil {
		offset += first[0]
	}
	return offset
}

// breakingWord returns the offset of the first word at which the text up to its
// end cannot be read any more, for the reason that message gives; otherwise if
// there is none.
func breakingWord(text []byte, message string, otherwise int) int {
	words := word.FindAllIndex(text, -1)
	broken := func(i int) bool {
		m, _ := splitError(fail(text[:words[i][1]]))
		return m == message
	}
	i := sort.Search(len(words), broken)
	if i == len(words) {
		return otherwise
	}
	return words[i][0]
}

// position turns an offset into a line and column, both from 1.
func position(text []byte, offset int) (line, column int) {
	before := text[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}

// tabInIndent returns the column of a tab that indents the line, or 0.
func tabInIndent(text []byte, line int) int {
	lines := strings.Split(string(text), "\n")
	content := lines[line-1]
	indent := content[:len(content)-len(strings.TrimLeft(content, " \t"))]
	return strings.IndexByte(indent, '\t') + 1
}
