package strictyaml

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// ErrByHand is a change that has no place in the text as it is written, such as one of a value over several lines.
var ErrByHand = errors.New("the file is written in a way that only a person can change: do it in an editor")

// Change returns a document in which the value at path is what source writes, and every other byte is what it was. A
// path is made of keys and of numbers of items, as in shoe.port or names[1].pin; the number after the last item adds
// one. Without a source the value is left out: a key of its own line becomes a comment, unless a comment above has
// shown it already; an item is removed.
//
// A new key goes below the comment that shows it ("#port: …"), or else after the last one of its group. The text must
// be what Decode accepts in form; otherwise the error is its Faults.
func Change(text []byte, path, source string) ([]byte, error) {
	e, err := newEditor(text)
	if err != nil {
		return nil, err
	}
	steps, err := parsePath(path)
	if err != nil {
		return nil, err
	}
	want, err := e.wanted(steps, source)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if same(want, plainValue(e.top)) {
		return text, nil
	}
	for _, draft := range e.drafts(steps, source) {
		if after, err := newEditor(draft); err == nil && same(want, plainValue(after.top)) {
			return draft, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", path, ErrByHand)
}

// Text writes a text as a value: as it is where nothing else can be read in it, otherwise in quotes.
func Text(s string) string {
	plain := s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@+-") == ""
	if plain && !strings.ContainsAny(s[:1], ":@+-.") && !strings.HasSuffix(s, ":") {
		var read any
		if err := yaml.Unmarshal([]byte(s), &read); err == nil && read == s {
			return s
		}
	}
	return strconv.Quote(s)
}

// step is one step of a path: a key, or the number of an item.
type step struct {
	key  string
	item int // -1 for a key
}

func parsePath(path string) (steps []step, err error) {
	for part := range strings.SplitSeq(path, ".") {
		key, items, _ := strings.Cut(part, "[")
		if key == "" || strings.Trim(key, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			return nil, fmt.Errorf("%q is not a path: write keys with points between them, as in shoe.port", path)
		}
		steps = append(steps, step{key: key, item: -1})
		if items == "" {
			continue
		}
		for number := range strings.SplitSeq(strings.TrimSuffix(items, "]"), "][") {
			n, err := strconv.ParseUint(number, 10, 16)
			if err != nil {
				return nil, fmt.Errorf("%q is not a path: %q is not the number of an item", path, number)
			}
			steps = append(steps, step{item: int(n)})
		}
	}
	return steps, nil
}

// editor is a text with the tree that it is read as.
type editor struct {
	text []byte
	top  *yaml.Node // nil for a file of comments alone
	// begins are the offsets of the lines' first bytes, and of the end.
	begins []int
	end    string // what ends a line
}

func newEditor(text []byte) (*editor, error) {
	d := &Document{}
	d.lastLine, d.lastColumn = position(text, len(text))
	plain, bad := normal(text)
	if bad != nil {
		return nil, Faults{*bad}
	}
	e := &editor{text: text, begins: lineBegins(text), end: "\n"}
	if bytes.Contains(text, []byte("\r\n")) {
		e.end = "\r\n"
	}
	if onlyComments(plain) {
		return e, nil
	}
	if d.parse(plain); d.top != nil {
		r := reader{doc: d, refused: make(map[*yaml.Node]bool), keys: make(map[*yaml.Node]*yaml.Node)}
		r.plainOnly(d.top, nil, 0)
		r.want(d.top, nil, yaml.MappingNode, "")
	}
	e.top = d.top
	return e, d.Err()
}

func onlyComments(text []byte) bool {
	for line := range bytes.Lines(text) {
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 && trimmed[0] != '#' {
			return false
		}
	}
	return true
}

func lineBegins(text []byte) []int {
	begins := []int{0}
	for i, b := range text {
		if b == '\n' && i+1 < len(text) {
			begins = append(begins, i+1)
		}
	}
	return append(begins, len(text))
}

// plainValue is a node's value, for comparison: a map, a list, or a scalar's tag and text.
func plainValue(n *yaml.Node) any {
	switch {
	case n == nil:
		return map[string]any{}
	case n.Kind == yaml.MappingNode:
		m := make(map[string]any, len(n.Content)/2)
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plainValue(n.Content[i+1])
		}
		return m
	case n.Kind == yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			list[i] = plainValue(item)
		}
		return list
	}
	return [2]string{n.ShortTag(), n.Value}
}

func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, is := b.(map[string]any)
		return is && maps.EqualFunc(a, b, same)
	case []any:
		b, is := b.([]any)
		return is && slices.EqualFunc(a, b, same)
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}

// wanted is the whole value of the document after the change.
func (e *editor) wanted(steps []step, source string) (any, error) {
	var value any
	if source != "" {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(source), &doc); err != nil || len(doc.Content) != 1 ||
			strings.ContainsAny(source, "\r\n") {
			return nil, fmt.Errorf("%q is not a value on one line", source)
		}
		value = plainValue(doc.Content[0])
	}
	all, err := putValue(plainValue(e.top), steps, value)
	if all == nil {
		all = map[string]any{}
	}
	return all, err
}

// putValue returns a value in which another is put at a place; nil leaves out what is there, and groups that become
// empty.
func putValue(in any, steps []step, value any) (any, error) {
	if len(steps) == 0 {
		return value, nil
	}
	at := steps[0]
	if at.item < 0 {
		group, is := in.(map[string]any)
		if in != nil && !is {
			return nil, errors.New("what is around it is not a group of keys")
		}
		inner, err := putValue(group[at.key], steps[1:], value)
		if err != nil {
			return nil, err
		}
		return with(group, at.key, inner), nil
	}
	list, is := in.([]any)
	if in != nil && !is || at.item > len(list) {
		return nil, fmt.Errorf("there is no item %d", at.item)
	}
	list = slices.Clone(list)
	if at.item == len(list) {
		list = append(list, nil)
	}
	inner, err := putValue(list[at.item], steps[1:], value)
	if err != nil {
		return nil, err
	}
	if list[at.item] = inner; inner == nil {
		list = slices.Delete(list, at.item, at.item+1)
	}
	if len(list) == 0 {
		return nil, nil
	}
	return list, nil
}

// with is a group with a key's value, nil for none; it is nil if nothing is left.
func with(group map[string]any, key string, value any) any {
	group = maps.Clone(group)
	if group == nil {
		group = map[string]any{}
	}
	if group[key] = value; value == nil {
		delete(group, key)
	}
	if len(group) == 0 {
		return nil
	}
	return group
}
