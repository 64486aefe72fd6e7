package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// TestRulesNewSilent: of a sheet that answers nothing a good profile is written in every language, and all is said to
// be open.
func TestRulesNewSilent(t *testing.T) {
	for _, language := range display.Spoken() {
		file := filepath.Join(t.TempDir(), "house.yaml")
		status, out, errOut := runSabot(t, "", "rules", "new", "--language", language, file)
		if status != exitOK {
			t.Fatalf("%s: status %d, %s", language, status, errOut)
		}
		for _, key := range []string{"table.min", "double.for_less", "pays.win"} {
			if !strings.Contains(out, "\n  "+key+"  ") {
				t.Errorf("%s: %s is not said to be open:\n%s", language, key, out)
			}
		}
		spoken, _ := display.BuiltIn().Speak(language)
		none := spoken.Say(display.Message{Key: "new.none"})
		if strings.Contains(out, "new.") || strings.Contains(out, "rule.d") {
			t.Errorf("%s lacks words:\n%s", language, out)
		}
		book, name, err := profile.Built().Load(file)
		if err != nil || book[name].Table.Unit != 50 || book[name].Table.Min != 1000 ||
			book[name].Table.BoxMax != 50000 {
			t.Errorf("%s: %+v, %v", language, book[name].Table, err)
		}
		for _, q := range questions {
			if strings.Contains(out, "\n"+q.key+" > ") || strings.Contains(out, " > "+q.key+" > ") {
				t.Errorf("%s: what is taken for an empty line is not said of %s:\n%s", language, q.key, out)
			}
			if said := "\n  " + q.key + "  " + none + "\n"; q.values[0] != without && strings.Contains(out, said) {
				t.Errorf("%s: %s is decided, and it says that there is no such rule", language, q.key)
			}
		}
	}
}

// TestRulesNew: letters, values and sources, an answer that cannot be, and a side bet.
func TestRulesNew(t *testing.T) {
	file := filepath.Join(t.TempDir(), "elmo.yaml")
	var out bytes.Buffer
	in := &answers{out: &out, of: map[string][]string{
		"house": {"St Elmo", "elmo"}, "title": {"Saint Elmo's # the sheet's title"},
		"table.currency": {"USD # page 1"}, "table.min": {"x", "25 # page 1"}, "table.box_max": {"b"},
		"table.unit": {"7", "5.00"}, "bank.soft_17": {"b # clause 9: the dealer hits soft 17"},
		"double.for_less": {"min"},
		"surrender":       {"a"}, "surrender_only.late": {"true # clause 12"}, "pays.black_jack": {"6:5 # the felt"},
		"split.max": {"3"}, "side_bets": {"lucky-stars", "perfect-pairs"}, "side_bets[0].least": {"min # page 4"},
		"side_bets[0].most": {"box_max"}, "side_bets[0].bettors": {"b"},
		"side_bets[0].pays[0].pays perfect-pair":  {"25:1 # page 4"},
		"side_bets[0].pays[1].pays coloured-pair": {"12:1"}, "side_bets[0].pays[2].pays mixed-pair": {"6:1"},
	}}
	if err := newHouse(t.Context(), newSet(), []string{file}, env{in, &out, &out}); err != nil ||
		strings.Count(out.String(), "This cannot be: ") != 4 {
		t.Fatalf("%v\n%s", err, &out)
	}
	for _, want := range []string{
		"table.min [10.00] > ", "To 16 and on soft 17, in every round.", "  Least stake of one bettor: an amount, or",
		"side_bets[0].least [unit] > ", "  b  with-stake  Anyone with a main stake", "  two identical cards\n",
		"  side_bets[0].step  A stake is a multiple of the payable unit (here 5.00).",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, &out)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\nhouse: elmo\n", "  currency: USD  # page 1\n", "  min: 25.00  # page 1\n",
		"  box_max: 1000.00  # the sheet:\n",
		"  unit: 5.00  # the sheet:\n", "  boxes: 7  # decision; the sheet is silent\n",
		"  soft_17: draws  # clause 9: the dealer hits soft 17\n", "  for_less: min  # the sheet:\n",
		"surrender: true  # the sheet:\n", "  late: true  # clause 12\n", "  black_jack: \"6:5\"  # the felt\n",
		"  - bet: perfect-pairs", "    least: min  # page 4\n", "    bettors: with-stake  # the sheet:",
		"      - line: perfect-pair", "        pays: \"25:1\"  # page 4\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the profile lacks %q:\n%s", want, text)
		}
	}
	if _, _, err := profile.Built().Load(file); err != nil {
		t.Error(err)
	}
	if status, _, errOut := runSabot(t, "", "rules", "new", file); status != exitFailed ||
		!strings.Contains(errOut, "exists") {
		t.Errorf("a file that is there: status %d, %s", status, errOut)
	}
	if status, _, errOut := runSabot(t, "", "rules", "new", "--language", "xx", file); status != exitUsage {
		t.Errorf("a language that nobody speaks: status %d, %s", status, errOut)
	}
}

// TestRulesNewHoleCard: a sheet with a hole card, and a surrender, early or late.
func TestRulesNewHoleCard(t *testing.T) {
	for late, answer := range map[bool]string{false: "none", true: "true # late"} {
		t.Run(answer, func(t *testing.T) { rulesNewHoleCard(t, late, answer) })
	}
}

func rulesNewHoleCard(t *testing.T, late bool, answer string) {
	file := filepath.Join(t.TempDir(), "hole.yaml")
	var out bytes.Buffer
	in := &answers{out: &out, of: map[string][]string{
		"bank.hole_card": {"ace-and-ten # the dealer peeks"}, "surrender": {"true # early"},
		"surrender_only.late": {answer},
	}}
	if err := newHouse(t.Context(), newSet(), []string{file}, env{in, &out, &out}); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	book, name, err := profile.Built().Load(file)
	if err != nil || !book[name].Bank.HasHole() || book[name].LateSurrender() != late ||
		book[name].SurrendersFirst() == late {
		t.Errorf("%+v, %v\n%s", book[name], err, &out)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "  hole_card: ace-and-ten  # the dealer peeks\n") {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestRulesNewJackpot: a progressive bet, and the jackpot that several tables play for.
func TestRulesNewJackpot(t *testing.T) {
	file := filepath.Join(t.TempDir(), "linked.yaml")
	var out bytes.Buffer
	in := &answers{out: &out, of: map[string][]string{
		"side_bets": {"progressive"}, "side_bets[0].least": {"5.00"}, "side_bets[0].most": {"5.00"},
		"side_bets[0].step": {"5.00"}, "jackpot.seed": {"much", "10000.00 # page 2"}, "jackpot.feeds": {"7:10"},
		"jackpot.linked": {"ticino # page 3"}, "jackpot.when_alone": {"reserve"}, "jackpot.reserve": {"7500.00"},
		"side_bets[0].pays[1].pays suited-ace-king":   {"250.00"},
		"side_bets[0].pays[2].pays coloured-ace-king": {"200.00"},
		"side_bets[0].pays[3].pays ace-king":          {"100.00"}, "side_bets[0].pays[4].pays blackjack": {"20.00"},
	}}
	if err := newHouse(t.Context(), newSet(), []string{file}, env{in, &out, &out}); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	book, name, err := profile.Built().Load(file)
	if err != nil || book[name].LinkedTo() != "ticino" || book[name].Alone(0) != 750_000 {
		text, _ := os.ReadFile(file)
		t.Errorf("%v\n%s\n%s", err, &out, text)
	}
	// A sheet that does not say where it starts leaves the bet out, and the jackpot with it.
	file = filepath.Join(t.TempDir(), "left.yaml")
	in = &answers{out: &out, of: map[string][]string{"side_bets": {"progressive"}}}
	if err := newHouse(t.Context(), newSet(), []string{file}, env{in, &out, &out}); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	if book, name, err := profile.Built().Load(file); err != nil || len(book[name].SideBets) > 0 ||
		book[name].Jackpot != nil {
		t.Errorf("%v", err)
	}
}

// TestRulesNewInCurrency: a sheet in a currency without decimals, or with three: amounts are asked for, proposed and
// written as the currency has them.
func TestRulesNewInCurrency(t *testing.T) {
	for _, c := range []struct {
		currency, refused, most, stake, paid string
		asked, written                       []string
		boxMax, prize                        int64
	}{
		{
			"JPY", "1000.5", "100000", "500", "25000",
			[]string{"  a  1000  A stake is at least 1,000.", "  c  500000  The stakes on a box are at most 500,000"},
			[]string{"  min: 1000  #", "  box_max: 100000  #", "  unit: 50  #", "seed: 1234567  #", "pays: 25000  #"},
			100_000, 25_000,
		},
		{
			"KWD", "2.5005", "250.500", "2.500", "25.500",
			[]string{
				"  a  10.000  A stake is at least 10.000.", "  d  0.050  Stakes and payments are multiples of 0.050.",
			},
			[]string{
				"  min: 10.000  #", "  box_max: 250.500  #", "  unit: 0.500  #", "seed: 1234567.000  #",
				"pays: 25.500  #",
			},
			250_500, 25_500,
		},
	} {
		file := filepath.Join(t.TempDir(), "house.yaml")
		var out bytes.Buffer
		in := &answers{out: &out, of: map[string][]string{
			"table.currency": {"XYZ", c.currency + " # page 1"}, "table.box_max": {c.refused, c.most + " # page 1"},
			"side_bets": {"progressive"}, "side_bets[0].least": {c.stake}, "side_bets[0].most": {c.stake},
			"side_bets[0].step": {c.stake}, "jackpot.seed": {"1234567"}, "jackpot.feeds": {"7:10"},
			"side_bets[0].pays[1].pays suited-ace-king":   {c.paid},
			"side_bets[0].pays[2].pays coloured-ace-king": {"20"},
			"side_bets[0].pays[3].pays ace-king":          {"10"}, "side_bets[0].pays[4].pays blackjack": {"5"},
		}}
		if err := newHouse(t.Context(), newSet(), []string{file}, env{in, &out, &out}); err != nil {
			t.Fatalf("%s: %v\n%s", c.currency, err, &out)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for of, want := range map[string][]string{
			out.String(): append(c.asked, "no currency", c.refused), string(text): c.written,
		} {
			for _, one := range want {
				if !strings.Contains(of, one) {
					t.Errorf("%s lacks %q:\n%s", c.currency, one, of)
				}
			}
		}
		book, name, err := profile.Built().Load(file)
		if err != nil {
			t.Fatal(err)
		}
		r := book[name].Rules
		if got := r.Offer("progressive").Prize("suited-ace-king").Amount; r.Table.BoxMax != c.boxMax || got != c.prize {
			t.Errorf("%s: at most %d on a box, and %d are paid", c.currency, r.Table.BoxMax, got)
		}
	}
}

// answers answers what is asked, and else nothing.
type answers struct {
	out *bytes.Buffer
	of  map[string][]string
}

// Read gives the answer to what was asked last.
func (a *answers) Read(p []byte) (int, error) {
	lines := strings.Split(a.out.String(), "\n")
	key := strings.TrimSuffix(lines[len(lines)-1], " > ")
	key, _, _ = strings.Cut(key, " [")
	if at := strings.LastIndex(key, " > "); at >= 0 {
		key = key[at+len(" > "):]
	}
	line := ""
	if left := a.of[key]; len(left) > 0 {
		line, a.of[key] = left[0], left[1:]
	}
	return copy(p, line+"\n"), nil
}

// notAsked are what no sheet answers, or what is added to a profile by hand.
var notAsked = []string{
	"extends", "house", "title", "game", "chips", "tray_difference", "table.boxes_from", "table.boxes_to",
	"cards.loaded_early", "play.calls", "play.auto_rest_at_21", "play.keys_apart_ms", "holder", "at_once", "side_bets",
	"repeat_side_bets", "big_win", "irregularities", "words", "pays.five_card_trick",
}

// jackpotKeys are asked for with a progressive bet.
var jackpotKeys = []string{
	"jackpot.seed", "jackpot.feeds", "jackpot.envy", "jackpot.linked", "jackpot.when_alone", "jackpot.reserve",
}

// TestEveryKeyIsAsked: a key of the profile that nobody is asked for is one that no sheet answers.
func TestEveryKeyIsAsked(t *testing.T) {
	asked := slices.Clone(notAsked)
	asked = append(asked, jackpotKeys...)
	for _, q := range questions {
		asked = append(asked, q.key)
	}
	eachKey(reflect.TypeFor[rules.Profile](), "", func(key string) {
		if !slices.ContainsFunc(asked, func(group string) bool { return under(group)(key) }) {
			t.Errorf("sabot rules new asks nothing about %s: add a question, or say that no sheet answers it", key)
		}
	})
}

func eachKey(of reflect.Type, path string, each func(string)) {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	groups := 0
	for i := range of.NumField() {
		key, _, _ := strings.Cut(of.Field(i).Tag.Get("yaml"), ",")
		if key == "" || key == "-" {
			continue
		}
		groups++
		at, is := strings.TrimPrefix(path+"."+key, "."), of.Field(i).Type
		for is.Kind() == reflect.Pointer {
			is = is.Elem()
		}
		if is.Kind() == reflect.Struct && is.PkgPath() == of.PkgPath() && is.NumField() > 0 &&
			is.Field(0).Tag.Get("yaml") != "" {
			eachKey(is, at, each)
			continue
		}
		each(at)
	}
	if groups == 0 {
		each(path)
	}
}
