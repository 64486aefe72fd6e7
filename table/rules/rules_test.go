package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
)

// profile is a built-in profile's text, with one thing replaced.
func profile(t *testing.T, house, from, to string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("houses", house+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if !strings.Contains(text, from) {
		t.Fatalf("%s has no %q any more", house, from)
	}
	return []byte(strings.Replace(text, from, to, 1))
}

func TestEveryBuiltProfileCanBePlayed(t *testing.T) {
	book := rules.Built()
	files, err := filepath.Glob("houses/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no profiles: %v", err)
	}
	if len(book) != len(files) {
		t.Errorf("%d profiles make a book of %v", len(files), book.Names())
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		r := book[name]
		if r == nil {
			t.Errorf("%s is in the book under another name", file)
			continue
		}
		if found := r.Check(); len(found) > 0 {
			t.Errorf("%s: %v", name, found)
		}
		if set, err := book.Set(rules.Setup{House: name}); err != nil || set == r {
			t.Errorf("%s: a table set up by defaults must have rules of its own: %v", name, err)
		}
	}
}

func TestWiesbaden(t *testing.T) {
	r := rules.Built()["wiesbaden"]
	if r.Table != (rules.Table{Currency: "EUR", Boxes: 7, Min: 1000, BoxMax: 50000, Unit: 50, Rounding: money.Down}) {
		t.Errorf("limits are %+v", r.Table)
	}
	if r.Cards != (rules.Cards{Source: rules.Shuffler, Decks: 6, Jokers: 1}) {
		t.Errorf("cards are %+v", r.Cards)
	}
	if !slices.Equal(r.Double.On, []int{9, 10, 11}) || !r.Double.HardOnly || !r.Double.AfterSplit {
		t.Errorf("doubling is %+v", r.Double)
	}
	if r.Split.Max != 3 || r.Split.AcesAgain {
		t.Errorf("splitting is %+v", r.Split)
	}
	if r.Insurance.Exactly || !r.Insurance.EvenMoney || r.Bank.Draws != rules.DrawsNeeded {
		t.Errorf("insurance is %+v, the bank draws %s", r.Insurance, r.Bank.Draws)
	}
	if r.Pays.BlackJack != (money.Ratio{Num: 3, Den: 2}) || r.Pays.Insurance != (money.Ratio{Num: 2, Den: 1}) {
		t.Errorf("odds are %+v", r.Pays)
	}
}

// TestParseFaults: each fault of a profile is told with its line, its column, and
// what to do. The place is where » stands.
func TestParseFaults(t *testing.T) {
	for _, c := range []struct{ name, from, to, path, what string }{
		{"unknown key", "decks: 6", "decks: 6\n  »deck: 6", "cards.deck", `did you mean "decks"?`},
		{"missing key", "aces_again: false", "# none", "split.aces_again", "is missing"},
		{"key twice", "boxes: 7", "boxes: 7\n  »boxes: 8", "table.boxes", "is written twice"},
		{"text for a number", "boxes: 7", "boxes: »seven", "table.boxes", "write a whole number"},
		{"no boxes", "boxes: 7", "boxes: »0", "table.boxes", "0 boxes do not fit a table; write 1 to 9"},
		{"many boxes", "boxes: 7", "boxes: »10", "table.boxes", "10 boxes do not fit a table; write 1 to 9"},
		{"maximum under minimum", "box_max: 50000", "box_max: »500", "table.box_max", "is under the minimum 1000"},
		{"minimum no multiple of the unit", "min: 1000", "min: »1025", "table.min", "no multiple of the unit 50"},
		{"maximum too large", "box_max: 50000", "box_max: »100000000001", "table.box_max", "at most 100000000000"},
		{"negative unit", "unit: 50", "unit: »-50", "table.unit", "-50 is no payable unit"},
		{"no minimum", "min: 1000", "min: »0", "table.min", "a minimum of 0 is no stake"},
		{"currency", "currency: EUR", "currency: »USD", "table.currency", "write EUR or CHF"},
		{"rounding", "rounding: down", "rounding: »even", "table.rounding", "down, up or nearest"},
		{"source", "source: shuffler", "source: »bucket", "cards.source", "bucket"},
		{"many decks", "decks: 6", "decks: »13", "cards.decks", "write 1 to 12"},
		{"no decks", "decks: 6", "decks: »0", "cards.decks", "write 1 to 12"},
		{"jokers", "jokers: 1", "jokers: »7", "cards.jokers", "write 0 to the number of decks"},
		{"calls", "calls: required", "calls: »maybe", "play.calls", "maybe"},
		{"bank", "draws: needed", "draws: »never", "bank.draws", "never"},
		{"double on what cannot be", "on: [9, 10, 11]", "on: »[3]", "double.on", "two cards never total 3; write totals from 4 to 21"},
		{"splits", "max: 3 ", "max: »-2 ", "split.max", "-1 for no limit"},
		{"odds", `black_jack: "3:2"`, `black_jack: »"3/2"`, "pays.black_jack", "write them as 3:2"},
		{"odds of nothing", `black_jack: "3:2"`, `black_jack: »"0:2"`, "pays.black_jack", "write them as 3:2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, where := marked(string(profile(t, "wiesbaden", c.from, c.to)))
			r, err := rules.Parse("w.yaml", []byte(text))
			if err == nil || r != nil {
				t.Fatalf("the profile was taken: %v", r)
			}
			got := err.Error()
			if !strings.HasPrefix(got, "w.yaml:"+where) || !strings.Contains(got, ": "+c.path+": ") || !strings.Contains(got, c.what) {
				t.Errorf("got %q, want %s at %s, and %q", got, c.path, where, c.what)
			}
			if strings.Contains(got, "\n") {
				t.Errorf("one mistake was told as several faults:\n%s", got)
			}
		})
	}
}

// marked takes » out of a text and returns where it stood, as line:column: and ""
// if it is not there.
func marked(text string) (rest, where string) {
	before, after, found := strings.Cut(text, "»")
	if !found {
		return text, ""
	}
	line := strings.Count(before, "\n")
	column := len(before) - strings.LastIndexByte(before, '\n')
	return before + after, fmt.Sprintf("%d:%d:", line+1, column)
}

// TestParseTellsAllFaults: one look at the list is enough.
func TestParseTellsAllFaults(t *testing.T) {
	data := profile(t, "wiesbaden", "  boxes: 7", "  boxes: 70\n  bxs: 3")
	data = []byte(strings.Replace(string(data), "decks: 6", "decks: 60", 1))
	_, err := rules.Parse("w.yaml", data)
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("got %v, want three faults, one a line", err)
	}
}

func TestSet(t *testing.T) {
	book := rules.Built()
	before := *book["wiesbaden"]
	set, err := book.Set(rules.Setup{
		House: "wiesbaden", Currency: "CHF", Min: 500, BoxMax: 20000, Unit: 100, Decks: 8, Boxes: 5, Calls: "implied", Jackpot: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	if set.Table != (rules.Table{Currency: "CHF", Boxes: 5, Min: 500, BoxMax: 20000, Unit: 100, Rounding: money.Down}) {
		t.Errorf("limits are %+v", set.Table)
	}
	if set.Cards.Decks != 8 || set.Play.Calls != rules.CallsImplied {
		t.Errorf("cards are %+v, play is %+v", set.Cards, set.Play)
	}
	if after := book["wiesbaden"]; after.Table != before.Table || after.Cards != before.Cards || after.Play != before.Play {
		t.Errorf("the setup changed the house to %+v", after)
	}
}

func TestSetRefuses(t *testing.T) {
	for _, c := range []struct {
		setup rules.Setup
		what  []string
	}{
		{rules.Setup{House: "vegas"}, []string{`house "vegas" is not known`, "wiesbaden"}},
		{rules.Setup{}, []string{`house "" is not known`}},
		{rules.Setup{House: "wiesbaden", Min: 60000}, []string{"table.box_max: the box maximum 50000 is under the minimum 60000", "raise box_max or lower min"}},
		{rules.Setup{House: "wiesbaden", Unit: 300}, []string{"table.min: the minimum 1000 is no multiple of the unit 300"}},
		{rules.Setup{House: "wiesbaden", Boxes: 10, Decks: 13}, []string{"table.boxes: 10 boxes", "cards.decks: 13 decks"}},
		{rules.Setup{House: "wiesbaden", Boxes: -1}, []string{"table.boxes: -1 boxes"}},
		{rules.Setup{House: "wiesbaden", Currency: "euro"}, []string{`table.currency: "euro"`, "write EUR or CHF"}},
		{rules.Setup{House: "wiesbaden", Calls: "never"}, []string{`"never" is none of ["required" "implied"]`}},
	} {
		_, err := rules.Built().Set(c.setup)
		for _, want := range c.what {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: got %v, want %q in it", c.setup, err, want)
			}
		}
	}
}

// TestNamesAsText: what a profile can say is read as it is written.
func TestNamesAsText(t *testing.T) {
	roundTrip(t, rules.Shoe, rules.Shuffler)
	roundTrip(t, rules.CallsRequired, rules.CallsImplied)
	roundTrip(t, rules.DrawsNeeded, rules.DrawsAlways)
}

type text interface {
	comparable
	String() string
	MarshalText() ([]byte, error)
}

func roundTrip[T text, P interface {
	*T
	UnmarshalText([]byte) error
}](t *testing.T, values ...T,
) {
	for _, v := range values {
		written, err := v.MarshalText()
		if err != nil || string(written) != v.String() {
			t.Errorf("%v is written %q, %v", v, written, err)
		}
		var back T
		if err := P(&back).UnmarshalText(written); err != nil || back != v {
			t.Errorf("%q is read as %v, %v", written, back, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("houses/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := rules.Parse("house.yaml", data)
		if err == nil && len(r.Check()) > 0 {
			t.Fatalf("rules were taken that cannot be played: %v", r.Check())
		}
	})
}
