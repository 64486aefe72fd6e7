package alike_test

import (
	"testing"

	"github.com/sabot-table/sabot/internal/alike"
	"github.com/sabot-table/sabot/internal/testkit/attack"
)

// TestAttackAlike: no name that is taken for another one counts as new, whichever script, width, case or composition it
// is in.
func TestAttackAlike(t *testing.T) {
	tries, through := 0, 0
	for name, likes := range map[string][]string{
		"anna": {
			"Anna", "ANNA", "аnna", "аnnа", "αnna", "ａｎｎａ", "Ａｎｎａ", "an\u200bna", "an\u00adna", "𝐚𝐧𝐧𝐚",
			"ⓐⓝⓝⓐ", "ANNА",
		},
		"Zoë":       {"Zoe\u0308", "zoë", "ZOË", "Zoё"},
		"Ida":       {"lda", "ida", "IDA", "Іda"},
		"Paul":      {"Pau1", "PauI", "Раul", "paul"},
		"Strauß":    {"Strauss", "STRAUSS"},
		"Jo O’Hara": {"Jo O'Hara", "Jo  O’Hara", "Jo\u00a0O’Hara", "Jo O'Hara"},
		"1001":      {"l001", "1O01", "1001\ufe0f", "１００１"},
		"王芳":        {"王芳\ufe00"},
		"Ömer":      {"O\u0308mer", "ömer"},
		"modern":    {"modem"},
		"rose":      {"Гose"},
	} {
		n := namesOf("somebody", name)
		for _, like := range likes {
			if like == name {
				continue
			}
			if tries++; n.Like(like) != name {
				through++
				t.Errorf("%q (%+q) is not taken for %q", like, like, name)
			}
		}
		if like := n.Like(name); like != "" {
			t.Errorf("%q is taken for %q", name, like)
		}
	}
	attack.Report(t, "names that look the same", tries, through)
}

// TestApart: names that people can tell apart are not taken for each other.
func TestApart(t *testing.T) {
	names := []string{
		"Anna", "Anne", "Hanna", "Änna", "Ana", "Jan", "Jon", "Jo", "Kai", "Karl", "Marie", "Maria", "Zoe", "Zoë", "1",
		"2", "10", "12", "21", "1a", "1b", "a", "b", "c",
		"i", "o", "王芳", "王方", "Иван", "Ивана", "Mila", "Milo", "guest", "guest 2",
	}
	for i, name := range names {
		if like := namesOf(append(append([]string{}, names[:i]...), names[i+1:]...)...).Like(name); like != "" {
			t.Errorf("%q is taken for %q", name, like)
		}
	}
}

func namesOf(names ...string) *alike.Names {
	var n alike.Names
	for _, name := range names {
		n.Add(name)
	}
	return &n
}
