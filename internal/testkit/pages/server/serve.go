// What follows serves samples of Sabot's pages to the tests that look at them in a browser. The tests themselves,
// their browser and run.mjs, which runs them all, are not Go; the samples are those of the program in server.

package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
)

// A Sample is what a test looks at.
type Sample struct {
	Handler http.Handler
	// TLS says that it is served as on a network.
	TLS bool
	// Obey does what a line says, and answers it with one line; nil where there is nothing to say.
	Obey func(line string, out io.Writer)
	// End ends what is behind the page, and what still waits for it; it may be nil.
	End func()
}

// Make defines the flags of a sample in set, and returns what makes it, once they are read, at an address.
type Make func(set *flag.FlagSet) func(address string) (Sample, error)

// serveAll is a program that serves samples, one after the other: to start a program costs more than most tests. Its
// first argument names the sample, the others are that one's flags. It prints the sample's address, and takes lines on
// its standard input. "end" stops the sample as if the program were killed, and is answered with "ended"; "again" with
// a JSON array of arguments serves another one, which nothing connects with the one before, and is answered with its
// address. All other lines are the sample's. It ends when its input does.
func serveAll(all map[string]Make) {
	if err := serve(all, os.Args[1:], os.Stdin, os.Stdout); err != nil {
		slog.Error("the sample ended", "args", os.Args[1:], "err", err)
		os.Exit(1)
	}
}

func serve(all map[string]Make, args []string, in io.Reader, out io.Writer) error {
	now, err := begin(all, args)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s/\n", now.server.URL)
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		more, again := strings.CutPrefix(lines.Text(), "again ")
		switch {
		case lines.Text() == "end":
			now.end()
			fmt.Fprintln(out, "ended")
		case again:
			var args []string
			if err := json.Unmarshal([]byte(more), &args); err != nil {
				return fmt.Errorf("again %s: %w", more, err)
			}
			if now, err = begin(all, args); err != nil {
				return err
			}
			fmt.Fprintf(out, "%s/\n", now.server.URL)
		case now.sample.Obey == nil:
			return fmt.Errorf("the sample takes no lines, such as %q", lines.Text())
		default:
			now.sample.Obey(lines.Text(), out)
		}
	}
	now.end()
	return lines.Err()
}

// served is a sample that is served.
type served struct {
	sample Sample
	server *httptest.Server
}

// begin serves the sample that arguments ask for.
func begin(all map[string]Make, args []string) (*served, error) {
	name := strings.Join(args[:min(1, len(args))], "")
	define, known := all[name]
	if !known {
		return nil, fmt.Errorf("no sample %q: name one of %s", name, strings.Join(slices.Sorted(maps.Keys(all)), ", "))
	}
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	listen := set.String("listen", "127.0.0.1:0", "loopback address to serve the page on")
	sampleAt := define(set)
	if err := set.Parse(args[1:]); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", *listen)
	if err != nil {
		return nil, err
	}
	sample, err := sampleAt(l.Addr().String())
	if err != nil {
		l.Close()
		return nil, err
	}
	server := httptest.NewUnstartedServer(sample.Handler)
	server.Listener.Close()
	server.Listener = l
	server.Config.ErrorLog = slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug)
	if sample.TLS {
		server.StartTLS()
	} else {
		server.Start()
	}
	return &served{sample: sample, server: server}, nil
}

// end stops the server, whatever it is still asked. It may be called twice.
func (s *served) end() {
	s.server.CloseClientConnections()
	if s.sample.End != nil {
		s.sample.End()
	}
	s.server.Close() // which waits for all that is still answered
}
