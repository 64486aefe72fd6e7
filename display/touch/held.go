package touch

import (
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// choices are the ways to put right what holds the round, in the house's order: the
// dealer's first, since he stands at the table.
func choices(v display.View) []Key {
	var mine, theirs []Key
	for _, with := range v.Held.Choices {
		if slices.Contains(v.Held.Dealer, with) {
			mine = append(mine, choice(v, with, vocab.Dealer))
		} else {
			theirs = append(theirs, choice(v, with, vocab.Supervisor))
		}
	}
	keys := slices.Concat(mine, theirs, exposed(v), correct(v))
	for i := range keys {
		keys[i].Shortcut = strconv.Itoa(i + 1)
	}
	return keys
}

// exposed is the key by which a supervisor lets the hole card lie open, since somebody has seen it before its time: the
// round is stopped for that first.
func exposed(v display.View) []Key {
	faceDown := slices.Contains(v.Bank.Cards, card.Down) && v.Phase != vocab.Payment
	if v.Held.Code != irregularity.HeldByHand || !faceDown {
		return nil
	}
	return []Key{{
		Name: "exposed", Label: display.Message{Key: "key.exposed"}, Note: display.Message{Key: "effect.exposed"},
		Kind: Theirs, Opens: AsksPIN(v), Put: []vocab.Input{{
			Kind: vocab.InHole, Hole: vocab.HoleExposed, Role: vocab.Supervisor, By: unproven(v),
		}},
	}}
}

// loadsDue is the key by which the dealer says that the shoe was loaded that is due, which lets the table go on.
func loadsDue(v display.View) []Key {
	if v.Held.Code != irregularity.ShoeDue {
		return nil
	}
	loaded := step("loaded")
	loaded.Opens, loaded.Kind, loaded.Note = OpensLoaded, Choice, display.Message{Key: "effect.loaded"}
	return []Key{loaded}
}

func choice(v display.View, with irregularity.Choice, role vocab.Role) Key {
	k := Key{
		Name: with.String(), Label: display.Message{Key: "choice." + with.String()},
		Note: display.Effect(v, with), Kind: Choice,
	}
	in := vocab.Input{Kind: vocab.InResolve, With: with, Role: role, By: role.String()}
	if role == vocab.Supervisor {
		k.Kind, in.By = Theirs, unproven(v)
	}
	if with == irregularity.Identify {
		k.Opens = OpensCards
	} else {
		k.Put = []vocab.Input{in}
	}
	if k.Kind == Theirs && k.Opens == "" { // a card is named first
		k.Opens = AsksPIN(v)
	}
	return k
}

// unproven is the name that goes into the record where nobody proves who he is.
func unproven(v display.View) string {
	if v.Supervisor == nil || v.Supervisor.Proof == authority.None {
		return vocab.Supervisor.String()
	}
	return ""
}

// lacksProof says whether a supervisor must be proven for what is theirs to choose.
func lacksProof(v display.View) bool { return v.Supervisor != nil && v.Supervisor.Needs != 0 }

// AsksPIN is what a key that is complete opens before it puts in what only a supervisor may: the pad for a PIN, with
// which it is put in, or "" where nobody has to be proven.
func AsksPIN(v display.View) string {
	if lacksProof(v) {
		return OpensPIN
	}
	return ""
}

// Proves says whether a screen must be able to ask for a supervisor now: while he
// could do something, and is not proven there. A turned key proves at the table's own screens alone.
func Proves(v display.View) bool {
	theirs := func(k Key) bool { return k.Kind == Theirs }
	elsewhere := v.Supervisor != nil && v.Supervisor.Key && v.Supervisor.Proof == authority.PINOrKey
	return (lacksProof(v) || elsewhere) && (supervises(v) || len(Alerts(v)) > 0 || v.Held != nil &&
		slices.ContainsFunc(choices(v), theirs))
}
