package main

import (
	"context"
	"flag"
	"fmt"
	"net/url"
	"regexp"

	"github.com/sabot-table/sabot/display/web"
)

var screenName = regexp.MustCompile(`^[a-z0-9_-]{1,32}$`)

// screenKey prints a screen's line for the configuration on standard output, and the
// key itself, once, on standard error: the line can then be appended to a file.
func screenKey(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	page := set.String("url", "https://TABLE:8443/", "the page's `address`, as the screen reaches it")
	own := set.Bool("own", false,
		"it is one of the table's own screens, such as the kiosk's: the settings are changed there, and a turned "+
			"key proves there")
	if err := parse(set, args, e); err != nil {
		return err
	}
	if set.NArg() != 2 {
		return errUsage("it takes a screen's name and its role: guest, view, dealer or supervisor; options come " +
			"before them")
	}
	name, roleName := set.Arg(0), set.Arg(1)
	role, err := web.ParseRole(roleName)
	switch {
	case !screenName.MatchString(name):
		return errUsage(fmt.Sprintf("%q cannot name a screen: write 1 to 32 characters of a-z, 0-9, _ and -", name))
	case err != nil:
		return errUsage(fmt.Sprintf("%q is not a role: %v", roleName, err))
	}
	owns := ""
	if *own {
		if role != web.Supervisor {
			return errUsage(fmt.Sprintf("--own is for a screen of role supervisor, and not %s", role))
		}
		owns = ", own: true"
	}
	address, err := url.Parse(*page)
	if err != nil || address.Scheme != "https" || address.Host == "" {
		return errUsage(fmt.Sprintf("--url: %q is not the address of a page on a network: write it as "+
			"https://table-1.example:8443/", *page))
	}
	key := web.NewKey()
	if _, err := fmt.Fprintf(e.out, "    - {name: %q, role: %s, key: %q%s}\n", name, role, key.Hash(),
		owns); err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.err, `The line above belongs under "web: screens:" in the table's configuration; then reload
the daemon. The screen enters with this key, which is shown only now:

  %s

or with this address, which nobody else may see:

  %s#%s
`, key, address.JoinPath("enter"), key)
	return err
}
