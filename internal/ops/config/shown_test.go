package config

import (
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// TestShown: what is shown of a configuration has neither comments nor secrets nor what belongs to no configuration,
// and all else; what was left out is told.
func TestShown(t *testing.T) {
	const text = `# the vault is 8-8-2-9
site: demo # and here
table: bj-1
vault: [hunter2, {deep: er}]
hunter3: 1
keys: {card: GPIO5, pin: 2580, debounce: 20ms}
shoe: {port: usb:0403:6001, keys: {1: card, 99: x}}
supervisors: {names: [{name: anna, pin: "$argon2id$v=19$x"}, {name: ben, pin: 2580}]}
dealers: {names: [{name: d7, badge: "$argon2id$v=19$y"}]}
web: {screens: [{name: touch, role: dealer, key: "sha256:00ff"}], listen: [a, b]}
mqtt: swordfish
journal: {path: {in: secret}}
`
	shown, left, err := Shown([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{
		"vault", "8-8-2-9", "and here", "hunter", "2580", "argon2id", "00ff", "swordfish",
		"secret}", "99",
	} {
		if strings.Contains(string(shown), secret) {
			t.Errorf("%q is shown:\n%s", secret, shown)
		}
	}
	for _, plain := range []string{
		"site: demo", "table: bj-1", "card: GPIO5", "debounce: 20ms", "port: usb:0403:6001",
		"1: card", "name: anna", "name: ben", "name: d7", "role: dealer",
	} {
		if !strings.Contains(strings.ReplaceAll(string(shown), `"`, ""), plain) {
			t.Errorf("%q is not shown:\n%s", plain, shown)
		}
	}
	for _, one := range []string{
		"vault", "hunter2", "er", "hunter3", "2580", "$argon2id$v=19$y", "sha256:00ff",
		"swordfish", "secret",
	} {
		if !slices.Contains(left, one) {
			t.Errorf("%q is not told as left out: %q", one, left)
		}
	}
	if _, _, err := Shown([]byte("a: [swordfish")); err == nil || strings.Contains(err.Error(), "swordfish") {
		t.Errorf("of what is no YAML it says %v", err)
	}
}

// FuzzShown: whatever a configuration has, it is shown as YAML, and its comments never are.
func FuzzShown(f *testing.F) {
	f.Add("site: demo\ntable: bj-1\n# c\n")
	f.Add("a: &x [1]\nsite: *x\n<<: {table: 2}\n")
	f.Add("? {a: 1}\n: !!binary aGk=\n--- 2\n")
	f.Add("supervisors: {names: [{name: a, pin: 1}]}\nlanguages: [a, b]\nchips: [1, 2]\n")
	f.Fuzz(func(t *testing.T, text string) {
		shown, _, err := Shown([]byte(text))
		if err != nil {
			return
		}
		var any yaml.Node
		if err := yaml.Unmarshal(shown, &any); err != nil {
			t.Errorf("%q is shown as %q: %v", text, shown, err)
		}
	})
}

// TestOutline: a configuration with faults still says where the table is, unless just that is wrong.
func TestOutline(t *testing.T) {
	const well = "site: demo\ntable: bj-1\nshoe: {port: /dev/ttyUSB0}\njournal: {path: /srv/journal}\n"
	for text, told := range map[string]bool{
		well: true, well + "tabel: 2\n": true, well + "web: {listen: [1]}\n": false,
		"site: demo\nshoe: {port: x}\n": false, "": false, "a: [": false,
	} {
		c, is := Outline("sabot.yaml", []byte(text))
		if is != told || is && (c.Journal.Path != "/srv/journal" || c.Web.Listen == "") {
			t.Errorf("%q says %v, %+v", text, is, c)
		}
	}
}
