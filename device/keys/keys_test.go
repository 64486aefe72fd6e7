package keys_test

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/device/keys"
	"github.com/sabot-table/sabot/internal/testkit/datatest"
)

//go:embed testdata/play
var testdata embed.FS

// usual are the usual settings for contacts.
func usual(contacts ...keys.Contact) keys.Settings {
	return keys.Settings{
		Contacts: contacts, Debounce: keys.UsualDebounce, Long: keys.UsualLong,
		Window: keys.UsualWindow, Stuck: keys.UsualStuck,
	}
}

// TestFilter plays the files in testdata. A case names its contacts and what they are
// used as; each line below gives the milliseconds at which a contact changes, first
// closing it, or opening it if it was held at the start. 100..140 is a change in each
// of these milliseconds, "lost" before one says that others were lost. The contact can no longer
// be read from a time with "gone" before it, and is found as it is from one with "back-open" or
// "back-closed":
//
//	play card=(call,long) key=switch held=key until=1s
//	card 0 1 2 100..107
//
// The output has one event per line: when it was reported, and what it says.
func TestFilter(t *testing.T) {
	datatest.Each(t, testdata, "testdata/play", func(t *testing.T, path string) {
		datatest.Run(t, testdata, path, func(t *testing.T, d *datadriven.TestData) string {
			c, err := parseCase(d)
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			return c.play()
		})
	})
}

// bench is a case: contacts with their names, and what happens to them.
type bench struct {
	names    []string
	settings keys.Settings
	held     []bool
	edges    []keys.Edge
	until    time.Duration
}

func parseCase(d *datadriven.TestData) (*bench, error) {
	if d.Cmd != "play" {
		return nil, fmt.Errorf("unknown command %q", d.Cmd)
	}
	b := &bench{settings: usual()}
	for _, arg := range d.CmdArgs {
		if err := b.arg(arg.Key, arg.Vals); err != nil {
			return nil, err
		}
	}
	for line := range strings.Lines(d.Input) {
		if err := b.line(strings.Fields(line)); err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
	}
	slices.SortStableFunc(b.edges, func(x, y keys.Edge) int { return int(x.At - y.At) })
	return b, nil
}

func (b *bench) arg(name string, values []string) (err error) {
	s := &b.settings
	for setting, to := range map[string]*time.Duration{
		"debounce": &s.Debounce, "long": &s.Long, "window": &s.Window, "stuck": &s.Stuck, "until": &b.until,
	} {
		if name == setting {
			*to, err = time.ParseDuration(values[0])
			return err
		}
	}
	if name == "held" {
		for _, held := range values {
			b.held[slices.Index(b.names, held)] = true
		}
		return nil
	}
	var c keys.Contact
	for _, use := range values {
		switch use {
		case "button":
		case "call":
			c.Call = true
		case "long":
			c.Long = true
		case "switch":
			c.Switch = true
		default:
			if c.Debounce, err = time.ParseDuration(use); err != nil {
				return err
			}
		}
	}
	b.names, b.held, s.Contacts = append(b.names, name), append(b.held, false), append(s.Contacts, c)
	return nil
}

// line reads a contact's name and its edges.
func (b *bench) line(words []string) error {
	key := slices.Index(b.names, words[0])
	if key < 0 {
		return fmt.Errorf("%q is not a contact", words[0])
	}
	closed, lost := b.held[key], false
	next := keys.Edge{Key: key}
	for _, word := range words[1:] {
		switch word {
		case "lost":
			lost = true
			continue
		case "gone":
			next.Gone = true
			continue
		case "back-open", "back-closed":
			next.Back, closed = true, word == "back-closed"
			continue
		}
		first, last, err := span(word)
		if err != nil {
			return err
		}
		if next.Gone || next.Back {
			next.At, next.Closed = first, closed && next.Back
			b.edges = append(b.edges, next)
			next = keys.Edge{Key: key}
			continue
		}
		for at := first; at <= last; at += time.Millisecond {
			closed = !closed
			b.edges = append(b.edges, keys.Edge{Key: key, Closed: closed, At: at, Lost: lost})
			lost = false
		}
	}
	return nil
}

// span reads 100 or 100..140.
func span(word string) (first, last time.Duration, err error) {
	from, to, found := strings.Cut(word, "..")
	if !found {
		to = from
	}
	if first, err = time.ParseDuration(from + "ms"); err == nil {
		last, err = time.ParseDuration(to + "ms")
	}
	return first, last, err
}

// play tells the filter the time whenever something is due, as a loop would.
func (b *bench) play() string {
	var text strings.Builder
	f := keys.New(b.settings)
	b.write(&text, 0, f.Start(0, b.held))
	for _, e := range b.edges {
		b.advance(&text, f, e.At)
		b.write(&text, e.At, f.Edge(e))
	}
	b.advance(&text, f, max(b.until, b.end()))
	return text.String()
}

// end is long enough after the last edge for every contact to have settled.
func (b *bench) end() time.Duration {
	if len(b.edges) == 0 {
		return 0
	}
	return b.edges[len(b.edges)-1].At + time.Second
}

func (b *bench) advance(text *strings.Builder, f *keys.Filter, until time.Duration) {
	for next := f.Next(); next <= until; next = f.Next() {
		b.write(text, next, f.Advance(next))
	}
}

func (b *bench) write(text *strings.Builder, now time.Duration, events []keys.Event) {
	for _, e := range events {
		fmt.Fprintf(text, "%6s  %s %s", now, b.names[e.Key], e.Kind)
		if e.Kind == keys.Contradiction {
			fmt.Fprintf(text, " of %s", b.names[e.Other])
			if e.Given {
				text.WriteString(", which was told")
			}
		}
		if e.At != now {
			fmt.Fprintf(text, ", at %s", e.At)
		}
		text.WriteString("\n")
	}
}

func TestKindNames(t *testing.T) {
	seen := map[string]bool{}
	for k := keys.Short; k <= keys.Gone; k++ {
		if name := k.String(); seen[name] || strings.HasPrefix(name, "kind ") {
			t.Errorf("kind %d is called %q", uint8(k), name)
		}
		seen[k.String()] = true
	}
	if name := (keys.Gone + 1).String(); name != "kind 13" {
		t.Errorf("there is no kind %q", name)
	}
}
