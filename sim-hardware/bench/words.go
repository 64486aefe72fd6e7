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
	return strings.ToUpper(text[:1]) + text[1:]
}

var unhyphened = strings.NewReplacer("-", " ", "_", " ")

func plain(name string) string { return unhyphened.Replace(name) }

// steps are what happened at the shoe, by the scenario's verbs.
var steps = map[string]string{
	"draw": "Drawn", "unread": "Drawn, and misread", "overdraw": "Drawn, although not due", "foreign": "A foreign card",
	"cut-card": "The cut card", "reload": "Shuffled and loaded", "reverse-pull": "A card is pushed back",
	"pull": "The cable is pulled", "plug": "The cable is in", "reboot": "The shoe lost its power for a moment",
	"garbage": "Noise on the line, for a moment", "hang": "The shoe hangs for", "drip": "Bytes drip",
	"speed": "The speed of the line",
	"wait":  "Waited",
}

func sayStep(s scenario.Step) string {
	switch s.Verb {
	case "alarm":
		return "The shoe's alarm: " + troubles[s.Trouble]
	case "clear":
		return "The alarm is over: " + troubles[s.Trouble]
	case "line":
		if s.Rates == (scenario.Step{}.Rates) {
			return "The line is good"
		}
		return "The line is bad"
	case "pull":
		if s.Count > 0 {
			return "The cable will be pulled in the middle of the next message"
		}
	case "hang", "wait":
		return steps[s.Verb] + " " + s.For.String()
	case "shoe-key":
		return "Key " + strconv.Itoa(s.Count) + " at the shoe: pressed"
	case "bounce":
		return either(s.For > 0, "Keys bounce for "+s.For.String(), "Keys do not bounce")
	}
	if doing, atKey := keySteps[s.Verb]; atKey {
		return "Key " + label(s.Key) + ": " + doing
	}
	return steps[s.Verb]
}

// keySteps are what a scenario does to a key.
var keySteps = map[string]string{
	"press": "pressed", "hold": "held down", "release": "released", "stick": "sticks",
	"free": "comes up again", "spark": "touched too briefly", "chatter": "its wire is loose",
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
