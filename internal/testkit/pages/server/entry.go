package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
)

// sampleEntry is a table's page as one on a network, over TLS, to screens that enter. A sample's name is shown, "key
// ROLE" is answered with the key of the screen of that role, and "revoke" takes all screens away.
func sampleEntry(*flag.FlagSet) func(string) (Sample, error) {
	return func(string) (Sample, error) {
		access, keys, err := screens()
		if err != nil {
			return Sample{}, err
		}
		page := web.New(web.Options{Recall: displaytest.Rounds(), Access: access})
		return Sample{Handler: page.Handler(), TLS: true, Obey: func(line string, out io.Writer) {
			role, asked := strings.CutPrefix(line, "key ")
			switch {
			case asked:
				fmt.Fprintln(out, keys[role])
			case line == "revoke":
				access.Change(nil)
				fmt.Fprintln(out, "revoked")
			default:
				page.Show(displaytest.Named(line))
				fmt.Fprintln(out, "shown")
			}
		}}, nil
	}
}

// screens lets in a screen of each role, and returns the keys by role.
func screens() (*web.Access, map[string]web.Key, error) {
	keys := map[string]web.Key{}
	o := web.AccessOptions{
		Host: func(string) bool { return true }, Keep: func([]web.Kept) error { return nil },
		Noted: func(web.AccessNotice) {},
	}
	for role := web.View; role <= web.Supervisor; role++ {
		key := web.NewKey()
		keys[role.String()] = key
		o.Screens = append(o.Screens, web.Screen{Name: role.String(), Role: role, Key: key.Hash()})
	}
	access, err := web.NewAccess(o)
	return access, keys, err
}
