package table_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestCarryAsText: what a table carries over survives being written down.
func TestCarryAsText(t *testing.T) {
	var tab table.Table
	tab.Step(tabletest.SetUp(rules.Setup{House: "mendrisio", Jackpot: 100_000}))
	const lines = `open; stake 1 a 20; stake 2 b 20; stake 1 a 5 progressive; close
		TS TC 7D 9H 9H
		rest; rest
		?? 3S
		dealer d7 late
		resolve identify TC
		resolve next-round
		paid
		shoe cut-card
		shoe alarm cover
		resolve accept`
	if _, err := tabletest.Play(&tab, lines); err != nil {
		t.Fatal(err)
	}
	const want = `{"round":1,"waiting":["3S"],"shoe":{"Offline":false,"CutCard":true},` +
		`"seen":"3S=1 TS=1 9H=2 7D=1 TC=2","jackpot":100350,"alerts":[` +
		`{"code":"unread-card","round":1,"raised":0,"times":1,"standing":0,"with":"identify","by":"s1"},` +
		`{"code":"bank-overdraw","round":1,"raised":0,"times":1,"standing":0,"with":"next-round","by":"s1"},` +
		`{"code":"shoe-alarm","round":1,"raised":0,"times":1,"standing":0,"with":"accept","by":"s1"}],"dealer":"d7","shift":"late","counts":[` +
		`{"code":"bank-overdraw","count":1},{"code":"shoe-alarm","count":1}]}`
	text, err := json.Marshal(tab.Carry())
	if err != nil || string(text) != want {
		t.Fatalf("the table carries\n%s (%v), want\n%s", text, err, want)
	}
	var carry table.Carry
	if err := json.Unmarshal(text, &carry); err != nil {
		t.Fatal(err)
	}
	resumed := table.Resume(tab.Rules(), carry)
	if again, err := json.Marshal(resumed.Carry()); err != nil || string(again) != want {
		t.Errorf("resumed it carries\n%s (%v)", again, err)
	}
	if got := resumed.Waiting(); len(got) != 1 || got[0] != card.Of(3, card.Spades) {
		t.Errorf("waiting are %v", got)
	}
	if resumed.Round() != 1 || resumed.Shoe() != tab.Shoe() || resumed.Jackpot() != 100_350 || !resumed.Settled() {
		t.Errorf("resumed is round %d, shoe %+v, jackpot %d, settled %t", resumed.Round(), resumed.Shoe(),
			resumed.Jackpot(), resumed.Settled())
	}
	if out, left := resumed.Dealt(); out != 7 || left != 6*52-7 {
		t.Errorf("resumed has %d cards out of the shoe and %d in it", out, left)
	}
}

// TestCarriedInputsSayTheSame: what the inputs of a round say is carried over, in every field, but for when and from
// where they came, and for seals.
func TestCarriedInputsSayTheSame(t *testing.T) {
	for in := range tabletest.FilledInputs(rand.New(rand.NewPCG(3, 1))) {
		if in.Call == vocab.CallSurrender && in.Bettor == "" {
			in.Box = 0 // nobody asks for it
		}
		text, err := json.Marshal(table.CarriedOver(&in))
		var list []table.Carried
		if err == nil {
			err = json.Unmarshal(text, &list)
		}
		in.Time, in.Origin = 0, nil
		if in.Kind == vocab.InHole || in.Kind == vocab.InCard || in.Card == card.Down {
			in.Code = ""
		}
		for i := range list {
			if got := list[i].Inputs(); !reflect.DeepEqual(got, []vocab.Input{in}) {
				t.Fatalf("%s are\n     %+v\nwant %+v", text, got, in)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestSetupIsAFreshShoe: the cut card goes with the old one; the line's state does not.
func TestSetupIsAFreshShoe(t *testing.T) {
	var tab table.Table
	setup := tabletest.SetUp(rules.Setup{House: "wiesbaden"})
	tab.Step(setup)
	tab.Step(&vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeCutCard}})
	tab.Step(&vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeWentOffline}})
	tab.Step(setup)
	if got, want := tab.Shoe(), (table.ShoeState{Offline: true}); got != want {
		t.Errorf("after a setup the shoe is %+v, want %+v", got, want)
	}
	tab.Step(&vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeCutCard}})
	tab.Step(&vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeLoaded}})
	if tab.Shoe().CutCard {
		t.Error("a loaded shoe still has its cut card out")
	}
}

// TestDoubtOutlastsARestart: what makes the record doubtful holds the table also after a
// restart between two rounds, and after a set-up.
func TestDoubtOutlastsARestart(t *testing.T) {
	var tab table.Table
	if _, err := tabletest.Play(&tab, "storage new missing; storage behind; storage differs record-9"); err != nil {
		t.Fatal(err)
	}
	tab.Step(tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	if tab.Rejected() != 0 || !tab.Settled() {
		t.Fatalf("the set-up was refused: %q, settled %t", tab.Rejected(), tab.Settled())
	}
	text, err := json.Marshal(tab.Carry())
	if err != nil {
		t.Fatal(err)
	}
	var carry table.Carry
	if err := json.Unmarshal(text, &carry); err != nil {
		t.Fatal(err)
	}
	const lines = "open; resolve accept; open; resolve accept; open; resolve accept; open"
	resumed := table.Resume(tab.Rules(), carry)
	want, err := tabletest.Play(&tab, lines)
	if err != nil {
		t.Fatal(err)
	}
	got, err := tabletest.Play(resumed, lines)
	if err != nil || got != want || strings.Count(got, "round-held") != 3 {
		t.Errorf("after a restart\n%s(%v)\nwithout\n%s", got, err, want)
	}
	if a, b := slices.Collect(tab.Alerts), slices.Collect(resumed.Alerts); !slices.Equal(a, b) || len(a) != 3 {
		t.Errorf("alerts are %+v, after a restart %+v", a, b)
	}
}

// TestCardBehindADoubt: what came while the record was in doubt lies there as before when
// a later key press is taken back.
func TestCardBehindADoubt(t *testing.T) {
	var tab table.Table
	tab.Step(tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	const lines = `open; stake 1 a 20; stake 2 b 20; close; TS 9S 6D 2H 7H
		storage touched; 3C; resolve accept
		resolve burn`
	if _, err := tabletest.Play(&tab, lines); err != nil {
		t.Fatal(err)
	}
	cards := slices.Clone(tab.Hand(1, 1).Cards)
	if said, err := tabletest.Play(&tab, "rest; undo"); err != nil || !strings.Contains(said, "undone") {
		t.Fatalf("%s%v", said, err)
	}
	if after := tab.Hand(1, 1); !slices.Equal(after.Cards, cards) || len(tab.Aside()) != 1 {
		t.Errorf("the hand was %v and is %v, aside are %v", cards, after.Cards, tab.Aside())
	}
}

// TestLimitsAreResumed: limits that were announced hold for a table that is resumed with the rules of its set-up.
func TestLimitsAreResumed(t *testing.T) {
	var tab table.Table
	tab.Step(tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	house := tab.Rules()
	if _, err := tabletest.Play(&tab, "limits min=50 box_max=1000 by=anna"); err != nil {
		t.Fatal(err)
	}
	resumed := table.Resume(house, tab.Carry())
	if got, want := resumed.Rules().Table, tab.Rules().Table; got.Min != want.Min || got.BoxMax != want.BoxMax ||
		got.Min == house.Table.Min {
		t.Errorf("resumed it has limits of %d and %d, not %d and %d", got.Min, got.BoxMax, want.Min, want.BoxMax)
	}
}

// TestTakenBackWithTheShoeAway: a table that begins anew while its shoe is offline takes the last payment back once the
// shoe is there again, as one does that was not restarted.
func TestTakenBackWithTheShoeAway(t *testing.T) {
	var tab table.Table
	tab.Step(tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	if _, err := tabletest.Play(&tab, "open; stake 1 a 20; close; TS 9D 9H; rest; 8D; paid; shoe offline"); err != nil {
		t.Fatal(err)
	}
	resumed := table.Resume(tab.Rules(), tab.Carry())
	for name, one := range map[string]*table.Table{"as it was": &tab, "resumed": resumed} {
		if said, err := tabletest.Play(one, "undo"); err != nil || !strings.Contains(said, "no-round") {
			t.Errorf("%s, with the shoe away: %s%v", name, said, err)
		}
		if said, err := tabletest.Play(one, "shoe online; undo"); err != nil ||
			!strings.Contains(said, "undone: paid") {
			t.Errorf("%s: %s%v", name, said, err)
		}
	}
}
