package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/site"
	attacks "github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// attacker opens connections to the page from an address that is none of the table's own.
func (n *network) attacker(ip string) (net.Conn, error) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}}
	return dialer.DialContext(n.t.Context(), "tcp", strings.TrimPrefix(n.url, "https://"))
}

// isOpen says whether the other end has left a connection open, on which it has said nothing.
func isOpen(t *testing.T, c net.Conn) (open bool) {
	t.Helper()
	raw, err := c.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	err = raw.Read(func(fd uintptr) bool {
		_, _, err := unix.Recvfrom(int(fd), make([]byte, 1), unix.MSG_PEEK|unix.MSG_DONTWAIT)
		open = errors.Is(err, unix.EAGAIN)
		return true
	})
	return open && err == nil
}

// dealt opens bets, closes them and draws a card, and waits until it is on record and on the own screen's stream.
func (n *network) dealt(dealer *http.Client, stream io.Reader) {
	n.t.Helper()
	n.ask(dealer, "/input", openBets, http.StatusOK)
	n.ask(dealer, "/input", `{"in":"stake","box":1,"bettor":"a","wager":"main","amount":1000}`, http.StatusOK)
	n.ask(dealer, "/input", `{"in":"close"}`, http.StatusOK)
	drawn, err := n.shoe.Draw()
	if err != nil {
		n.t.Fatal(err)
	}
	n.awaitIn(fmt.Sprintf(`"card":"%s"`, drawn))
	reads(n.t, stream, fmt.Sprintf(`"%s"`, drawn))
}

// reads reads until a stream has said something.
func reads(t *testing.T, stream io.Reader, part string) {
	t.Helper()
	var text strings.Builder
	for b := make([]byte, 4096); !strings.Contains(text.String(), part); {
		n, err := stream.Read(b)
		if text.Write(b[:n]); err != nil {
			t.Fatalf("the stream ended before %q: %v", part, err)
		}
	}
}

// TestAttackConnections: whoever is on the network opens thousands of connections to the built daemon, from one address
// and from many, says nothing, half a request or half a handshake on each, and holds them. The table's own screen opens
// its page, keeps its stream, and deals; a screen on the network does, too. The daemon holds few of the connections,
// and its log has a few lines of all of them.
func TestAttackConnections(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	t.Parallel()
	n := newNetwork(t)
	n.certify(time.Now().AddDate(0, 6, 0))
	process := n.start()
	dealer := n.enter(n.keys["dealer"], http.StatusOK)
	stream := n.begin(dealer, "/events?as=json", "").Body
	quiet := process.Peak()

	tries := tier.Times(900, 3000)
	half := []func(net.Conn){
		func(net.Conn) {},
		func(c net.Conn) { io.WriteString(c, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03") },
		func(c net.Conn) {
			secured := tls.Client(c, &tls.Config{InsecureSkipVerify: true})
			io.WriteString(secured, "POST /input HTTP/1.1\r\nHo") // one that is refused has no handshake
		},
	}
	var conns []net.Conn
	for i := range tries {
		ip := "127.0.1.1" // half of them from one address
		if i%2 == 1 {
			ip = fmt.Sprintf("127.0.2.%d", 1+i/2%250)
		}
		c, err := n.attacker(ip)
		if err != nil {
			continue // refused at once
		}
		defer c.Close()
		half[i%len(half)](c)
		conns = append(conns, c)
	}
	through := 0
	n.ask(n.browser(), "/enter", "", http.StatusOK) // all that came before it have been judged
	open := 0
	for _, c := range conns {
		if isOpen(t, c) {
			open++
		}
	}
	if open > 256 {
		through += open - 256
		t.Errorf("the daemon holds %d of %d connections", open, tries)
	}
	n.dealt(dealer, stream)
	n.ask(n.browser(), "/enter", "", http.StatusOK)
	grown := (process.Peak() - quiet) >> 10
	t.Logf("%d connections are held, and took %d MiB; before there was a bound, 4,000 took 139 MB", open, grown)
	if most := 64 * raceMemory; grown > most {
		through++
		t.Errorf("the connections took more than %d MiB", most)
	}
	logs(t, process, "connections are refused")
	if !tier.InSoak() { // the program waits for those that it holds
		for _, c := range conns {
			c.Close()
		}
	}
	n.stop(process)
	if lines := strings.Count(process.Log(), "refused\""); lines > 16 {
		t.Errorf("the log has %d lines of it:\n%s", lines, process.Log())
	}
	attacks.Report(t, "connections that say nothing or half a request, held or keeping a screen out", tries, through)
}

// TestAttackJournal: who has a view's or a dealer's key does the same thousands of times: wrong keys, entries,
// sign-ins, inputs that are refused, resolutions without a PIN, and what the role may not do. The journal grows by
// little, nothing is lost silently, and a card is dealt meanwhile.
func TestAttackJournal(t *testing.T) {
	tier.Landing(t, "it makes more than a thousand requests")
	t.Parallel()
	n := newNetwork(t)
	n.keys["desk"] = web.NewKey()
	n.certify(time.Now().AddDate(0, 6, 0))
	n.web = fmt.Sprintf(", cert_file: %s, key_file: %s, screens: [%s, %s, %s]", n.cert, n.file,
		n.screen("view-1", "view", "view"), n.screen("dealer-1", "dealer", "dealer"),
		n.screen("desk", "dealer", "desk"))
	process := n.start()
	desk := n.enter(n.keys["desk"], http.StatusOK)
	stream := n.begin(desk, "/events?as=json", "").Body
	view, dealer := n.enter(n.keys["view"], http.StatusOK), n.enter(n.keys["dealer"], http.StatusOK)
	moved(view, "127.0.3.1")
	moved(dealer, "127.0.3.2")
	stranger := n.browser()
	moved(stranger, "127.0.3.3")
	before, began := n.size(), time.Now()

	key := func(k web.Key) string { return `{"key":"` + k.String() + `"}` }
	tries := 0
	flood := func(by *http.Client, path, body string) {
		for range tier.Times(150, 600) {
			tries++
			response := n.begin(by, path, body)
			io.Copy(io.Discard, response.Body)
			response.Body.Close()
		}
	}
	flood(stranger, "/enter", key(web.NewKey()))
	flood(view, "/enter", key(n.keys["view"]))
	flood(view, "/input", openBets)
	n.dealt(desk, stream)
	flood(dealer, "/enter", key(n.keys["dealer"]))
	flood(dealer, "/input", openBets)
	flood(dealer, "/dealer", `{"name":"dora"}`)
	flood(dealer, "/dealer", `{"name":"emil"}`)
	flood(dealer, "/input", `{"in":"hold","by":"anna"}`)

	// A record has a few hundred bytes. People's entries are paced: each makes two notes at the most.
	seconds := int64(time.Since(began)/time.Second) + 1
	limit := int64(600) * (150 + 2*seconds)
	grown := n.size() - before
	t.Logf("%d requests in %d s let the journal grow by %d bytes; before there was a bound, 15 s let it grow by 5.5 MB",
		tries, seconds, grown)
	through := 0
	if grown > limit {
		through = 1
		t.Errorf("the journal grew by %d bytes, more than %d", grown, limit)
	}
	n.stop(process)
	contains(t, n.acts()+process.Log(), "screen-refused wrong-key 127.0.3.3", "screen-in view 127.0.3.1",
		"the same happened again")
	attacks.Report(t, "the journal written full with a view's and a dealer's key", tries, through)
}

// moved makes a browser ask from another address.
func moved(by *http.Client, ip string) {
	transport := by.Transport.(*http.Transport)
	transport.CloseIdleConnections()
	transport.DialContext = (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}}).DialContext
}

// screen is the line of a screen in the configuration.
func (n *network) screen(name, role, key string) string {
	return fmt.Sprintf(`{name: %s, role: %s, key: "%s"}`, name, role, n.keys[key].Hash())
}

// size is how many bytes the journal has.
func (n *network) size() (size int64) {
	n.t.Helper()
	err := filepath.WalkDir(n.path, func(_ string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	if err != nil {
		n.t.Fatal(err)
	}
	return size
}

// TestSlowBrowser: a browser on a computer that starts opens a connection, and comes to asking for a file much later.
func TestSlowBrowser(t *testing.T) {
	const slowly = 10 * time.Second
	if site.HeaderTime < 2*slowly {
		t.Errorf("a browser has %v from opening a connection to asking for a file; it may take %v",
			site.HeaderTime, slowly)
	}
	tier.Soak(t, "it takes as long as such a computer does")
	t.Parallel()
	n := newNetwork(t)
	n.certify(time.Now().AddDate(0, 6, 0))
	n.start()
	slow, err := n.attacker("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(slowly) // nothing can be seen of a connection that is still open
	browser := n.browser()
	browser.Transport.(*http.Transport).DialContext = func(context.Context, string, string) (net.Conn, error) {
		return slow, nil
	}
	n.ask(browser, "/assets/enter.css", "", http.StatusOK)
}
