package touch

import (
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/vocab"
)

// AskWho is the question that Who answers.
func AskWho(call string) display.Message {
	return display.Message{Key: "ask.who", Args: []display.Arg{{Name: "call", Keys: []string{"call." + call}}}}
}

// Who are the answers to who of a hand's bettors a call is for. To a double or a split
// the holder belongs always; who surrenders leaves alone.
func Who(v display.View, call string) []Key {
	c, ok := vocab.ParseCall(call)
	names := display.OnDueHand(v)
	if !ok || len(names) == 0 {
		return nil
	}
	keys := joining(c, names)
	if c == vocab.CallSurrender {
		keys = each(c, names)
	}
	for i := range min(len(keys), 9) {
		keys[i].Shortcut = strconv.Itoa(i + 1)
	}
	return keys
}

// each has a key for every bettor alone.
func each(c vocab.Call, names []string) []Key {
	var keys []Key
	for _, name := range names {
		keys = append(keys, answer(c, name))
	}
	return keys
}

// mostApart is up to how many co-players every choice among them has a key of its own.
// Beyond, there are keys for all, for each alone, and for none.
const mostApart = 3

// joining has keys for the holder with all, some or none of the others: all first,
// since it is what happens most.
func joining(c vocab.Call, names []string) []Key {
	holder, others := names[0], names[1:]
	all := answer(c, names...)
	all.Name, all.Label = "all", display.Message{Key: "word.all"}
	keys := append(make([]Key, 0, 8), all)
	if len(others) > mostApart {
		for _, one := range others {
			keys = append(keys, answer(c, holder, one))
		}
		return append(keys, answer(c, holder))
	}
	for set := 1; set < 1<<len(others)-1; set++ {
		some := append(make([]string, 0, len(names)), holder)
		for i, name := range others {
			if set>>i&1 == 1 {
				some = append(some, name)
			}
		}
		keys = append(keys, answer(c, some...))
	}
	return append(keys, answer(c, holder))
}

// answer is the call for some of a hand's bettors, whose names it keeps.
func answer(c vocab.Call, names ...string) Key {
	in := vocab.Input{Kind: vocab.InCall, Call: c, Bettors: names}
	return Key{
		Name: strings.Join(names, "+"), Kind: Call, Put: []vocab.Input{in},
		Label: display.Message{Key: "ask.names", Args: []display.Arg{{Name: "names", Text: strings.Join(names, " + ")}}},
	}
}
