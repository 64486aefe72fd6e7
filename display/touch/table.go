package touch

import (
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/vocab"
)

// AskLoaded is the question that Loaded answers, and FullShoe what comes of it.
func AskLoaded() display.Message { return display.Message{Key: "loaded.title"} }

// FullShoe says what the count becomes once the shoe is loaded.
func FullShoe(v display.View) display.Message {
	return display.Message{Key: "loaded.full", Args: []display.Arg{
		{Name: "full", Text: strconv.Itoa(v.Shoe.Dealt + v.Shoe.Left)}, {Name: "out", Text: strconv.Itoa(v.Shoe.Dealt)},
	}}
}

// Loaded are the keys that say that the shoe was loaded: a second touch, since it makes
// everything that has left the shoe forgotten.
func Loaded(v display.View) []Key {
	return []Key{loads(v, step("loaded-yes", vocab.Input{
		Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeLoaded},
	}))}
}

// loads makes a key that loads the shoe a supervisor's where the house asks for one.
func loads(v display.View, k Key) Key {
	if v.Shoe.LoadSupervised {
		return supervised(v, k)
	}
	return k
}

// LoadedEarly says that a supervisor is asked for, and why; false where none is.
func LoadedEarly(v display.View) (display.Message, bool) {
	return display.Message{Key: "loaded.early"}, v.Shoe.LoadSupervised
}

// opens is the key by which a supervisor opens a closed table.
func opens(v display.View) Key {
	return supervised(v, step("table-open", vocab.Input{
		Kind: vocab.InTable, Table: vocab.TableChange{Event: vocab.TableOpened},
		By: unproven(v),
	}))
}

// supervised makes a key a supervisor's, who is proven with it.
func supervised(v display.View, k Key) Key {
	k.Opens = AsksPIN(v)
	return k
}

// Table are the keys with which a supervisor closes the table between two rounds, or opens it
// again; none in a round. The table goes on meanwhile.
func Table(v display.View) []Key {
	switch {
	case !supervises(v):
		return nil
	case v.Opening.Closed:
		return []Key{opens(v)}
	}
	return []Key{supervised(v, step("table-close", vocab.Input{
		Kind: vocab.InTable, Table: vocab.TableChange{Event: vocab.TableClosed},
		By: unproven(v),
	}))}
}

// supervises says whether a supervisor can change something of the table itself now.
func supervises(v display.View) bool {
	return v.Phase == vocab.Idle && v.Held == nil && v.Currency != ""
}

// Limits is the key that announces other limits, complete but for their amounts, false where
// they cannot be changed now.
func Limits(v display.View) (Key, bool) {
	if !supervises(v) {
		return Key{}, false
	}
	return supervised(v, step("limits-announce", vocab.Input{Kind: vocab.InLimits, By: unproven(v)})), true
}
