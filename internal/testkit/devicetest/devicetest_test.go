package devicetest

import (
	"errors"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/device"
)

// tbSpy stands for a test that may fail.
type tbSpy struct {
	testing.TB
	cleanup []func()
	errors  []string
}

func (s *tbSpy) Helper()          {}
func (s *tbSpy) Cleanup(f func()) { s.cleanup = append(s.cleanup, f) }
func (s *tbSpy) Error(args ...any) {
	s.errors = append(s.errors, args[0].(error).Error())
}

func (s *tbSpy) Errorf(format string, _ ...any) {
	s.errors = append(s.errors, format)
}

func (s *tbSpy) Fatal(args ...any) { s.Error(args...) }

func (s *tbSpy) end() string {
	for _, f := range s.cleanup {
		f()
	}
	return strings.Join(s.errors, "; ")
}

const dialogue = `# a question and its answer
> 02 53 54 03 |.ST.|

< 06 |.|
< 41 42 43 |ABC|
> ff
`

func TestPlay(t *testing.T) {
	port := Play(t, strings.NewReader(dialogue))
	buf := make([]byte, 2)
	if _, err := port.Read(buf); !errors.Is(err, device.ErrTimeout) {
		t.Errorf("read before the question: %v", err)
	}
	for _, part := range []string{"\x02S", "T\x03"} {
		if _, err := port.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for range 3 {
		n, err := port.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(buf[:n]))
	}
	if want := "\x06 AB C"; strings.Join(got, " ") != want {
		t.Errorf("read %q, want %q", got, want)
	}
	if n, err := port.Write([]byte{0xff}); n != 1 || err != nil {
		t.Errorf("wrote %d, %v", n, err)
	}
	if _, err := port.Read(buf); !errors.Is(err, device.ErrTimeout) {
		t.Errorf("read after the end: %v", err)
	}
	port.Close()
	if _, err := port.Read(buf); !errors.Is(err, device.ErrClosed) {
		t.Errorf("read after Close: %v", err)
	}
	if _, err := port.Write(buf); !errors.Is(err, device.ErrClosed) {
		t.Errorf("write after Close: %v", err)
	}
}

func TestPlayFailsTheTest(t *testing.T) {
	for _, tc := range []struct {
		name, recording, write, want string
	}{
		{"not used up", "> 01\n", "", "not used up"},
		{"wrong byte", "> 01 02\n", "\x01\x03", "wrote 01 03"},
		{"too much", "> 01\n", "\x01\x02", "nothing to be written here"},
		{"out of turn", "< 01\n", "\x01", "nothing to be written here"},
		{"no recording", "? 01\n", "", "line 1: begins with \"?\""},
		{"no hex", "< 0g\n", "", "line 1: "},
		{"no bytes", "\n<   | |\n", "", "line 2: "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			spy := &tbSpy{TB: t}
			if port := Play(spy, strings.NewReader(tc.recording)); tc.write != "" {
				port.Write([]byte(tc.write))
			}
			if got := spy.end(); !strings.Contains(got, tc.want) {
				t.Errorf("the test was told %q, want %q", got, tc.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(dialogue)
	f.Add("< 00")
	f.Fuzz(func(t *testing.T, s string) {
		transfers, err := parse(strings.NewReader(s))
		if err != nil {
			return
		}
		var text strings.Builder
		for _, tr := range transfers {
			text.WriteString(tr.String() + "\n")
		}
		again, err := parse(strings.NewReader(text.String()))
		if err != nil || len(again) != len(transfers) {
			t.Fatalf("%d transfers, written and read again: %d, %v", len(transfers), len(again), err)
		}
		for i := range again {
			if again[i].String() != transfers[i].String() {
				t.Fatalf("%v became %v", transfers[i], again[i])
			}
		}
	})
}
