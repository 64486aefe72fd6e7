package config_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

const leastOfAll = "site: a\ntable: b\nshoe: {port: /dev/ttyS0}\n"

func TestHouseFile(t *testing.T) {
	folder := t.TempDir()
	good := filepath.Join(folder, "good.yaml")
	writeFile(t, good, "extends: wiesbaden\nhouse: mine\ntable: {min: 25}\npays: {black_jack: \"6:5\"}\n")
	for _, text := range []string{"house_file: " + good + "\n", "house_file: " + good + "\nhouse: mine\n"} {
		c, err := config.Parse("sabot.yaml", []byte(leastOfAll+text+proven), houses)
		if err != nil {
			t.Fatal(err)
		}
		if c.House != "mine" || c.Setup() != (rules.Setup{House: "mine"}) {
			t.Errorf("the table plays %q by %+v", c.House, c.Setup())
		}
		r, err := c.Houses(houses).Set(c.Setup())
		if err != nil || r.Table.Min != 2500 || r.Pays.BlackJack.String() != "6:5" {
			t.Errorf("the rules are %+v, %v", r, err)
		}
	}
	if _, added := houses["mine"]; added {
		t.Error("the book has changed")
	}
	c, err := config.Parse("sabot.yaml", []byte(least+proven), houses)
	if err != nil {
		t.Fatal(err)
	}
	if book := c.Houses(houses); len(book) != 1 || book["wiesbaden"] != houses["wiesbaden"] {
		t.Errorf("without a file the book is %v", book)
	}
}

// The faults of both files are reported, each with the file's name.
func TestHouseFileFaults(t *testing.T) {
	folder := t.TempDir()
	good, bad, taken, locked := filepath.Join(folder, "good.yaml"), filepath.Join(folder, "bad.yaml"),
		filepath.Join(folder, "taken.yaml"), filepath.Join(folder, "absent.yaml")
	writeFile(t, good, "extends: wiesbaden\nhouse: mine\n")
	writeFile(t, bad, "extends: wiesbaden\nhouse: mine\ntable: {min: 600}\nfelt: green\n")
	writeFile(t, taken, "extends: wiesbaden\nhouse: wiesbaden\n")
	for _, c := range []struct{ text, want string }{
		{"", "sabot.yaml:1:1: house: is missing; add it, or house_file"},
		{"house_file: my.yaml\n", `sabot.yaml:4:13: house_file: "my.yaml" is not an absolute path; begin it with /`},
		{"house_file: [a]\n", "sabot.yaml:4:13: house_file: is a list; write a single line of text"},
		{
			"house_file: " + locked + "\n",
			"sabot.yaml:4:13: house_file: read the house's rules: open " + locked +
				": no such file or directory; let the user that runs the daemon read it",
		},
		{
			"house_file: " + good + "\nhouse: yours\n",
			`sabot.yaml:5:8: house: "yours" is not the house in house_file, which is mine; write mine, or remove house`,
		},
		{
			"house_file: " + good + "\nmin: 600\n",
			"sabot.yaml:5:6: min: the box maximum 500.00 is below the minimum 600.00; raise box_max or lower min",
		},
		{
			"house_file: " + taken + "\n",
			taken + `:2:8: house: the name "wiesbaden" is another house's; give the house a name of its own`,
		},
		{
			"house_file: " + bad + "\nhouse: mine\nboxes: 10\n",
			"sabot.yaml:6:8: boxes: 10 is out of range; write a whole number from 1 to 9\n" +
				bad +
				":3:8: table.box_max: the box maximum 500.00 is below the minimum 600.00: nothing could be staked; " +
				"raise box_max or lower min\n" +
				bad +
				`:4:1: felt: is not a known key; known here: extends, house, title, game, table, chips, tray_difference, cards, play, holder, bank, double, split, insurance, surrender, many_cards, surrender_only, three_sevens, pays, at_once, side_bets, repeat_side_bets, jackpot, big_win, irregularities, words`,
		},
	} {
		got, err := config.Parse("sabot.yaml", []byte(leastOfAll+c.text+proven), houses)
		if err == nil || err.Error() != c.want || !reflect.ValueOf(got).IsZero() {
			t.Errorf("%s\ngives %v\nwant  %s", c.text, err, c.want)
		}
	}
}

// Table limits with which nothing can be staked on a side bet of the house.
func TestLimitsThatTheHouseCannotPlay(t *testing.T) {
	const text = "house: schaffhausen\nmin: 10\nunit: 10\nbox_max: 10\n"
	_, err := config.Parse("sabot.yaml", []byte(leastOfAll+text+proven), profile.Built())
	const want = "sabot.yaml:7:10: box_max: schaffhausen cannot be played with these limits: side_bets[0].most: the " +
		"most, 0.00, is below the least, 10.00: " +
		"nothing could be staked; raise most or lower least; change the table's limits, or the house's rules"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	// A number of boxes that the house's sheet has not is told where it stands.
	_, err = config.Parse("sabot.yaml", []byte(leastOfAll+"house: st-moritz\nmin: 10\nboxes: 3\n"+proven),
		profile.Built())
	const boxes = "sabot.yaml:6:8: boxes: st-moritz cannot be played with these limits: " +
		"table.boxes: 3 boxes, where the house's sheet says 5 to 9; " +
		"write 5 to 9; change the table's limits, or the house's rules"
	if err == nil || err.Error() != boxes {
		t.Errorf("got  %v\nwant %s", err, boxes)
	}
	// It is told, too, where something else is wrong with the table.
	_, err = config.Parse("sabot.yaml", []byte(leastOfAll+text+"currency: US\nboxes: 12\n"+proven), profile.Built())
	for _, want := range []string{want, `currency: "US" is no currency`, "boxes: 12 is out of range"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got  %v\nwithout %s", err, want)
		}
	}
}

// TestCurrencyOfTheTable: a table has any currency with as many decimals as its house's, and its amounts are written
// with those.
func TestCurrencyOfTheTable(t *testing.T) {
	for _, c := range []struct{ house, text, wrong string }{
		{"yen", "currency: KRW\nmin: 5000\nbox_max: 1234567\nunit: 500\n", "box_max: the box maximum 1234567 is not"},
		{"yen", "currency: KRW\nmin: 5000\nbox_max: 1234500\nunit: 500\n", ""},
		{"yen", "min: 5000.5\n", `min: "5000.5" is not an amount: write it as 20`},
		{"yen", "currency: EUR\n", "the house's amounts are in JPY, which has other decimals than EUR"},
		{"dinar", "currency: BHD\nmin: 2.505\nbox_max: 250.500\n", ""},
		{"dinar", "min: 2.5055\n", `min: "2.5055" is not an amount: write it as 20 or 20.500`},
		{"wiesbaden", "currency: USD\n", ""},
		{"wiesbaden", "currency: JPY\n", "the house's amounts are in EUR, which has other decimals than JPY"},
	} {
		text := leastOfAll + "house: " + c.house + "\n" + c.text + proven
		got, err := config.Parse("sabot.yaml", []byte(text), tabletest.Book())
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s with %q: %v, want %q", c.house, c.text, err, c.wrong)
		}
		if err == nil && (c.house == "yen" && got.BoxMax != 1_234_500 || c.house == "dinar" && got.Min != 2505) {
			t.Errorf("%s: %d to %d", c.house, got.Min, got.BoxMax)
		}
	}
}

// The houses that the example lists are those that exist.
func TestExampleNamesTheHouses(t *testing.T) {
	data, err := os.ReadFile(exampleFile)
	if err != nil {
		t.Fatal(err)
	}
	_, known, _ := strings.Cut(strings.ReplaceAll(string(data), "\n# ", " "), "Known today: ")
	known, _, _ = strings.Cut(known, ";")
	for _, house := range profile.Built().Names() {
		if !strings.Contains(known, house) {
			t.Errorf("the example does not name %s: %s", house, known)
		}
	}
}
