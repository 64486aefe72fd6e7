package main

import (
	"fmt"
	"slices"
	"strings"
)

// Completion returns the program's completion for bash: the words of a command, then its options, and the names of
// files wherever neither fits.
func (p Program) Completion() string {
	function := "_" + strings.ReplaceAll(p.Name, "-", "_")
	own := optionNames(p.Help)
	var cases strings.Builder
	row := func(typed, words, options string) {
		fmt.Fprintf(&cases, "\t%s) words=%q options=%q ;;\n", typed, words, options)
	}
	first := p.follow("")
	if len(p.Commands) == 0 {
		first = own
	}
	row("''", first, own)
	for _, group := range p.groups() {
		row("'"+group+"'", p.follow(group+" "), p.options(group))
	}
	// Two words come before one, as they do where the program looks for them.
	for _, c := range slices.SortedStableFunc(slices.Values(p.Commands), twoWordsFirst) {
		row("'"+c.Name+"' | '"+c.Name+" '*", "", optionNames(c.Help))
	}
	row("*", "", own)
	return fmt.Sprintf(completion, p.Name, function, cases.String())
}

// completion is a program's: its name, the function, and a case for each line that may have been typed before the word.
const completion = `# Completion of %[1]s for bash, made from its help.
%[2]s() {
	local word=${COMP_WORDS[COMP_CWORD]} words options
	case "${COMP_WORDS[*]:1:COMP_CWORD-1}" in
%[3]s	esac
	[[ $word == -* ]] && words=$options
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F %[2]s %[1]s
`

// follow returns the words that may follow what was typed, each once.
func (p Program) follow(typed string) string {
	var words []string
	for _, c := range p.Commands {
		if rest, is := strings.CutPrefix(c.Name, typed); is {
			word, _, _ := strings.Cut(rest, " ")
			words = append(words, word)
		}
	}
	return strings.Join(slices.Compact(words), " ")
}

// groups are the first words of the commands that have two.
func (p Program) groups() (groups []string) {
	for _, c := range p.Commands {
		if group, _, two := strings.Cut(c.Name, " "); two {
			groups = append(groups, group)
		}
	}
	return slices.Compact(groups)
}

// options are those of a command; none of a group that is none.
func (p Program) options(name string) string {
	for _, c := range p.Commands {
		if c.Name == name {
			return optionNames(c.Help)
		}
	}
	return ""
}

func twoWordsFirst(a, b Command) int { return strings.Count(b.Name, " ") - strings.Count(a.Name, " ") }

func optionNames(h Help) string {
	var names []string
	for _, o := range h.Options {
		names = append(names, o.Name)
	}
	return strings.Join(names, " ")
}
