package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/user"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/table/plaintext"
)

// personUsage are the arguments of the command, one form a line.
const personUsage = `add NAME ROLE       let a person in, and print the starting password
role NAME ROLE      give a person another role
sites NAME [SITES]  limit a person to sites of a group, apart by commas; without them to none
reset NAME          print a new starting password, and end the pauses of wrong tries
let-in NAME         end the pauses of wrong tries
remove NAME         let a person in no more; the name stays theirs
restore NAME ROLE   let a removed person in again
list                print all people, their roles and when they were there last
log [NAME]          print what was done last, by a person or to them`

// errPersonUsage is a command that makes no sense.
var errPersonUsage = errors.New("person takes one of these:\n\n    " + strings.ReplaceAll(personUsage, "\n", "\n    "))

// lookAfter looks after people from the pit's own computer, also while sabot-pit runs: it is how
// the first manager is let in, and the way in that always remains. What it does is in the log
// with the name of this computer's user. Times are those of the house, in its zone.
func lookAfter(ctx context.Context, args []string, store people.Store, zone *time.Location,
	out io.Writer,
) error {
	if err := checkPerson(args); err != nil {
		return err
	}
	all, err := people.New(people.Options{Store: store})
	if err != nil {
		return err
	}
	return console{all, zone, out, atConsole()}.do(ctx, append(args, "", ""))
}

// console is somebody at the pit's own computer.
type console struct {
	people *people.People
	zone   *time.Location
	out    io.Writer
	by     people.Actor
}

// atConsole is somebody at the pit's own computer, as the log names them.
func atConsole() people.Actor { return people.Actor{From: "console " + username()} }

func username() string {
	u, err := user.Current()
	if err != nil {
		return "?"
	}
	return u.Username
}

// checkPerson says whether a command makes sense.
func checkPerson(args []string) error {
	for _, form := range strings.Split(personUsage, "\n") {
		usual, _, _ := strings.Cut(form, "  ")
		words := strings.Fields(usual)
		if len(args) == 0 || words[0] != args[0] {
			continue
		}
		optional := strings.HasPrefix(words[len(words)-1], "[")
		if len(args) == len(words) || optional && len(args) == len(words)-1 {
			return nil
		}
	}
	return errPersonUsage
}

func (c console) do(ctx context.Context, args []string) error {
	name := args[1]
	switch args[0] {
	case "list":
		return c.list(ctx)
	case "log":
		return c.log(ctx, name)
	case "let-in":
		return c.done(c.people.EndPause(ctx, c.by, name), name+" may try again")
	case "remove":
		return c.done(c.people.Remove(ctx, c.by, name), name+" may not enter any more")
	case "sites":
		sites, err := people.ParseSites(args[2], nil)
		if err != nil {
			return err
		}
		return c.done(c.people.SetSites(ctx, c.by, name, sites), name+" may see "+sites.String())
	case "reset":
		return c.start(c.people.Reset(ctx, c.by, name, ""))
	}
	role, err := people.ParseRole(args[2])
	if err != nil {
		return err
	}
	switch args[0] {
	case "add":
		return c.start(c.people.Add(ctx, c.by, name, role, ""))
	case "restore":
		return c.start(c.people.Restore(ctx, c.by, name, role))
	case "role":
		return c.done(c.people.SetRole(ctx, c.by, name, role), name+" is "+role.String())
	}
	return errPersonUsage
}

func (c console) done(err error, said string) error {
	if err == nil {
		_, err = fmt.Fprintln(c.out, said)
	}
	return err
}

// start prints a starting password.
func (c console) start(password string, err error) error {
	if password == "" {
		return c.done(err, "the person enters by the provider of identities")
	}
	return c.done(err, password+
		"\nThis is the starting password. It is good for three days; whoever enters with it chooses another.")
}

// clock writes a moment as the house's clock shows it.
func (c console) clock(t time.Time) string { return t.In(c.zone).Format(time.DateTime) }

func (c console) list(ctx context.Context) error {
	all, sessions, err := c.people.All(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, one := range all {
		state := ""
		switch open := sessions[one.Name]; {
		case !one.Here():
			state = "removed " + c.clock(one.Removed)
		case len(open) > 0:
			state = "logged in, last " + c.clock(open[0].Used) + " from " + open[0].From
		case !one.StartUntil.IsZero():
			state = "starting password, good until " + c.clock(one.StartUntil)
		}
		role := one.Role.String()
		if one.Sites.Limited() {
			role += " at " + one.Sites.String()
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", plaintext.Visible(one.Name), role, plaintext.Visible(state))
	}
	return table.Flush()
}

func (c console) log(ctx context.Context, name string) error {
	const most = 50
	entries, err := c.people.Log(ctx, people.Query{Who: name, Most: most})
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, e := range entries {
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", e.Number, c.clock(e.At), plaintext.Visible(e.Who),
			plaintext.Visible(string(e.What)), plaintext.Visible(e.About), plaintext.Visible(e.Detail),
			plaintext.Visible(e.From))
	}
	return table.Flush()
}
