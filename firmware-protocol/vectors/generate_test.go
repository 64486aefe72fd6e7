package vectors_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/firmware-protocol/vectors"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the generated vectors")

// byHand are the files that no recipe makes: bytes that no sender sends, and SipHash's own vectors.
var byHand = []string{
	"bad-cobs.txt", "bad-cobs-last.txt", "empty-frames.txt", "garbage-before.txt", "garbage-joined.txt",
	"too-short.txt", "truncated.txt", "truncated-at-code.txt", "unfinished.txt", "derived/siphash.txt",
}

// The files here are those that the recipes make, and those written by hand.
func TestGenerated(t *testing.T) {
	made := map[string]string{}
	for _, c := range recipes {
		made[c.Name+".txt"] = caseText(c)
	}
	for _, s := range sessions {
		made["derived/"+s.Name+".txt"] = sessionText(s)
	}
	if len(made) != len(recipes)+len(sessions) {
		t.Error("two recipes have one name")
	}
	for name, text := range made {
		if *rewrite {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Error(err)
			}
			continue
		}
		lies, err := vectors.Files.ReadFile(name)
		if err != nil || string(lies) != text {
			t.Errorf("%s is not what its recipe makes; run go generate: %v\n%s", name, err, text)
		}
	}
	files, err := fs.Glob(os.DirFS("."), "*.txt")
	more, errMore := fs.Glob(os.DirFS("."), "derived/*.txt")
	if err != nil || errMore != nil {
		t.Fatal(err, errMore)
	}
	for _, name := range slices.Concat(files, more, byHand) {
		_, generated := made[name]
		switch _, err := os.Stat(name); {
		case err != nil:
			t.Error(err)
		case generated == slices.Contains(byHand, name):
			t.Errorf("%s must either have a recipe or be listed among those written by hand", name)
		}
	}
}

// Everything in a file is read.
func TestNothingIsLeftOut(t *testing.T) {
	cases := vectors.Cases()
	if len(cases) < 100 {
		t.Fatalf("%d vectors", len(cases))
	}
	for _, c := range cases {
		text, err := vectors.Files.ReadFile(c.Name + ".txt")
		if err != nil || caseText(c) != string(text) {
			t.Errorf("read as\n%s%v", caseText(c), err)
		}
	}
	for _, s := range vectors.Sessions() {
		text, err := vectors.Files.ReadFile("derived/" + s.Name + ".txt")
		if err != nil || sessionText(s) != string(text) {
			t.Errorf("read as\n%s%v", sessionText(s), err)
		}
	}
	if key, hashes := vectors.SipHashes(); key[15] != 15 || len(hashes) != 64 {
		t.Errorf("key % x, %d hashes", key, len(hashes))
	}
}

func caseText(c vectors.Case) string {
	var b strings.Builder
	fmt.Fprintf(&b, "name: %s\nabout: %s\n", c.Name, c.About)
	if c.Key != nil {
		fmt.Fprintf(&b, "key: % x\nseen: %d\n", *c.Key, c.Seen)
	}
	for line := range slices.Chunk(c.Bytes, 32) {
		fmt.Fprintf(&b, "bytes: % x\n", line)
	}
	for _, r := range c.Reports {
		fmt.Fprintf(&b, "frame: %s\n", r.Frame)
		if r.Message != "" {
			fmt.Fprintf(&b, "message: %s\n", r.Message)
		}
	}
	fmt.Fprintf(&b, "encode: %s\n", map[bool]string{true: "yes", false: "no"}[c.Encode])
	return b.String()
}

func sessionText(s vectors.Session) string {
	var b strings.Builder
	fmt.Fprintf(&b, "name: %s\nabout: %s\nkey: % x\nhost: %d\nshoe: %d\nproof: %d\n", s.Name, s.About, s.Key, s.Host,
		s.Shoe, s.Proof)
	fmt.Fprintf(&b, "from-host: % x\nfrom-shoe: % x\nseed: %d\n", s.FromHost, s.FromShoe, s.Seed)
	for _, n := range s.Nonces {
		fmt.Fprintf(&b, "nonce: %d\n", n)
	}
	return b.String()
}

func TestParseRefuses(t *testing.T) {
	const good = "name: a\nabout: b\nkey: 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f\nseen: 7\nbytes: " +
		"01\nbytes: 00\nframe: ok\nmessage: status\nencode: yes\n"
	if c, err := vectors.Parse(good); err != nil || c.Seen != 7 || len(c.Bytes) != 2 || len(c.Reports) != 1 ||
		!c.Encode {
		t.Fatalf("%+v, %v", c, err)
	}
	for _, bad := range []struct{ what, from, to, says string }{
		{"the last line feed", "yes\n", "yes", "no line feed"},
		{"a name", "name: a\n", "", `"name" must come next`},
		{"the order", "about: b\n", "", `"about" must come next`},
		{"a blank", "about: b", "about:b", "no blank after the colon"},
		{"a key's length", " 0f\n", "\n", "15 bytes, not 16"},
		{"a key that is too long", " 0f\n", " 0f 10\n", "17 bytes, not 16"},
		{"what was seen", "seen: 7\n", "", `"seen" must come next`},
		{"a counter of 33 bits", "seen: 7", "seen: 4294967296", "from 0 to 4294967295"},
		{"a number", "seen: 7", "seen: x", "from 0 to 4294967295"},
		{"digits", "bytes: 01", "bytes: 0g", `"0g" is not a byte`},
		{"two digits", "bytes: 01", "bytes: 0100", `"0100" is not a byte`},
		{"bytes", "bytes: 01\nbytes: 00\n", "", `"bytes" must come next`},
		{"a message", "message: status\n", "", `"message" must come next`},
		{"two messages to encode", "encode", "frame: ok\nmessage: status\nencode", "neither yes for one message"},
		{"nothing to encode", "frame: ok\nmessage: status\n", "", "neither yes for one message"},
		{"whether to encode", "yes", "perhaps", `"perhaps" is neither yes`},
		{"what follows the end", "yes\n", "yes\nencode: yes\n", `what is "encode: yes"?`},
		{"a long line", "about: b", "about: " + strings.Repeat("b", 194), "a line has 201 characters"},
		{"letters beyond ASCII", "about: b", "about: é", "not printable ASCII"},
	} {
		_, err := vectors.Parse(strings.Replace(good, bad.from, bad.to, 1))
		if err == nil || !strings.Contains(err.Error(), bad.says) {
			t.Errorf("%s: %v", bad.what, err)
		}
	}
}
