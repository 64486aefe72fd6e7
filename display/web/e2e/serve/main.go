// Command serve shows sample views in a browser, for the page's tests and for
// looking at the page while it is being worked on.
//
// It prints the page's address, then takes the samples' names on its standard
// input, one a line, and answers each with "shown" or with what is wrong. It ends
// when its input does. Past rounds are always the same night's.
//
// With -enter the page is one on a network: "key ROLE" is answered with the key of the
// screen of that role, and "revoke" takes all of them away.
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

	"github.com/sabot-table/sabot/display/displaytest"
	"github.com/sabot-table/sabot/display/web"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "loopback address to serve the page on")
	enter := flag.Bool("enter", false, "serve it over TLS, to screens that enter")
	flag.Parse()
	if err := run(*listen, *enter, os.Stdin, os.Stdout); err != nil {
		slog.Error("serve: the sample page ended", "err", err)
		os.Exit(1)
	}
}

func run(listen string, enter bool, in io.Reader, out io.Writer) error {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	o := web.Options{Recall: displaytest.Rounds()}
	s := &stage{}
	if enter {
		if o.Access, err = s.open(); err != nil {
			return err
		}
	}
	s.page = web.New(o)
	server := httptest.NewUnstartedServer(s.page.Handler())
	server.Listener.Close()
	server.Listener = l
	server.Config.ErrorLog = slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug)
	if enter {
		server.StartTLS()
	} else {
		server.Start()
	}
	defer server.Close()
	defer server.CloseClientConnections()
	fmt.Fprintf(out, "%s/\n", server.URL)
	return s.obey(in, out)
}

// stage is the page, and the keys of the screens that may enter it.
type stage struct {
	page   *web.Server
	access *web.Access
	keys   map[string]web.Key
}

// open lets in a screen of each role.
func (s *stage) open() (_ *web.Access, err error) {
	s.keys = map[string]web.Key{}
	o := web.AccessOptions{
		Host: func(string) bool { return true }, Keep: func([]web.Kept) error { return nil }, Noted: func(web.AccessNotice) {},
	}
	for role := web.View; role <= web.Supervisor; role++ {
		key := web.NewKey()
		s.keys[role.String()] = key
		o.Screens = append(o.Screens, web.Screen{Name: role.String(), Role: role, Key: key.Hash()})
	}
	s.access, err = web.NewAccess(o)
	return s.access, err
}

// obey shows the samples that are asked for. Each gets a higher Seq than the last.
func (s *stage) obey(in io.Reader, out io.Writer) error {
	samples := map[string]displaytest.Sample{}
	for _, one := range displaytest.Samples() {
		samples[one.Name] = one
	}
	var seq uint64
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if said, about := s.screens(lines.Text()); about {
			fmt.Fprintln(out, said)
			continue
		}
		one, ok := samples[lines.Text()]
		if !ok {
			fmt.Fprintf(out, "no sample %q\n", lines.Text())
			continue
		}
		seq++
		one.View.Seq = seq
		s.page.Show(one.View)
		fmt.Fprintln(out, "shown")
	}
	return lines.Err()
}

// screens answers a line about the screens that may enter.
func (s *stage) screens(line string) (said string, about bool) {
	role, asked := strings.CutPrefix(line, "key ")
	switch {
	case s.access == nil:
		return "", false
	case asked:
		return s.keys[role].String(), true
	case line == "revoke":
		s.access.Change(nil)
		return "revoked", true
	}
	return "", false
}
