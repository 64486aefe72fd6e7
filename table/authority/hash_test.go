package authority

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const (
	salt16 = "c2l4dGVlbiBieXRlcyBvaw"
	sum16  = "J+8VK7ZKLwB5zeo0BqTnpQ"
)

// made are hashes that the reference implementation's command made.
var made = []struct{ pin, hash string }{
	{"258013", "$argon2id$v=19$m=19456,t=2,p=1$" + salt16 + "$ZkX6oBA4iXE0uA67Q/hlc5aLDLliAGWur03zn9PawcE"},
	{"258013", "$argon2id$v=19$m=7168,t=5,p=1$" + salt16 + "$" + sum16},
	{
		"correct horse",
		"$argon2id$v=19$m=65536,t=3,p=4$YSBzYWx0IHRoYXQgaXMgcmF0aGVyIGxvbmcsIDMyIGI$" +
			"ZqsH+HjAkcodmP3Pel+gvKu2WDflyj+4gmRQXGRkBx1QZoRtFDjndPtUwfXVQWb4ND4BEZuNxdRU2C6PqaBSpg",
	},
}

func TestHashOfOtherMaking(t *testing.T) {
	for _, c := range made {
		h, err := ParseHash(c.hash)
		if err != nil {
			t.Errorf("%s: %v", c.hash, err)
			continue
		}
		if !h.Matches(c.pin) || h.Matches(c.pin+"1") || h.Matches("") {
			t.Errorf("%s does not tell %s from others", c.hash, c.pin)
		}
		if h.String() != c.hash {
			t.Errorf("%s is written as %s", c.hash, h)
		}
	}
}

func TestNewHash(t *testing.T) {
	h := NewHash("258013")
	again, err := ParseHash(h.String())
	if err != nil || again != h || !again.Matches("258013") || again.Matches("258014") {
		t.Errorf("%s is read as %s, %v", h, again, err)
	}
	if other := NewHash("258013"); other.salt == h.salt || other.String() == h.String() {
		t.Error("two hashes have the same salt")
	}
	if !strings.HasPrefix(h.String(), "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("the hash is %s", h)
	}
	// A PIN costs no more than a table has always taken, so one of an earlier version takes it, too.
	pin := NewPIN("258013")
	if again, err := ParseHash(pin.String()); err != nil || again != pin || !again.Matches("258013") ||
		again.Matches("258014") {
		t.Errorf("%s is read as %s, %v", pin, again, err)
	}
	if !strings.HasPrefix(pin.String(), "$argon2id$v=19$m=47104,t=5,p=1$") {
		t.Errorf("the hash of a PIN is %s", pin)
	}
	if (Hash{}).Matches("") {
		t.Error("no hash matches no PIN")
	}
}

// TestParseHashRefuses: what is malformed, too cheap or too dear, by one. No error
// repeats a PIN that was put in the hash's place.
func TestParseHashRefuses(t *testing.T) {
	with := func(cost, salt, sum string) string { return "$argon2id$v=19$" + cost + "$" + salt + "$" + sum }
	bytes := func(n int) string { return base64.RawStdEncoding.EncodeToString(make([]byte, n)) }
	const good, no = "m=19456,t=2,p=1", "is not an argon2id hash"
	for _, c := range []struct{ text, want string }{
		{"", no},
		{"258013", no},
		{strings.Repeat("258013", 100), no},
		{"$argon2i$v=19$" + good + "$" + salt16 + "$" + sum16, no},
		{"$argon2d$v=19$" + good + "$" + salt16 + "$" + sum16, no},
		{"$argon2id$v=16$" + good + "$" + salt16 + "$" + sum16, no},
		{"$argon2id$" + good + "$" + salt16 + "$" + sum16, no},
		{"$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW", no},
		{with("t=2,m=19456,p=1", salt16, sum16), no},
		{with("m=19456,t=2", salt16, sum16), no},
		{with("m=19456,t=2,p=1,data=AAAA", salt16, sum16), no},
		{with("m=019456,t=2,p=1", salt16, sum16), no},
		{with("m=+19456,t=2,p=1", salt16, sum16), no},
		{with("m=19456,t=0,p=1", salt16, sum16), no},
		{with("m=19456,t=2,p=0", salt16, sum16), no},
		{with(good, salt16+"==", sum16), no},
		{with(good, "c2l4dGVlbiBieXRlcyBvax", sum16), no}, // bits left over
		{with(good, strings.ReplaceAll(salt16, "c", "-"), sum16), no},
		{with(good, "", sum16), no},
		{with(good, salt16, ""), no},
		{with(good, salt16, sum16) + "$", no},
		{with(good, salt16, sum16) + "\n", no},
		{" " + with(good, salt16, sum16), no},
		{with("m=7167,t=5,p=1", salt16, sum16), "too cheap"},
		{with("m=7168,t=4,p=1", salt16, sum16), "too cheap"},
		{with("m=35839,t=1,p=1", salt16, sum16), "too cheap"},
		{with("m=65537,t=1,p=1", salt16, sum16), "costs too much"},
		{with("m=65536,t=5,p=1", salt16, sum16), "costs too much"},
		{with("m=7168,t=37,p=1", salt16, sum16), "costs too much"},
		{with("m=19456,t=2,p=5", salt16, sum16), "costs too much"},
		{with("m=19456,t=9999999999,p=1", salt16, sum16), "costs too much"},
		{with("m=9999999999,t=9999999999,p=999", salt16, sum16), "costs too much"},
		{with(good, bytes(15), sum16), "a salt of 15 bytes"},
		{with(good, bytes(49), sum16), "a salt of 49 bytes"},
		{with(good, salt16, bytes(15)), "15 bytes of hash"},
		{with(good, salt16, bytes(65)), "65 bytes of hash"},
	} {
		h, err := ParseHash(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || h != (Hash{}) {
			t.Errorf("%q gives %v; want %q", c.text, err, c.want)
		} else if strings.Contains(err.Error(), "258013") {
			t.Errorf("the error repeats what may be a PIN: %v", err)
		}
	}
	for _, text := range []string{
		with("m=7168,t=5,p=1", bytes(16), bytes(16)), with("m=35840,t=1,p=4", bytes(48), bytes(64)),
		with("m=65536,t=4,p=1", salt16, sum16), with("m=7168,t=36,p=1", salt16, sum16),
	} {
		if _, err := ParseHash(text); err != nil {
			t.Errorf("%s is refused: %v", text, err)
		}
	}
}

// FuzzParseHash: what is taken is written as it was read, and is within the bounds
// that a Raspberry Pi can bear.
func FuzzParseHash(f *testing.F) {
	for _, c := range made {
		f.Add(c.hash)
	}
	f.Add("$argon2id$v=19$m=19456,t=2,p=1$c2l4dGVlbiBieXRlcyBvax$")
	f.Add("258013")
	f.Fuzz(func(t *testing.T, text string) {
		h, err := ParseHash(text)
		switch {
		case err != nil && h != (Hash{}):
			t.Errorf("%q is refused, and read as %+v", text, h)
		case err != nil:
		case h.String() != text:
			t.Errorf("%q is written as %q", text, h)
		case h.memory > 64<<10 || uint64(h.memory)*uint64(h.passes) > 256<<10 || h.lanes > 4 || h.lanes < 1 ||
			h.passes < 1:
			t.Errorf("%q is taken", text)
		}
	})
}

func TestCheckPIN(t *testing.T) {
	for _, pin := range []string{"25801", "258013", "2580137"} {
		if err := CheckPIN(pin, 8); err == nil || err.Error() != "the PIN is too short: choose at least 8 digits" {
			t.Errorf("%s gives %v where 8 digits are asked for", pin, err)
		}
	}
	if err := CheckPIN("25801379", 8); err != nil {
		t.Error(err)
	}
	for pin, want := range map[string]string{
		"": "too short", "258": "too short", "2580258025802": "too long", "25a0": "only digits", "２５８０": "only digits",
		" 2580": "only digits", "0000": "too easy to guess", "777777": "too easy to guess", "1234": "too easy to guess",
		"4321": "too easy to guess", "7890": "too easy to guess",
		"890123": "too easy to guess", "2109": "too easy to guess", "109876": "too easy to guess",
	} {
		if err := CheckPIN(pin, LeastDigits); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v; want %q", pin, err, want)
		} else if len(pin) > 3 && strings.Contains(err.Error(), pin) {
			t.Errorf("the error repeats the PIN: %v", err)
		}
	}
	for _, pin := range []string{"2580", "1235", "0001", "1357", "9081", "258025802580"} {
		if err := CheckPIN(pin, LeastDigits); err != nil {
			t.Errorf("%s is refused: %v", pin, err)
		}
	}
}

// Nearly every PIN is a good one: of n digits, 30 are not.
func TestCheckPINRefusesFew(t *testing.T) {
	refused := 0
	for n := range 10000 {
		if CheckPIN(fmt.Sprintf("%04d", n), LeastDigits) != nil {
			refused++
		}
	}
	if refused != 30 {
		t.Errorf("%d PINs of 4 digits are refused", refused)
	}
	rapid.Check(t, func(t *rapid.T) {
		pin := rapid.StringMatching(`[0-9]{4,12}`).Draw(t, "pin")
		steps := map[int]bool{}
		for i := 1; i < len(pin); i++ {
			steps[(int(pin[i])-int(pin[i-1])+10)%10] = true
		}
		trivial := len(steps) == 1 && (steps[0] || steps[1] || steps[9])
		if err := CheckPIN(pin, LeastDigits); (err != nil) != trivial {
			t.Fatalf("%s gives %v", pin, err)
		}
	})
}

// BenchmarkMatches is what one try of a PIN costs: with -tags purego, without what amd64 has of its own.
func BenchmarkMatches(b *testing.B) {
	h := NewPIN("258013")
	b.ReportAllocs()
	for b.Loop() {
		h.Matches("258014")
	}
}
