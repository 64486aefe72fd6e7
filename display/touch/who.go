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

// Joins is one of the bettors whom an answer is about, with the stake that lies on the hand:
// display.Unstated for a mark.
type Joins struct {
	Name   string
	Holder bool
	Amount int64
}

// Who are the answers to who of a hand's bettors a call is for. The holder is always part of
// a double or a split; who surrenders leaves alone.
func Who(v display.View, call string) []Key {
	c, ok := vocab.ParseCall(call)
	bettors := onDueHand(v)
	if !ok || len(bettors) == 0 {
		return nil
	}
	keys := joining(c, bettors)
	if c == vocab.CallSurrender {
		keys = oneByOne(c, bettors)
	}
	for i := range min(len(keys), 9) {
		keys[i].Shortcut = strconv.Itoa(i + 1)
	}
	return keys
}

// onDueHand are the bettors of the hand that is due, the holder first.
func onDueHand(v display.View) []Joins {
	var all []Joins
	for _, line := range display.LinesOnDueHand(v) {
		all = append(all, Joins{line.Bettor, line.Holder, line.Amount})
	}
	return all
}

// oneByOne has a key for every bettor alone.
func oneByOne(c vocab.Call, bettors []Joins) []Key {
	var keys []Key
	for _, one := range bettors {
		keys = append(keys, answer(c, one))
	}
	return keys
}

// mostApart is up to how many co-players every choice among them has a key of its own.
// Beyond, there are keys for all, for each alone, and for none.
const mostApart = 3

// joining has keys for the holder with all, some or none of the others: all first,
// since it is what happens most.
func joining(c vocab.Call, bettors []Joins) []Key {
	holder, others := bettors[0], bettors[1:]
	all := answer(c, bettors...)
	all.Name = "all"
	keys := append(make([]Key, 0, 8), all)
	if len(others) > mostApart {
		for _, one := range others {
			keys = append(keys, answer(c, holder, one))
		}
		return append(keys, answer(c, holder))
	}
	for set := 1; set < 1<<len(others)-1; set++ {
		some := append(make([]Joins, 0, len(bettors)), holder)
		for i, one := range others {
			if set>>i&1 == 1 {
				some = append(some, one)
			}
		}
		keys = append(keys, answer(c, some...))
	}
	return append(keys, answer(c, holder))
}

// answer is the call for some of a hand's bettors, whom it keeps.
func answer(c vocab.Call, bettors ...Joins) Key {
	names := make([]string, len(bettors))
	for i, one := range bettors {
		names[i] = one.Name
	}
	in := vocab.Input{Kind: vocab.InCall, Call: c, Bettors: names}
	return Key{
		Name: strings.Join(names, "+"), Kind: Call, Put: []vocab.Input{in}, For: bettors,
		Label: display.Message{
			Key:  "ask.names",
			Args: []display.Arg{{Name: "names", Text: strings.Join(names, " + ")}},
		},
	}
}
