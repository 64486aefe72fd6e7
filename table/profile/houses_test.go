package profile_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/profile"
)

// mainGame is what the sheets say about the main game, and what was decided where they
// are silent, copied from the sheets: value and mark. S: the sheet says so; D: decided; a
// dash: neither, since the sheet does not mention the rule or the game does not have it.
const mainGame = `
rule                        schaffhausen  wiesbaden   st-moritz   st-moritz-65  mendrisio    baden
game                        black-jack/S  black-jack/S black-jack/S black-jack/S black-jack/S black-james/S
table.currency              CHF/D         EUR/S       CHF/D       CHF/D         EUR/D        CHF/D
table.boxes                 7/S           7/S         7/D         7/D           7/S          7/D
table.boxes_from            ∅             ∅           5/S         5/S           ∅            ∅
table.boxes_to              7/S           7/S         9/S         9/S           7/S          ∅
table.min                   10.00/D       10.00/D     10.00/D     10.00/D       10.00/D      10.00/D
table.box_max               500.00/D      500.00/D    500.00/D    500.00/D      500.00/D     500.00/D
table.unit                  0.50/D        0.50/D      0.50/D      0.50/D        0.50/D       0.50/D
table.rounding              down/D        down/D      down/D      down/D        down/D       down/D
cards.source                shoe/D        shuffler/S  shoe/S      shoe/S        shoe/D       shoe/D
cards.decks                 6/D           6/D         6/S         6/S           6/D          6/D
cards.jokers                0/-           1/S         0/-         0/-           0/-          0/-
cards.loaded_early          supervisor/D  supervisor/D  supervisor/D  supervisor/D  supervisor/D  supervisor/D
play.calls                  required/S    required/S  required/S  required/S    required/S   required/S
play.auto_rest_at_21        true/D        true/D      true/D      true/D        true/D       ∅
play.lone_player_two_boxes  false/-       false/-     false/-     false/-       true/S       false/-
play.keys_apart_ms          150/D   150/D   150/D   150/D   150/D   150/D
bank.draws                  needed/D      needed/D    needed/D    needed/D      needed/D     needed/S
holder                      seated,nearest-seat,lower-seat/S  ∅  ∅  ∅  larger-stake,nearest-shoe/S  ∅
double.allowed              true/S        true/S      true/S      true/S        true/S       ∅
double.on                   []/S          [9,10,11]/S []/S        []/S          [9,10,11]/S  ∅
double.hard_only            false/S       true/D      false/S     false/S       true/D       ∅
double.after_split          true/S        true/S      true/S      true/S        true/S       ∅
split.max                   -1/S          3/S         3/S         3/S           -1/D         ∅
split.aces_again            false/D       false/D     false/S     false/S       false/D      ∅
insurance.offered           true/S        true/S      true/S      true/S        true/S       ∅
insurance.exactly_half      true/S        false/S     false/S     false/S       true/S       ∅
insurance.black_jack        true/S        true/S      true/S      true/S        false/S      ∅
insurance.even_money        false/-       true/S      false/-     false/-       true/S       ∅
surrender                   true/S        false/-     false/-     false/-       false/-      ∅
three_sevens.paid           true/S        false/-     true/S      true/S        true/S       ∅
three_sevens.after_split    false/D       false/-     false/D     false/D       false/S      ∅
pays.win                    1:1/S         1:1/S       1:1/S       1:1/S         1:1/S        1:1/S
pays.black_jack             3:2/S         3:2/S       3:2/S       6:5/S         3:2/S        3:2/S
pays.even_money             1:1/-         1:1/S       1:1/-       1:1/-         1:1/S        ∅
pays.insurance              2:1/S         2:1/S       2:1/D       2:1/D         2:1/S        ∅
pays.three_sevens           1:1/S         1:1/-       1:1/S       1:1/S         1:1/S        ∅
pays.bonus_black_jack       ∅             ∅           ∅           5:1/S         ∅            ∅
pays.five_card_trick       ∅             ∅           ∅           ∅             ∅            3:2/S
at_once.black_jack          true/D        true/D      true/D      true/D        true/S       true/S
at_once.bonus_black_jack    false/-       false/-     false/-     true/S        false/-      ∅
at_once.even_money          false/-       true/S      false/-     false/-       true/S       ∅
at_once.three_sevens        true/S        false/-     true/S      true/S        true/D       ∅
at_once.surrender           true/S        false/-     false/-     false/-       false/-      ∅
at_once.bust                true/S        true/D      true/S      true/S        true/D       true/S
at_once.insurance           false/D       false/D     false/D     false/D       false/D      ∅
table.step                  ∅             ∅           ∅           ∅             ∅            ∅
table.bettors               ∅             ∅           ∅           ∅             ∅            ∅
repeat_side_bets            ∅             ∅           ∅           ∅             ∅            ∅
jackpot.seed                ∅             ∅           ∅           ∅             10000.00/D   ∅
jackpot.feeds               ∅             ∅           ∅           ∅             7:10/D       ∅
jackpot.envy                ∅             ∅           ∅           ∅             500.00/S     ∅
big_win.from                ∅             ∅           ∅           ∅             ∅            ∅
big_win.guests              ∅             ∅           ∅           ∅             ∅            ∅
side_bets                   ∅             ∅           ∅           ∅             ∅            []/D
`

// ways is how every house puts irregularities right: no sheet mentions them.
const ways = `
unread-card         identify,burn,void-round
unexpected-card     next-card,burn,void-round
card-without-call   accept(dealer),next-card,burn
bank-overdraw       burn,next-round,void-round
foreign-card        void-round,accept
foreign-joker       burn
lost-cards          identify,none-drawn,void-round
payout-mismatch     corrected,accept
shoe-alarm          accept
shoe-exhausted      reload
`

// sideBets is the same for the side bets: house, bet, what, value, mark.
const sideBets = `
schaffhausen perfect-pairs bettors with-stake D
schaffhausen perfect-pairs least unit D
schaffhausen perfect-pairs most 1/10 box_max D
schaffhausen perfect-pairs step unit D
schaffhausen perfect-pairs one_per_bettor false D
schaffhausen perfect-pairs pay_at_once true D
schaffhausen perfect-pairs take_at_once true D
schaffhausen perfect-pairs perfect-pair 25:1 D
schaffhausen perfect-pairs coloured-pair 12:1 D
schaffhausen perfect-pairs mixed-pair 6:1 D

schaffhausen swiss-casinos-jack bettors seated S
schaffhausen swiss-casinos-jack least min S
schaffhausen swiss-casinos-jack most min S
schaffhausen swiss-casinos-jack step unit S
schaffhausen swiss-casinos-jack one_per_bettor true S
schaffhausen swiss-casinos-jack pay_at_once false D
schaffhausen swiss-casinos-jack take_at_once true D
schaffhausen swiss-casinos-jack jack-is-black 50:1 S
schaffhausen swiss-casinos-jack all-red 25:1 S
schaffhausen swiss-casinos-jack mix 10:1 S

schaffhausen bust bettors seated D
schaffhausen bust least unit D
schaffhausen bust most min S
schaffhausen bust step unit D
schaffhausen bust one_per_bettor false D
schaffhausen bust pay_at_once false D
schaffhausen bust take_at_once false D
schaffhausen bust bank-bust 5:2 S

wiesbaden twins bettors anybody S
wiesbaden twins least 10.00 S
wiesbaden twins most 100.00 S
wiesbaden twins step 10.00 S
wiesbaden twins box_most 200.00 S
wiesbaden twins one_per_bettor false D
wiesbaden twins pay_at_once true D
wiesbaden twins take_at_once true D
wiesbaden twins twins-joker 200:1 S
wiesbaden twins twins 11:1 S

wiesbaden crazy-twins bettors anybody S
wiesbaden crazy-twins least 10.00 S
wiesbaden crazy-twins most 100.00 S
wiesbaden crazy-twins step 10.00 S
wiesbaden crazy-twins one_per_bettor false D
wiesbaden crazy-twins pay_at_once false D
wiesbaden crazy-twins take_at_once true D
wiesbaden crazy-twins crazy-twins-joker 400:1 S
wiesbaden crazy-twins crazy-twins 22:1 S

st-moritz 3-card-wins bettors with-stake D
st-moritz 3-card-wins least min D
st-moritz 3-card-wins most box_max D
st-moritz 3-card-wins step unit D
st-moritz 3-card-wins one_per_bettor false D
st-moritz 3-card-wins pay_at_once true S
st-moritz 3-card-wins take_at_once true S
st-moritz 3-card-wins three-aces-of-spades 300:1 S
st-moritz 3-card-wins three-red-jacks 200:1 S
st-moritz 3-card-wins three-of-a-kind 50:1 S
st-moritz 3-card-wins three-black 4:1 S

st-moritz queens-trio bettors with-stake D
st-moritz queens-trio least min D
st-moritz queens-trio most box_max D
st-moritz queens-trio step unit D
st-moritz queens-trio one_per_bettor false D
st-moritz queens-trio pay_at_once true S
st-moritz queens-trio take_at_once true S
st-moritz queens-trio three-queens-of-spades 300:1 S
st-moritz queens-trio three-queens 50:1 S
st-moritz queens-trio two-queens-of-spades 20:1 S
st-moritz queens-trio two-queens 10:1 S
st-moritz queens-trio queen-of-spades 4:1 S
st-moritz queens-trio one-queen 2:1 S

mendrisio admiral-jack bettors with-stake D
mendrisio admiral-jack least min S
mendrisio admiral-jack most 2 min S
mendrisio admiral-jack step unit D
mendrisio admiral-jack one_per_bettor false S
mendrisio admiral-jack pay_at_once true D
mendrisio admiral-jack take_at_once true D
mendrisio admiral-jack blackjack 19:1 S

mendrisio progressive bettors holders S
mendrisio progressive least 5.00 S
mendrisio progressive most 5.00 S
mendrisio progressive step 5.00 S
mendrisio progressive one_per_bettor false D
mendrisio progressive pay_at_once true D
mendrisio progressive take_at_once true D
mendrisio progressive jackpot jackpot S
mendrisio progressive suited-ace-king 250.00 S
mendrisio progressive coloured-ace-king 200.00 S
mendrisio progressive ace-king 100.00 S
mendrisio progressive blackjack 20.00 S
`

// TestHousesAreTheirSheets compares every value of every built-in profile with the
// tables above, and the mark with what the profile's comment says.
func TestHousesAreTheirSheets(t *testing.T) {
	want := sideBetCells()
	maps.Copy(want, mainGameCells())
	maps.Copy(want, wayCells())
	for name, r := range profile.Built() {
		for path, value := range r.Values() {
			if path == "house" || path == "title" || strings.HasSuffix(path, ".bet") ||
				strings.HasSuffix(path, ".line") {
				continue // names
			}
			key := name + " " + readable(r, path)
			got := unspaced.Replace(value) + "/" + mark(r.Origin(path).Text)
			if want[key] != got {
				t.Errorf("%s: the profile has %s, the sheet %s", key, got, want[key])
			}
			delete(want, key)
		}
	}
	for key, cell := range want {
		t.Errorf("%s: the profile has nothing, the sheet %s", key, cell)
	}
}

// mainGameCells returns "house rule" → "value/mark".
func mainGameCells() map[string]string {
	cells := map[string]string{}
	var houses []string
	for line := range strings.Lines(strings.TrimSpace(mainGame)) {
		row := strings.Fields(line)
		if row[0] == "rule" {
			houses = row[1:]
			continue
		}
		for i, cell := range row[1:] {
			if cell != "∅" {
				cells[houses[i]+" "+row[0]] = cell
			}
		}
	}
	return cells
}

// unspaced writes lists and marks of one value without spaces.
var unspaced = strings.NewReplacer(", ", ",", " (", "(")

func wayCells() map[string]string {
	cells := map[string]string{}
	for line := range strings.Lines(strings.TrimSpace(ways)) {
		row := strings.Fields(line)
		for house := range profile.Built() {
			cells[house+" irregularities."+row[0]] = row[1] + "/D"
		}
	}
	return cells
}

// sideBetCells returns "house bet what" → "value/mark". The 6:5 tables have the side
// bets of the other tables.
func sideBetCells() map[string]string {
	cells := map[string]string{}
	for line := range strings.Lines(sideBets) {
		row := strings.Fields(line)
		if len(row) == 0 {
			continue
		}
		last := len(row) - 1
		cell := strings.Join(row[3:last], " ") + "/" + row[last]
		cells[strings.Join(row[:3], " ")] = cell
		if row[0] == "st-moritz" {
			cells["st-moritz-65 "+strings.Join(row[1:3], " ")] = cell
		}
	}
	return cells
}

// readable writes a path inside a side bet as "bet what".
func readable(r *profile.House, path string) string {
	bet, line := placeOf(r, path)
	switch {
	case bet == nil:
		return path
	case line != nil:
		return bet.Bet.String() + " " + line.Line.String()
	}
	return bet.Bet.String() + " " + path[strings.LastIndex(path, ".")+1:]
}

func mark(source string) string {
	switch {
	case strings.HasPrefix(source, "decision"):
		return "D"
	case source == "not on the sheet", source == "not played here":
		return "-"
	}
	return "S"
}

// headings are the parts of each sheet that a profile may name.
var headings = map[string][]string{
	"schaffhausen": {
		"Begriffe", "Gewinnmöglichkeiten", "Spielablauf", "Spielfeld", "Spielregeln", "Sonstiges", "Surrender",
		"Swiss Casinos Jack", "Zusatzwette Perfect Pairs",
	},
	"wiesbaden": {"clause ", "Wiesbadener Joker Jack", "additional games", "Twins", "Crazy-Twins"},
	"st-moritz": {
		"Assicurazione", "Carte", "Divisione", "I giocatori", "Le regole del gioco", "Le vincite",
		"Puntata supplementare 3 Card Wins",
		"Puntata supplementare Queens Trio", "Raddoppio", "Regola dei tre 7", "Tabella 3 Card Wins",
		"Tabella Tris di regine",
	},
	"st-moritz-65": {"Blackjack bonus", "Varianti di gioco"},
	"mendrisio": {
		"3个7的手牌", "Admiral Jack", "the first paragraph", "保险", "分牌", "加倍下注", "操作方式", "规则", "赔付表", "赔彩",
		"黑杰克", "黑杰克累积奖金",
	},
	"baden": {
		"Auszahlung", "Black Jack", "Weitere Karten für den Boxeninhaber", "Weitere Karten für die Bank",
		"Weiterer Spielablauf",
	},
}

// TestEveryValueHasASource: every value of a built-in profile names a part of its house's
// sheet, or says that there is none.
func TestEveryValueHasASource(t *testing.T) {
	for name, r := range profile.Built() {
		for path := range r.Values() {
			if path == "house" || path == "title" {
				continue
			}
			from := r.Origin(path)
			known := append([]string{"decision", "not on the sheet", "not played here", "the sheet's title"},
				headings[from.House]...)
			if !slices.ContainsFunc(known, func(k string) bool { return strings.HasPrefix(from.Text, k) }) {
				t.Errorf("%s: %s comes from %q, which is not a part of the sheet of %q", name, path, from.Text,
					from.House)
			}
		}
	}
}

func TestOriginOfAnExtendingHouse(t *testing.T) {
	r := profile.Built()["st-moritz-65"]
	for path, want := range map[string]profile.Origin{
		"pays.black_jack":           {House: "st-moritz-65", Text: "Varianti di gioco"},
		"pays.win":                  {House: "st-moritz", Text: "Le vincite"},
		"side_bets[1].pays[5].pays": {House: "st-moritz", Text: "Tabella Tris di regine"},
		"title":                     {House: "st-moritz-65"},
		"jackpot.seed":              {},
	} {
		if got := r.Origin(path); got != want {
			t.Errorf("%s comes from %+v, want %+v", path, got, want)
		}
	}
}

// TestFingerprintsStay: journals name the rules by their fingerprints, so these change with
// the values of a profile and never with the program.
func TestFingerprintsStay(t *testing.T) {
	for house, want := range map[string]string{
		"baden":        "63c8c73e5224d7a7c7caf4730178802200e68c6ced4d5a7f7adde86499184ef2",
		"mendrisio":    "76b0b3bcd7c7b3c839f6943e80c2a13ea3842cc2b996e8479daecd15966f30eb",
		"schaffhausen": "66baecc7cff4c15ff35599d3e81fc7cea30e6b1d0163f57fb85e71cd7a6f735c",
		"st-moritz":    "3464eff05545d8a3bb45c10eaf7570cdbe5d295a546ac4cc3032ced9c3530c94",
		"st-moritz-65": "e3e33e1c3b68d14ac8df391f1dd2ef09bc5bd2264a32a27535fba2acea0dc390",
		"wiesbaden":    "b3f0a2b769d487bd5249d75ea74bafb59f3eee8337f410141a3794e6b2f84874",
	} {
		if got := profile.Built()[house].Fingerprint; got != want {
			t.Errorf("the fingerprint of %s is %s, and was %s", house, got, want)
		}
	}
}
