package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// TestKeyboard: what each key means. Keys that begin something end it the next time.
func TestKeyboard(t *testing.T) {
	for keys, want := range map[string]string{
		" ":         "draw",
		"d4s":       "draw 4S",
		"dTHfKc":    "draw TH; foreign KC",
		"j":         "draw JOKER",
		"uocl":      "unread; overdraw; cut-card; reload",
		"aa":        "alarm cover; clear cover",
		"rr":        "alarm reverse-pull; clear reverse-pull",
		"p":         "pull",
		"mgb":       "pull after 5; garbage 20; reboot",
		"nn":        "line bits=0.001 lost=0.02 repeated=0.02 cut=0.02 burst=0.02; line good",
		"d1s ":      `"1S" is not a card: press rank and suit, such as 4S or TH; draw`,
		"d?? ":      `"??" is not a card: press rank and suit, such as 4S or TH; draw`,
		"\n\r":      "",
		"19":        `shoe-key 1; '9' means nothing; ? lists the keys`,
		"z":         `'z' means nothing; ? lists the keys`,
		"s":         "200 cards left; the cable is in",
		"q":         "quits",
		"d4sq 4s  ": "draw 4S; quits; draw; shoe-key 4; 200 cards left; the cable is in; draw; draw",
	} {
		k := newKeyboard(shoesim.BeeTek, 1)
		var said []string
		for i := range len(keys) {
			steps, say, quit := k.press(keys[i], shoesim.State{CardsLeft: 200, Plugged: true, Hosted: true})
			for _, s := range steps {
				said = append(said, s.String())
			}
			if say != "" {
				said = append(said, strings.TrimSpace(say))
			}
			if quit {
				said = append(said, "quits")
			}
		}
		if got := strings.Join(said, "; "); got != want {
			t.Errorf("%q: %s\nwant %s", keys, got, want)
		}
	}
	k := newKeyboard(shoesim.Sabot, 1)
	if steps, _, _ := k.press('p', shoesim.State{}); steps[0].Verb != "plug" {
		t.Errorf("with the cable out p means %v", steps)
	}
	if steps, _, _ := k.press('x', shoesim.State{}); len(steps) == 0 {
		t.Error("x does nothing")
	}
	if _, help, _ := k.press('?', shoesim.State{}); help != keyHelp {
		t.Error("? does not help")
	}
}

// TestShuffler: the cards of earlier rounds go back into a shuffler, so that it never ends; another shoe ends with its
// last card. The cards that lie on the table are in neither.
func TestShuffler(t *testing.T) {
	for shuffler, want := range map[bool]string{true: "", false: "reload it"} {
		o := simOptions{driver: "bee-tek", decks: 1, seed: 1, shuffler: shuffler}
		shoe, err := shoesim.New(o.shoe())
		if err != nil {
			t.Fatal(err)
		}
		defer shoe.Close()
		var out bytes.Buffer
		h, board := newHands(shoe, o, &out), newKeyboard(shoesim.BeeTek, 1)
		for range 300 {
			press(t.Context(), board, ' ', h)
		}
		if got := out.String(); (want == "") != !strings.Contains(got, "reload it") {
			t.Errorf("a shuffler: %t: %s", shuffler, got)
		}
		if left := shoe.State().CardsLeft; shuffler && left != 26 {
			t.Errorf("%d cards are in the shuffler, and 26 lie on the table", left)
		}
	}
}

// listen is a table that listens to a simulated shoe.
func listen(t *testing.T, driver, port string) <-chan shoe.Event {
	t.Helper()
	address, err := device.ParseAddress(port)
	if err != nil {
		t.Fatal(err)
	}
	open, err := device.NewOpener(address, device.Settings{Baud: 9600})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	m, err := makes.Named(driver)
	if err != nil {
		t.Fatal(err)
	}
	s := m.New(shoe.Options{Open: open, Log: log})
	ctx, cancel := context.WithCancel(context.Background())
	events, ended := make(chan shoe.Event, 100), make(chan error, 1)
	go func() {
		ended <- s.Run(ctx, func(e shoe.Event) {
			s.Stored(e.Position)
			events <- e
		})
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return events
}

// await returns the next event of a kind.
func await(t *testing.T, events <-chan shoe.Event, kind shoe.Kind) (e shoe.Event) {
	t.Helper()
	for e.Kind != kind {
		e = processes.Take(t, fmt.Sprint(kind), events)
	}
	return e
}

var plugged = regexp.MustCompile(`shoe: \{driver: (\S+), port: "([^"]+)"\}`)

// TestSim simulates each make on each kind of port: keys draw cards, and a table reads them.
func TestSim(t *testing.T) {
	for i, driver := range makes.Names() {
		t.Run(driver, func(t *testing.T) {
			t.Parallel()
			args := []string{"shoe", "sim", "--driver", driver}
			if ports := []string{"", filepath.Join(t.TempDir(), "shoe"), "tcp://127.0.0.1:0"}; i%len(ports) > 0 {
				args = append(args, "--port", ports[i%len(ports)])
			}
			hand, person := io.Pipe()
			var seen screen
			ended := make(chan int, 1)
			go func() { ended <- run(t.Context(), args, env{hand, &seen, &seen}) }()
			port := ""
			brokertest.Until(t, "the shoe is plugged in", func() bool {
				if found := plugged.FindStringSubmatch(seen.String()); found != nil {
					port = found[2]
				}
				return port != ""
			})
			events := listen(t, driver, port)
			await(t, events, shoe.Up)
			brokertest.Until(t, "the shoe is listened to", func() bool {
				fmt.Fprint(person, "s")
				return seen.shows("the cable is in\n") || seen.shows("in session: true")
			})
			fmt.Fprint(person, "d4Sdth")
			for _, want := range []string{"4S", "TH"} {
				if e := await(t, events, shoe.Drawn); e.Card.String() != want {
					t.Errorf("came %s, want %s", e.Card, want)
				}
			}
			fmt.Fprint(person, "q")
			if status := <-ended; status != exitOK || !seen.shows("draw 4S\n") {
				t.Errorf("sim ended with status %d:\n%s", status, seen.String())
			}
		})
	}
}

// TestSimScenario plays a file, and ends with it where nobody presses keys.
func TestSimScenario(t *testing.T) {
	play := func(script string) (processes.Ended, string) {
		file := write(t, script)
		return sabot(t, "", "shoe", "sim", "--driver", "bee-tek", "--scenario", file), file
	}
	got, _ := play("seed 3\nrepeat 2\ndraw 4S\nend\nunread\nwait 1ms\n")
	if got.Status != exitOK || !regexp.MustCompile(`(?s)draw 4S\ndraw 4S\nunread ..\nwait 1ms\n`).MatchString(got.Out) {
		t.Errorf("ended with %+v", got)
	}
	got, file := play("draw\ndrow\n")
	wantFailure(t, got, exitFailed, file+":2:", `"drow" is not a step`)
	if got, _ = play("draw JOKER\n"); got.Status != exitFailed ||
		!strings.Contains(got.Err, "line 1 of the scenario, draw: no JOKER is left") {
		t.Errorf("ended with %+v", got)
	}
}

// TestSimRefuses shoes that it cannot simulate.
func TestSimRefuses(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, tc := range []struct {
		args   []string
		status int
		why    string
	}{
		{[]string{"--driver", "slipper"}, exitUsage, "choose one of " + strings.Join(makes.Names(), ", ")},
		{[]string{"--decks", "0"}, exitUsage, "1 to 12 decks, and not 0"},
		{[]string{"--decks", "1000000"}, exitUsage, "1 to 12 decks, and not 1000000"},
		{[]string{"--speed", "9"}, exitUsage, "sim: flag provided but not defined"},
		{[]string{"now"}, exitUsage, `no "now"`},
		{[]string{"--port", "/no/such/folder/shoe"}, exitFailed, "/no/such/folder/shoe"},
		{[]string{"--port", "tcp://" + taken.Addr().String()}, exitFailed, "is another program using the port?"},
		{[]string{"--scenario", "/no/such/file"}, exitFailed, "/no/such/file"},
	} {
		wantFailure(t, sabot(t, "", append([]string{"shoe", "sim"}, tc.args...)...), tc.status, tc.why)
	}
}

// TestSimAtATerminal: a real terminal returns each key as it is pressed, and has its own
// settings back afterwards.
func TestSimAtATerminal(t *testing.T) {
	cmd := exec.Command(binary(t), "shoe", "sim", "--driver", "bee-tek")
	person, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer person.Close()
	var seen screen
	copied := make(chan struct{})
	go func() {
		io.Copy(&seen, person)
		close(copied)
	}()
	brokertest.Until(t, "the keys are told", func() bool { return seen.shows("?      this list") })
	fmt.Fprint(person, " ") // no line end
	brokertest.Until(t, "a card is drawn", func() bool {
		return regexp.MustCompile(`\ndraw ..\r\n`).MatchString(seen.String())
	})
	fmt.Fprint(person, "q")
	if err := cmd.Wait(); err != nil {
		t.Errorf("sim ended with %v:\n%s", err, seen.String())
	}
	<-copied
}

// TestSimIsInterrupted: Ctrl-C is not an error, and leaves nothing.
func TestSimIsInterrupted(t *testing.T) {
	hand, _ := io.Pipe()
	path := filepath.Join(t.TempDir(), "shoe")
	ctx, interrupt := context.WithCancel(t.Context())
	var seen screen
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"shoe", "sim", "--port", path}, env{hand, &seen, &seen})
	}()
	brokertest.Until(t, "the keys are told", func() bool { return seen.shows("this list") })
	interrupt()
	if status := <-ended; status != exitOK || seen.shows("sabot:") {
		t.Errorf("sim ended with status %d:\n%s", status, seen.String())
	}
	if _, err := filepath.EvalSymlinks(path); err == nil {
		t.Error("the port's name is still there")
	}
}

// TestSignals: what runs until it is ended is ended by Ctrl-C and by the system, in order, and leaves nothing.
func TestSignals(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		port := filepath.Join(t.TempDir(), "shoe")
		cmd := exec.CommandContext(t.Context(), binary(t), "shoe", "sim", "--port", port)
		var seen screen
		cmd.Stdout, cmd.Stderr = &seen, &seen
		if _, err := cmd.StdinPipe(); err != nil { // open, as a keyboard is
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		brokertest.Until(t, "the keys are told", func() bool { return seen.shows("this list") })
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil || seen.shows("sabot:") {
			t.Errorf("%v ends sim with %v:\n%s", signal, err, seen.String())
		}
		if _, err := os.Lstat(port); err == nil {
			t.Errorf("after %v the port's name is still there", signal)
		}
	}
}
