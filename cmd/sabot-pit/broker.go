package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/pit"
	"github.com/sabot-table/sabot/pit/broker"
)

// brokerUsers shows who may connect to the broker inside the pit.
var brokerUsers = command{
	name: "broker",
	page: terminal.Usage{
		Line: "sabot-pit broker --config FILE [--table NAME | --site NAME]",
		What: "list who may connect to the broker inside the pit, with which passwords, and what they may say and " +
			"hear; the key of the passwords is made if there is none",
		Arguments: []string{
			configFile,
			"NAME: print the password of this table alone, on one line, as mqtt.password_file of the table " +
				"has it; or of this site of a hub, as hub.password_file of the site has it",
		},
		Examples: []string{
			"sabot-pit broker --config /etc/sabot/pit.yaml",
			"sabot-pit broker --config /etc/sabot/pit.yaml --table bj-1 | ssh bj-1 'umask 077; cat > mqtt-password'",
		},
	},
	flags: func(set *flag.FlagSet) func(context.Context, []string, io.Writer, io.Writer) error {
		path, table, site := set.String("config", "", "the configuration `file` of the pit"),
			set.String("table", "", "the table's `name`"), set.String("site", "", "the site's `name`")
		return func(_ context.Context, args []string, out, errOut io.Writer) error {
			if len(args) > 0 || *table != "" && *site != "" {
				return wrongUse{errors.New("broker takes --config, and one of --table and --site")}
			}
			c, log, err := load(*path, errOut)
			if err != nil {
				return err
			}
			users, err := pit.Users(c, log)
			if err != nil {
				return err
			}
			switch {
			case *table != "":
				return passwordOf(users, broker.TableUser(*table), "tables", out)
			case *site != "":
				return passwordOf(users, broker.SiteUser(*site), "sites.list", out)
			}
			for _, u := range users {
				if _, err := fmt.Fprintf(out, "%s\n  password %s\n  says     %s\n  hears    %s\n", u.Name, u.Password,
					listed(u.Writes), listed(u.Reads)); err != nil {
					return err
				}
			}
			return nil
		}
	},
}

// passwordOf prints the password of a user who is made from a list in the configuration.
func passwordOf(users []broker.User, name, list string, out io.Writer) error {
	for _, u := range users {
		if u.Name == name {
			_, err := fmt.Fprintln(out, u.Password)
			return err
		}
	}
	return fmt.Errorf("nobody in the configuration is called %q: add the name to %s", name, list)
}

func listed(topics []string) string {
	if len(topics) == 0 {
		return "nothing"
	}
	return strings.Join(topics, "\n           ")
}
