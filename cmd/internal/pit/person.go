package pit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/sabot-table/sabot/pit/people"
)

// console is who adds people with the command, in the log.
var console = people.Actor{Name: "", From: "console"}

// again gives somebody who is there another role, and a new password.
func again(ctx context.Context, all *people.People, name string, role people.Role) (start string, err error) {
	if err := all.SetRole(ctx, console, name, role); err != nil && !errors.Is(err, people.ErrNoNeed) {
		return "", err
	}
	return all.Reset(ctx, console, name, "")
}

// AddPerson adds somebody who may enter the pages, and says the password with which they enter first. Somebody
// who is there gets the role and a new password. It may run beside sabot-pit.
func AddPerson(ctx context.Context, c Config, name string, role people.Role, log *slog.Logger, out io.Writer) (err error) {
	s, err := openStore(ctx, c, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	all, err := people.New(people.Options{Store: s, Log: log})
	if err != nil {
		return err
	}
	start, err := all.Add(ctx, console, name, role, "")
	if errors.Is(err, people.ErrThere) {
		if start, err = all.Restore(ctx, console, name, role); errors.Is(err, people.ErrNoNeed) {
			start, err = again(ctx, all, name, role)
		}
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s enters first with the password %s, and then chooses another\n", name, start)
	return err
}
