package doctor

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
)

// TestAnySecret: a secret of a file is found in any text, in any form, wherever it begins.
func TestAnySecret(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		secret := rapid.SliceOfN(rapid.ByteRange('!', '~'), 9, 60).Draw(r, "secret")
		before, after := rapid.StringMatching(`[a-z ]{0,12}`).Draw(r, "before"),
			rapid.StringMatching(`[a-z ]{0,12}`).Draw(r, "after")
		if secret[0] == '#' || bytes.HasPrefix(secret, []byte("-----")) { // a comment
			return
		}
		s := newScrubber([][]byte{append(bytes.Clone(secret), '\n')})
		raw := string(secret)
		whole := base64.StdEncoding.EncodeToString([]byte(before + raw + after))
		inside := base64.StdEncoding.EncodeToString(secret[3 : len(secret)/3*3])
		for _, form := range []string{
			raw, hex.EncodeToString(secret), strings.ToUpper(hex.EncodeToString(secret)), url.QueryEscape(raw),
			url.PathEscape(raw),
			base64.StdEncoding.EncodeToString(secret), base64.RawURLEncoding.EncodeToString(secret),
		} {
			if got := string(s.text([]byte(before + " " + form + " " + after))); strings.Contains(got, form) {
				r.Fatalf("%q is left in %q", form, got)
			}
		}
		if got := string(s.text([]byte(whole))); got == whole {
			r.Fatalf("%q, of which %q is a part, is left", whole, inside)
		}
	})
}

// TestLooks: what looks like a secret is taken out although nobody knows it, and what does not stays.
func TestLooks(t *testing.T) {
	s := newScrubber(nil)
	for text, want := range map[string]string{
		"pin: $argon2id$v=19$m=1,t=2$abc/D+e$f.":                             "pin: (secret removed).",
		"tcp://bj-1:pa:ss@broker:1883 up":                                    "tcp://(secret removed)@broker:1883 up",
		"-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\nrest": "(secret removed)\nrest",
		"-----BEGIN EC PRIVATE KEY-----\nMC4C":                               "(secret removed)",
		"Authorization: Bearer abc.def, more": "Authorization: Bearer (secret " +
			"removed), more",
		"Cookie: sabot-screen=abc; x=y\nrest": "Cookie: (secret removed)\nrest",
		`{"name":"anna","pin":"2580"}`:        `{"name":"anna","pin":(secret removed)}`,
		"mqtt_password=hunter2 next":          "mqtt_password=(secret removed) next",
		"AGE-SECRET-KEY-1QQQ.":                "(secret removed).",
	} {
		if got := string(s.text([]byte(text))); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
	for _, text := range []string{
		`time=2026-11-23T08:00:00Z level=WARN msg="keys: a press was not taken" key=card why=not-due`,
		"ssl://broker.example:8883 anna@desk", "record 4711, hash 00ffab",
		"journal 8f14e45f-ceea-467f-a0e6-0d0f6b1b1b1b",
		"part-000001.jsonl 1234 2026-11-23T08:00:00Z", "pinctrl-bcm2711:17 GPIO5",
	} {
		if got := string(s.text([]byte(text))); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// FuzzScrub: nothing that a file with secrets has stops the work, and no secret is left.
func FuzzScrub(f *testing.F) {
	f.Add("-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIPr/uhqfl4o07mrx3NWyHKAHIdHz6newwB1/5nsfwaFd\n-----END "+
		"PRIVATE KEY-----\n", "x")
	f.Add("a: bcde\n\"0123456789abcdef\"", "log line")
	f.Fuzz(func(t *testing.T, secret, text string) {
		s := newScrubber([][]byte{[]byte(secret)})
		whole := strings.TrimSpace(secret)
		if got := string(s.text([]byte(text + " " + whole + " "))); len(whole) >= shortest &&
			strings.Contains(strings.ReplaceAll(got, removed, "\x00"), whole) {
			t.Errorf("%q is left in %q", whole, got)
		}
	})
}
