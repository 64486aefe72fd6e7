// Command serve shows sample views in a browser, for the page's tests and for
// looking at the page while it is being worked on.
//
// It prints the page's address, then takes the samples' names on its standard
// input, one a line, and answers each with "shown" or with what is wrong, and "holds"
// with the names of those that hold a round. It ends when its input does. Past rounds are always the same night's.
//
// With -live there is a real table behind the page, and the lines are played at it.
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

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/profile"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "loopback address to serve the page on")
	setup := flag.String("live", "", "a transcript's setup line: serve a real table instead of samples")
	amounts := flag.Bool("amounts", true, "whether stakes are entered with their amounts at a real table")
	language := flag.String("language", "en", "what the table speaks")
	night := flag.String("night", "", "a house whose past rounds are shown, instead of those with all the trouble")
	var proof authority.Proof
	flag.TextVar(&proof, "proof", authority.None, "at a real table, how the supervisors anna and bruno are proven, whose PIN is 4711")
	var dealers authority.DealerProof
	flag.TextVar(&dealers, "dealers", authority.AtTheirWord, "at a real table, how the dealers d7 and d9 are proven, whose PINs are 2580 and badges 00417788 and 00ab99cc")
	flag.Parse()
	recall := displaytest.Rounds()
	if *night != "" {
		recall = displaytest.Night(*night)
	}
	if err := run(*listen, *setup, *language, *amounts, proofs{proof, dealers}, recall, os.Stdin, os.Stdout); err != nil {
		slog.Error("serve: the sample page ended", "err", err)
		os.Exit(1)
	}
}

// shown is what stands behind the page; obey does what a line says, and answers it.
type shown interface {
	obey(line string, out io.Writer)
}

// proofs are how supervisors and dealers are proven.
type proofs struct {
	supervisors authority.Proof
	dealers     authority.DealerProof
}

func run(listen, setup, language string, amounts bool, proof proofs, recall web.Recall, in io.Reader, out io.Writer) error {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	spoken, ok := display.BuiltIn().With(profile.Built().Words(), profile.Built().Shufflers()...).Speak(language)
	if !ok {
		return fmt.Errorf("-language %s: nobody speaks that", language)
	}
	page, behind, err := open(web.Options{Language: spoken, Recall: recall, Houses: profile.Built(), Press: ignore}, setup, amounts, proof)
	if err != nil {
		return err
	}
	server := start(l, page)
	defer server.Close()
	defer server.CloseClientConnections()
	fmt.Fprintf(out, "%s/\n", server.URL)

	lines := bufio.NewScanner(in)
	for lines.Scan() {
		behind.obey(lines.Text(), out)
	}
	return lines.Err()
}

// open makes the page, of samples or of a real table.
func open(o web.Options, setup string, amounts bool, proof proofs) (*web.Server, shown, error) {
	if setup == "" {
		page := web.New(o)
		return page, newSamples(page), nil
	}
	l, err := newLive(setup, amounts)
	if err != nil {
		return nil, nil, err
	}
	if l.people, err = newPeople(l, proof); err != nil {
		return nil, nil, err
	}
	o.Press, o.People, o.Try, o.Badges = l.press, l.people, l.try, proof.dealers.UsesBadge()
	l.page = web.New(o)
	l.show()
	return l.page, l, nil
}

func start(l net.Listener, page *web.Server) *httptest.Server {
	server := httptest.NewUnstartedServer(page.Handler())
	server.Listener.Close()
	server.Listener = l
	server.Config.ErrorLog = slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug)
	server.Start()
	return server
}
