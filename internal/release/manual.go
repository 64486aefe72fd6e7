// What follows makes manual pages and completion for a shell from what programs say of
// themselves with -h.
//
// It is apart from the making of packages: what programs print is all that it knows of them.

package main

import (
	"errors"
	"fmt"
	"strings"
)

// Help is what a command says of itself with -h.
type Help struct {
	// Line is the command with its arguments.
	Line string
	// What it does, in a sentence.
	What               string
	Arguments, Options []Term
	Examples           []string
}

// Term is an argument or an option, with what it means.
type Term struct {
	// Name is as it is typed: an option begins with --.
	Name string
	// Value is what follows an option, and "" for one that is only given or not.
	Value string
	Means string
}

// The lines that begin a part of a help.
const (
	usageMark    = "usage: "
	optionsMark  = "Options:"
	examplesMark = "For example:"
)

// Read reads what a command has printed with -h. A line that it does not know is an error:
// a manual leaves nothing out.
func Read(printed string) (Help, error) {
	parts := strings.Split(strings.TrimRight(printed, "\n"), "\n\n")
	line, isUsage := strings.CutPrefix(parts[0], usageMark)
	if !isUsage || len(parts) < 2 || strings.Contains(line, "\n") {
		return Help{}, fmt.Errorf("a help begins with %q and a sentence, not with %q", usageMark, parts[0])
	}
	help := Help{Line: line, What: parts[1]}
	if line == "" || strings.Trim(help.What, ". \n") == "" {
		return Help{}, errors.New("a help says how the command is written, and what it does")
	}
	for i := 2; i < len(parts); i++ {
		var err error
		switch {
		case strings.HasPrefix(parts[i], optionsMark):
			help.Options, err = options(parts[i])
		case parts[i] == examplesMark && i+1 < len(parts):
			i++
			help.Examples = examples(parts[i])
		case strings.HasPrefix(parts[i], "  "):
			help.Arguments, err = arguments(parts[i])
		default:
			err = fmt.Errorf("%q is no part of a help", parts[i])
		}
		if err != nil {
			return Help{}, err
		}
	}
	return help, nil
}

// arguments reads the table of arguments: a name, two spaces or more, what it means.
func arguments(part string) (found []Term, _ error) {
	for line := range strings.SplitSeq(part, "\n") {
		name, means, is := strings.Cut(strings.TrimSpace(line), "  ")
		if !is {
			return nil, fmt.Errorf("%q does not say what an argument means", line)
		}
		found = append(found, Term{Name: name, Means: strings.TrimSpace(means)})
	}
	return found, nil
}

// options reads the options as the package flag prints them.
func options(part string) (found []Term, _ error) {
	for line := range strings.SplitSeq(part, "\n") {
		switch {
		case line == optionsMark:
		case strings.HasPrefix(line, "  -"):
			head, means, _ := strings.Cut(strings.TrimPrefix(line, "  -"), "\t")
			name, value, _ := strings.Cut(head, " ")
			found = append(found, Term{Name: "--" + name, Value: value, Means: strings.TrimSpace(means)})
		case strings.HasPrefix(line, "    ") && len(found) > 0:
			last := &found[len(found)-1]
			last.Means = strings.TrimSpace(last.Means + " " + strings.TrimSpace(line))
		default:
			return nil, fmt.Errorf("%q is no option", line)
		}
	}
	for _, o := range found {
		if o.Means == "" {
			return nil, errors.New(o.Name + " does not say what it means")
		}
	}
	return found, nil
}

func examples(part string) (found []string) {
	for line := range strings.SplitSeq(part, "\n") {
		found = append(found, strings.TrimSpace(line))
	}
	return found
}
