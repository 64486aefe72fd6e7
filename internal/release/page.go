package main

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Page is a page of the manual.
type Page struct {
	// File is its name, such as sabot-verify.1.
	File string
	// Text is what man reads.
	Text string
}

// Edition is what stands at the head and foot of each page.
type Edition struct {
	Version string
	Date    time.Time
}

// Pages returns the pages of a program: its own, and one for each command.
func (p Program) Pages(e Edition) []Page {
	pages := []Page{p.own(e)}
	for _, c := range p.Commands {
		var text roff
		name := c.page(p.Name)
		text.head(name, p.Section, c.Help, e)
		text.body(c.Help)
		text.foot(fmt.Sprintf("%s(%d)", p.Name, p.Section))
		pages = append(pages, Page{fmt.Sprintf("%s.%d", name, p.Section), text.String()})
	}
	return pages
}

// own is the page of the program itself, with the list of its commands.
func (p Program) own(e Edition) Page {
	var text roff
	text.head(p.Name, p.Section, p.Help, e)
	var also []string
	if len(p.Commands) > 0 {
		text.line(".SH COMMANDS")
		for _, c := range p.Commands {
			text.term(fmt.Sprintf(`\fB%s\fR(%d)`, escape(c.page(p.Name)), p.Section), c.Help.What)
			also = append(also, fmt.Sprintf("%s(%d)", c.page(p.Name), p.Section))
		}
	}
	text.body(p.Help)
	text.foot(also...)
	return Page{fmt.Sprintf("%s.%d", p.Name, p.Section), text.String()}
}

// roff is a page while it is written.
type roff struct{ strings.Builder }

func (r *roff) line(format string, args ...any) { fmt.Fprintf(r, format+"\n", args...) }

func (r *roff) head(name string, section int, h Help, e Edition) {
	r.line(`.TH "%s" "%d" "%s" "%s" "%s"`, escape(strings.ToUpper(name)), section, e.Date.UTC().Format(time.DateOnly),
		escape("Sabot "+e.Version), "Sabot")
	r.line(".SH NAME")
	r.line(`%s \- %s`, escape(name), escape(clause(h.What)))
	r.line(".SH SYNOPSIS")
	r.line(`\fB%s\fR`, escape(h.Line))
	r.line(".SH DESCRIPTION")
	r.line("%s", escape(h.What))
}

func (r *roff) body(h Help) {
	if len(h.Arguments) > 0 {
		r.line(".SH ARGUMENTS")
	}
	for _, a := range h.Arguments {
		r.term(`\fI`+escape(a.Name)+`\fR`, a.Means)
	}
	if len(h.Options) > 0 {
		r.line(".SH OPTIONS")
	}
	for _, o := range h.Options {
		name := `\fB` + escape(o.Name) + `\fR`
		if o.Value != "" {
			name += ` \fI` + escape(o.Value) + `\fR`
		}
		r.term(name, o.Means)
	}
	if len(h.Examples) > 0 {
		r.line(".SH EXAMPLES")
		r.line(".EX")
		for _, example := range h.Examples {
			r.line("%s", escape(example))
		}
		r.line(".EE")
	}
	r.line(".SH EXIT STATUS")
	r.term("0", "All is well, or the program ended as it was asked to.")
	r.term("1", "Something is wrong, or failed; the error says what, and what to do.")
	r.term("2", "The command line makes no sense.")
	r.term("78", "A daemon cannot use its configuration: EX_CONFIG of sysexits.h.")
}

// foot ends a page with the pages that go with it.
func (r *roff) foot(also ...string) {
	if len(also) == 0 {
		return
	}
	r.line(".SH SEE ALSO")
	for i, page := range also {
		name, section, _ := strings.Cut(page, "(")
		comma := ","
		if i == len(also)-1 {
			comma = ""
		}
		r.line(`.BR "%s" "(%s%s"`, escape(name), section, comma)
	}
}

func (r *roff) term(name, means string) {
	r.line(".TP")
	r.line("%s", name)
	r.line("%s", escape(means))
}

// escape writes a text so that roff takes none of it for a command. A hyphen stays one that
// can be copied into a terminal.
func escape(text string) string {
	text = strings.NewReplacer(`\`, `\e`, `-`, `\-`, `"`, `\(dq`, "\n", " ").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// clause turns a sentence into what stands beside a name.
func clause(sentence string) string {
	sentence = strings.TrimSuffix(sentence, ".")
	first, size := utf8.DecodeRuneInString(sentence)
	return string(unicode.ToLower(first)) + sentence[size:]
}
