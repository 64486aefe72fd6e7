package touch_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestForLess doubles for less as the screen does: whatever it offers the table takes, for the least amount and for one
// below the holder's stake, and it offers nothing in a house that doubles as a whole.
func TestForLess(t *testing.T) {
	house, err := profile.WhatIf(profile.Built()["schaffhausen"], []string{"double.for_less=unit"})
	if err != nil {
		t.Fatal(err)
	}
	var tab, usual table.Table
	tab.Step(&vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: house.House}, Rules: house.Rules})
	usual.Step(tabletest.SetUp(rules.Setup{House: "schaffhausen"}))
	dice := rand.New(rand.NewPCG(3, 36))
	player, other := &tabletest.Player{Dice: dice, Boxes: 3}, &tabletest.Player{Dice: dice, Boxes: 3}
	offered, together := 0, 0
	for range tier.Times(6000, 40000) {
		in := other.Next(&usual)
		if usual.Step(&in); len(touch.ForLess(display.From(&usual, "bj-2", 1))) > 0 {
			t.Fatal("a house that doubles as a whole offers less")
		}
		all := touch.ForLess(display.From(&tab, "bj-1", 1))
		if len(all) == 0 || dice.IntN(3) == 0 {
			in = player.Next(&tab)
			tab.Step(&in)
			continue
		}
		names := map[string]bool{}
		for _, one := range all {
			if names[one.Names] {
				t.Fatalf("%s are offered twice", one.Names)
			}
			names[one.Names] = true
		}
		one := all[dice.IntN(len(all))]
		in = one.Other
		if in.Stated, in.Amount = true, house.ForLess(); dice.IntN(2) == 0 {
			in.Amount = one.Lies - house.Step()
		}
		if tab.Step(&in); tab.Rejected() != 0 {
			t.Fatalf("%+v is refused: %s", in, tab.Rejected())
		}
		if offered++; len(in.Bettors) > 1 {
			together++
		}
	}
	if offered < 50 || together < 5 {
		t.Errorf("doubled for less %d times, %d of them together: the test shows too little", offered, together)
	}
}
