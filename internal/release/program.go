package main

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// Program is a program with its commands.
type Program struct {
	Name string
	// Section is that of the manual: 1 for what everybody runs, 8 for daemons.
	Section  int
	Help     Help
	Commands []Command
}

// Command is one of a program's commands.
type Command struct {
	// Name is a word, or two: a group and the command in it.
	Name string
	Help Help
}

// page is the name of a command's page in the manual of a program.
func (c Command) page(program string) string {
	return program + "-" + strings.ReplaceAll(c.Name, " ", "-")
}

// kinds are the programs that have a manual, one row each.
var kinds = []struct {
	name    string
	section int
	// commands finds the names of commands in what the program prints of itself; nil for a
	// program without commands.
	commands func(printed string) []string
	// overview is set for a program whose own help is a list and no page.
	overview *Help
}{
	{name: "sabotd", section: 8},
	{name: "sabot", section: 1, commands: listedCommands, overview: &Help{
		Line: "sabot COMMAND [ARGUMENT…]",
		What: "The tool for the bench and the auditor of a Sabot table.",
	}},
	{name: "sabot-pit", section: 8, commands: argued},
}

// Ask runs a program that was built, and reads what it says of itself.
func Ask(path, name string) (Program, error) {
	for _, kind := range kinds {
		if kind.name != name {
			continue
		}
		printed, err := say(path, "-h")
		if err != nil {
			return Program{}, err
		}
		p := Program{Name: name, Section: kind.section}
		if kind.overview != nil {
			p.Help = *kind.overview
		} else if p.Help, err = Read(printed); err != nil {
			return Program{}, fmt.Errorf("%s -h: %w", name, err)
		}
		if kind.commands == nil {
			return p, nil
		}
		p.Commands, err = askEach(path, name, kind.commands(printed))
		return p, err
	}
	return Program{}, fmt.Errorf("%s has no row among the programs with a manual", name)
}

// listedCommands finds the commands in a list with a line for each: a word or two, spaces, and what it does.
func listedCommands(printed string) (names []string) {
	for _, found := range regexp.MustCompile(`(?m)^  sabot ([a-z-]+(?: [a-z-]+)?)  `).FindAllStringSubmatch(printed,
		-1) {
		names = append(names, found[1])
	}
	return names
}

// argued finds the commands in what is said of the argument COMMAND: "run, stop or wait; ...".
func argued(printed string) []string {
	_, means, _ := strings.Cut(printed, "\n  COMMAND ")
	means, _, _ = strings.Cut(means, ";")
	return strings.FieldsFunc(strings.ReplaceAll(means, " or ", ","), func(r rune) bool { return r == ',' || r == ' ' })
}

func askEach(path, program string, names []string) (commands []Command, _ error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("%s -h lists no commands", program)
	}
	for _, name := range names {
		printed, err := say(path, append(strings.Fields(name), "-h")...)
		if err != nil {
			return nil, err
		}
		help, err := Read(printed)
		if err != nil {
			return nil, fmt.Errorf("%s %s -h: %w", program, name, err)
		}
		commands = append(commands, Command{name, help})
	}
	slices.SortFunc(commands, func(a, b Command) int { return strings.Compare(a.Name, b.Name) })
	return commands, nil
}

func say(path string, args ...string) (string, error) {
	printed, err := exec.Command(path, args...).Output()
	if exit, is := errors.AsType[*exec.ExitError](err); is {
		return "", fmt.Errorf("%s %s: %w\n%s", path, strings.Join(args, " "), err, exit.Stderr)
	}
	return string(printed), err
}
