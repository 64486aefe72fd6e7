package strictyaml

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// level is a value on the way to a place, with the key by which the one above has it, if it has one.
type level struct {
	node, key *yaml.Node
}

// drafts are texts in which the change may be made, the most fitting first. Change takes the first that is read as
// wanted.
func (e *editor) drafts(steps []step, source string) [][]byte {
	path, rest := e.descend(steps)
	switch {
	case source == "":
		return e.without(path)
	case len(rest) == 0:
		return e.replaced(path, source)
	default:
		return e.added(path, rest, source)
	}
}

// descend follows a path as far as there is something.
func (e *editor) descend(steps []step) (path []level, rest []step) {
	path = []level{{node: e.top}}
	for i, s := range steps {
		inner := child(path[len(path)-1].node, s)
		if inner == nil {
			return path, steps[i:]
		}
		path = append(path, *inner)
	}
	return path, nil
}

func child(n *yaml.Node, s step) *level {
	switch {
	case n == nil:
	case s.item < 0 && n.Kind == yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			if n.Content[i].Value == s.key {
				return &level{node: n.Content[i+1], key: n.Content[i]}
			}
		}
	case s.item >= 0 && n.Kind == yaml.SequenceNode && s.item < len(n.Content):
		return &level{node: n.Content[s.item]}
	}
	return nil
}

func isBlock(n *yaml.Node) bool {
	return n == nil || n.Kind != yaml.ScalarNode && n.Style&yaml.FlowStyle == 0
}

// replaced puts a source in the place of a value. Comments of their own lines in a block stay below it: somebody may
// have written there why.
func (e *editor) replaced(path []level, source string) [][]byte {
	at := path[len(path)-1]
	from := e.offset(at.node)
	if isBlock(at.node) {
		if at.key == nil {
			return nil
		}
		colon := e.offset(at.key) + len(at.key.Value)
		first, after := at.key.Line, e.contentEnd(path)
		head, tail := e.text[:colon], e.text[colon:e.begins[first]]
		return [][]byte{joined(head, []byte(": "+source), bytes.TrimPrefix(tail, []byte(":")),
			e.comments(at.node, first, after), e.text[e.begins[after]:])}
	}
	to, ok := e.spanEnd(from, at.node)
	if !ok {
		return nil
	}
	return [][]byte{joined(e.text[:from], []byte(source), e.text[to:])}
}

// comments are those of their own lines among the lines of a value; none where a text of it has several lines, since
// what looks like one may be part of that.
func (e *editor) comments(of *yaml.Node, first, after int) (kept []byte) {
	if !e.onLines(of) {
		return nil
	}
	for n := first; n < after; n++ {
		if strings.HasPrefix(strings.TrimSpace(e.line(n)), "#") {
			kept = append(kept, e.text[e.begins[n]:e.begins[n+1]]...)
		}
	}
	return kept
}

// onLines says whether each text of a value stands on one line.
func (e *editor) onLines(n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode {
		from := e.offset(n)
		to, ok := e.spanEnd(from, n)
		return ok && !bytes.Contains(e.text[from:to], []byte("\n"))
	}
	return !slices.ContainsFunc(n.Content, func(one *yaml.Node) bool { return !e.onLines(one) })
}

// added puts a key or an item where there is none.
func (e *editor) added(path []level, rest []step, source string) [][]byte {
	at := path[len(path)-1]
	if n := at.node; n != nil && !isBlock(n) {
		return e.addedInFlow(n, rest, source)
	}
	if rest[0].item >= 0 {
		return e.addedItem(path, rest, source)
	}
	return e.addedKey(path, rest, source)
}

// addedInFlow puts it first into a group in braces, and last into a list in brackets.
func (e *editor) addedInFlow(n *yaml.Node, rest []step, source string) [][]byte {
	if n.Kind == yaml.ScalarNode {
		return nil
	}
	from := e.offset(n)
	to, ok := e.spanEnd(from, n)
	if !ok {
		return nil
	}
	entry := inFlow(rest, source)
	if n.Kind == yaml.SequenceNode {
		if len(n.Content) > 0 {
			entry = ", " + entry
		}
		return [][]byte{joined(e.text[:to-1], []byte(entry), e.text[to-1:])}
	}
	if len(n.Content) > 0 {
		entry += ", "
	}
	return [][]byte{joined(e.text[:from+1], []byte(entry), e.text[from+1:])}
}

// inFlow writes an entry as it stands in braces or brackets.
func inFlow(rest []step, source string) string {
	inner := source
	if len(rest) > 1 {
		inner = inFlow(rest[1:], source)
		if rest[1].item < 0 {
			inner = "{" + inner + "}"
		} else {
			inner = "[" + inner + "]"
		}
	}
	if rest[0].item < 0 {
		return rest[0].key + ": " + inner
	}
	return inner
}

func (e *editor) addedItem(path []level, rest []step, source string) [][]byte {
	at := path[len(path)-1]
	item := inFlow(rest, source)
	indent := strings.Repeat(" ", at.node.Column-1)
	return [][]byte{e.inserted(e.contentEnd(path), indent+"- "+item)}
}

// addedKey puts a line of its own, with the lines of the groups around it that are not there either.
func (e *editor) addedKey(path []level, rest []step, source string) (drafts [][]byte) {
	at := path[len(path)-1]
	indent, first := 0, 0
	if at.key != nil {
		indent, first = at.node.Content[0].Column-1, at.key.Line
	}
	pad := strings.Repeat(" ", indent)
	groups := 0
	for groups+1 < len(rest) && rest[groups].item < 0 && rest[groups+1].item < 0 {
		groups++
	}
	var lines []string
	for i := range groups {
		lines = append(lines, pad+strings.Repeat("  ", i)+rest[i].key+":")
	}
	last := pad + strings.Repeat("  ", groups) + inFlow(rest[groups:], source)
	if line := e.shown(first, indent, rest[0].key); line > 0 {
		drafts = append(drafts, e.belowShown(line, indent, lines, rest[:groups+1], last))
	}
	whole := strings.Join(append(lines, last), e.end)
	if at.node != nil {
		drafts = append(drafts, e.inserted(e.contentEnd(path), whole))
	}
	return append(drafts, e.inserted(len(e.begins)-1, whole), e.inserted(first, whole))
}

// belowShown puts each of the lines below the comment that shows its key.
func (e *editor) belowShown(line, indent int, groups []string, keys []step, last string) []byte {
	draft := *e
	for i, group := range groups {
		draft.text = draft.inserted(line, group)
		draft.begins = lineBegins(draft.text)
		line++
		indent += 2
		if next := draft.shown(line, indent, keys[i+1].key); next > 0 {
			line = next
		}
	}
	return draft.inserted(line, last)
}

// shown returns the number of the line with a comment that shows a key of a group whose own line is given, 0 if there
// is none. The group ends where a line stands further out, even if that is such a comment, too.
func (e *editor) shown(group, indent int, key string) int {
	for n := group; n+1 < len(e.begins); n++ {
		line := e.line(n)
		trimmed := strings.TrimLeft(line, " ")
		out := len(line) - len(trimmed)
		name, _, isKey := strings.Cut(strings.TrimPrefix(trimmed, "#"), ":")
		isKey = isKey && name != "" && !strings.ContainsAny(name, " #")
		switch {
		case trimmed == "" || !isKey:
		case out < indent:
			return 0
		case out == indent && trimmed[0] == '#' && name == key:
			return n + 1
		}
	}
	return 0
}

// without leaves a value out.
func (e *editor) without(path []level) [][]byte {
	for len(path) > 2 && lone(path[len(path)-2].node) {
		path = path[:len(path)-1]
	}
	at, parent := path[len(path)-1], path[len(path)-2].node
	if !isBlock(parent) {
		return e.withoutInFlow(at)
	}
	first, after := at.node.Line, e.contentEnd(path)
	if at.key != nil {
		first = at.key.Line
	}
	gone := joined(e.text[:e.begins[first-1]], e.text[e.begins[after]:])
	if at.key == nil {
		return [][]byte{gone}
	}
	indent := at.key.Column - 1
	above := ""
	if first > 1 {
		above = e.line(first - 2)
	}
	comment := strings.Contains(e.line(first-1), " #")
	if after == first && !comment && strings.HasPrefix(above, strings.Repeat(" ", indent)+"#"+at.key.Value+":") {
		return [][]byte{gone}
	}
	return [][]byte{e.commented(first, after)}
}

func lone(n *yaml.Node) bool {
	return n.Kind == yaml.MappingNode && len(n.Content) == 2 || n.Kind == yaml.SequenceNode && len(n.Content) == 1
}

// commented makes comments of the lines of a value that are none yet, each where it begins.
func (e *editor) commented(first, after int) []byte {
	out := bytes.Clone(e.text[:e.begins[first-1]])
	for n := first - 1; n < after; n++ {
		line := string(e.text[e.begins[n]:e.begins[n+1]])
		if rest := strings.TrimLeft(line, " "); strings.TrimSpace(rest) != "" && rest[0] != '#' {
			line = line[:len(line)-len(rest)] + "#" + rest
		}
		out = append(out, line...)
	}
	return append(out, e.text[e.begins[after]:]...)
}

func (e *editor) withoutInFlow(at level) [][]byte {
	from := e.offset(at.node)
	to, ok := e.spanEnd(from, at.node)
	if at.key != nil {
		from = e.offset(at.key)
	}
	if !ok {
		return nil
	}
	after := to + len(e.text[to:]) - len(bytes.TrimLeft(e.text[to:], " "))
	if after < len(e.text) && e.text[after] == ',' {
		to = after + 1
		to += len(e.text[to:]) - len(bytes.TrimLeft(e.text[to:], " "))
	} else if before := bytes.TrimRight(e.text[:from], " \r\n"); bytes.HasSuffix(before, []byte(",")) {
		from = len(before) - 1
	}
	return [][]byte{joined(e.text[:from], e.text[to:])}
}

// inserted puts a line after so many of the text's lines.
func (e *editor) inserted(after int, line string) []byte {
	head, tail := e.text[:e.begins[after]], e.text[e.begins[after]:]
	if len(head) > 0 && head[len(head)-1] != '\n' {
		return joined(head, []byte(e.end+line), tail)
	}
	return joined(head, []byte(line+e.end), tail)
}

// line is a line by its number from 0, without its end.
func (e *editor) line(n int) string {
	line := string(bytes.TrimRight(e.text[e.begins[n]:e.begins[n+1]], "\r\n"))
	if n == 0 {
		line = strings.TrimPrefix(line, "\ufeff")
	}
	return line
}

// contentEnd is the number of the last line of a value, from 1: comments and empty lines after it are not its own.
func (e *editor) contentEnd(path []level) int {
	last := e.nextLine(path) - 1
	first := path[len(path)-1].node.Line
	for last > first {
		if line := strings.TrimSpace(e.line(last - 1)); line != "" && line[0] != '#' {
			break
		}
		last--
	}
	return last
}

// nextLine is the number of the line where what follows a value begins, one after the last if nothing does.
func (e *editor) nextLine(path []level) int {
	for i := len(path) - 1; i > 0; i-- {
		above := path[i-1].node
		for n, one := range above.Content {
			if one != path[i].node || n+1 == len(above.Content) {
				continue
			}
			return above.Content[n+1].Line
		}
	}
	return len(e.begins)
}

// offset is where a node begins.
func (e *editor) offset(n *yaml.Node) int {
	at := e.begins[n.Line-1]
	if n.Line == 1 && bytes.HasPrefix(e.text, []byte("\ufeff")) {
		at += len("\ufeff")
	}
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(e.text[at:])
		at += size
	}
	return at
}

// spanEnd is where a value ends that is not a block, if that can be seen.
func (e *editor) spanEnd(from int, n *yaml.Node) (to int, ok bool) {
	if from >= len(e.text) {
		return 0, false
	}
	switch e.text[from] {
	case '"', '\'', '[', '{':
		to = flowEnd(e.text, from)
		return to, to > 0
	case '|', '>':
		return 0, false
	}
	return from + len(n.Value), bytes.HasPrefix(e.text[from:], []byte(n.Value))
}

// flowEnd is where a quotation or a collection in brackets ends that begins at an offset, 0 if it does not end.
func flowEnd(text []byte, from int) int {
	if q := text[from]; q == '"' || q == '\'' {
		return quoteEnd(text, from, q)
	}
	token := true // a value may begin here
	for i := from + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == ']' || c == '}':
			return i + 1
		case c == '[' || c == '{' || token && (c == '"' || c == '\''):
			end := flowEnd(text, i)
			if end == 0 {
				return 0
			}
			i, token = end-1, false
		case c == '#' && (text[i-1] == ' ' || text[i-1] == '\n'):
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case c == ',' || c == ':':
			token = true
		case c != ' ' && c != '\n' && c != '\r' && c != '\t':
			token = false
		}
	}
	return 0
}

func quoteEnd(text []byte, from int, quote byte) int {
	for i := from + 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return 0
}

func joined(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
