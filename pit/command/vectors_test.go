package command_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
)

var update = flag.Bool("update", false, "write the vectors")

// What the vectors are about: the table, its session and clock, and two keys.
const (
	session = "00112233445566778899aabbccddeeff"
	clock   = 61_000
)

var (
	anna  = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, ed25519.SeedSize))
	desk  = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{2}, ed25519.SeedSize))
	annas = command.Key{
		Name: "anna", Public: anna.Public().(ed25519.PublicKey), Person: "anna",
		May: []command.What{command.Acknowledge, command.Coming, command.Message},
	}
	desks = command.Key{Name: "desk", Public: desk.Public().(ed25519.PublicKey), May: slices.Collect(command.EveryWhat)}
)

func aTable(t testing.TB) topic.Table {
	t.Helper()
	table, err := topic.NewTable("wiesbaden", "bj1")
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// aCommand is a command of the desk that every gate of these tests takes.
func aCommand(what command.What) command.Command {
	c := command.Command{
		Site: "wiesbaden", Table: "bj1", Session: session, ID: "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf",
		Pit: "pit-1", Person: "berta", Issued: 1774814462000, Expires: clock + 30_000, What: what,
	}
	switch what {
	case command.Acknowledge:
		c.Code = irregularity.UnreadCard
	case command.Limits:
		c.Min, c.BoxMax = 2000, 100_000
	case command.Message:
		c.Text = "Your break is at 22:15"
	case command.Resend:
		c.From, c.To = 10, 20
	case command.AskFill, command.AskCredit:
		c.Chips = "500x20 10000x3"
	case command.SlipApproved:
		c.Kind, c.Slip = command.KindFill, 3
	case command.SlipRefused:
		c.Kind, c.Slip, c.Text = command.KindFill, 3, "There are enough"
	case command.SlipSent, command.SlipReceived:
		c.Kind, c.Slip, c.Chips = command.KindCredit, 4, "500x20"
	case command.Outcome:
		c.Of = "b0b1b2b3b4b5b6b7b8b9babbbcbdbebf"
	}
	return c
}

// annasCommand is one that anna gives with her own key.
func annasCommand(what command.What) command.Command {
	return with(what, func(c *command.Command) { c.Person = "anna" })
}

func sealed(t testing.TB, c command.Command, name string, key ed25519.PrivateKey) []byte {
	t.Helper()
	payload, err := command.Seal(c, name, key)
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

// signed signs any text as a command.
func signed(head, text string, key ed25519.PrivateKey) []byte {
	return []byte(hex.EncodeToString(ed25519.Sign(key, []byte(head+text))) + "\n" + head + text)
}

// with is a command with a change.
func with(what command.What, change func(*command.Command)) command.Command {
	c := aCommand(what)
	change(&c)
	return c
}

type vector struct {
	name, about string
	taken       []string
	payload     []byte
	verdict     string
	answer      string
}

// vectors makes them all anew.
func vectors(t testing.TB) (all []vector) {
	add := func(name, about string, payload []byte, verdict, answer string, taken ...string) {
		all = append(all, vector{name, about, taken, payload, verdict, answer})
	}
	for what := range command.EveryWhat {
		add(what.String(), "A command of the desk that is taken.", sealed(t, aCommand(what), "desk", desk),
			"taken", "pit-1")
	}
	add("person", "A person's own key, in that person's name.", sealed(t, annasCommand(command.Message), "anna", anna),
		"taken", "pit-1")
	add("text-quoted", "A text in which both characters are escaped, and others that are not.",
		sealed(t, with(command.Message, func(c *command.Command) { c.Text = `„Limits“ \ "20" für 中文 <b>&` }), "desk",
			desk), "taken", "pit-1")
	add("limits-one", "One of the limits alone.",
		sealed(t, with(command.Limits, func(c *command.Command) { c.Min = 0 }), "desk", desk), "taken", "pit-1")
	add("resend-open", "All events from one on.", sealed(t, with(command.Resend, func(c *command.Command) { c.To = 0 }),
		"desk", desk), "taken", "pit-1")
	add("expires-next", "It expires in the next millisecond.",
		sealed(t, with(command.Coming, func(c *command.Command) { c.Expires = clock + 1 }), "desk", desk),
		"taken", "pit-1")
	add("expires-last", "It expires as late as may be.",
		sealed(t, with(command.Coming, func(c *command.Command) { c.Expires = clock + 120_000 }), "desk", desk),
		"taken", "pit-1")

	good := sealed(t, aCommand(command.Limits), "desk", desk)
	text := string(good[bytes.LastIndexByte(good, '\n')+1:])
	const head = "sabot-command/1 desk\n"
	add("too-long", "One byte more than a table reads.",
		append(slices.Clone(good), bytes.Repeat([]byte{' '}, command.MaxPayload+1-len(good))...), "too-long", "none")
	add("empty", "Nothing at all.", nil, "unsigned", "none")
	add("no-signature", "A command without a signature.", []byte(text), "unsigned", "none")
	add("signature-capitals", "The signature in capital letters.", append(bytes.ToUpper(good[:128]), good[128:]...),
		"unsigned", "none")
	add("signature-short", "A digit of the signature is missing.", good[1:], "unsigned", "none")
	add("no-title", "The signed bytes do not begin as a command's.", signed("sabot-command/2 desk\n", text, desk),
		"unsigned", "none")
	add("no-title-at-all", "The signed bytes have a key's name alone before the command.", signed("desk\n", text, desk),
		"unsigned", "none")
	add("carriage-return", "A line ends with two characters.", signed("sabot-command/1 desk\r\n", text, desk),
		"unsigned", "none")
	add("unknown-key", "A key that the table does not have.", sealed(t, aCommand(command.Limits), "bruno", desk),
		"unknown-key", "none")
	add("forged", "Signed with another key than it says.", sealed(t, aCommand(command.Limits), "desk", anna),
		"forged", "none")
	changed := slices.Clone(good)
	at := bytes.Index(changed, []byte("2000"))
	changed[at] = '9'
	add("changed", "One digit was changed on the way.", changed, "forged", "none")
	add("cut", "Its second half is missing.", good[:len(good)/2], "forged", "none")
	for _, bad := range []struct{ name, about, text string }{
		{"not-json", "Signed, and no JSON.", text[:len(text)-1]},
		{"blank", "A blank between two fields.", strings.Replace(text, ",", ", ", 1)},
		{"line-feed-at-end", "A line feed after the command.", text + "\n"},
		{
			"order", "Two fields in another order.",
			strings.Replace(text, `"site":"wiesbaden","table":"bj1"`, `"table":"bj1","site":"wiesbaden"`, 1),
		},
		{"twice", "A field stands there twice.", strings.Replace(text, `"min":2000`, `"min":1000,"min":2000`, 1)},
		{"field-unknown", "A field that no command has.", strings.Replace(text, `"min"`, `"more":1,"min"`, 1)},
		{
			"field-foreign", "A field that this command does not have.",
			strings.Replace(text, `,"box_max":100000`, `,"box_max":100000,"text":"x"`, 1),
		},
		{"field-capital", "A field's name with a capital letter.", strings.Replace(text, `"site"`, `"Site"`, 1)},
		{"number-fraction", "A number with a fraction.", strings.Replace(text, `"min":2000`, `"min":2000.0`, 1)},
		{"number-negative", "A number below 0.", strings.Replace(text, `"min":2000`, `"min":-2000`, 1)},
		{
			"number-zero", "A zero in place of a field that is left out.",
			strings.Replace(text, `"min":2000`, `"min":0`, 1),
		},
		{
			"number-large", "A number on which readers of JSON do not agree.",
			strings.Replace(text, `"issued":1774814462000`, `"issued":9007199254740993`, 1),
		},
		{"limits-none", "Limits without a limit.", strings.Replace(text, `,"min":2000,"box_max":100000`, ``, 1)},
		{
			"what-unknown", "It says to do what no table does.",
			strings.Replace(text, `"what":"limits"`, `"what":"deal"`, 1),
		},
		{"escape", "A letter that is escaped without need.", strings.Replace(text, `"berta"`, `"\u0062erta"`, 1)},
		{"person-none", "It is in nobody's name.", strings.Replace(text, `"berta"`, `""`, 1)},
		{"person-control", "A name with a line end.", strings.Replace(text, `"berta"`, `"ber\nta"`, 1)},
		{"id-short", "An id that is too short.", strings.Replace(text, `"id":"a0`, `"id":"`, 1)},
	} {
		add(bad.name, bad.about, signed(head, bad.text, desk), "malformed", "none")
	}
	message := string(sealed(t, aCommand(command.Message), "desk", desk))
	message = message[strings.LastIndexByte(message, '\n')+1:]
	for _, bad := range []struct{ name, about, text string }{
		{"text-long", "A message of 121 characters.", strings.Repeat("ü", command.MostText+1)},
		{"text-turned", "A message with a character that turns the direction of writing.", "table \u202e4 closes"},
		{"text-marks", "A message that is drawn over what stands above it.", "ha\u0301\u0301\u0301llo"},
		{"text-blank-at-end", "A message that ends with a blank.", "come "},
		{"text-hidden", "A message with a character that has no shape.", "co\u200bme"},
	} {
		add(bad.name, bad.about, signed(head, strings.Replace(message, "Your break is at 22:15", bad.text, 1), desk),
			"malformed", "none")
	}
	fill := string(sealed(t, aCommand(command.AskFill), "desk", desk))
	fill = fill[strings.LastIndexByte(fill, '\n')+1:]
	for _, bad := range []struct{ name, about, chips string }{
		{"chips-none", "A fill of nothing.", ""},
		{"chips-otherwise", "Chips that are written in another way.", "500x020"},
		{"chips-blanks", "Two blanks between chips.", "500x20  10000x3"},
	} {
		add(bad.name, bad.about, signed(head, strings.Replace(fill, "500x20 10000x3", bad.chips, 1), desk), "malformed",
			"none")
	}
	approve := string(sealed(t, aCommand(command.SlipApproved), "desk", desk))
	approve = approve[strings.LastIndexByte(approve, '\n')+1:]
	add("slip-none", "An approval of no slip.", signed(head, strings.Replace(approve, `"slip":3`, `"slip":0`, 1), desk),
		"malformed", "none")
	add("slip-unknown", "A slip that is neither a fill nor a credit.",
		signed(head, strings.Replace(approve, `"fill"`, `"gift"`, 1), desk), "malformed", "none")
	acknowledge := string(sealed(t, aCommand(command.Acknowledge), "desk", desk))
	acknowledge = acknowledge[strings.LastIndexByte(acknowledge, '\n')+1:]
	add("code-unknown", "An irregularity that there is not.",
		signed(head, strings.Replace(acknowledge, "unread-card", "bad-luck", 1), desk), "malformed", "none")

	add("other-table", "For another table of the house.",
		sealed(t, with(command.CloseTable, func(c *command.Command) { c.Table = "bj2" }), "desk", desk),
		"foreign", "pit-1")
	add("other-site", "For a table of that name in another house.",
		sealed(t, with(command.CloseTable, func(c *command.Command) { c.Site = "baden" }), "desk", desk),
		"foreign", "pit-1")
	add("other-session", "From before the table's last start.",
		sealed(t, with(command.CloseTable, func(c *command.Command) { c.Session = "f" + session[1:] }), "desk", desk),
		"other-session", "pit-1")
	add("replayed", "The same for the second time.", sealed(t, aCommand(command.CloseTable), "desk", desk), "replayed",
		"none", aCommand(command.CloseTable).ID)
	add("expired", "It expires at this very millisecond.",
		sealed(t, with(command.CloseTable, func(c *command.Command) { c.Expires = clock }), "desk", desk),
		"expired", "pit-1")
	add("too-far", "It expires one millisecond too late.",
		sealed(t, with(command.CloseTable, func(c *command.Command) { c.Expires = clock + 120_001 }), "desk", desk),
		"too-far", "pit-1")
	add("too-far-by-all", "It expires as late as can be written.",
		sealed(t, with(command.CloseTable, func(c *command.Command) { c.Expires = 1<<53 - 1 }), "desk", desk),
		"too-far", "pit-1")
	add("too-far-wrapped", "In nanoseconds it takes more than 64 bits, and the rest of it looks as if it were soon.",
		sealed(t, with(command.CloseTable, func(c *command.Command) { c.Expires = 18446744073710 + 90_000 }), "desk",
			desk), "too-far", "pit-1")
	add("unauthorised", "A person's key for what it may not do.", sealed(t, annasCommand(command.Limits), "anna", anna),
		"unauthorised", "pit-1")
	add("another-person", "A person's key in another's name.",
		sealed(t, with(command.Coming, func(c *command.Command) { c.Person = "bruno" }), "anna", anna),
		"unauthorised", "pit-1")
	add("anothers-name", "The desk's key in the name of who has a key of their own.",
		sealed(t, annasCommand(command.Coming), "desk", desk), "unauthorised", "pit-1")
	add("anothers-look", "The desk's key in a name that is taken for that one: its first letter is Cyrillic.",
		sealed(t, with(command.Coming, func(c *command.Command) { c.Person = "\u0430nna" }), "desk", desk),
		"unauthorised", "pit-1")
	return all
}

func (v vector) write() string {
	var b strings.Builder
	line := func(key, value string) { fmt.Fprintf(&b, "%s: %s\n", key, value) }
	line("name", v.name)
	line("about", v.about)
	line("table", "wiesbaden/bj1")
	line("session", session)
	line("clock", strconv.Itoa(clock))
	for _, k := range []command.Key{annas, desks} {
		var may []string
		for _, what := range k.May {
			may = append(may, what.String())
		}
		about := k.Name + " " + securefile.PublicKeyLine(k.Public)
		if k.Person != "" {
			about += " person=" + k.Person
		}
		line("key", about+" may="+strings.Join(may, ","))
	}
	for _, id := range v.taken {
		line("taken", id)
	}
	rest := string(v.payload)
	for first := true; first || rest != ""; first = false {
		var part string
		if part, rest = rest, ""; len(part) > 150 {
			at := 150
			for at < len(part) && part[at]&0xc0 == 0x80 {
				at++
			}
			part, rest = part[:at], part[at:]
		}
		var text bytes.Buffer
		e := json.NewEncoder(&text)
		e.SetEscapeHTML(false)
		_ = e.Encode(part)
		line("payload", strings.TrimSpace(text.String()))
	}
	line("verdict", v.verdict)
	line("answer", v.answer)
	return b.String()
}

// TestVectorsStay: the vectors are those that are made anew, and there is one for each refusal
// that a message has on its own.
func TestVectorsStay(t *testing.T) {
	files := map[string]bool{}
	refused := map[string]bool{}
	for _, v := range vectors(t) {
		path := filepath.Join("vectors", v.name+".txt")
		if files[path] {
			t.Errorf("%s is there twice", path)
		}
		files[path], refused[v.verdict] = true, true
		if *update {
			if err := os.WriteFile(path, []byte(v.write()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != v.write() {
			t.Errorf("%s is not what is made anew (%v): run go test ./pit/command -run Vectors -update", path, err)
		}
	}
	there, err := filepath.Glob("vectors/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range there {
		if !files[path] {
			t.Errorf("nobody makes %s", path)
		}
	}
	for r := range command.EveryRefusal {
		if r != command.Unread && r != command.TooMany && !refused[r.String()] {
			t.Errorf("no vector is refused as %s", r)
		}
	}
}

// TestVectors: the gate comes to the verdict of each file, by what stands in the file alone.
func TestVectors(t *testing.T) {
	paths, err := filepath.Glob("vectors/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal("no vectors", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) { checkVector(t, path) })
	}
}

func checkVector(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		lines[key] = append(lines[key], value)
	}
	site, name, _ := strings.Cut(lines["table"][0], "/")
	table, err := topic.NewTable(site, name)
	if err != nil {
		t.Fatal(err)
	}
	var keys []command.Key
	for _, line := range lines["key"] {
		keys = append(keys, readKey(t, line))
	}
	g := command.NewGate(table, lines["session"][0], keys)
	for _, id := range lines["taken"] {
		g.Became(id)
	}
	var payload string
	for _, part := range lines["payload"] {
		var s string
		if err := json.Unmarshal([]byte(part), &s); err != nil {
			t.Fatal(err)
		}
		payload += s
	}
	now, err := strconv.Atoi(lines["clock"][0])
	if err != nil {
		t.Fatal(err)
	}
	v := g.Judge(time.Duration(now)*time.Millisecond, []byte(payload))
	verdict, answer := "taken", "none"
	if v.Refused != 0 {
		verdict = v.Refused.String()
	}
	if v.Answers {
		answer = v.Command.Pit
	}
	if verdict != lines["verdict"][0] || answer != lines["answer"][0] {
		t.Errorf("the verdict is %s, answered to %s; want %s and %s", verdict, answer, lines["verdict"][0],
			lines["answer"][0])
	}
}

func readKey(t *testing.T, line string) (k command.Key) {
	for i, word := range strings.Fields(line) {
		person, isPerson := strings.CutPrefix(word, "person=")
		may, isMay := strings.CutPrefix(word, "may=")
		switch {
		case i == 0:
			k.Name = word
		case i == 1:
			var err error
			if k.Public, err = command.KeyFile.ParseLine(word); err != nil {
				t.Fatal(err)
			}
		case isPerson:
			k.Person = person
		case isMay:
			for _, name := range strings.Split(may, ",") {
				what, ok := command.ParseWhat(name)
				if !ok {
					t.Fatalf("%q is nothing that a key may do", name)
				}
				k.May = append(k.May, what)
			}
		}
	}
	return k
}
