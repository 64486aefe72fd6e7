package main

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/sim-hardware/bench"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/practice"
)

// benchRoute is one request that the bench is for.
type benchRoute struct{ method, path, body string }

// benchRoutes are all that a bench with practice answers.
func benchRoutes(t *testing.T) (list []benchRoute) {
	t.Helper()
	served := bench.New(bench.Options{Dealer: &keysim.Dealer{}, Practice: &practice.Room{}}).Routes()
	for _, row := range served {
		list = append(list, benchRoute{row.Method, strings.ReplaceAll(row.Path, "{name}", "bench.css"), `{}`})
	}
	if len(list) < 10 {
		t.Fatalf("the bench has %d routes", len(list))
	}
	return list
}

// ask sends a request as a browser would, and returns its status. What streams is not read.
func (b benchRoute) ask(t *testing.T, address string, change func(*http.Request)) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), processes.Deadline)
	defer cancel()
	var body io.Reader
	if b.method == http.MethodPost {
		body = strings.NewReader(b.body)
	}
	r, err := http.NewRequestWithContext(ctx, b.method, "http://"+address+b.path, body)
	if err != nil {
		t.Fatal(err)
	}
	if b.method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	change(r)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close() // a stream has no end
	return resp.StatusCode
}

// foreign are the ways in which a page of another site asks, each for any route.
func foreign(address string) map[string]func(*http.Request) {
	_, port, _ := net.SplitHostPort(address)
	ways := map[string]func(*http.Request){}
	fetch := func(site, mode, dest string) {
		ways["Sec-Fetch-Site "+site+" "+mode+" "+dest] = func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", site)
			r.Header.Set("Sec-Fetch-Mode", mode)
			r.Header.Set("Sec-Fetch-Dest", dest)
		}
	}
	for _, site := range []string{"cross-site", "same-site", "Same-Origin", "anything"} {
		fetch(site, "no-cors", "image")
		fetch(site, "no-cors", "script")
		fetch(site, "cors", "empty")
		fetch(site, "navigate", "iframe")
		fetch(site, "websocket", "websocket")
	}
	for _, origin := range []string{
		"http://evil.example", "https://" + address, "http://127.0.0.1", "http://localhost:1", "http://localhost:" +
			port + ".evil.example",
		"http://" + address + "@evil.example", "http://" + address + "/", "ftp://" + address, "file://", "null",
		"", address,
	} {
		ways["Origin "+origin] = func(r *http.Request) { r.Header["Origin"] = []string{origin} }
	}
	ways["two origins"] = func(r *http.Request) {
		r.Header["Origin"] = []string{"http://" + address, "http://evil.example"}
	}
	for _, host := range []string{
		"evil.example", "evil.example:" + port, "localhost.evil.example:" + port, "127.0.0.1.evil.example:" + port,
		"0.0.0.0:" + port, "[::]:" + port, "192.0.2.1:" + port, "127.0.0.1@evil.example",
	} {
		ways["Host "+host] = func(r *http.Request) { r.Host = host }
	}
	return ways
}

// forms are the media types that a page of another site may send without asking.
var forms = []string{
	"", "text/plain", "text/plain; a=application/json", "application/x-www-form-urlencoded",
	"multipart/form-data; boundary=x",
}

// TestAttackTheBench: no page of another site gets anything from the bench, or does anything there.
func TestAttackTheBench(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	t.Parallel()
	demo := processes.Start(t, processes.Binary(t, "sabot-demo"), "--by-hand", "--web", "127.0.0.1:0", "--broker",
		"127.0.0.1:0")
	address := strings.Trim(strings.TrimPrefix(demo.URL, "http://"), "/")
	tries, through := 0, 0
	for _, route := range benchRoutes(t) {
		ways := foreign(address)
		if route.method == http.MethodPost {
			for _, kind := range forms {
				ways["as "+kind] = func(r *http.Request) {
					r.Header.Set("Sec-Fetch-Site", "same-origin")
					r.Header["Content-Type"] = []string{kind}
				}
			}
			ways["a link that posts"] = func(r *http.Request) {
				maps.Copy(r.Header, http.Header{
					"Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"navigate"},
					"Sec-Fetch-Dest": {"document"},
				})
			}
		}
		for name, change := range ways {
			tries++
			switch status := route.ask(t, address, change); status {
			case http.StatusForbidden, http.StatusMisdirectedRequest, http.StatusUnsupportedMediaType,
				http.StatusBadRequest:
			default:
				through++
				t.Errorf("%s %s with %s: %d", route.method, route.path, name, status)
			}
		}
		own := route.ask(t, address, func(r *http.Request) {
			maps.Copy(r.Header, http.Header{
				"Origin": {"http://" + address}, "Sec-Fetch-Site": {"same-origin"},
				"Sec-Fetch-Mode": {"cors"},
			})
		})
		if own == http.StatusForbidden || own == http.StatusMisdirectedRequest || own == http.StatusNotFound &&
			route.method == http.MethodPost {
			t.Errorf("%s %s from the bench's own page: %d", route.method, route.path, own)
		}
	}
	attack.Report(t, "requests of other sites' pages to the bench", tries, through)
	demo.End(syscall.SIGINT)
}

// TestAttackTheDemonstrationsBroker: a page can make a browser speak to the broker's port, and other programs can;
// neither gets in without the password, which is another at each start.
func TestAttackTheDemonstrationsBroker(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	t.Parallel()
	demo := processes.Start(t, processes.Binary(t, "sabot-demo"), "--pace", "1ms", "--web", "127.0.0.1:0", "--broker",
		"127.0.0.1:0")
	brokertest.Until(t, "it says where everything is", func() bool {
		return strings.Contains(demo.Out(), "Ctrl-C ends.")
	})
	printed := regexp.MustCompile(`mosquitto_sub -h (\S+) -p (\S+) -u (\S+) -P (\S+) `).FindStringSubmatch(demo.Out())
	if printed == nil {
		t.Fatalf("the password is not printed:\n%s", demo.Out())
	}
	address, user, password := net.JoinHostPort(printed[1], printed[2]), printed[3], printed[4]
	if len(password) < 20 {
		t.Errorf("the password is %q", password)
	}
	tries, through := 0, 0
	try := func(what string, got bool) {
		tries++
		if got {
			through++
			t.Errorf("%s gets in", what)
		}
	}
	for _, l := range [][2]string{
		{"", ""},
		{user, ""},
		{"", password},
		{user, password[1:]},
		{user, password + " "},
		{user, strings.ToLower(password)},
		{"admin", password},
		{user + password, ""},
	} {
		try("MQTT as "+l[0]+" with "+l[1], speaks(t, address, hello(t, l[0], l[1])))
	}
	mqtt := hello(t, "", "")
	for _, raw := range []string{
		"GET / HTTP/1.1\r\nHost: " + address + "\r\n\r\n",
		"GET /mqtt HTTP/1.1\r\nHost: " + address +
			"\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: " +
			"AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: mqtt\r\nSec-WebSocket-Version: 13\r\n\r\n" + mqtt,
		"POST / HTTP/1.1\r\nHost: " + address + "\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\n" +
			mqtt + hello(t, user, password),
		"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + strings.Repeat("\x00", 600),
		"\x10\xff\xff\xff\x7f",
		"\x82\x06\x00\x01\x00\x01#\x00" + mqtt,
	} {
		try("a browser that sends "+raw[:min(20, len(raw))], speaks(t, address, raw))
	}
	if !speaks(t, address, hello(t, user, password)) {
		t.Error("the printed password does not let anybody in")
	}
	attack.Report(t, "the demonstration's broker without its password", tries, through)
	screen := look(t, demo)
	begun := screen.Sees(t, "the table", func(display.View) bool { return true }).Round
	screen.Sees(t, "another round", func(v display.View) bool { return v.Round > begun })
	demo.End(syscall.SIGINT)
}

// hello is a client's introduction.
func hello(t *testing.T, user, password string) string {
	t.Helper()
	p := packets.NewControlPacket(packets.Connect).(*packets.ConnectPacket)
	p.ProtocolName, p.ProtocolVersion, p.CleanSession, p.ClientIdentifier = "MQTT", 4, true, "attacker"
	p.UsernameFlag, p.Username = user != "", user
	p.PasswordFlag, p.Password = password != "", []byte(password)
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// speaks says whether the broker accepts who sends it this first.
func speaks(t *testing.T, address, raw string) bool {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(processes.Deadline)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, raw); err != nil {
		return false // it hung up before
	}
	answer := make([]byte, 4)
	n, err := io.ReadFull(conn, answer)
	if n < len(answer) {
		if ne, ok := err.(net.Error); ok && ne.Timeout() {
			t.Errorf("the broker keeps a client that sends %q", raw[:min(20, len(raw))])
		}
		return false
	}
	return string(answer) == "\x20\x02\x00\x00"
}
