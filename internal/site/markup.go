package site

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"reflect"
	"sync"
	"text/template/parse"
	"weak"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/plaintext"
)

// Markup writes itself, escaped where it has to be.
type Markup interface{ AppendMarkup(b []byte) []byte }

// MarkupText is markup as it stands.
type MarkupText string

// AppendMarkup appends it.
func (t MarkupText) AppendMarkup(b []byte) []byte { return append(b, t...) }

// Templates are files of templates, which are read when the first of them is filled. What was read is several times as
// large as what is made of it, so it stays only until memory is cleared up: a page that is shown later reads it again.
type Templates struct {
	files   fs.FS
	pattern string
	mu      sync.Mutex
	known   weak.Pointer[trees]
}

// trees are templates as they were read, by their names.
type trees map[string]*parse.Tree

// Cut is where a page may be cut. No text has one: a NUL is no character of a page.
const Cut = 0

// Sections are the pieces of a drawn page: every other one is a section, and those between hold them together.
func Sections(b []byte) [][]byte { return bytes.Split(OneLine(b), []byte{Cut}) }

// OneLine makes blanks of line breaks in what is drawn: a name with one must not end a message of a stream.
func OneLine(b []byte) []byte {
	for i, c := range b {
		if c == '\n' || c == '\r' {
			b[i] = ' '
		}
	}
	return b
}

// ParseTemplates takes files of templates: each file is one by its name, and so is each {{define}}
// in it.
func ParseTemplates(files fs.FS, pattern string) *Templates {
	return &Templates{files: files, pattern: pattern}
}

// read panics on a file that cannot be read, which is a mistake in the program.
func (t *Templates) read() *trees {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known := t.known.Value(); known != nil {
		return known
	}
	set, functions := trees{}, map[string]any{"text": true, "cut": true}
	names, err := fs.Glob(t.files, t.pattern)
	for _, name := range names {
		text, unread := fs.ReadFile(t.files, name)
		_, wrong := parse.New(path.Base(name)).Parse(string(text), "", "", set, functions)
		err = errors.Join(err, unread, wrong)
	}
	if err != nil {
		panic("markup: " + err.Error())
	}
	t.known = weak.Make(&set)
	return &set
}

// Compile returns what appends a template, filled from a model in a language. It is made ready for the model's type
// when it is filled first, since most starts of a program show few of its pages. Then it panics if the template does
// not fit the model: tests fill every one.
func Compile[M any](set *Templates, name string) func(b []byte, l display.Language, model *M) []byte {
	ready := set.ready(name, reflect.TypeFor[M]())
	return func(b []byte, l display.Language, model *M) []byte {
		return ready()(b, l, reflect.ValueOf(model).Elem())
	}
}

// ready makes a template ready when it is asked for. The compiler would put it, and the closures of OnceValue, into
// every call of Compile, with long names.
//
//go:noinline
func (t *Templates) ready(name string, model reflect.Type) func() fill {
	return sync.OnceValue(func() fill { return compiler{*t.read(), map[use]fill{}}.template(name, model) })
}

// escapes are what is written for the characters that mean something in markup.
var escapes = [256]string{
	0: "\uFFFD", '"': "&#34;", '&': "&amp;", '\'': "&#39;", '+': "&#43;", '<': "&lt;", '>': "&gt;",
}

// escape appends text for a place between tags or in a quoted attribute. What is hidden in it
// is written visibly: a name of before may turn the direction of what stands beside it.
func escape(b []byte, text string) []byte {
	text = plaintext.Visible(text)
	from := 0
	for i := range len(text) {
		if instead := escapes[text[i]]; instead != "" {
			b = append(append(b, text[from:i]...), instead...)
			from = i + 1
		}
	}
	return append(b, text[from:]...)
}
