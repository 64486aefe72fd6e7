package transcript_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

const twoLines = "{\"in\":\"setup\",\"house\":\"wiesbaden\"}\n{\"in\":\"open\"}\n"

func TestReplayErrors(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, c := range []struct {
		name string
		in   io.Reader
		out  io.Writer
		// line is that of an Error, 0 where the line is not to blame.
		line uint64
		what string
	}{
		{
			"a line too long", strings.NewReader(twoLines + strings.Repeat(" ", 70_000) + `{"in":"close"}`),
			io.Discard, 3,
			"longer than 65536 bytes",
		},
		{
			"a line after blank ones", strings.NewReader(twoLines + "\n \t\r\n{}"), io.Discard,
			5, `there is no field "in"`,
		},
		{"the last line is cut", strings.NewReader(twoLines + `{"in":"clo`), io.Discard, 3, "no JSON"},
		{
			"reading fails", io.MultiReader(strings.NewReader(twoLines), iotest.ErrReader(broken)), io.Discard,
			0, "reading the transcript at line 3: the disk is gone",
		},
		{"writing fails", strings.NewReader(twoLines), full{broken}, 0, "the disk is gone"},
		{
			"writing much fails", strings.NewReader(twoLines + strings.Repeat("{\"in\":\"open\"}\n", 4000)),
			full{broken},
			0, "writing the outputs: the disk is gone",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := transcript.Replay(c.in, transcript.NewParser(profile.Built()), c.out)
			if err == nil || !strings.Contains(err.Error(), c.what) {
				t.Fatalf("got %v, want %q in it", err, c.what)
			}
			var e *transcript.Error
			if errors.As(err, &e) != (c.line != 0) || c.line != 0 && e.Line != c.line {
				t.Errorf("got %#v, want line %d", err, c.line)
			}
		})
	}
}

// TestReplayStopsWhereWritingFails: a disk that is full is not written to again.
func TestReplayStopsWhereWritingFails(t *testing.T) {
	lines := dealt(5, 400, 7)
	for name, w := range map[string]*touched{"all is written": {}, "writing fails": {fails: 3}} {
		r := &touched{r: bytes.NewReader(lines)}
		err := transcript.Replay(r, transcript.NewParser(profile.Built()), w)
		if (err != nil) != (w.fails > 0) || r.times == 0 || w.times == 0 || w.fails > 0 && w.times != w.fails {
			t.Errorf("%s: read %d times, wrote %d times, %v", name, r.times, w.times, err)
		}
		r.times, w.times = 0, 0
	}
}

// touched counts how often it was read or written; it fails at the time of fails.
type touched struct {
	r            io.Reader
	times, fails int
}

func (c *touched) Read(p []byte) (int, error) {
	c.times++
	return c.r.Read(p)
}

func (c *touched) Write(p []byte) (int, error) {
	if c.times++; c.times == c.fails {
		return 0, errors.New("the disk is full")
	}
	return len(p), nil
}

// full is a file on a disk that is full.
type full struct{ err error }

func (f full) Write([]byte) (int, error) { return 0, f.err }

// TestReplayTakesLineEndingsOfOthers: a transcript from Windows is the same one.
func TestReplayTakesLineEndingsOfOthers(t *testing.T) {
	p := transcript.NewParser(profile.Built())
	want := replayed(p, twoLines)
	for _, text := range []string{strings.ReplaceAll(twoLines, "\n", "\r\n"), strings.TrimSuffix(twoLines, "\n")} {
		if got := replayed(p, text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// FuzzParse: a line is read or refused with its place, and what was read can be
// written and read again.
func FuzzParse(f *testing.F) {
	for _, line := range goldenLines(f) {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		p := transcript.NewParser(profile.Built())
		in, err := p.Parse(line, 7)
		if err != nil {
			var e *transcript.Error
			if !errors.As(err, &e) || e.Line != 7 || e.Column < 1 || e.Column > len(line)+1 {
				t.Fatalf("%q: %#v", line, err)
			}
			return
		}
		written := transcript.AppendInput(nil, &in)
		again, err := p.Parse(written, 7)
		if err != nil {
			t.Fatalf("%q was read, but not what was written of it, %q: %v", line, written, err)
		}
		if twice := transcript.AppendInput(nil, &again); !bytes.Equal(twice, written) {
			t.Fatalf("%q was written as %q, and then as %q", line, written, twice)
		}
	})
}

// FuzzReplay: a transcript that was damaged replays or is refused with the place.
func FuzzReplay(f *testing.F) {
	for i, transcript := range goldenInputs(f) {
		f.Add([]byte(transcript), uint64(i))
	}
	f.Add(dealt(1, 1, 2), uint64(0))
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		p := transcript.NewParser(profile.Built())
		p.House = "wiesbaden"
		err := transcript.Replay(bytes.NewReader(damaged(text, seed)), p, io.Discard)
		var e *transcript.Error
		if err != nil && !errors.As(err, &e) {
			t.Fatal(err)
		}
	})
}

// TestDamagedTranscripts is the fuzz target's everyday part.
func TestDamagedTranscripts(t *testing.T) {
	text := dealt(1, 4, 3)
	for seed := range uint64(200) {
		p := transcript.NewParser(profile.Built())
		p.House = "wiesbaden"
		if err := transcript.Replay(bytes.NewReader(damaged(text, seed)), p, io.Discard); err != nil {
			t.Fatalf("seed %d: whole lines in another order are inputs: %v", seed, err)
		}
	}
}

// damaged moves, doubles and drops lines; seed 0 leaves the text as it is.
func damaged(text []byte, seed uint64) []byte {
	if seed == 0 {
		return text
	}
	dice := rand.New(rand.NewPCG(seed, 1))
	lines := bytes.Split(text, []byte("\n"))
	for range 1 + dice.IntN(len(lines)) {
		a, b := dice.IntN(len(lines)), dice.IntN(len(lines))
		switch dice.IntN(3) {
		case 0:
			lines[a], lines[b] = lines[b], lines[a]
		case 1:
			lines[a] = lines[b]
		default:
			lines[a] = nil
		}
	}
	return bytes.Join(lines, []byte("\n"))
}

// dealt is a transcript of whole rounds.
func dealt(seed uint64, rounds, boxes int) []byte {
	return text(tabletest.Deal(rand.New(rand.NewPCG(seed, 1)), rounds, boxes))
}

func text(inputs []vocab.Input) []byte {
	var b []byte
	for i := range inputs {
		b = append(transcript.AppendInput(b, &inputs[i]), '\n')
	}
	return b
}
