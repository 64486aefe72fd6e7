package settings

import (
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/vocab"
)

// installed is how a PIN is hashed at a table; these tests hash a thousand, at a tenth of the cost.
var installed = hashOf

func init() { hashOf = authority.NewHash }

// TestPINIsDear: a PIN that is given at the page costs what one of sabot key pin does.
func TestPINIsDear(t *testing.T) {
	if hash := installed("58219"); !strings.HasPrefix(hash.String(), "$argon2id$v=19$m=47104,t=5,p=1$") ||
		!hash.Matches("58219") {
		t.Errorf("the hash is %s", hash)
	}
}

// TestDifferences: what answers change is told one by one, to whom it is done, and without any secret.
func TestDifferences(t *testing.T) {
	text := []byte("min: 10\nmqtt: {broker: \"ssl://a:8883\", password_file: /x, ca_file: /y}\nsupervisors: {names: " +
		"[{name: anna, pin: x}, {name: bert, pin: x}]}\n")
	for _, c := range []struct {
		name    string
		answers []Answer
		want    []vocab.Setting
		two     bool // for carl, of whom the table does not know
	}{
		{"the same", []Answer{{Key: "min", Text: "10"}}, nil, false},
		{
			"another",
			[]Answer{{Key: "min", Text: "20"}},
			[]vocab.Setting{{Key: "min", Did: vocab.SettingChanged, Was: "10.00", Now: "20.00"}},
			false,
		},
		{"none", []Answer{{Key: "min"}}, []vocab.Setting{{Key: "min", Did: vocab.SettingChanged, Was: "10.00"}}, false},
		{
			"a secret",
			[]Answer{{Key: "mqtt.password_file", Text: "word"}},
			[]vocab.Setting{{Key: "mqtt.password_file", Did: vocab.SettingRenewed}},
			false,
		},
		{
			"somebody",
			[]Answer{{Key: supervisors, Text: "carl", PIN: "58219"}},
			[]vocab.Setting{{Key: supervisors, Did: vocab.SettingAdded, Of: "carl"}},
			true,
		},
		{
			"a PIN",
			[]Answer{{Key: supervisors, Text: "ANNA", PIN: "58219"}},
			[]vocab.Setting{{Key: supervisors, Did: vocab.SettingRenewed, Of: "anna"}},
			true,
		},
		{
			"nobody",
			[]Answer{{Key: supervisors, Text: "bert", Remove: true}},
			[]vocab.Setting{{Key: supervisors, Did: vocab.SettingRemoved, Of: "bert"}},
			true,
		},
	} {
		got, err := Differences(text, c.answers)
		if err != nil || !slices.Equal(got, c.want) || TakesTwo(text, got, "carl") != c.two {
			t.Errorf("%s: %+v, %v; it takes two: %t", c.name, got, err, TakesTwo(text, got, "carl"))
		}
	}
}

// TestTakesTwo: one's own PIN is one's own matter, and a table with one supervisor gets a second one.
func TestTakesTwo(t *testing.T) {
	own := []vocab.Setting{{Key: supervisors, Did: vocab.SettingRenewed, Of: "anna"}}
	two, one := []byte("supervisors: {names: [{name: anna}, {name: bert}]}\n"),
		[]byte("supervisors: {names: [{name: anna}, {name: nobody-yet}]}\n")
	if TakesTwo(two, own, "anna") || !TakesTwo(two, own, "bert") {
		t.Error("anna's PIN is not anna's alone to change")
	}
	if added := []vocab.Setting{{Key: supervisors, Did: vocab.SettingAdded, Of: "carl"}}; TakesTwo(one, added,
		"anna") || !TakesTwo(two, added, "anna") {
		t.Error("a second supervisor takes two, or a third one does not")
	}
}

// TestPINDigits: a house that asks for longer PINs is given no shorter one; one that is there stays, and its person may
// be removed.
func TestPINDigits(t *testing.T) {
	text := []byte("supervisors: {pin_digits: 8, names: [{name: anna, pin: x}, {name: bert, pin: x}]}\n")
	for pin, taken := range map[string]bool{"582190": false, "5821907": false, "58219073": true, "582190734": true} {
		_, err := Write(text, []Answer{{Key: supervisors, Text: "carl", PIN: pin}})
		if (err == nil) != taken || err != nil && err.Error() != "the PIN is too short: choose at least 8 digits" {
			t.Errorf("a PIN of %d digits: %v", len(pin), err)
		}
	}
	if _, err := Write(text, []Answer{{Key: supervisors, Text: "bert", Remove: true}}); err != nil {
		t.Error(err)
	}
	got, err := Differences(text, []Answer{{Key: digitsKey, Text: "6"}})
	if want := []vocab.Setting{{Key: digitsKey, Did: vocab.SettingChanged, Was: "8", Now: "6"}}; err != nil ||
		!slices.Equal(got, want) {
		t.Errorf("the change is %+v, %v", got, err)
	}
}
