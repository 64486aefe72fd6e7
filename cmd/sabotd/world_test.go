package main

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/transcript"
)

// sabotd returns the built command.
func sabotd(t *testing.T) string {
	t.Helper()
	return processes.Binary(t, "sabotd")
}

// world is everything around the daemon: a shoe on a pseudo-terminal, a real
// broker that may be out of reach, a pit that listens, and a configuration.
type world struct {
	t      *testing.T
	dir    string
	config string
	path   string            // of the journal
	public ed25519.PublicKey // of the key that seals it
	page   string            // the page's address
	shoe   *shoesim.Shoe
	port   string // of the shoe
	broker *brokertest.Mosquitto
	gate   *brokertest.Gate // between the daemon and the broker
	floor  *processes.Floor
	driver string // of the shoe
	// house is the line of the configuration that says which rules are played.
	house string
	// limits are more lines of the configuration.
	limits string
	// supervisors is how they are proven, a group in braces.
	supervisors string
	// unsealed leaves the journal without seals.
	unsealed bool
	// alone leaves the table without a broker.
	alone bool
	// packs are those that the screens offer, with commas; empty for none.
	packs string
	// keyFile is the file with the shoe's key, empty for none.
	keyFile string
	// shoeMore is the rest of the shoe's group, from a comma on.
	shoeMore string
	// web is the rest of the page's group, from a comma on.
	web string
	// environment is more of the program's environment.
	environment []string
	// hasty, if not zero, has the table do at once what the real program does after a while.
	hasty host.Haste
	// earlier is the program of another version, empty for this one's.
	earlier string
}

// newWorld makes a world in which toHost changes the bytes on the shoe's line.
func newWorld(t *testing.T, toHost func([]byte) []byte) *world {
	t.Helper()
	return newWorldWith(t, shoesim.Options{ToHost: toHost})
}

// newWorldWith makes a world with a shuffler, one of sabot with a Joker; o says the rest.
func newWorldWith(t *testing.T, o shoesim.Options) *world {
	t.Helper()
	o.Decks, o.Seed, o.Continuous = 6, 3, true
	if o.Kind == "" {
		o.Kind, o.Jokers = shoesim.Sabot, 1
	}
	if o.AngelEye.CopyEvery == 0 {
		o.AngelEye.CopyEvery = 2 * time.Millisecond // the usual copies of one card take 60
	}
	shoe, err := shoesim.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shoe.Close() })
	w := newWorldOn(t, shoe.Path())
	w.shoe, w.driver = shoe, string(o.Kind)
	return w
}

// newWorldOn makes a world around a shoe that already has its port.
func newWorldOn(t *testing.T, port string) *world {
	t.Helper()
	w := &world{
		t: t, dir: processes.FastDir(t), page: system.Address(t), port: port, driver: string(shoesim.Sabot),
		house: "house: wiesbaden", supervisors: "{proof: none}",
	}
	w.path, w.config = filepath.Join(w.dir, "journal"), filepath.Join(w.dir, "sabot.yaml")
	var err error
	if w.public, err = journal.NewKeyFile(w.key()); err != nil {
		t.Fatal(err)
	}
	w.broker = brokertest.StartMosquitto(t)
	w.gate = brokertest.NewGate(t, w.broker.Addr())
	name, err := topic.NewTable("test", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	w.floor = processes.Listen(t, w.broker.Addr(), name, nil)
	return w
}

// text is the configuration of a table in this world.
func (w *world) text(journal, page string) string {
	text := fmt.Sprintf(`site: test
table: bj-1
%s
keys_apart_ms: -1
%sshoe: {driver: %s, port: %s, key_file: "%s", packs: [%s]%s}
journal: {path: %s%s}
mqtt: {broker: "tcp://%s"}
web: {listen: "%s"%s}
supervisors: %s
`, w.house, w.limits, w.driver, w.port, w.keyFile, w.packs, w.shoeMore, journal, w.sealing(), w.gate.Addr(), page, w.web, w.supervisors)
	if w.alone {
		text = strings.Replace(text, fmt.Sprintf("mqtt: {broker: \"tcp://%s\"}\n", w.gate.Addr()), "", 1)
	}
	return text
}

// sealing is the journal's key in the configuration.
func (w *world) sealing() string {
	if w.unsealed {
		return ""
	}
	return ", key_file: " + w.key()
}

// key is the file with the key that seals the journal.
func (w *world) key() string { return filepath.Join(w.dir, "journal.key") }

func (w *world) start() *processes.Process {
	w.t.Helper()
	write(w.t, w.config, w.text(w.path, w.page))
	binary, environment := w.program()
	return processes.StartWith(w.t, environment, binary, "--config", w.config)
}

// refused starts another sabotd, which must fail to start, and returns why.
func (w *world) refused(journal, page string) string {
	w.t.Helper()
	config := filepath.Join(w.dir, "refused.yaml")
	write(w.t, config, w.text(journal, page))
	ended := processes.Run(w.t, sabotd(w.t), "--config", config)
	if ended.Status != exitFailed || ended.Out != "" {
		w.t.Errorf("sabotd ended with status %d, not %d, and printed %q", ended.Status, exitFailed, ended.Out)
	}
	return ended.Err
}

// check compares the journal with the cards that the shoe reported, what the pit heard, and
// the outputs of a replay from the beginning. The irregularities must have these codes; a
// slow computer may lose the shoe at any time.
func (w *world) check(told []card.Card, rounds int, codes ...string) {
	t := w.t
	t.Helper()
	inputs, outputs := w.records()
	if got := cardsOf(inputs); got != names(told) {
		t.Errorf("the journal has other cards than the shoe told\ntold    %s\njournal %s", names(told), got)
	}
	if n := strings.Count(outputs, `{"out":"finished"`); n != rounds {
		t.Errorf("%d rounds were finished, not %d", n, rounds)
	}
	if got := irregular(outputs); !slices.Equal(got, codes) {
		t.Errorf("the irregularities are %v, not %v", got, codes)
	}
	if twice := offlineTwice(inputs); twice != "" {
		t.Errorf("one loss of the link is on record twice: %s", twice)
	}
	var again bytes.Buffer
	if err := transcript.Replay(strings.NewReader(inputs), transcript.NewParser(profile.Built()), &again); err != nil {
		t.Fatal(err)
	}
	sameLines(t, "replay", again.String(), outputs)
	heard := w.floor.Lines(t, uint64(strings.Count(outputs, "\n")))
	sameLines(t, "pit", string(bytes.Join(heard, []byte("\n")))+"\n", outputs)
	w.audited(uint64(rounds), slices.Contains(codes, "journal-touched"))
}

// offlineTwice returns the record of a lost link that was lost already, if there is one.
func offlineTwice(inputs string) string {
	offline := false
	for line := range strings.Lines(inputs) {
		is := func(event string) bool {
			return strings.HasPrefix(line, `{"in":"shoe"`) && strings.Contains(line, `"event":"`+event+`"`)
		}
		switch {
		case is("online"):
			offline = false
		case is("offline") && offline:
			return line
		case is("offline"):
			offline = true
		}
	}
	return ""
}

// audited audits the journal, with the key. What was accepted about its files is a fault for ever; another is none.
func (w *world) audited(rounds uint64, accepted ...bool) {
	w.t.Helper()
	j, err := journal.OpenReadOnly(w.path)
	if err != nil {
		w.t.Fatal(err)
	}
	defer j.Close()
	report, err := audit.Run(w.t.Context(), j, audit.Options{Book: profile.Built(), Key: w.public})
	if err != nil {
		w.t.Fatal(err)
	}
	touched := slices.Contains(accepted, true)
	others := slices.ContainsFunc(report.Faults, func(f *audit.Finding) bool { return f.Kind != audit.Accepted })
	if report.Well() == touched || others || report.Rounds != rounds {
		var text strings.Builder
		if err := report.WriteText(&text, w.path, false); err != nil {
			w.t.Fatal(err)
		}
		w.t.Errorf("the audit of %d rounds says\n%s", rounds, text.String())
	}
}

// records reads the journal, whose chain of hashes must be intact.
func (w *world) records() (inputs, outputs string) {
	w.t.Helper()
	j, err := journal.OpenReadOnly(w.path)
	if err != nil {
		w.t.Fatal(err)
	}
	defer j.Close()
	if err := j.Verify(w.t.Context(), nil); err != nil {
		w.t.Error(err)
	}
	var in, out strings.Builder
	for r, err := range j.Records(1) {
		if err != nil {
			w.t.Fatal(err)
		}
		in.Write(append(r.Input, '\n'))
		out.Write(r.Outputs)
	}
	return in.String(), out.String()
}

var irregularCode = regexp.MustCompile(`\{"out":"irregular","code":"([^"]*)"`)

// irregular lists the codes of irregularities in order, except for the shoe's absence.
func irregular(outputs string) []string {
	var codes []string
	for _, found := range irregularCode.FindAllStringSubmatch(outputs, -1) {
		if found[1] != "shoe-offline" {
			codes = append(codes, found[1])
		}
	}
	return codes
}

// sameLines compares two texts line by line.
func sameLines(t *testing.T, what, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Fatalf("%s differs from the journal at event %d of %d and %d", what, i+1, len(g), len(w))
		}
	}
}

// cardsOf lists the cards in a transcript.
func cardsOf(lines string) string {
	var cards []string
	for line := range strings.Lines(lines) {
		if _, rest, found := strings.Cut(line, `"card":"`); found && strings.HasPrefix(line, `{"in":"card"`) {
			cards = append(cards, rest[:strings.IndexByte(rest, '"')])
		}
	}
	return strings.Join(cards, " ")
}

func names(cards []card.Card) string {
	list := make([]string, len(cards))
	for i, c := range cards {
		list[i] = c.String()
	}
	return strings.Join(list, " ")
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// contains checks that a message says everything that it must.
func contains(t *testing.T, message string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(message, word) {
			t.Errorf("the message does not say %q:\n%s", word, message)
		}
	}
}

// logs waits until the daemon's log says everything that it must.
func logs(t *testing.T, p *processes.Process, words ...string) {
	t.Helper()
	for _, word := range words {
		brokertest.Until(t, fmt.Sprintf("the log says %q", word), func() bool {
			return strings.Contains(p.Log(), word)
		})
	}
}
