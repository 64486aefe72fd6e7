package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/settings"
	"github.com/sabot-table/sabot/internal/ops/settings/page"
	"github.com/sabot-table/sabot/table/authority"
)

// pad proves whoever gives their name with "right", and counts the tries.
type pad struct {
	keyOnly bool // no PIN is asked
	turned  bool // the key, which proves by itself
	tries   int
}

var errWrong = errors.New("wrong PIN")

func (p *pad) AsksPINs() bool { return !p.keyOnly }

func (p *pad) Proves(_ context.Context, g authority.Given) (string, error) {
	switch {
	case g.PIN == "" && p.turned:
		return "the key", nil
	case g.PIN == "":
		return "", &authority.Refusal{Why: "needs-pin"}
	}
	if p.tries++; g.PIN != "right" {
		return "", errWrong
	}
	return g.Name, nil
}

// TestMayChange: who may change what, and with whom.
func TestMayChange(t *testing.T) {
	given := func(text string) (g authority.Given) {
		g.Name, g.PIN, _ = strings.Cut(text, "/")
		return g
	}
	file := func(names ...string) []byte {
		text := "supervisors:\n  names:\n"
		for _, name := range names {
			text += fmt.Sprintf("    - {name: %s, pin: x}\n", name)
		}
		return []byte(text)
	}
	one, two, three := file("anna"), file("anna", "bert"), file("anna", "bert", "carl")
	limit := settings.Answer{Key: "box_max", Text: "1000"}
	renew := func(name string) settings.Answer {
		return settings.Answer{Key: "supervisors.names", Text: name, PIN: "58219"}
	}
	remove := func(name string) settings.Answer {
		return settings.Answer{Key: "supervisors.names", Text: name, Remove: true}
	}
	for _, c := range []struct {
		name     string
		text     []byte
		answer   settings.Answer
		by, also string
		pad      pad
		want     string // who, and with whom
		err      error
		tries    int
	}{
		{"a limit", three, limit, "anna/right", "", pad{}, "anna+", nil, 1},
		{"a limit, wrongly", three, limit, "anna/wrong", "", pad{}, "+", errWrong, 1},
		{"a limit, with the key", three, limit, "", "", pad{turned: true}, "the key+", nil, 0},
		{"one's own PIN", three, renew("anna"), "anna/right", "", pad{}, "anna+", nil, 1},
		{"another's PIN", three, renew("bert"), "anna/right", "", pad{}, "+", page.ErrSecond, 0},
		{"another's PIN, with them", three, renew("bert"), "anna/right", "bert/right", pad{}, "anna+bert", nil, 2},
		{"another's PIN, with a third", three, renew("bert"), "anna/right", "carl/right", pad{}, "anna+carl", nil, 2},
		{
			"another's PIN, with a wrong second", three, renew("bert"), "anna/right", "carl/wrong",
			pad{},
			"anna+",
			errWrong, 2,
		},
		{
			"another's PIN, twice the same", three, renew("bert"), "anna/right", "Anna/right",
			pad{},
			"+",
			page.ErrTwice, 0,
		},
		{"another's PIN, with the key alone", three, renew("bert"), "", "", pad{turned: true}, "+", page.ErrSecond, 0},
		{
			"another's PIN, where no PIN is asked", three, renew("bert"), "", "",
			pad{keyOnly: true, turned: true},
			"the key+", nil, 0,
		},
		{"nobody given", three, renew("bert"), "", "", pad{}, "+", &authority.Refusal{}, 0},
		{"a second where one is alone", one, renew("bert"), "anna/right", "", pad{}, "anna+", nil, 1},
		{"a colleague of two, alone", two, remove("bert"), "anna/right", "", pad{}, "+", page.ErrSecond, 0},
		{"a colleague of two, with them", two, remove("bert"), "anna/right", "bert/right", pad{}, "anna+bert", nil, 2},
		{"oneself", three, remove("anna"), "anna/right", "bert/right", pad{}, "+", settings.ErrSelf, 1},
	} {
		set, err := settings.Differences(c.text, []settings.Answer{c.answer})
		if err != nil || len(set) != 1 {
			t.Fatalf("%s: %v, %v", c.name, set, err)
		}
		change := page.Change{
			Answers: []settings.Answer{c.answer}, Text: c.text, Settings: set, By: given(c.by),
			Also: given(c.also),
		}
		by, also, err := mayChange(t.Context(), &c.pad, change)
		_, refused := errors.AsType[*authority.Refusal](err)
		_, wantRefused := errors.AsType[*authority.Refusal](c.err)
		if !errors.Is(err, c.err) && !(refused && wantRefused) || by+"+"+also != c.want || c.pad.tries != c.tries {
			t.Errorf("%s: by %q with %q, %v, after %d tries; want %s, %v, after %d", c.name, by, also, err, c.pad.tries,
				c.want, c.err, c.tries)
		}
	}
}
