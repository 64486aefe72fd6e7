package touch_test

import (
	"slices"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// offering is a table of a house with a hole card and an early surrender.
func offering(t *testing.T, lines string) (*table.Table, display.View) {
	t.Helper()
	house, err := profile.WhatIf(profile.Built()["schaffhausen"], []string{"bank.hole_card=ace-and-ten"})
	if err != nil {
		t.Fatal(err)
	}
	return of(t, house, lines)
}

// of is a table of a house after lines.
func of(t *testing.T, house *profile.House, lines string) (*table.Table, display.View) {
	t.Helper()
	var tab table.Table
	tab.Step(&vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: house.House}, Rules: house.Rules})
	if _, err := tabletest.Play(&tab, lines); err != nil {
		t.Fatal(err)
	}
	return &tab, display.From(&tab, "BJ 4", 1)
}

// TestSurrenderBeforeTheLook: under a ten, where nobody insures, a touch of a box gives it up, or asks who of several.
func TestSurrenderBeforeTheLook(t *testing.T) {
	tab, v := offering(t, "open; stake 1 a 20; stake 2 b 20; stake 2 c 10; stake 3 d 10; close\n"+
		"TS TC AS TD 6H 6S KS XX")
	prompt := display.Prompt(v)
	if say := display.English.Say(prompt.Headline) + display.English.Say(prompt.Detail); say !=
		"Surrender?Each bettor alone – then press Offer closed" {
		t.Errorf("the dealer reads %q", say)
	}
	if keys := touch.Keys(v); len(keys) == 0 || keys[len(keys)-1].Label.Key != "key.offer-closed" {
		t.Errorf("the keys are %+v", keys)
	}
	alone, ok := touch.OnBox(v, v.Boxes[0])
	if !ok || alone.Label.Key != "key.offer" || len(alone.Put) != 1 || alone.Put[0].Call != vocab.CallSurrender {
		t.Errorf("box 1 puts in %+v", alone)
	}
	if several, ok := touch.OnBox(v, v.Boxes[1]); !ok || several.Opens != "tray-2" {
		t.Errorf("box 2 opens %+v", several)
	}
	if jack, ok := touch.OnBox(v, v.Boxes[2]); ok {
		t.Errorf("a Black Jack surrenders: %+v", jack)
	}
	if _, err := panel.Input(v, panel.Surrender); err == nil {
		t.Error("a panel's key means one of three bettors")
	}
	for _, in := range []vocab.Input{
		alone.Put[0], {Kind: vocab.InCall, Call: vocab.CallSurrender, Box: 2, Bettor: "b"},
	} {
		if tab.Step(&in); tab.Rejected() != 0 {
			t.Fatalf("%+v is refused: %s", in, tab.Rejected())
		}
	}
	v = display.From(tab, "BJ 4", 1)
	if in, err := panel.Input(v, panel.Surrender); err != nil || in.Box != 2 || in.Bettor != "c" {
		t.Errorf("the panel's key means %+v, %v", in, err)
	}
	tray, _ := touch.TrayOn(v, v.Boxes[1])
	taken := func(g touch.Guest) bool { return g.Wagers[0].Taken }
	if len(tray.Guests) != 2 || !taken(tray.Guests[0]) || taken(tray.Guests[1]) {
		t.Errorf("the tray of box 2 is %+v", tray)
	}
}

// TestChipsBeforeTheLook: what is paid at once is asked for before the dealer looks, too, where nothing was offered.
// Who looks has gone on, and may still pay it by a touch of the box.
func TestChipsBeforeTheLook(t *testing.T) {
	tab, v := of(t, tabletest.Book()["hole"],
		"open; stake 1 a 20; stake 1 a 5 perfect-pairs; stake 2 b 20; close\n8S TC TD 8H JH XX")
	var names []string
	for _, k := range touch.Keys(v) {
		names = append(names, k.Name)
	}
	now, asked := display.Asked(v)
	if v.Due.To != vocab.ToLook || !asked || now.Amount != 3000 || !slices.Contains(names, "now") ||
		!slices.Contains(names, "look") {
		t.Errorf("at %s the dealer is asked for %+v by the keys %q", v.Due.To, now, names)
	}
	look := vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleNoBlackJack}
	if tab.Step(&look); tab.Rejected() != 0 {
		t.Fatal(tab.Rejected())
	}
	v = display.From(tab, "BJ 4", 1)
	if _, asked := display.Asked(v); asked {
		t.Error("who has looked is still asked")
	}
	if now, may := display.AskedOn(v, v.Boxes[0]); !may || now.Amount != 3000 {
		t.Errorf("a touch of the box pays %+v", now)
	}
}

// TestSurrenderBesideInsurance: against an ace a box's tray has both, and who has surrendered insures no more.
func TestSurrenderBesideInsurance(t *testing.T) {
	_, v := offering(t, "open; stake 1 a 20; stake 2 b 20; close\nTS TC AD 6H 6S XX\nsurrender a box=1")
	if say := display.English.Say(display.Prompt(v).Detail); say != "Insurance or Surrender?" {
		t.Errorf("beside what is given back the dealer reads %q", say)
	}
	tray, _ := touch.TrayOn(v, v.Boxes[1])
	for _, w := range tray.Guests[0].Wagers {
		if w.Key.Put == nil || w.Why.Key != "" {
			t.Errorf("box 2 may not take %+v", w)
		}
	}
	if n := len(tray.Guests[0].Wagers); n != 2 {
		t.Errorf("box 2 may take %d", n)
	}
	if tray, ok := touch.TrayOn(v, v.Boxes[0]); !ok || tray.Guests[0].Wagers[0].Why.Key != "stakes.surrendered" {
		t.Errorf("box 1 has %+v", tray)
	}
}
