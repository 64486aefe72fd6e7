package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/ops/config"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// houses is a book with one house: 10.00 to 500.00, in steps of 0.50.
var houses = profile.Book{"wiesbaden": profile.Built()["wiesbaden"]}

// listing are the same, and a house that lists its chips.
func listing(t *testing.T) profile.Book {
	t.Helper()
	h, err := profile.Built().Parse("chips.yaml", []byte("extends: wiesbaden\nhouse: chips\n"+
		"chips: [{value: 5, colour: red}, {value: 50}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	return houses.With(h)
}

// least and proven together are the smallest valid configuration; what a test adds
// goes between them.
const (
	least  = "site: a\ntable: b\nhouse: wiesbaden\nshoe: {port: /dev/ttyS0}\n"
	proven = "supervisors: {proof: key, key_holder: pit}\n"
)

// TestFaults reads the files in testdata/faults: "file" is a whole configuration, "with"
// adds lines to the smallest one, "house" to that of a house which lists its chips, "supervisors" to the smallest one
// without supervisors.
// MAKES and KEYS are the names of the makes and of the panel's keys.
func TestFaults(t *testing.T) {
	datadriven.Walk(t, "testdata/faults", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			text, book := d.Input+"\n", houses
			switch d.Cmd {
			case "file":
			case "house":
				text, book = strings.Replace(least, "wiesbaden", "chips", 1)+text+proven, listing(t)
			case "with":
				text = least + text + proven
			case "supervisors":
				text = least + text
			default:
				d.Fatalf(t, "unknown command %q", d.Cmd)
			}
			c, err := config.Parse("sabot.yaml", []byte(text), book)
			if err == nil {
				return "ok\n"
			}
			if !reflect.ValueOf(c).IsZero() {
				t.Errorf("%s: a configuration was returned with faults", d.Pos)
			}
			return lists.Replace(err.Error()) + "\n"
		})
	})
}

// lists replaces lists of names that grow by a word: a new make or panel key then changes
// no file of faults.
var lists = strings.NewReplacer(
	listed(makes.Names()), "MAKES", listed(config.PerKey{}.Keys()), "KEYS",
	strings.Join(config.PerKey{}.Keys(), ", "), "KEYS",
)

// listed writes names as faults list them.
func listed(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func TestLeast(t *testing.T) {
	got, err := config.Parse("sabot.yaml", []byte(least+proven), houses)
	if err != nil {
		t.Fatal(err)
	}
	want := config.Default()
	want.Site, want.Table, want.House = "a", "b", "wiesbaden"
	want.Shoe.Port = "/dev/ttyS0"
	want.MQTT.ClientID = "sabot-a-b"
	want.Supervisors.Proof, want.Supervisors.KeyHolder = authority.Key, "pit"
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if setup := got.Setup(); setup != (rules.Setup{House: "wiesbaden"}) {
		t.Errorf("the setup changes the house: %+v", setup)
	}
}

func TestSetup(t *testing.T) {
	const more = "currency: CHF\nmin: 20\nbox_max: 1000.5\nunit: \"0.25\"\nboxes: 5\ndecks: 8\ncall: " +
		"implied\nkeys_apart_ms: -1\n"
	c, err := config.Parse("sabot.yaml", []byte(least+more+proven), houses)
	if err != nil {
		t.Fatal(err)
	}
	want := rules.Setup{
		House: "wiesbaden", Currency: "CHF", Min: 2000, BoxMax: 100050, Unit: 25, Boxes: 5, Decks: 8,
		Calls: "implied", KeysApart: -1,
	}
	if got := c.Setup(); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// What is accepted here can be played: the house takes the setup.
func TestHouseTakesWhatIsAccepted(t *testing.T) {
	house := rapid.SampledFrom(profile.Built().Names())
	amount := rapid.SampledFrom([]string{"0.01", "0.5", "2.5", "5", "10.00", "25", "499.99", "500", "1000000000"})
	rapid.Check(t, func(t *rapid.T) {
		text := fmt.Sprintf("site: a\ntable: b\nhouse: %s\nshoe: {port: /dev/ttyS0}\n"+proven, house.Draw(t, "house"))
		for _, key := range []string{"min", "box_max", "unit"} {
			if rapid.Bool().Draw(t, "has "+key) {
				text += key + ": " + amount.Draw(t, key) + "\n"
			}
		}
		for _, key := range []string{"boxes", "decks"} {
			if rapid.Bool().Draw(t, "has "+key) {
				text += fmt.Sprintf("%s: %d\n", key, rapid.IntRange(-1, 14).Draw(t, key))
			}
		}
		c, err := config.Parse("sabot.yaml", []byte(text), profile.Built())
		if err != nil {
			return
		}
		if _, err := profile.Built().Set(c.Setup()); err != nil {
			t.Fatalf("accepted, but the house refuses: %v\n%s", err, text)
		}
	})
}

func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sabot.yaml")
	if _, err := config.Load(path, houses); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a missing file gives %v; want its path named", err)
	}
	writeFile(t, path, least+proven)
	c, err := config.Load(path, houses)
	if err != nil || c.Table != "b" {
		t.Errorf("got table %q, %v", c.Table, err)
	}
	writeFile(t, path, "site: a\n")
	if _, err := config.Load(path, houses); err == nil ||
		!strings.HasPrefix(err.Error(), path+":1:1: table: is missing") {
		t.Errorf("an incomplete file gives %v", err)
	}
}

func TestAmount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := config.Amount(rapid.Int64Range(1, int64(money.Max)).Draw(t, "amount"))
		var got config.Amount
		if err := got.UnmarshalText([]byte(want.Text(2))); err != nil || got != want {
			t.Fatalf("%s is read as %d, %v; want %d", want.Text(2), got, err, want)
		}
	})
}

// FuzzParse: every file gives either faults or a configuration, never both or neither.
func FuzzParse(f *testing.F) {
	f.Add([]byte(least + proven))
	f.Add([]byte(least + "mqtt: {broker: 'ssl://[::1]:8883', window: 1}\nweb: {listen: '[::1]:0'}\n" + proven))
	f.Add([]byte(least + "min: 10.005\nbox_max: 5\nunit: 0\nlog: {level: loud}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := config.Parse("sabot.yaml", data, houses)
		if empty := reflect.ValueOf(c).IsZero(); empty != (err != nil) {
			t.Errorf("configuration %+v with error %v", c, err)
		}
	})
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// keyPaths lists the paths of all keys that a configuration may have.
func keyPaths(t reflect.Type, above string) []string {
	var paths []string
	for i := range t.NumField() {
		if !t.Field(i).IsExported() {
			continue
		}
		key, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		if key == "*" {
			continue // the example may name some of them
		}
		paths = append(paths, above+key)
		if field := t.Field(i).Type; field.Kind() == reflect.Struct && field != reflect.TypeFor[configfile.Level]() {
			paths = append(paths, keyPaths(field, above+key+".")...)
		}
	}
	return paths
}
