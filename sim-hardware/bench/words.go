package bench

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/scenario"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/vocab"
)

// What the page says besides its template. It is only in English: it is for trainers, and for people who look for a
// fault.
const (
	sayByHand        = "The simulated dealer has taken his hands off the table: you deal"
	sayHandedBack    = "The simulated dealer is dealing again"
	sayDealerStops   = "The simulated dealer does not know how to continue, so you deal"
	sayHandsOffFirst = "the simulated dealer is dealing: touch Hands off first"
	sayScriptRuns    = "a scenario is running: stop it, or wait until it ends"
	sayScriptBegun   = "The scenario has started"
	sayScriptDone    = "The scenario has ended"
	sayScriptStopped = "The scenario was stopped"
	sayScriptFailed  = "The scenario failed"
	sayOver          = "the demonstration has ended"
	sayNoSteps       = "there is no step in it: write one per line, such as draw 7H"
	sayCableOut      = "the shoe's cable is out, and the simulated dealer cannot continue without a shoe: plug it " +
		"in first"
	sayKeysMove    = "the panel's keys are still moving: wait, then hand back"
	sayOnTheWay    = "cards are still on their way from the shoe: wait until the line is quiet, then hand back"
	sayNoChoice    = "nothing can be put right in this way now"
	sayLoaded      = "The table has been told that the shoe is loaded"
	sayTableInUse  = "somebody else practises at the table: wait until that is over"
	sayNoIncident  = "nothing has gone wrong at the table for you: begin again"
	sayNotFinished = "the round that lies on the table could not be ended: end it at the bench, and begin again"
	sayNotNoticed  = "the table has not noticed what went wrong: begin again"
	sayNotThere    = "the round did not get to where something goes wrong: end it at the bench, and begin again"
	sayNotRead     = "this cannot be read"
	sayOnlyHere    = "The bench answers only on this machine: open it as http://localhost and its port."
	sayForeign     = "the bench accepts nothing from pages of other origins"
	sayJSON        = "the bench accepts only posts of application/json"
)

func fault(what string, err error) string { return what + ": " + err.Error() }

func sayKeyDown(name string) string { return "the key " + label(name) + " is down: release it first" }

func sayNoAction(how string) string {
	return fmt.Sprintf("a finger cannot do %q", how)
}

func sayNoContact(name string) string { return fmt.Sprintf("the panel has no contact %q", name) }

func sayRefused(why vocab.Reason) string { return "the table refuses it: " + why.String() }

func sayPutRight(code, with, named string) string {
	return strings.TrimSpace(strings.Join([]string{"Put right, " + plain(code) + ":", plain(with), named}, " "))
}

// label is the page's name for a contact or an output.
func label(name string) string {
	if name == "supervisor" {
		return "Key switch"
	}
	text := plain(name)
	return strings.ToUpper(text[:min(1, len(text))]) + text[min(1, len(text)):]
}

var unhyphened = strings.NewReplacer("-", " ", "_", " ")

func plain(name string) string { return unhyphened.Replace(name) }

func sayStep(s scenario.Step) string {
	return strings.NewReplacer(
		"{count}", strconv.Itoa(s.Count), "{for}", s.For.String(), "{key}", label(s.Key), "{trouble}",
		troubles[s.Trouble],
	).Replace(s.Says())
}

// troubles are the page's names for a shoe's alarms.
var troubles = map[shoesim.Trouble]string{
	shoesim.CannotRead: "sensor", shoesim.ReversePull: "pushed back", shoesim.Overdraw: "overdrawn",
	shoesim.ForeignCard: "foreign card", shoesim.Jam: "card jam", shoesim.Cover: "lid open",
}

// doings are what was done to a key.
var doings = map[string]string{
	"down": "pressed", "press": "pressed", "long": "pressed long", "spark": "touched too briefly",
	"loose": "its wire is loose for " + looseFor.String(),
}

// sayKeys says what was done to contacts; now is the first one's state.
func sayKeys(how string, names []string, now keysim.Contact) string {
	var all []string
	for _, name := range names {
		all = append(all, label(name))
	}
	doing := doings[how]
	switch {
	case how == "turn" && boxOf(names[0]) != 0:
		doing = either(now.Closed, "chips lie on its sensor", "no chips lie on its sensor")
	case how == "turn":
		doing = either(now.Closed, "turned", "turned back")
	case how == "stick":
		doing = either(now.Stuck, "pressed, and stuck", "free again")
	}
	return strings.Join(all, " and ") + ": " + doing
}

func either(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}
