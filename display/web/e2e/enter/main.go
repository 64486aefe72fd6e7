// Command enter serves a sample page as one on a network, over TLS, to screens that
// enter, for the tests of that in a browser.
//
// It prints the page's address, then takes lines on its standard input: a sample's
// name is shown, "key ROLE" is answered with the key of the screen of that role, and
// "revoke" takes all screens away. It ends when its input does.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "loopback address to serve the page on")
	flag.Parse()
	if err := run(*listen, os.Stdin, os.Stdout); err != nil {
		slog.Error("enter: the sample page ended", "err", err)
		os.Exit(1)
	}
}

func run(listen string, in io.Reader, out io.Writer) error {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	access, keys, err := open()
	if err != nil {
		return err
	}
	page := web.New(web.Options{Recall: displaytest.Rounds(), Access: access})
	server := httptest.NewUnstartedServer(page.Handler())
	if err := server.Listener.Close(); err != nil {
		return err
	}
	server.Listener = l
	server.Config.ErrorLog = slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug)
	server.StartTLS()
	defer server.Close()
	defer server.CloseClientConnections()
	fmt.Fprintf(out, "%s/\n", server.URL)

	lines := bufio.NewScanner(in)
	for lines.Scan() {
		role, asked := strings.CutPrefix(lines.Text(), "key ")
		switch {
		case asked:
			fmt.Fprintln(out, keys[role])
		case lines.Text() == "revoke":
			access.Change(nil)
			fmt.Fprintln(out, "revoked")
		default:
			page.Show(displaytest.Named(lines.Text()))
			fmt.Fprintln(out, "shown")
		}
	}
	return lines.Err()
}

// open lets in a screen of each role, and returns the keys by role.
func open() (*web.Access, map[string]web.Key, error) {
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
