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
	a := answers{call: c, keys: make([]Key, 0, 8), puts: make([]vocab.Input, 0, 8)}
	if c == vocab.CallSurrender {
		a.oneByOne(bettors)
	} else {
		a.joining(bettors)
	}
	keys := a.keys
	for i := range min(len(keys), 9) {
		keys[i].Shortcut = strconv.Itoa(i + 1)
	}
	return keys
}

// onDueHand are the bettors of the hand that is due, the holder first.
func onDueHand(v display.View) []Joins {
	lines := display.LinesOnDueHand(v)
	all := make([]Joins, len(lines))
	for i, line := range lines {
		all[i] = Joins{line.Bettor, line.Holder, line.Amount}
	}
	return all
}

// answers are the keys that answer who a call is for, and what they put in.
type answers struct {
	call vocab.Call
	keys []Key
	puts []vocab.Input
}

// oneByOne has a key for every bettor alone.
func (a *answers) oneByOne(bettors []Joins) {
	for i := range bettors {
		a.add(bettors[i : i+1 : i+1])
	}
}

// mostApart is up to how many co-players every choice among them has a key of its own.
// Beyond, there are keys for all, for each alone, and for none.
const mostApart = 3

// joining has keys for the holder with all, some or none of the others: all first,
// since it is what happens most.
func (a *answers) joining(bettors []Joins) {
	holder, others := bettors[0], bettors[1:]
	a.add(bettors)
	a.keys[0].Name = "all"
	if len(others) > mostApart {
		for _, one := range others {
			a.add([]Joins{holder, one})
		}
	} else {
		for set := 1; set < 1<<len(others)-1; set++ {
			some := append(make([]Joins, 0, len(bettors)), holder)
			for i, one := range others {
				if set>>i&1 == 1 {
					some = append(some, one)
				}
			}
			a.add(some)
		}
	}
	a.add(bettors[:1:1])
}

// add is the call for some of a hand's bettors, whom it keeps.
func (a *answers) add(bettors []Joins) {
	names := make([]string, len(bettors))
	for i, one := range bettors {
		names[i] = one.Name
	}
	a.puts = append(a.puts, vocab.Input{Kind: vocab.InCall, Call: a.call, Bettors: names})
	n := len(a.puts)
	a.keys = append(a.keys, Key{
		Name: strings.Join(names, "+"), Kind: Call, Put: a.puts[n-1 : n : n], For: bettors,
		Label: display.Message{
			Key:  "ask.names",
			Args: []display.Arg{{Name: "names", Text: strings.Join(names, " + ")}},
		},
	})
}
