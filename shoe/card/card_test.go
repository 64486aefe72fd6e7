package card_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/shoe/card"
)

func TestNotation(t *testing.T) {
	for _, c := range []struct {
		text string
		rank card.Rank
		suit card.Suit
		red  bool
	}{
		{"AS", card.Ace, card.Spades, false},
		{"2H", 2, card.Hearts, true},
		{"9D", 9, card.Diamonds, true},
		{"TC", card.Ten, card.Clubs, false},
		{"JS", card.Jack, card.Spades, false},
		{"QH", card.Queen, card.Hearts, true},
		{"KD", card.King, card.Diamonds, true},
	} {
		got, err := card.Parse(c.text)
		if err != nil {
			t.Error(err)
			continue
		}
		if got != card.Of(c.rank, c.suit) || got.Rank() != c.rank || got.Suit() != c.suit || got.Red() != c.red ||
			!got.Ranked() || got.String() != c.text {
			t.Errorf("%s is rank %d, suit %d, red %t, ranked %t, written %q", c.text, got.Rank(), got.Suit(), got.Red(),
				got.Ranked(), got)
		}
	}
}

func TestCardsBesidesTheFiftyTwo(t *testing.T) {
	for text, want := range map[string]card.Card{"JOKER": card.Joker, "??": card.Unread} {
		got, err := card.Parse(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
		if got.Ranked() || got.Rank() != 0 || got.Red() {
			t.Errorf("%q counts for something", text)
		}
	}
	if card.None.Ranked() || card.None.String() != "" {
		t.Error("no card is a card")
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"", "A", "as", "1S", "0S", "10S", "SA", "AX", "A ", " AS", "ASS", "joker", "JOKERS",
		"?", "???", "é", "A\x00", "🂡",
	} {
		got, err := card.Parse(text)
		if err == nil || got != card.None {
			t.Errorf("%q was read as %v", text, got)
		} else if !strings.Contains(err.Error(), "such as TH or AS") {
			t.Errorf("%q: the error does not say what to write: %v", text, err)
		}
	}
}

func TestOfRefuses(t *testing.T) {
	for _, c := range []card.Card{
		card.Of(0, card.Spades), card.Of(14, card.Spades), card.Of(255, card.Clubs),
		card.Of(card.Ace, 4), card.Of(card.Ace, 255),
	} {
		if c != card.None {
			t.Errorf("there is a card %v", c)
		}
	}
}

// TestEveryByte: every byte is one of the fifty-two, one of the other cards, or nothing.
func TestEveryByte(t *testing.T) {
	ranked, named := 0, map[string]bool{}
	for b := range 256 {
		c := card.Card(b)
		if c.Ranked() {
			ranked++
			if card.Of(c.Rank(), c.Suit()) != c {
				t.Errorf("%#x has rank %d and suit %d of another card", b, c.Rank(), c.Suit())
			}
		}
		text := c.String()
		if text == "" {
			continue
		}
		named[text] = true
		if back, err := card.Parse(text); err != nil || back != c {
			t.Errorf("%#x is written %q, which is %v, %v", b, text, back, err)
		}
	}
	if ranked != 52 || len(named) != 55 {
		t.Errorf("%d ranked cards and %d names, want 52 and 55", ranked, len(named))
	}
}

func TestAll(t *testing.T) {
	seen := map[card.Card]bool{}
	var text strings.Builder
	for c := range card.All {
		seen[c] = true
		text.WriteString(c.String())
	}
	if len(seen) != 52 || !strings.HasPrefix(text.String(), "AS2S3S") || !strings.HasSuffix(text.String(), "QCKC") {
		t.Errorf("a deck is %s", text.String())
	}
	for range card.All {
		break // a loop may end early
	}
}

func TestJSON(t *testing.T) {
	type hand struct {
		Cards []card.Card `json:"cards"`
		Next  card.Card   `json:"next"`
	}
	const text = `{"cards":["TH","JOKER","??"],"next":""}`
	var h hand
	if err := json.Unmarshal([]byte(text), &h); err != nil {
		t.Fatal(err)
	}
	if h.Next != card.None || len(h.Cards) != 3 || h.Cards[0] != card.Of(card.Ten, card.Hearts) {
		t.Errorf("read %+v", h)
	}
	if back, err := json.Marshal(h); err != nil || string(back) != text {
		t.Errorf("wrote %s, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`{"next":"TX"}`), &h); err == nil || h.Next != card.None {
		t.Errorf("a card that does not exist was read as %v", h.Next)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"TH", "AS", "JOKER", "??", "", "10H"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := card.Parse(text); err == nil && c.String() != text {
			t.Fatalf("%q is read as %v", text, c)
		}
	})
}
