package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/sabot-table/sabot/internal/securefile"
	pitcommand "github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/topic"
)

// commandKey makes a key with which the pit signs commands to tables, and prints its line for
// the tables' configurations. The private half stays in the file.
func commandKey(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	known := set.Bool("public", false, "print the line of the key in the file, and make no new one")
	person := set.String("person", "",
		"the `name` of the one person who uses the key; without it the key is a pit's, which says who it is")
	if err := parse(set, args, e); err != nil {
		return err
	}
	if set.NArg() != 2 {
		return errUsage("it takes the key's name and its file; options come before them")
	}
	name, path := set.Arg(0), set.Arg(1)
	if _, err := topic.NewTable(name, name); err != nil {
		return errUsage(fmt.Sprintf("%q cannot name a key: write 1 to %d characters of a-z, 0-9, _ and -", name,
			topic.MaxName))
	}
	who := ""
	if *person != "" {
		if err := pitcommand.CheckPerson(*person); err != nil {
			return errUsage(fmt.Sprintf("--person: %v", err))
		}
		who = fmt.Sprintf(", person: %q", *person)
	}
	public, err := publicHalf(path, *known, pitcommand.KeyFile.New, pitcommand.KeyFile.Read)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.out, "    - {name: %q, public: %q%s, may: [%s, %s, %s]}\n",
		name, securefile.PublicKeyLine(public), who, pitcommand.Acknowledge, pitcommand.Coming, pitcommand.Message)
	return err
}
