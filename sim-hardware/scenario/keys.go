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
	"press": {"KEY [for TIME]", parsePress, writePress, atKey(func(b *keysim.Bank, key int, s *Step) {
		b.Press(key, cmp.Or(s.For, usualPress))
	})},
	"hold":    oneKey((*keysim.Bank).Hold),
	"release": oneKey((*keysim.Bank).Release),
	"stick":   oneKey((*keysim.Bank).Stick),
	"free":    oneKey((*keysim.Bank).Free),
	"spark":   oneKey((*keysim.Bank).Spark),
	"chatter": {"KEY for TIME", parseChatter, writePress, atKey(func(b *keysim.Bank, key int, s *Step) {
		b.Chatter(key, s.For)
	})},
	"bounce": {"TIME, or off", parseSpanOrOff, writeSpanOrOff, (*player).bounce},
}

// oneKey is a step that has a key and nothing else.
func oneKey(do func(b *keysim.Bank, key int)) verb {
	return verb{"KEY", parseKey, writePress, atKey(func(b *keysim.Bank, key int, _ *Step) { do(b, key) })}
}

func atKey(do func(b *keysim.Bank, key int, s *Step)) func(*player, *Step) error {
	return func(p *player, s *Step) error {
		key, err := p.on.contact(s.Key)
		if err != nil {
			return err
		}
		do(p.on.Panel, key, s)
		return nil
	}
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
