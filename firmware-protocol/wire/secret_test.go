package wire

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The test vector that SipHash's authors print in their paper, appendix A.
func TestSipHashIsThePublishedOne(t *testing.T) {
	var k Secret
	message := make([]byte, 15)
	for i := range k {
		k[i] = byte(i)
	}
	copy(message, k[:])
	if got := SipHash(&k, message); got != 0xa129ca6149be45e5 {
		t.Errorf("SipHash-2-4 is %#x", got)
	}
}

// derived is a file of ../vectors/derived: what follows a key, several values where
// a name comes several times.
type derived map[string][]string

func readDerived(t *testing.T, path string) derived {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := derived{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		d[name] = append(d[name], value)
	}
	return d
}

func (d derived) number(t *testing.T, name string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(d[name][0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (d derived) secret(t *testing.T, name string) *Secret {
	t.Helper()
	k, err := ParseSecret(strings.ReplaceAll(d[name][0], " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return &k
}

func TestSipHashVectors(t *testing.T) {
	d := readDerived(t, "../vectors/derived/siphash.txt")
	if len(d["hash"]) != 64 {
		t.Fatalf("%d vectors", len(d["hash"]))
	}
	var message []byte
	for i, want := range d["hash"] {
		got := binary.LittleEndian.AppendUint64(nil, SipHash(d.secret(t, "key"), message))
		if hex.EncodeToString(got) != strings.ReplaceAll(want, " ", "") {
			t.Errorf("of %d bytes: % x, want %s", i, got, want)
		}
		message = append(message, byte(i))
	}
}

func TestSessionVectors(t *testing.T) {
	files, err := filepath.Glob("../vectors/derived/session-*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors found: %v", err)
	}
	for _, file := range files {
		d := readDerived(t, file)
		k, s := d.secret(t, "key"), Session{Nonce(d.number(t, "host")), Nonce(d.number(t, "shoe"))}
		if got := s.Proof(k); got != d.number(t, "proof") {
			t.Errorf("%s: the proof is %d", file, got)
		}
		if host, shoe := s.Keys(k); host != *d.secret(t, "from-host") || shoe != *d.secret(t, "from-shoe") {
			t.Errorf("%s: the keys are % x and % x", file, host[:], shoe[:])
		}
		for i, want := range d["nonce"] {
			if got := NthNonce(k, d.number(t, "seed"), uint64(i+1)); fmt.Sprint(uint64(got)) != want {
				t.Errorf("%s: nonce %d is %d, want %s", file, i+1, got, want)
			}
		}
	}
}

func TestParseSecret(t *testing.T) {
	const good = "000102030405060708090a0b0c0d0eFf"
	if k, err := ParseSecret(good); err != nil || k[1] != 1 || k[15] != 0xFF {
		t.Errorf("%s: % x, %v", good, k[:], err)
	}
	for _, bad := range []string{"", good[2:], good + "00", good[:31] + "g", good[:30] + "é"} {
		_, err := ParseSecret(bad)
		if err == nil {
			t.Errorf("%q was accepted", bad)
		} else if len(bad) > 2 && strings.Contains(err.Error(), bad[:8]) {
			t.Errorf("the error tells the key: %v", err)
		}
	}
}

// A key does not show however it is printed.
func TestSecretDoesNotShow(t *testing.T) {
	k := Secret{0xAB, 0xCD, 0xEF}
	text, err := json.Marshal(struct{ K Secret }{k})
	if err != nil {
		t.Fatal(err)
	}
	said := []string{string(text)}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "% x", "%08b"} {
		said = append(said, fmt.Sprintf(verb, k), fmt.Sprintf(verb, &k), fmt.Sprintf(verb, struct{ K Secret }{k}))
	}
	for _, s := range said {
		lower := strings.ToLower(s)
		if !strings.Contains(s, "(key)") || strings.Contains(lower, "ab") || strings.Contains(s, "171") || strings.Contains(s, "10101011") {
			t.Errorf("printed as %s", s)
		}
	}
}
