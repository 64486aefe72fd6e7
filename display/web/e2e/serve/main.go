// Command serve shows sample views in a browser, for the page's tests and for
// looking at the page while it is being worked on.
//
// It prints the page's address, then takes the samples' names on its standard
// input, one a line, and answers each with "shown" or with what is wrong. It ends
// when its input does. Past rounds are always the same night's.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"

	"github.com/sabot-table/sabot/display/displaytest"
	"github.com/sabot-table/sabot/display/web"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "loopback address to serve the page on")
	flag.Parse()
	if err := run(*listen, os.Stdin, os.Stdout); err != nil {
		slog.Error("serve: the sample page ended", "err", err)
		os.Exit(1)
	}
}

func run(listen string, in io.Reader, out io.Writer) error {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	page := web.New(web.Options{Recall: displaytest.Rounds()})
	failed := make(chan error, 1)
	go func() { failed <- http.Serve(l, page.Handler()) }()
	fmt.Fprintf(out, "http://%s/\n", l.Addr())

	done := make(chan error, 1)
	go func() { done <- obey(page, in, out) }()
	select {
	case err := <-failed:
		return err
	case err := <-done:
		return err
	}
}

// obey shows the samples that are asked for. Each gets a higher Seq than the last.
func obey(page *web.Server, in io.Reader, out io.Writer) error {
	samples := map[string]displaytest.Sample{}
	for _, s := range displaytest.Samples() {
		samples[s.Name] = s
	}
	var seq uint64
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		s, ok := samples[lines.Text()]
		if !ok {
			fmt.Fprintf(out, "no sample %q\n", lines.Text())
			continue
		}
		seq++
		s.View.Seq = seq
		page.Show(s.View)
		fmt.Fprintln(out, "shown")
	}
	return lines.Err()
}
