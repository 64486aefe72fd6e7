package touch

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Alerts are the keys by which a supervisor says that an alert was seen, one for each
// that nobody has acknowledged. The table goes on meanwhile, so they mean the same at
// any moment.
func Alerts(v display.View) []Key {
	var keys []Key
	for _, a := range v.Alerts {
		if a.AcknowledgedBy != "" {
			continue
		}
		keys = append(keys, seen(v, a.Code))
	}
	return keys
}

// seen is the key by which an alert is acknowledged: at once, or with the PIN for which
// it asks.
func seen(v display.View, code irregularity.Code) Key {
	k := Key{
		Name: Seen(code), Label: display.Message{Key: "key.seen"}, Kind: Step,
		Put: []vocab.Input{{Kind: vocab.InAcknowledge, Irregularity: code, By: unproven(v)}},
	}
	k.Opens = AsksPIN(v)
	return k
}

// Seen is the name of the key by which an alert is acknowledged.
func Seen(code irregularity.Code) string { return "seen-" + code.String() }

// dealer is the key by which dealers take turns: between two rounds, at a table that
// knows its people. Where no round is opened before a dealer is proven, it stands in the place
// of the key that opens one.
func dealer(v display.View) []Key {
	if v.Supervisor == nil || v.Phase != vocab.Idle || v.LacksDealer() && !v.Opening.Closed {
		return nil
	}
	return []Key{signIn(v)}
}

func signIn(v display.View) Key {
	k := Key{Name: "dealer", Label: display.Message{Key: "key.sign-in"}, Kind: Back, Opens: OpensDealer, Shortcut: "e"}
	if v.Dealers != nil && v.Dealers.Proof.Required() {
		k.Opens = OpensRelief
	}
	if v.Shift.Dealer != "" {
		k.Label = display.Message{Key: "key.dealer", Args: []display.Arg{{Name: "name", Text: v.Shift.Dealer}}}
	}
	return k
}
