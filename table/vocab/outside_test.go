package vocab_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/plaintext"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestEveryTextHasARule: no text of an input comes in unchecked, but for those of a setup, which are names of what the
// program knows.
func TestEveryTextHasARule(t *testing.T) {
	for kind := range vocab.EveryInput {
		if kind == vocab.InSetup {
			continue
		}
		for _, f := range vocab.Inputs[kind].Fields {
			text := slices.Contains([]vocab.Type{vocab.TypeText, vocab.TypeName, vocab.TypeTexts}, f.Type)
			if text != (f.Wrong != nil) || text && f.Wrong("a\x1bb") == "" {
				t.Errorf("%s of %s: a text %t, with a rule %t", f.Name, kind, text, f.Wrong != nil)
			}
		}
	}
}

// everywhere are inputs of all kinds with the same text wherever one can stand.
func everywhere(text string) (all []vocab.Input) {
	for kind := range vocab.EveryInput {
		in := vocab.Input{
			Kind: kind, Bettor: text, Player: text, Bettors: []string{text}, Code: text, By: text,
			Because: text, Dealer: vocab.DealerChange{Shift: text, Relieves: text},
			Table: vocab.TableChange{Dealer: text},
			Setup: &rules.Setup{},
		}
		in.Name(vocab.Named{Maker: text, Serial: text, Firmware: text, Packs: text})
		in.Command, in.Message.Text, in.Refused.Why = text, text, text
		all = append(all, in)
	}
	return all
}

// hasText says which inputs have a text that comes from outside.
func hasText(kind vocab.InputKind) bool {
	return slices.ContainsFunc(vocab.Inputs[kind].Fields, func(f *vocab.Field[vocab.Input]) bool {
		return f.Wrong != nil
	})
}

func TestTextsFromOutside(t *testing.T) {
	for _, in := range everywhere("anna") {
		before := in
		before.Bettors = slices.Clone(in.Bettors)
		if err := in.CheckTexts(); err != nil {
			t.Errorf("%s: %v", in.Kind, err)
		}
		if in.ShowTexts(); in.Bettor != before.Bettor || in.Code != before.Code ||
			!slices.Equal(in.Bettors, before.Bettors) {
			t.Errorf("%s was changed", in.Kind)
		}
	}
	for _, evil := range []string{
		"a\nround void", "\x1b[2J", "\u202eanna", "\xff", " a", strings.Repeat("王", 300),
		"\u0301\u0301", "\u2003",
	} {
		for _, in := range everywhere(evil) {
			var wrong *vocab.TextError
			if err := in.CheckTexts(); errors.As(err, &wrong) != hasText(in.Kind) {
				t.Errorf("%s with %q: %v", in.Kind, evil, err)
			}
			if in.ShowTexts(); in.CheckTexts() != nil {
				t.Errorf("%s with %q is still refused: %v", in.Kind, evil, in.CheckTexts())
			}
		}
	}
	in := vocab.Input{
		Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeAlarmRaised}, Code: "cover\x1b[2J\u202e",
	}
	if in.ShowTexts(); in.Code != `cover\x1b[2J\u{202e}` {
		t.Errorf("the alarm reads %s", in.Code)
	}
	in = vocab.Input{Kind: vocab.InNote, Code: "pin-wrong", By: "an\u202ena"}
	if in.ShowTexts(); in.By != "an_u_202e_na" {
		t.Errorf("the name reads %s", in.By)
	}
}

// FuzzShowTexts: whatever a device says can be recorded.
func FuzzShowTexts(f *testing.F) {
	f.Add("cover\x1b[2J")
	f.Add(" \u202e\xff")
	f.Fuzz(func(t *testing.T, text string) {
		for _, in := range everywhere(text) {
			taken := in.CheckTexts() == nil
			if in.ShowTexts(); in.CheckTexts() != nil || taken && in.Code != text ||
				plaintext.Visible(in.Code) != in.Code && hasText(in.Kind) && in.Kind == vocab.InNote {
				t.Errorf("%s with %q reads %q", in.Kind, text, in.Code)
			}
		}
	})
}
