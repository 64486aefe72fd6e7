package lcd

import (
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"Jürgen":          "Jürgen",
		"Zoë Ærø Ňuñez":   "Zoe Aero ?unez",
		"ÄÖÜß":            "AeOeUess",
		"王小明":             "???",
		"a\x1b[2J\u202eb": "a?[2J?b",
		"−1\u202f234.50":  "-1234.50",
		"+3:2 ×2 ½ ●":     "+3:2 x2 1/2 *",
		"T♥ J♠ Q♦ K♣…":    "T♥ J♠ Q♦ K♣…",
		`\~`:              "/-",
	} {
		if got := plain(in); got != want {
			t.Errorf("%q is written %q, want %q", in, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		most  int
		want  []string
		whole bool
	}{
		{"", 2, nil, true},
		{"BOX 3: CARD or REST?", 1, []string{"BOX 3: CARD or REST?"}, true},
		{"BOX 3: CARD or DOUBLE?", 1, []string{"BOX 3: CARD or DOUB…"}, false},
		{"BOX 3: CARD or DOUBLE?", 2, []string{"BOX 3: CARD or", "DOUBLE?"}, true},
		{"SUPERVISOR: NEXT\u00a0CARD BURN", 2, []string{"SUPERVISOR:", "NEXT CARD BURN"}, true},
		{"Maximiliane-von-Hohenberg", 2, []string{"Maximiliane-von-Hoh…"}, false},
	} {
		rows, whole := wrap(c.text, c.most)
		if len(rows) != len(c.want) || whole != c.whole {
			t.Errorf("%q in %d rows is %q, whole %t; want %q", c.text, c.most, rows, whole, c.want)
			continue
		}
		for i := range rows {
			if rows[i] != c.want[i] {
				t.Errorf("%q in %d rows is %q; want %q", c.text, c.most, rows, c.want)
			}
		}
	}
}

func TestApart(t *testing.T) {
	for _, c := range []struct{ left, right, want string }{
		{"3 anna", "30.00", "3 anna         30.00"},
		{"3 Maximiliane von Hohenberg", "1250.00", "3 Maximilia… 1250.00"},
		{"3 anna", "12345678901234567890", " 12345678901234567890"},
	} {
		if got := apart(c.left, c.right, Columns); got != c.want {
			t.Errorf("%q and %q are %q, want %q", c.left, c.right, got, c.want)
		}
	}
}

// FuzzWrap: whatever a text contains, its rows fit on the display and have only its characters.
func FuzzWrap(f *testing.F) {
	f.Add("SUPERVISOR: NEXT\u00a0CARD BURN", 2)
	f.Add("王小明 \x1b[2J ß\u202f−", 1)
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = 1 + most&3
		rows, whole := wrap(text, most)
		if len(rows) > most {
			t.Fatalf("%q takes %d rows of %d", text, len(rows), most)
		}
		for _, row := range rows {
			if width(row) > Columns || strings.ContainsFunc(row, func(sign rune) bool { return !Has(sign) }) {
				t.Fatalf("%q gives the row %q, whole %t", text, row, whole)
			}
		}
	})
}
