// Package pages serves samples of Sabot's pages to the tests that look at them in a browser. The tests themselves,
// their browser and run.mjs, which runs them all, are not Go.
package pages

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
)

// A Sample is what a test looks at.
type Sample struct {
	Handler http.Handler
	// Obey does what a line says, and answers it with one line; nil where there is nothing to say.
	Obey func(line string, out io.Writer)
}

// Make makes the sample that arguments ask for. They are those of the program, whose flags it defines in set.
type Make func(set *flag.FlagSet, args []string) (Sample, error)

// Main is a program that serves samples, one after the other: to start a program costs more than most tests. It prints
// the address of the first, which its arguments ask for, and takes lines on its standard input. "end" stops the sample
// as if the program were killed, and is answered with "ended"; "again" with a JSON array of arguments serves another
// one, which nothing connects with the one before, and is answered with its address. All other lines are the sample's.
// It ends when its input does.
func Main(make Make) {
	if err := serve(make, os.Args[1:], os.Stdin, os.Stdout); err != nil {
		slog.Error("the sample ended", "program", os.Args[0], "err", err)
		os.Exit(1)
	}
}

func serve(make Make, args []string, in io.Reader, out io.Writer) error {
	sample, server, err := begin(make, args)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s/\n", server.URL)
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		more, again := strings.CutPrefix(lines.Text(), "again ")
		switch {
		case lines.Text() == "end":
			end(server)
			fmt.Fprintln(out, "ended")
		case again:
			var args []string
			if err := json.Unmarshal([]byte(more), &args); err != nil {
				return fmt.Errorf("again %s: %w", more, err)
			}
			if sample, server, err = begin(make, args); err != nil {
				return err
			}
			fmt.Fprintf(out, "%s/\n", server.URL)
		case sample.Obey == nil:
			return fmt.Errorf("the sample takes no lines, such as %q", lines.Text())
		default:
			sample.Obey(lines.Text(), out)
		}
	}
	end(server)
	return lines.Err()
}

// begin serves the sample that arguments ask for.
func begin(make Make, args []string) (Sample, *httptest.Server, error) {
	set := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	listen := set.String("listen", "127.0.0.1:0", "loopback address to serve the page on")
	sample, err := make(set, args)
	if err != nil {
		return Sample{}, nil, err
	}
	l, err := net.Listen("tcp", *listen)
	if err != nil {
		return Sample{}, nil, err
	}
	server := httptest.NewUnstartedServer(sample.Handler)
	server.Listener.Close()
	server.Listener = l
	server.Config.ErrorLog = slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug)
	server.Start()
	return sample, server, nil
}

// end stops a server, whatever it is still asked. It may be called twice.
func end(server *httptest.Server) {
	server.CloseClientConnections()
	server.Close()
}
