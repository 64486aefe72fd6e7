package simtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

func step(dice *rand.Rand) Args {
	return Args{"by=" + pick(dice, "-1s", "-1h0m0s", "-24h0m0s", "1s", "1h0m0s", "48h0m0s", "-720h0m0s")}
}

// step sets the wall clock.
func (w *World) step(by time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shift += by
	w.shifts = append(w.shifts, w.shift)
}

func limits(dice *rand.Rand) Args { return Args{fmt.Sprint("box-max=", pick(dice, 0, 30000, 70000))} }

// configure changes the configuration, which the table reads at its next start.
func (w *World) configure(boxMax int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.boxMax = boxMax
}

func (w *World) wrong(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.next[what] = true
}

// presses are keys that somebody may press at a wrong moment.
var presses = map[string]vocab.Input{
	"card":      {Kind: vocab.InCall, Call: vocab.CallCard},
	"rest":      {Kind: vocab.InCall, Call: vocab.CallRest},
	"double":    {Kind: vocab.InCall, Call: vocab.CallDouble},
	"split":     {Kind: vocab.InCall, Call: vocab.CallSplit},
	"surrender": {Kind: vocab.InCall, Call: vocab.CallSurrender},
	"higher":    {Kind: vocab.InCall, Call: vocab.CallHigher},
	"no-more":   {Kind: vocab.InCall, Call: vocab.CallInsuranceClosed},
	"undo":      {Kind: vocab.InUndo},
	"open":      {Kind: vocab.InOpen},
	"close":     {Kind: vocab.InClose},
	"paid":      {Kind: vocab.InPaid},
	"underpaid": {Kind: vocab.InPaid, Box: 1, Amount: 1, Stated: true},
	"stake":     {Kind: vocab.InStake, Box: 2, Bettor: "late", Amount: 1000, Stated: true, Wager: vocab.WagerMain},
	"note":      {Kind: vocab.InNote, Code: "a note", By: "somebody"},
	"dealer":    {Kind: vocab.InDealer, By: "d2"},
	"adjust": {
		Kind: vocab.InAdjust, PastRound: 1, Box: 1, Bettor: "a", Wager: vocab.WagerMain, Amount: 500,
		By: "somebody", Because: "dispute",
	},
	"buy-in": {Kind: vocab.InBuyIn, Amount: 1000, By: "somebody"},
	"floor": {
		Kind: vocab.InFloor, Floor: vocab.FloorCall{
			Event: vocab.FloorCalled, Wants: vocab.FloorDispute,
		}, By: "somebody",
	},
	"seen":    {Kind: vocab.InAcknowledge, Irregularity: irregularity.PayoutMismatch, By: "somebody"},
	"message": {Kind: vocab.InMessage, Message: vocab.Message{Event: vocab.MessageSeen}, By: "somebody"},
}

func press(dice *rand.Rand) Args {
	names := []string{
		"card", "rest", "double", "split", "surrender", "higher", "no-more", "undo", "undo", "open",
		"close", "paid", "underpaid", "stake", "note", "dealer", "adjust", "buy-in", "floor", "seen", "message",
	}
	keys := pick(dice, names...)
	for dice.IntN(3) == 0 {
		keys += "," + pick(dice, names...)
	}
	return Args{"keys=" + keys, "after=" + pick(dice, "0s", "1ms", "120ms", "1s")}
}

// pressWrong presses keys that are not due.
func (w *World) pressWrong(a Args) {
	var inputs []vocab.Input
	for key := range strings.SplitSeq(a.get("keys"), ",") {
		if in, ok := presses[key]; ok {
			inputs = append(inputs, in)
		}
	}
	w.besides(a.time("after"), inputs...)
}
