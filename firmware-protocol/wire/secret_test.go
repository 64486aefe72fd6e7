package wire

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/firmware-protocol/vectors"
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

func TestSipHashVectors(t *testing.T) {
	key, hashes := vectors.SipHashes()
	if len(hashes) != 64 {
		t.Fatalf("%d vectors", len(hashes))
	}
	var message []byte
	for i, want := range hashes {
		if got := SipHash((*Secret)(&key), message); got != binary.LittleEndian.Uint64(want[:]) {
			t.Errorf("of %d bytes: %#x, want % x", i, got, want)
		}
		message = append(message, byte(i))
	}
}

func TestSessionVectors(t *testing.T) {
	all := vectors.Sessions()
	if len(all) < 3 {
		t.Fatalf("%d vectors", len(all))
	}
	for _, v := range all {
		k, s := (*Secret)(&v.Key), Session{Nonce(v.Host), Nonce(v.Shoe)}
		if got := s.Proof(k); got != v.Proof {
			t.Errorf("%s: the proof is %d", v.Name, got)
		}
		if host, shoe := s.Keys(k); host != Secret(v.FromHost) || shoe != Secret(v.FromShoe) {
			t.Errorf("%s: the keys are %x and %x", v.Name, host[:], shoe[:])
		}
		for i, want := range v.Nonces {
			if got := NthNonce(k, v.Seed, uint64(i+1)); uint64(got) != want {
				t.Errorf("%s: nonce %d is %d, want %d", v.Name, i+1, got, want)
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
			t.Errorf("the error shows the key: %v", err)
		}
	}
}

// A key never shows, however it is printed.
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
		if !strings.Contains(s, "(key)") || strings.Contains(lower, "ab") || strings.Contains(s, "171") ||
			strings.Contains(s, "10101011") {
			t.Errorf("printed as %s", s)
		}
	}
}
