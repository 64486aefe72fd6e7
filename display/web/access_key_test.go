package web_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display/web"
)

// TestKeys are read as they are printed, however somebody types them.
func TestKeys(t *testing.T) {
	seen := map[string]bool{}
	for range 100 {
		k := web.NewKey()
		text := k.String()
		if len(text) != 13*4+12 || strings.ContainsAny(text, "ilou") || seen[text] {
			t.Fatalf("%s is a key", text)
		}
		seen[text] = true
		for _, same := range []string{
			text, strings.ToUpper(text), " " + text + "\n", strings.ReplaceAll(text, "-", ""),
			strings.ReplaceAll(text, "-", " "),
			strings.ReplaceAll(strings.ReplaceAll(text, "0", "O"), "1", "l"),
		} {
			if again, err := web.ParseKey(same); err != nil || again != k {
				t.Errorf("%q is read as %s, %v", same, again, err)
			}
		}
		hash, err := web.ParseKeyHash(k.Hash().String())
		if err != nil || hash != k.Hash() || strings.Contains(hash.String(), text) {
			t.Errorf("the hash is %s, %v", hash, err)
		}
	}
}

// TestNoKeys: what is none is refused, and not repeated.
func TestNoKeys(t *testing.T) {
	k := web.NewKey()
	text, hash := k.String(), k.Hash().String()
	for _, none := range []string{
		"", "-", "sesame", text[1:], text + "0", text[:63] + "u", text[:63] + "z", strings.Repeat(text, 3),
		hash, "ключ",
	} {
		if got, err := web.ParseKey(none); err == nil || got != (web.Key{}) || len(none) > 5 &&
			strings.Contains(err.Error(), none) {
			t.Errorf("%q is read as %s, %v", none, got, err)
		}
	}
	for _, none := range []string{
		"", "sha256:", hash[:70], hash + "0", strings.ToUpper(hash), " " + hash, hash + "\n", "sha512" + hash[6:], text,
	} {
		if got, err := web.ParseKeyHash(none); err == nil || got != (web.KeyHash{}) || len(none) > 8 &&
			strings.Contains(err.Error(), none) {
			t.Errorf("%q is read as %s, %v", none, got, err)
		}
	}
}

// FuzzParseKey: what is taken is a key that prints as itself.
func FuzzParseKey(f *testing.F) {
	f.Add(web.Key{}.String())
	f.Add(strings.ToUpper(web.NewKey().String()))
	f.Add("0000-0000")
	f.Fuzz(func(t *testing.T, text string) {
		k, err := web.ParseKey(text)
		if err != nil {
			if k != (web.Key{}) {
				t.Errorf("%q is refused, and read as %s", text, k)
			}
			return
		}
		if again, err := web.ParseKey(k.String()); err != nil || again != k {
			t.Errorf("%q is printed as %s, which is read as %s, %v", text, k, again, err)
		}
	})
}

// FuzzParseKeyHash: what is taken is written as it was read.
func FuzzParseKeyHash(f *testing.F) {
	f.Add(web.NewKey().Hash().String())
	f.Add("sha256:00")
	f.Fuzz(func(t *testing.T, text string) {
		h, err := web.ParseKeyHash(text)
		if (err == nil) != (h.String() == text) && text != (web.KeyHash{}).String() {
			t.Errorf("%q is read as %s, %v", text, h, err)
		}
	})
}

// TestTries: each place has its own count, and a minute of it; a crowd of places
// counts as one, so that its log and memory have a bound.
func TestTries(t *testing.T) {
	at := time.Date(2026, 3, 14, 21, 0, 0, 0, time.UTC)
	var tries web.Tries
	told := func(at time.Time, from string, times int) (n int, wait time.Duration) {
		for range times {
			heard, _, left := tries.Wrong(at, from)
			if heard {
				n++
			}
			wait = left
		}
		return n, wait
	}
	for _, c := range []struct {
		after time.Duration
		from  string
		told  int
		wait  time.Duration
	}{
		{0, "192.0.2.1", 5, time.Minute},
		{time.Second, "192.0.2.1", 0, 59 * time.Second},
		{time.Second, "192.0.2.2", 5, time.Minute},
		{time.Second, "2001:db8::1", 5, time.Minute},
		{time.Second, "2001:db8::ffff:1", 0, time.Minute},
		{time.Second, "2001:db8:0:1::1", 5, time.Minute},
		{time.Second, "::ffff:192.0.2.3", 5, time.Minute},
		{time.Second, "::ffff:192.0.2.4", 5, time.Minute},
		{time.Second, "fe80::1%eth0", 5, time.Minute},
		{time.Minute, "192.0.2.1", 5, time.Minute},
	} {
		if n, wait := told(at.Add(c.after), c.from, 10); n != c.told || wait != c.wait {
			t.Errorf("after %v, %s was told %d times and waits %v; want %d, %v", c.after, c.from, n, wait,
				c.told, c.wait)
		}
	}
	all := 0
	for i := range 10_000 {
		n, _ := told(at.Add(time.Hour), fmt.Sprintf("10.0.%d.%d", i/256, i%256), 10)
		all += n
	}
	if all != 65*5 || tries.Places() != 65 {
		t.Errorf("a crowd was told %d times, of %d places", all, tries.Places())
	}
}
