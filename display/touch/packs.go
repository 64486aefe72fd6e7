package touch

import (
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/vocab"
)

// otherPacks is the key that opens the house's packs, none where the house names none. The
// same packs again need no word: the key that says that the shoe is loaded is enough.
func otherPacks(v display.View) []Key {
	if len(v.Packs) == 0 {
		return nil
	}
	return []Key{{
		Name: "packs", Label: display.Message{Key: "key.packs"}, Kind: Back, Opens: OpensPacks,
		Shortcut: "k",
	}}
}

// AskPacks is the question that Packs answers.
func AskPacks() display.Message { return display.Message{Key: "which.packs"} }

// Packs are the keys that say which packs the shoe was loaded with.
func Packs(v display.View) []Key {
	var keys []Key
	for i, name := range v.Packs {
		k := Key{
			Name: "packs-" + strconv.Itoa(i+1), Kind: Call,
			Label: display.Message{Key: "ask.names", Args: []display.Arg{{Name: "names", Text: name}}},
			Put: []vocab.Input{{
				Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeLoaded, Named: &vocab.Named{Packs: name}},
			}},
		}
		if i < 9 {
			k.Shortcut = strconv.Itoa(i + 1)
		}
		keys = append(keys, loads(v, k))
	}
	return keys
}
