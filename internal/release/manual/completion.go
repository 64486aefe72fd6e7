package manual

import (
	"fmt"
	"strings"
)

// Completion returns the program's completion for bash: a command first, then its options,
// and the names of files wherever neither fits.
func (p Program) Completion() string {
	function := "_" + strings.ReplaceAll(p.Name, "-", "_")
	var names []string
	var cases strings.Builder
	for _, c := range p.Commands {
		names = append(names, c.Name)
		fmt.Fprintf(&cases, "\t%s) words=%q ;;\n", c.Name, optionNames(c.Help))
	}
	own := optionNames(p.Help)
	first := strings.TrimSpace(strings.Join(names, " ") + " " + own)
	return fmt.Sprintf(completion, p.Name, function, first, own, cases.String())
}

// completion is a program's: its name, the function, the words that may come first, its own
// options, and a case for each command. A first word that is an option is no command.
const completion = `# Completion of %[1]s for bash, made from its help.
%[2]s() {
	local word=${COMP_WORDS[COMP_CWORD]} words
	case ${COMP_WORDS[1]} in
%[5]s	*) words=%[4]q ;;
	esac
	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		mapfile -t COMPREPLY < <(compgen -W %[3]q -- "$word")
	elif [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
	fi
}
complete -o default -F %[2]s %[1]s
`

func optionNames(h Help) string {
	var names []string
	for _, o := range h.Options {
		names = append(names, o.Name)
	}
	return strings.Join(names, " ")
}
