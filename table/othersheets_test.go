package table_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// byItsRules is a round of each house whose public sheet is under table/profile/testdata/sheets, and what has to come
// of it by what that house has of its own.
var byItsRules = map[string]struct{ lines, want string }{
	"bad-duerkheim": {
		"open; stake 1 a 10; close\nTS 9D 9H XX\nrest\nhole turned 8C",
		"TS to box 1: 10\n9D to the bank: 9\n9H to box 1: 19\nhole card: laid",
	},
	"bavaria":        {"open; stake 1 a 7.50", "rejected: not-a-multiple"},
	"campione-sheet": {"shoe loaded\nopen\nTS 9D 8C 7H 6S\nopen", "rejected: burn-first"},
	"casinos-austria": {
		"open; stake 1 a 10; stake 1 a 10 bust; close\nTS 6D 9H\nrest\nTC\n8D",
		"box 1 a bust 10.00: win 25.00",
	},
	"crown": {
		"open; stake 1 a 20; close\n8S TD 8H\nsplit; 6C; card; KC; 3C; double; 7C\nAD",
		"hand 2 a main 40.00: part-lost, back 20.00, bank-blackjack",
	},
	"crown-plus": {
		"open; stake 1 a 10; close\nTS 6D 9H\nrest\nAC\n5D\nTC",
		"box 1 a main 10.00: stand-off, bank-22",
	},
	"everett": {
		"open; stake 1 a 50; close\n5S 6D 4H\ndouble for=20; TC\nAC\nTD",
		"box 1 a main 70.00: win 70.00, higher-total",
	},
	"grosvenor": {
		"open; stake 1 a 10; stake 1 a 5 21-plus-3; close\n8S 9S TS",
		"box 1 a 21-plus-3 5.00: win 45.00, straight-flush",
	},
	"holland": {
		"open; stake 1 a 10; close\nAS AD KH\neven-money 1 a",
		"box 1 a main 10.00: win 10.00, even-money",
	},
	"interlaken": {
		"open; stake 1 a 10; stake 1 a 2.50 perfect-pairs; close\n8S 9D 8S",
		"perfect-pairs 2.50: win 62.50",
	},
	"italy-2018": {
		"open; stake 1 a 10; close\nTS KD 9H\ninsurance 1 a 5; insurance-closed; rest\nAC",
		"insurance 5.00: win 10.00",
	},
	"las-vegas": {
		"open; stake 1 a 15; stake 2 b 15; close\nTS AC AD 6H KC XX\ninsurance-closed\nhole no-black-jack\n" +
			"surrender a\n" +
			"hole turned 6C",
		"box 2 b main 15.00: win 18.00, blackjack",
	},
	"liechtenstein": {"open; stake 1 a 10; close\nTS 9D 6H\nsurrender a", "rejected: call-not-allowed"},
	"macau": {
		"open; stake 1 a 100; close\n6S TD 5H\ndouble; 2C\nAC",
		"main 200.00: part-lost, back 100.00, bank-blackjack",
	},
	"madeira": {
		"open; stake 1 a 10; close\nTS AD 6H\ninsurance-closed; surrender a",
		"rejected: call-not-allowed",
	},
	"middelkerke": {
		"open; stake 1 a 10; close\nTS 9D 2H\nsurrender a",
		"box 1 a main 10.00: surrender, back 5.00",
	},
	"olympic-sheet": {"open; stake 1 a 5; close\nAS 7D TH", "win 7.00 (half a chip on the line), blackjack"},
	"ontario": {
		"open; stake 1 a 10; stake 2 b 10; stake 1 a 5 blazing-7s; close\n7S TS 7C 7S TH\nrest; rest\nTC",
		"box 1 a blazing-7s 5.00: win 1000.00, coloured-777",
	},
	"potsdam-sheet": {"open; stake 1 a 3", "rejected: not-a-multiple"},
	"queensland": {
		"open; stake 1 a 10; close\n8S TD 8H\nsplit; 2C; rest; KC; rest\nAC",
		"hand 2 a main 10.00: stand-off, original-bets",
	},
	"rogaska": {"open; stake 1 a 10; close\n5S 9D 6H\nrest", "rejected: call-not-allowed"},
	"uk-2007": {"open; stake 1 a 10; close\nTS 9D KH\nsplit", "rejected: call-not-allowed"},
	"venezia": {"open; stake 1 a 10; stake 1 b 10; stake 1 c 10\nstake 1 d 10", "rejected: box-full"},
}

// TestOtherHousesSheets: the sheets of other houses can be played as their files have them. A round of each comes to
// what its rules say, and the second book agrees with many.
func TestOtherHousesSheets(t *testing.T) {
	files, err := filepath.Glob("profile/testdata/sheets/*.yaml")
	if err != nil || len(files) != len(byItsRules) {
		t.Fatalf("%d sheets, and %d of them have a round: %v", len(files), len(byItsRules), err)
	}
	for nth, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			house, err := profile.Built().Parse(file, text)
			if err != nil {
				t.Fatal(err)
			}
			var tab table.Table
			tab.Step(&vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: name}, Rules: house.Rules})
			round := byItsRules[name]
			said, err := tabletest.Play(&tab, round.lines)
			if err != nil || !strings.Contains(said, round.want) {
				t.Errorf("want %q, and it said (%v):\n%s", round.want, err, said)
			}
			if err := playDrawn(house, rand.New(rand.NewPCG(uint64(nth), 36)), 40); err != nil {
				t.Error(err)
			}
		})
	}
}
