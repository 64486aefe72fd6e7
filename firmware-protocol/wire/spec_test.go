package wire

import (
	"encoding/hex"
	"hash/crc32"
	"os"
	"strings"
	"testing"
)

// The check value that SPEC.md names identifies the CRC.
func TestCRCIsTheOneOfTheSpecification(t *testing.T) {
	if got := crc32.ChecksumIEEE([]byte("123456789")); got != 0xCBF43926 {
		t.Errorf("check value %08X", got)
	}
}

// The dialogues in SPEC.md are what this codec sends, byte for byte.
func TestDialoguesOfTheSpecification(t *testing.T) {
	lines := dialogueLines(t)
	if len(lines) < 20 {
		t.Fatalf("only %d lines of dialogue found", len(lines))
	}
	listeners := map[string]*Decoder{"host": {}, "shoe": {}}
	for i := 0; i+1 < len(lines); i += 2 {
		side, digits, _ := strings.Cut(lines[i], "  ")
		frame, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
		if err != nil {
			t.Fatalf("%q: %v", lines[i], err)
		}
		got := feed(listeners[side], frame)
		want := strings.TrimSpace(lines[i+1])
		if len(got) != 1 || got[0].err != nil || got[0].m.String() != want {
			t.Errorf("%s\nis %+v\nwant %s", lines[i], got, want)
			continue
		}
		if got[0].m.Type.FromHost() != (side == "host") {
			t.Errorf("%s sends %s", side, want)
		}
		if got[0].m.Type == Answer {
			openSession(t, listeners, got[0].m)
		}
	}
}

// openSession makes both sides use the keys that follow from an answer.
func openSession(t *testing.T, from map[string]*Decoder, answer Message) {
	t.Helper()
	k, err := ParseSecret("000102030405060708090a0b0c0d0e0f") // as SPEC.md says
	if err != nil {
		t.Fatal(err)
	}
	if answer.Proof != answer.Session.Proof(&k) {
		t.Errorf("the proof in %s is wrong", answer.String())
	}
	host, shoe := answer.Session.Keys(&k)
	from["host"].Guard = &Guard{current: channel{agreed: true, receive: host}}
	from["shoe"].Guard = &Guard{current: channel{agreed: true, receive: shoe}}
}

func dialogueLines(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../SPEC.md")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	inside := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "```dialogue":
			inside = true
		case line == "```":
			inside = false
		case inside:
			lines = append(lines, line)
		}
	}
	return lines
}
