// Command serve shows sample views in a browser, for the page's tests and for
// looking at the page while it is being worked on.
//
// It prints the page's address, then takes the samples' names on its standard
// input, one a line, and answers each with "shown" or with what is wrong. It ends
// when its input does. Past rounds are always the same night's.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"

	"github.com/sabot-table/sabot/display/displaytest"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/authority"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "loopback address to serve the page on")
	setup := flag.String("live", "", "a transcript's setup line: serve a real table instead of samples")
	var proof authority.Proof
	flag.TextVar(&proof, "proof", authority.None, "with -live, how the supervisors anna and bruno are proven, whose PIN is 4711")
	flag.Parse()
	if err := run(*listen, *setup, proof, os.Stdin, os.Stdout); err != nil {
		slog.Error("serve: the sample page ended", "err", err)
		os.Exit(1)
	}
}

func run(listen, setup string, proof authority.Proof, in io.Reader, out io.Writer) error {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	page, obey, err := serve(setup, proof)
	if err != nil {
		return err
	}
	failed := make(chan error, 1)
	go func() { failed <- http.Serve(l, page.Handler()) }()
	fmt.Fprintf(out, "http://%s/\n", l.Addr())

	done := make(chan error, 1)
	go func() { done <- obey(in, out) }()
	select {
	case err := <-failed:
		return err
	case err := <-done:
		return err
	}
}

// serve makes the page, and what obeys the lines: of samples, or of a real table.
func serve(setup string, proof authority.Proof) (*web.Server, func(io.Reader, io.Writer) error, error) {
	if setup == "" {
		page := web.New(web.Options{Recall: displaytest.Rounds(), Press: ignore})
		return page, func(in io.Reader, out io.Writer) error { return samples(page, in, out) }, nil
	}
	l, err := newLive(setup)
	if err != nil {
		return nil, nil, err
	}
	if l.people, err = newPeople(l, proof); err != nil {
		return nil, nil, err
	}
	l.page = web.New(web.Options{Recall: displaytest.Rounds(), Press: l.press, People: l.people})
	l.show()
	return l.page, func(in io.Reader, out io.Writer) error {
		lines := bufio.NewScanner(in)
		for lines.Scan() {
			l.obey(lines.Text(), out)
		}
		return lines.Err()
	}, nil
}

// ignore takes what is touched, and nothing comes of it: samples stand still.
func ignore(context.Context, table.Input, string) (uint64, table.Reason, error) { return 0, 0, nil }

// samples shows those that are asked for. Each gets a higher Seq than the last.
func samples(page *web.Server, in io.Reader, out io.Writer) error {
	known := map[string]displaytest.Sample{}
	for _, s := range slices.Concat(displaytest.Samples(), displaytest.Holds()) {
		known[s.Name] = s
	}
	var seq uint64
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		s, ok := known[lines.Text()]
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
