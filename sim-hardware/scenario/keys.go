package scenario

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/sabot-table/sabot/sim-hardware/keysim"
)

// usualPress is how long a finger stays on a key.
const usualPress = 100 * time.Millisecond

// keyVerbs are the steps that happen to the dealer's keys.
var keyVerbs = map[string]verb{
	"press": atKey("KEY [for TIME]", parsePress, func(b *keysim.Bank, key int, s *Step) {
		b.Press(key, cmp.Or(s.For, usualPress))
	}).hand("Key {key}: pressed"),
	"hold":    oneKey((*keysim.Bank).Hold).hand("Key {key}: held down"),
	"release": oneKey((*keysim.Bank).Release).hand("Key {key}: released"),
	"stick":   oneKey((*keysim.Bank).Stick).hand("Key {key}: sticks"),
	"free":    oneKey((*keysim.Bank).Free).told("Key {key}: comes up again"),
	"spark":   oneKey((*keysim.Bank).Spark).hand("Key {key}: touched too briefly"),
	"chatter": atKey("KEY for TIME", parseChatter, func(b *keysim.Bank, key int, s *Step) {
		b.Chatter(key, s.For)
	}).hand("Key {key}: its wire is loose"),
	"bounce": of("TIME, or off", parseSpanOrOff, writeSpanOrOff, (*player).bounce).
		told("Keys bounce for {for}").orBare("Keys do not bounce"),
}

// oneKey is a step that has a key and nothing else.
func oneKey(do func(b *keysim.Bank, key int)) verb {
	return atKey("KEY", parseKey, func(b *keysim.Bank, key int, _ *Step) { do(b, key) })
}

// atKey is a step that happens to a key.
func atKey(args string, parse parsing, do func(b *keysim.Bank, key int, s *Step)) verb {
	return of(args, parse, writePress, func(p *player, s *Step) error {
		key, err := p.on.contact(s.Key)
		if err != nil {
			return err
		}
		do(p.on.Panel, key, s)
		return nil
	})
}

func (p *player) bounce(s *Step) error {
	if p.on.Panel == nil {
		return errNoKeys
	}
	p.on.Panel.Bounce(s.For)
	return nil
}

// parseKey takes any name: which keys there are depends on the panel.
func parseKey(s *Step, args []string) (err error) {
	s.Key, err = one(args)
	return err
}

func parsePress(s *Step, args []string) error {
	if len(args) < 2 {
		return parseKey(s, args)
	}
	return parseChatter(s, args)
}

func parseChatter(s *Step, args []string) (err error) {
	switch {
	case len(args) == 0:
		return errMissing
	case len(args) != 3 || args[1] != "for":
		return fmt.Errorf("%q is not understood", strings.Join(args, " "))
	}
	s.Key = args[0]
	s.For, err = parseTime(args[2])
	return err
}

func writePress(s *Step) []string {
	if s.For == 0 {
		return []string{s.Key}
	}
	return []string{s.Key, "for", s.For.String()}
}
